"""What a spec must satisfy beyond single keys."""

import unicodedata
from collections.abc import Callable, Iterator

from aurum.common.texts import JOINERS, guess, shown
from aurum.formats.options import Seatings
from aurum.formats.registry import keys_of_others
from aurum.spec.keys import values_of
from aurum.spec.readers import Refused
from aurum.spec.spec import Spec


def _enough_bots(spec: Spec) -> Iterator[Refused]:
    needed = spec.side_count
    table_of = "a table of three" if spec.players == 3 else "a four-player table"
    if len(spec.bots) < needed:
        yield Refused(f"{table_of} needs at least {needed} bots, found {len(spec.bots)}", "bots")
    at_first = sum(bot.from_round == 1 for bot in spec.bots)
    if at_first < needed:
        yield Refused(f"{table_of} needs at least {needed} bots, and in round 1 there are {at_first}", "bots")


def _names_differ(spec: Spec) -> Iterator[Refused]:
    seen: dict[str, int] = {}
    for number, bot in enumerate(spec.bots, 1):
        # File systems and readers take names for equal that differ only in case, in how an accent is encoded, or in
        # joiners, which many of them pass over.
        alike = unicodedata.normalize("NFKC", JOINERS.sub("", bot.name)).casefold()
        first = seen.setdefault(alike, number)
        if first != number:
            yield Refused(f"{shown(bot.name)} is too similar to the name of bots[{first}]", f"bots[{number}].name")


def _folders_exist(spec: Spec) -> Iterator[Refused]:
    for number, bot in enumerate(spec.bots, 1):
        try:
            found = bot.folder.is_dir()
        except ValueError:  # a NUL character in the path
            found = False
        if not found:
            yield Refused(
                f"no such folder: {shown(str(bot.folder))} (name {shown(bot.name)})", f"bots[{number}].folder"
            )


def _what_is_read_exists(spec: Spec) -> Iterator[Refused]:
    for number, bot in enumerate(spec.bots, 1):
        for place, path in enumerate(bot.reads, 1):
            if "\0" in str(path) or not path.exists():
                yield Refused(
                    f"no such file or folder: {shown(str(path))} (name {shown(bot.name)})",
                    f"bots[{number}].reads[{place}]",
                )


def _seatings_fit(spec: Spec) -> Iterator[Refused]:
    if spec.seatings is Seatings.PERMUTATIONS and spec.players != 3:
        yield Refused(
            "permutations are for three players: remove the key (two teams have two seatings), or set players = 3",
            "tournament.seatings",
        )


def _format_fits(spec: Spec) -> Iterator[Refused]:
    for complaint in spec.format.complaints(spec):
        yield Refused(complaint.sentence, complaint.key)
    not_taken = keys_of_others(spec.format)
    for value in values_of(spec):
        sentence = not_taken.get(f"{value.section}.{value.name}")
        if sentence and not value.is_default:
            named = f" (name {shown(spec.bots[value.number - 1].name)})" if value.number else ""
            yield Refused(sentence + named, value.path)


def _anchor_plays(spec: Spec) -> Iterator[Refused]:
    names = [bot.name for bot in spec.bots]
    if spec.anchor is not None and spec.anchor not in names:
        yield Refused(f"no bot is called {shown(spec.anchor)}{guess(spec.anchor, names)}", "tournament.anchor")


CHECKS: tuple[Callable[[Spec], Iterator[Refused]], ...] = (
    _enough_bots,
    _names_differ,
    _seatings_fit,
    _format_fits,
    _anchor_plays,
    _folders_exist,
    _what_is_read_exists,
)
"""In the order in which they are made; only the first refusal is shown."""
