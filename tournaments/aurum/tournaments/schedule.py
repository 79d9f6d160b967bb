"""Who meets whom, and when: a pure function of the spec, the secret and the results so far."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb

from aurum.pairing.berger import berger
from aurum.pairing.swiss import pair, ranked
from aurum.pairing.swiss_trios import seat
from aurum.pairing.trios import all_trios
from aurum.tournaments.formats import Format
from aurum.tournaments.points import Games, by_match, finished, score_halves
from aurum.tournaments.results import GameRow
from aurum.tournaments.rounds import Bye, Match, Round, turns_of
from aurum.tournaments.spec import Spec


def rounds_ready(spec: Spec, secret: bytes, results: Sequence[GameRow]) -> list[Round]:
    """Every round that can be paired now, in order.

    Round robin: all of them. Swiss: the finished ones and the next; a round is finished when every game of it is
    among the results. More results only ever append rounds, and the order of the results does not matter.

    Args:
        spec: the tournament.
        secret: 32 bytes that decide a Swiss pairing between equals (not used for a round robin).
        results: finished games, none twice.
    """
    names = [bot.name for bot in spec.bots]
    rounds: list[Round] = []
    if spec.format is Format.ROUND_ROBIN:
        for tables in _round_robin(names, sides_of(spec)):
            rounds.append(_numbered(spec, rounds, tables))
        return rounds
    games = by_match(results)
    for _ in range(spec.rounds or 0):
        rounds.append(_numbered(spec, rounds, _swiss(spec, secret, rounds, games)))
        if not finished(rounds[-1], games):
            break
    return rounds


def match_count(spec: Spec) -> int:
    """Matches of the whole tournament."""
    sides, field = sides_of(spec), len(spec.bots)
    return comb(field, sides) if spec.rounds is None else spec.rounds * (field // sides)


def sides_of(spec: Spec) -> int:
    """Sides at a table."""
    return 3 if spec.players == 3 else 2


def group_size(spec: Spec) -> int:
    """Games of a deal group: seatings of a deal."""
    return len(turns_of(sides_of(spec), spec.seatings))


def _round_robin(names: Sequence[str], sides: int) -> list[list[tuple[str, ...]]]:
    drawn: Iterable[Iterable[tuple[int, ...]]] = berger(len(names)) if sides == 2 else all_trios(len(names))
    # Whoever is drawn against the number after the last has a bye.
    return [[tuple(names[i] for i in table) for table in tables if max(table) < len(names)] for tables in drawn]


def _swiss(spec: Spec, secret: bytes, rounds: Sequence[Round], games: Games) -> list[tuple[str, ...]]:
    names = [bot.name for bot in spec.bots]
    score = score_halves(names, rounds, games, sides_of(spec))
    order = ranked(names, score, secret)
    met = Counter(
        frozenset(two) for played in rounds for match in played.matches for two in combinations(match.bots, 2)
    )
    byes = Counter(bye.bot for played in rounds for bye in played.byes)
    if sides_of(spec) == 2:
        return [*pair(order, score, met, byes, secret)[0]]
    return [*seat(order, score, met, byes, secret)[0]]


def _numbered(spec: Spec, before: Sequence[Round], tables: Sequence[tuple[str, ...]]) -> Round:
    """The round with these tables, after those before it."""
    number = len(before) + 1
    first = sum(len(played.matches) for played in before)
    busy = {name for table in tables for name in table}
    return Round(
        number,
        tuple(
            Match(f"r{number}m{index + 1}", number, table, (first + index) * spec.deals, spec.deals, spec.seatings)
            for index, table in enumerate(tables)
        ),
        tuple(Bye(number, bot.name) for bot in spec.bots if bot.name not in busy),
    )
