"""A Swiss: who is in the field of a round, who meets whom in it, and what a changing field made unavoidable."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations

from aurum.formats.options import Format
from aurum.formats.points import Games, score_halves
from aurum.formats.rounds import Round
from aurum.pairing.swiss import pair, ranked
from aurum.pairing.swiss_trios import seat
from aurum.spec.spec import Spec, fingerprint

Counts = frozenset[tuple[frozenset[str], int]]


def field_of(spec: Spec, number: int) -> list[str]:
    """The bots that take part in the round of this number."""
    return [bot.name for bot in spec.bots if bot.from_round <= number <= (bot.until_round or number)]


def is_amended(old: Spec, new: Spec, paired: int) -> bool:
    """Whether the new spec is the old one, edited between rounds.

    Nothing differs but when bots come and go; bots are added, none is removed; and the rounds up to number `paired`
    keep their fields, so what is stored of them stays as it was paired.
    """
    before = {bot.name: bot for bot in old.bots}
    kept = tuple(
        replace(bot, from_round=before[bot.name].from_round, until_round=before[bot.name].until_round)
        for bot in new.bots
        if bot.name in before
    )
    return (
        new.format is Format.SWISS
        and fingerprint(replace(new, bots=kept)) == fingerprint(old)
        and all(field_of(old, number) == field_of(new, number) for number in range(1, paired + 1))
    )


def tables_of(
    spec: Spec, sides: int, secret: bytes, number: int, rounds: Sequence[Round], games: Games
) -> Sequence[tuple[str, ...]]:
    """Who meets whom in the round of this number, after these rounds with these results."""
    field = field_of(spec, number)
    score = score_halves([bot.name for bot in spec.bots], rounds, games, sides)
    met = Counter(
        frozenset(two) for played in rounds for match in played.matches for two in combinations(match.bots, 2)
    )
    byes = Counter(bye.bot for played in rounds for bye in played.byes)
    order = ranked(field, score, secret)
    return _paired(
        sides,
        tuple((bot, score[bot], byes[bot]) for bot in order),
        frozenset((two, times) for two, times in met.items() if two <= {*field}),
        secret,
    )


@lru_cache(maxsize=256)
def _paired(
    sides: int, order: tuple[tuple[str, int, int], ...], met: Counts, secret: bytes
) -> tuple[tuple[str, ...], ...]:
    """The pairing, kept: the rounds of a Swiss are asked for again after every round.

    Args:
        sides: at a table.
        order: the field, ranked: bot, half points, byes.
        met: two bots that have met, and how often.
        secret: the tournament's.
    """
    names = [bot for bot, _, _ in order]
    score = {bot: halves for bot, halves, _ in order}
    byes = {bot: had for bot, _, had in order}
    find = pair if sides == 2 else seat
    return tuple(find(names, score, dict(met), byes, secret)[0])


def rematches(rounds: Iterable[Round]) -> Iterator[tuple[int, str, str]]:
    """Round and bots of each meeting that was not the first of the two."""
    met: set[frozenset[str]] = set()
    for played in rounds:
        for match in played.matches:
            for one, other in combinations(match.bots, 2):
                if {one, other} in met:
                    yield played.number, one, other
                met.add(frozenset((one, other)))


def swiss_notes(rounds: Sequence[Round]) -> Iterator[str]:
    """What the organiser should know of the pairings: who met again because there was no other way."""
    again = list(rematches(rounds))
    if again and all(len(match.bots) == 2 for played in rounds for match in played.matches):
        named = ", ".join(f"{one} - {other} (round {number})" for number, one, other in again)
        yield f"met again, since the field left no pairing without: {named}"
    elif again:
        yield f"tables of three: {len(again)} times two bots met again, as seldom as the points allowed"
