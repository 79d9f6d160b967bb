"""The played units in a store: their games, records and reports, as rows of SQL tables and back."""

import sqlite3
from collections.abc import Collection, Iterator
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from aurum.referee.unit import InstanceReport
from aurum.results.game_row import GameRow
from aurum.results.played_unit import BotVersion, FinishedGame, PlayedUnit, UnitReport
from aurum.store.columns import insert, made, names_of, rows_of
from aurum.store.database import user_errors

T = TypeVar("T")


class _Sides(NamedTuple):
    """A game's rows, one a side, column by column: each field has the values of all sides, by side."""

    match: tuple[str, ...]
    deal: tuple[int, ...]
    seating: tuple[int, ...]
    delayed: tuple[int, ...]
    bot: tuple[str, ...]
    placing: tuple[int, ...]
    points: tuple[int, ...]
    forfeited: tuple[int, ...]
    faults: tuple[int, ...]
    decisions: tuple[int, ...]
    time_us: tuple[int, ...]


_GAME = itemgetter(_Sides._fields.index("deal"), _Sides._fields.index("seating"))
"""What tells the games of such rows apart."""


def insert_unit(connection: sqlite3.Connection, played: PlayedUnit) -> int:
    """Add a unit, and give back its number. Raises sqlite3.IntegrityError if something of it is there already."""
    games, report = played.games, played.report
    insert(connection, "games", map(_row_of_game, games))
    insert(connection, "sides", [side for game in games for side in _side_rows(game.row)])
    insert(connection, "records", [{"id": game.id, "record": game.record} for game in games])
    unit = connection.execute(
        "INSERT INTO units (delayed, referee_delay_ms) VALUES (?, ?)", [report.delayed, report.referee_delay_ms]
    ).lastrowid
    insert(connection, "instances", rows_of(InstanceReport, report.instances, unit=unit))
    insert(connection, "bots", rows_of(BotVersion, report.versions, unit=unit))
    insert(connection, "played", [{"unit": unit, "deal": deal} for deal in sorted({game.row.deal for game in games})])
    assert unit is not None
    return unit


def delete_groups(connection: sqlite3.Connection, deals: Collection[int]) -> list[str]:
    """Delete the deal groups of these deals, and the reports of their units, where nothing is left of these.

    Gives back the matches that have lost games. The caller's transaction holds it together.
    """
    execute = connection.execute
    execute("CREATE TEMP TABLE lost (deal INTEGER PRIMARY KEY)")
    connection.executemany("INSERT INTO lost VALUES (?)", [[deal] for deal in deals])
    matches = [str(match) for (match,) in execute("SELECT DISTINCT match FROM games WHERE deal IN lost")]
    units = execute("SELECT DISTINCT unit FROM played WHERE deal IN lost").fetchall()
    execute("DELETE FROM records WHERE id IN (SELECT id FROM games WHERE deal IN lost)")
    for table in "sides", "games", "played":
        execute(f"DELETE FROM {table} WHERE deal IN lost")
    execute("DROP TABLE lost")
    for table, column in ("instances", "unit"), ("bots", "unit"), ("units", "number"):
        connection.executemany(
            f"DELETE FROM {table} WHERE {column} = :unit AND :unit NOT IN (SELECT unit FROM played)",
            [{"unit": unit} for (unit,) in units],
        )
    return matches


def number_by_deals(connection: sqlite3.Connection) -> None:
    """Number the units in the order of their first deals; the caller's transaction holds it together."""
    execute = connection.execute
    execute("PRAGMA defer_foreign_keys = ON")
    execute("CREATE TEMP TABLE numbering (unit INTEGER PRIMARY KEY, new INTEGER NOT NULL)")
    execute("INSERT INTO numbering SELECT unit, row_number() OVER (ORDER BY min(deal)) FROM played GROUP BY unit")
    for table, column in ("units", "number"), ("instances", "unit"), ("bots", "unit"), ("played", "unit"):
        # Renumbered through negative numbers, so that no two rows share a number on the way.
        execute(f"UPDATE {table} SET {column} = (SELECT -new FROM numbering WHERE unit = {table}.{column})")
        execute(f"UPDATE {table} SET {column} = -{column}")
    execute("DROP TABLE numbering")


def select_games(connection: sqlite3.Connection, match: str | None = None) -> list[GameRow]:
    """The finished games, of one match or of all, by deal and seating."""
    of_match = "" if match is None else "WHERE match = :match"
    return list(_game_rows(connection, f"FROM games JOIN sides USING (deal, seating) {of_match}", match=match))


def select_records(connection: sqlite3.Connection, bot: str | None = None) -> Iterator[tuple[str, bytes]]:
    """Id and record of each finished game, or of each of a bot's, by deal and seating."""
    # No `yield from`: that would close the cursor, of a store that may be closed before this generator is.
    for id_, record in connection.execute(
        "SELECT id, record FROM games JOIN records USING (id) WHERE :bot IS NULL OR (deal, seating) IN "
        "(SELECT deal, seating FROM sides WHERE bot = :bot) ORDER BY deal, seating",
        {"bot": bot},
    ):
        yield str(id_), bytes(record)


class StoredGame(NamedTuple):
    """A finished game as it is found. `row` is None if its sides are not there, as only another program leaves it."""

    id: str
    record: bytes
    row: GameRow | None


def select_finished_games(connection: sqlite3.Connection) -> Iterator[StoredGame]:
    """The finished games, by deal and seating."""
    games = connection.execute(
        "SELECT deal, seating, id, record FROM games JOIN records USING (id) ORDER BY deal, seating"
    )
    rows = _game_rows(connection, "FROM sides JOIN games USING (deal, seating)")
    row = next(rows, None)
    for deal, seating, id_, record in games:
        while row is not None and (row.deal, row.seating) < (deal, seating):
            row = next(rows, None)
        yield StoredGame(id_, record, row if row is not None and (row.deal, row.seating) == (deal, seating) else None)


def select_reports(connection: sqlite3.Connection, after: int = 0) -> Iterator[tuple[int, UnitReport]]:
    """The units after the one of a number: their numbers and reports, in their order."""
    instances = _ByUnit(connection, InstanceReport, "instances", after)
    versions = _ByUnit(connection, BotVersion, "bots", after)
    for number, delayed, referee_delay_ms in connection.execute(
        "SELECT number, delayed, referee_delay_ms FROM units WHERE number > ? ORDER BY number", [after]
    ):
        yield (
            number,
            UnitReport(
                delayed=delayed,
                referee_delay_ms=referee_delay_ms,
                instances=instances.of(number),
                versions=versions.of(number),
            ),
        )


def units_are_known(connection: sqlite3.Connection) -> bool:
    """Whether the store says of each deal group which unit it is of: arenas did not always keep that."""
    whole = "SELECT (SELECT count(*) FROM played) = (SELECT count(DISTINCT deal) FROM games)"
    return bool(connection.execute(whole).fetchone()[0])


def select_units(connection: sqlite3.Connection) -> Iterator[PlayedUnit]:
    """The units, one after another, by number; only where `units_are_known`."""
    for number, report in select_reports(connection):
        rows = _game_rows(
            connection,
            "FROM played JOIN games USING (deal) JOIN sides USING (deal, seating) WHERE unit = :unit",
            unit=number,
        )
        records = connection.execute(
            "SELECT id, record FROM played JOIN games USING (deal) JOIN records USING (id) "
            "WHERE unit = :unit ORDER BY deal, seating",
            {"unit": number},
        )
        games = tuple(
            FinishedGame(id=id_, row=row, record=record) for row, (id_, record) in zip(rows, records, strict=True)
        )
        yield PlayedUnit(games, report)


def _row_of_game(game: FinishedGame) -> dict[str, object]:
    row = game.row
    return {"match": row.match, "deal": row.deal, "seating": row.seating, "id": game.id, "delayed": row.delayed}


def _side_rows(row: GameRow) -> Iterator[dict[str, object]]:
    for side, bot in enumerate(row.bots):
        yield {
            "deal": row.deal,
            "seating": row.seating,
            "side": side,
            "bot": bot,
            "placing": row.placing[side],
            "points": row.points[side],
            "forfeited": side in row.forfeited,
            "faults": row.faults[side],
            "decisions": row.decisions[side],
            "time_us": row.time_us[side],
        }


def _game_rows(connection: sqlite3.Connection, source: str, **values: object) -> Iterator[GameRow]:
    """The games of what the SQL names after FROM, by deal and seating."""
    rows = connection.execute(f"SELECT {', '.join(_Sides._fields)} {source} ORDER BY deal, seating, side", values)
    for _, sides in groupby(rows, key=_GAME):
        yield _game_row(_Sides._make(zip(*sides, strict=True)))


def _game_row(sides: _Sides) -> GameRow:
    """The inverse of `_side_rows`."""
    return GameRow(
        match=sides.match[0],
        deal=sides.deal[0],
        seating=sides.seating[0],
        bots=sides.bot,
        placing=sides.placing,
        points=sides.points,
        forfeited=tuple(side for side, forfeited in enumerate(sides.forfeited) if forfeited),
        faults=sides.faults,
        decisions=sides.decisions,
        time_us=sides.time_us,
        delayed=bool(sides.delayed[0]),
    )


class FaultCount(NamedTuple):
    """A bot's faults, the games in which it had them, and the deal of the first of these."""

    faults: int
    games: int
    first_deal: int


class StoredFaults:
    """Reads games with faults."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection

    def counts(self) -> dict[str, FaultCount]:
        """By bot that had any, ascending."""
        with user_errors(self._path):
            found = self._connection.execute(
                "SELECT bot, sum(faults), count(*), min(deal) FROM sides WHERE faults > 0 GROUP BY bot ORDER BY bot"
            )
            return {bot: FaultCount(*counts) for bot, *counts in found}

    def games(self, bot: str, deal: int | None = None) -> Iterator[bytes]:
        """The record of each game in which the bot had a fault, of one deal or of all, by deal and seating."""
        with user_errors(self._path):
            for (record,) in self._connection.execute(
                "SELECT record FROM sides JOIN games USING (deal, seating) JOIN records USING (id) "
                "WHERE bot = :bot AND faults > 0 AND (:deal IS NULL OR deal = :deal) ORDER BY deal, seating",
                {"bot": bot, "deal": deal},
            ):
                yield bytes(record)


class _ByUnit(Generic[T]):
    """The dataclasses that a SQL table holds of units, asked for by ascending number of a unit.

    Args:
        connection: to the store.
        kind: of the dataclasses.
        table: the SQL table.
        after: units up to this number are left out.
    """

    def __init__(self, connection: sqlite3.Connection, kind: type[T], table: str, after: int) -> None:
        names = names_of(kind)
        self._made = partial(made, kind, names)
        rows = connection.execute(
            f"SELECT unit, {', '.join(names)} FROM {table} WHERE unit > ? ORDER BY unit, rowid", [after]
        )
        self._units = groupby(rows, key=itemgetter(0))
        self._next = next(self._units, None)

    def of(self, unit: int) -> tuple[T, ...]:
        """Those of a unit, in the order in which they were added."""
        if self._next is None or self._next[0] != unit:
            return ()
        found = tuple(self._made(values) for _, *values in self._next[1])
        self._next = next(self._units, None)
        return found
