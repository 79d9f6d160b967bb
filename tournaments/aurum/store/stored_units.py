"""The played units in a store: their games, records and reports, as rows of SQL tables and back."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, TypeVar

from aurum.referee.unit import InstanceReport
from aurum.results.game_row import GameRow
from aurum.results.played_unit import BotVersion, FinishedGame, PlayedUnit, UnitReport
from aurum.store.columns import insert, made, names_of, rows_of

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


def insert_unit(connection: sqlite3.Connection, played: PlayedUnit) -> None:
    """Add a unit. Raises sqlite3.IntegrityError if something of it is there already."""
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


def number_by_deals(connection: sqlite3.Connection) -> None:
    """Number the units in the order of their first deals; the caller's transaction holds it together."""
    execute = connection.execute
    execute("PRAGMA defer_foreign_keys = ON")
    execute(
        "CREATE TEMP TABLE numbering AS SELECT unit, row_number() OVER (ORDER BY min(deal)) AS new "
        "FROM played GROUP BY unit"
    )
    for table, column in ("units", "number"), ("instances", "unit"), ("bots", "unit"), ("played", "unit"):
        # Renumbered through negative numbers, so that no two rows share a number on the way.
        execute(f"UPDATE {table} SET {column} = (SELECT -new FROM numbering WHERE unit = {table}.{column})")
        execute(f"UPDATE {table} SET {column} = -{column}")
    execute("DROP TABLE numbering")


def select_games(connection: sqlite3.Connection) -> list[GameRow]:
    """The finished games, by deal and seating."""
    return list(_game_rows(connection, "FROM games JOIN sides USING (deal, seating)"))


def select_reports(connection: sqlite3.Connection) -> list[UnitReport]:
    """The reports of the units, by number."""
    instances = _by_unit(connection, InstanceReport, "instances")
    versions = _by_unit(connection, BotVersion, "bots")
    return [
        UnitReport(
            delayed=delayed,
            referee_delay_ms=referee_delay_ms,
            instances=tuple(instances[number]),
            versions=tuple(versions[number]),
        )
        for number, delayed, referee_delay_ms in connection.execute(
            "SELECT number, delayed, referee_delay_ms FROM units ORDER BY number"
        )
    ]


def units_are_known(connection: sqlite3.Connection) -> bool:
    """Whether the store says of each deal group which unit it is of: arenas did not always keep that."""
    whole = "SELECT (SELECT count(*) FROM played) = (SELECT count(DISTINCT deal) FROM games)"
    return bool(connection.execute(whole).fetchone()[0])


def select_units(connection: sqlite3.Connection) -> Iterator[PlayedUnit]:
    """The units, one after another, by number; only where `units_are_known`."""
    numbers = connection.execute("SELECT number FROM units ORDER BY number").fetchall()
    for (number,), report in zip(numbers, select_reports(connection), strict=True):
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
    for _, sides in groupby(rows.fetchall(), key=_GAME):
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


def _by_unit(connection: sqlite3.Connection, kind: type[T], table: str) -> defaultdict[int, list[T]]:
    """By number of a unit, the dataclasses that a SQL table holds of it, in the order in which they were added."""
    found: defaultdict[int, list[T]] = defaultdict(list)
    names = names_of(kind)
    for unit, *values in connection.execute(f"SELECT unit, {', '.join(names)} FROM {table} ORDER BY rowid"):
        found[unit].append(made(kind, names, values))
    return found
