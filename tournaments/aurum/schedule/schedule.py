"""Who meets whom, and when: a pure function of the spec, the secret and the results so far."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from math import comb

from aurum.formats import knockout, swiss
from aurum.formats.options import Format, Tables
from aurum.formats.points import Games, by_match, finished
from aurum.formats.rounds import Bye, Match, Round, seatings_of
from aurum.pairing.berger import berger
from aurum.pairing.coverings import covering
from aurum.pairing.gauntlet import duels
from aurum.pairing.gauntlet import trios as challenged
from aurum.pairing.trios import all_trios, in_rounds
from aurum.results.game_row import GameRow
from aurum.spec.spec import Spec

Numbers = tuple[tuple[tuple[int, ...], ...], ...]
"""Rounds of tables of bots, by their numbers in the spec from 0."""


def rounds_ready(spec: Spec, secret: bytes, results: Sequence[GameRow]) -> list[Round]:
    """Every round that can be paired now, in order.

    Round robin and gauntlet: all of them. Swiss and knockout: the finished ones and the next; a round is finished
    when every game of it is among the results. More results only ever append rounds, and the order of the results
    does not matter. A round of a Swiss for which no bot is in the field is left out.

    Args:
        spec: the tournament.
        secret: 32 bytes that decide between equals in a Swiss, and where a knockout's seeds are drawn.
        results: finished games, none twice.
    """
    make = {Format.SWISS: _swiss, Format.KNOCKOUT: _knockout}.get(spec.format)
    if make is None:
        return list(_fixed(spec))
    games = by_match(results)
    rounds: list[Round] = []
    for played in make(spec, secret, rounds, games):
        rounds.append(played)
        if not finished(played, games):
            break
    return rounds


def match_count(spec: Spec) -> int:
    """Matches of the whole tournament."""
    sides, field = sides_of(spec), len(spec.bots)
    if spec.format is Format.KNOCKOUT:
        return field - 1
    if spec.format is Format.SWISS:
        return sum(len(swiss.field_of(spec, number)) // sides for number in _numbers(spec))
    if spec.format is Format.GAUNTLET:
        return len(spec.challengers) * comb(field - len(spec.challengers), sides - 1)
    return comb(field, sides) if spec.tables is Tables.ALL else len(covering(field))


def sides_of(spec: Spec) -> int:
    """Sides at a table."""
    return 3 if spec.players == 3 else 2


def group_size(spec: Spec) -> int:
    """Games of a deal group: seatings of a deal."""
    return len(seatings_of(sides_of(spec), spec.seatings))


def _fixed(spec: Spec) -> Iterator[Round]:
    """The rounds of a format that asks for no results."""
    names = [bot.name for bot in spec.bots]
    challengers = tuple(number for number, name in enumerate(names) if name in spec.challengers)
    first_match = 0
    for number, tables in enumerate(_tables(len(names), sides_of(spec), spec.tables, challengers), 1):
        # In a gauntlet whoever is not challenged just waits: that is no bye.
        field = {i for table in tables for i in table} if challengers else range(len(names))
        seated = [tuple(names[i] for i in table) for table in tables]
        yield _round(spec, number, first_match, seated, [names[i] for i in field])
        first_match += len(tables)


@cache
def _tables(field: int, sides: int, tables: Tables, challengers: tuple[int, ...]) -> Numbers:
    rounds: Iterable[Iterable[tuple[int, ...]]]
    if challengers:
        others = [number for number in range(field) if number not in challengers]
        rounds = duels(challengers, others) if sides == 2 else challenged(challengers, others)
    elif sides == 2:
        rounds = berger(field)
    else:
        rounds = all_trios(field) if tables is Tables.ALL else in_rounds(covering(field), field)
    # Whoever is drawn against the number after the last has a bye.
    return tuple(tuple(table for table in played if max(table) < field) for played in rounds)


def _swiss(spec: Spec, secret: bytes, rounds: Sequence[Round], games: Games) -> Iterator[Round]:
    """Each round in its turn; `rounds` are those given before, all finished when the next one is asked for."""
    for number in _numbers(spec):
        if field := swiss.field_of(spec, number):
            tables = swiss.tables_of(spec, sides_of(spec), secret, number, rounds, games)
            yield _round(spec, number, _matches(rounds), tables, field)


def _knockout(spec: Spec, secret: bytes, rounds: Sequence[Round], games: Games) -> Iterator[Round]:
    """Each round in its turn, as `_swiss`."""
    names = knockout.seeds(spec, secret)
    slots = knockout.first_slots(spec)
    while len(slots) > 1:
        still_in = [names[seed] for seed in slots if seed is not None]
        tables = knockout.tables_of(slots, names)
        yield _round(spec, len(rounds) + 1, _matches(rounds), tables, still_in)
        slots = knockout.next_slots(slots, names, rounds[-1], games)


def _numbers(spec: Spec) -> range:
    return range(1, (spec.rounds or 0) + 1)


def _matches(rounds: Iterable[Round]) -> int:
    return sum(len(played.matches) for played in rounds)


def _round(
    spec: Spec, number: int, first_match: int, tables: Sequence[tuple[str, ...]], field: Collection[str]
) -> Round:
    """The round with these tables of this field, after so many matches."""
    busy = {name for table in tables for name in table}
    return Round(
        number,
        tuple(
            Match(
                f"r{number}m{index + 1}", number, table, (first_match + index) * spec.deals, spec.deals, spec.seatings
            )
            for index, table in enumerate(tables)
        ),
        tuple(Bye(number, bot.name) for bot in spec.bots if bot.name in field and bot.name not in busy),
    )
