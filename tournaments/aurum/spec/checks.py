"""What a spec must satisfy beyond single keys."""

import unicodedata
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from aurum.common.texts import guess, shown
from aurum.formats.options import Format, Seatings, Seeding, Tables
from aurum.spec.readers import Refused

if TYPE_CHECKING:
    from aurum.spec.spec import Spec


def _enough_bots(spec: "Spec") -> Iterator[Refused]:
    needed = 3 if spec.players == 3 else 2
    table_of = "a table of three" if spec.players == 3 else "a four-player table"
    if len(spec.bots) < needed:
        yield Refused(f"{table_of} needs at least {needed} bots, found {len(spec.bots)}", "bots")
    at_first = sum(bot.from_round == 1 for bot in spec.bots)
    if at_first < needed:
        yield Refused(f"{table_of} needs at least {needed} bots, and in round 1 there are {at_first}", "bots")


def _names_differ(spec: "Spec") -> Iterator[Refused]:
    seen: dict[str, int] = {}
    for number, bot in enumerate(spec.bots, 1):
        # File systems and readers take names for equal that differ only in case or in how an accent is encoded.
        first = seen.setdefault(unicodedata.normalize("NFKC", bot.name).casefold(), number)
        if first != number:
            yield Refused(f"{shown(bot.name)} is too like the name of bots[{first}]", f"bots[{number}].name")


def _folders_exist(spec: "Spec") -> Iterator[Refused]:
    for number, bot in enumerate(spec.bots, 1):
        try:
            found = bot.folder.is_dir()
        except ValueError:  # a NUL character in the path
            found = False
        if not found:
            yield Refused(
                f"no such folder: {shown(str(bot.folder))} (name {shown(bot.name)})", f"bots[{number}].folder"
            )


def _seatings_fit(spec: "Spec") -> Iterator[Refused]:
    if spec.seatings is Seatings.PERMUTATIONS and spec.players != 3:
        yield Refused(
            "permutations are of a table of three: remove the key (two teams have two seatings), or set players = 3",
            "tournament.seatings",
        )


def _format_fits(spec: "Spec") -> Iterator[Refused]:
    if spec.format is Format.KNOCKOUT and spec.players == 3:
        yield Refused(
            "a knockout is for two sides, since a match is to put one of two out: set players = 4, or another format",
            "tournament.players",
        )
    if spec.seeding is Seeding.LOT and spec.format is not Format.KNOCKOUT:
        yield Refused('only a knockout has seeds: remove the key, or set format = "knockout"', "tournament.seeding")
    if spec.tables is Tables.PAIRS and (spec.format, spec.players) != (Format.ROUND_ROBIN, 3):
        yield Refused("pairs are of a round robin with players = 3: remove the key", "tournament.tables")


def _challengers_fit(spec: "Spec") -> Iterator[Refused]:
    key = "tournament.challengers"
    if spec.challengers and spec.format is not Format.GAUNTLET:
        yield Refused('only a gauntlet has challengers: remove the key, or set format = "gauntlet"', key)
    names = [bot.name for bot in spec.bots]
    for number, name in enumerate(spec.challengers, 1):
        if name not in names:
            yield Refused(f"no bot is called {shown(name)}{guess(name, names)}", f"{key}[{number}]")
    needed, others = (2 if spec.players == 3 else 1), len(names) - len(spec.challengers)
    if spec.challengers and others < needed:
        yield Refused(f"they need at least {needed} bots to meet that are no challengers, found {others}", key)


def _rounds_of_bots_fit(spec: "Spec") -> Iterator[Refused]:
    for number, bot in enumerate(spec.bots, 1):
        place, named = f"bots[{number}]", f"(name {shown(bot.name)})"
        if (bot.from_round, bot.until_round) != (1, None) and spec.format is not Format.SWISS:
            key = "from_round" if bot.from_round != 1 else "until_round"
            yield Refused(f"only in a swiss bots come and go between rounds: remove the key {named}", f"{place}.{key}")
        if spec.rounds is not None and bot.from_round > spec.rounds:
            yield Refused(
                f"the tournament has {spec.rounds} rounds, not {bot.from_round} {named}", f"{place}.from_round"
            )
        if bot.until_round is not None and bot.until_round < bot.from_round:
            yield Refused(f"must not be before from_round = {bot.from_round} {named}", f"{place}.until_round")


def _rounds_fit(spec: "Spec") -> Iterator[Refused]:
    most = most_rounds(len(spec.bots))
    if spec.format is not Format.SWISS:
        if spec.rounds is not None:
            yield Refused('only a swiss counts rounds: remove the key, or set format = "swiss"', "tournament.rounds")
    elif spec.rounds is None:
        yield Refused(f"missing: a swiss of {len(spec.bots)} bots has 1 to {most} rounds", "tournament.rounds")
    elif spec.rounds > most:
        yield Refused(
            f"a swiss of {len(spec.bots)} bots has at most {most} rounds, not {spec.rounds}: "
            'for more use format = "round_robin"',
            "tournament.rounds",
        )


def _anchor_plays(spec: "Spec") -> Iterator[Refused]:
    names = [bot.name for bot in spec.bots]
    if spec.anchor is not None and spec.anchor not in names:
        yield Refused(f"no bot is called {shown(spec.anchor)}{guess(spec.anchor, names)}", "tournament.anchor")


CHECKS: tuple[Callable[["Spec"], Iterator[Refused]], ...] = (
    _enough_bots,
    _names_differ,
    _seatings_fit,
    _format_fits,
    _challengers_fit,
    _rounds_fit,
    _rounds_of_bots_fit,
    _anchor_plays,
    _folders_exist,
)
"""In the order in which they are made; the first complaint is told."""


def most_rounds(bots: int) -> int:
    """Rounds a Swiss of that many bots may have: half the field, rounded up.

    Up to there a pairing without rematch always exists for two sides while the field stays the same (Dirac: with the
    bye as one more opponent, everyone has still more than half of the others to meet).
    """
    return (bots + 1) // 2
