"""Runs recorded games again and checks each by itself, in several processes if the games are many."""

import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, fields
from itertools import chain, islice

from aurum.archive.games import Entry
from aurum.records.verify import differences
from aurum.results.game_row import GameRow
from aurum.results.rows import row_of
from aurum.v1.record_pb2 import GameRecord

_CHUNK = 250
_MANY = 1000
"""Below so many games, starting processes takes longer than it saves."""


@dataclass(frozen=True)
class Checked:
    """A game that was run again: what is wrong with it by itself, and what is to be compared with other games."""

    label: str
    """What names it in errors."""
    id: str
    deal: int
    deal_key: bytes
    bots: tuple[str, ...]
    """By seat."""
    row: GameRow | None
    """None where the record does not say enough for one."""
    problems: tuple[str, ...]
    row_problems: tuple[str, ...]
    """How its row differs from what its store counts."""


def check(entry: Entry) -> Checked:
    """Run one game again.

    Raises:
        UserError: the entry holds no record.
    """
    record = entry.record()
    problems = differences(record)
    row = None
    if len(record.seats) in (3, 4):
        try:
            row = row_of(record)
        except ValueError as error:
            problems.append(str(error))
    bots = tuple(seat.bot for seat in record.seats)
    row_problems = () if row is None else tuple(_row_problems(record, row, entry))
    return Checked(entry.label, record.id, record.deal, record.deal_key, bots, row, tuple(problems), row_problems)


def _row_problems(record: GameRecord, row: GameRow, entry: Entry) -> Iterator[str]:
    if row.deal != record.deal:
        yield f"is of deal {record.deal}, but its id says {row.deal}"
    if isinstance(entry.content, str):
        return
    stored = entry.row
    if stored is None or (stored.match, stored.deal, stored.seating) != (row.match, row.deal, row.seating):
        yield "the store does not know the game under this match, deal and seating"
    elif stored != row:
        names = ", ".join(
            field.name for field in fields(row) if getattr(row, field.name) != getattr(stored, field.name)
        )
        yield f"the store counts other figures than the record holds ({names})"


def check_all(entries: Iterable[Entry], processes: int) -> Iterator[Checked]:
    """Run games again, in their order; many of them in that many processes."""
    entries = iter(entries)
    first = list(islice(entries, _MANY))
    if processes < 2 or len(first) < _MANY:
        yield from map(check, chain(first, entries))
        return
    with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn")) as pool:
        flying: deque[Future[list[Checked]]] = deque()
        rest = chain(first, entries)
        while chunk := list(islice(rest, _CHUNK)):
            flying.append(pool.submit(_check_chunk, chunk))
            if len(flying) > 2 * processes:  # more of a large store than this is never in memory
                yield from flying.popleft().result()
        while flying:
            yield from flying.popleft().result()


def _check_chunk(chunk: list[Entry]) -> list[Checked]:
    return [check(entry) for entry in chunk]
