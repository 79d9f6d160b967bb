"""Migrations: they make a store of an older version one of the version that this arena knows. None leads back.

A store that is opened for writing is changed once, by all the migrations that it lacks, in one transaction.

A store that is only read stays as it is: it may lie on a read-only medium, and the arena that plays it may be older.
What its version lacks is made for the connection alone, as TEMP SQL tables (or views, where a migration changes what
was there). SQLite finds them first by a name without a schema, so that every query is written once, for the newest
version, and everything else is still read from the file, also what a run adds meanwhile. A migrated copy in memory
would have to hold every record of a store of a million games, and would be out of date at once.

A migration never changes once it is released, whatever the arena becomes: it has its own SQL, and reads facts itself.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from typing import Literal

from aurum.store.columns import insert
from aurum.store.database import transaction, version_of
from aurum.store.schema import VERSION

Schema = Literal["main", "temp"]
"""Where a migration makes what is new: in the file, or for the connection alone."""


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the store to the newest version: whole or, whatever happens, not at all."""
    if version_of(connection) == VERSION:
        return
    with transaction(connection):
        for migration in MIGRATIONS[version_of(connection) - 1 :]:
            migration(connection, "main")
        connection.execute(f"PRAGMA user_version = {VERSION}")


def complete_for_reading(connection: sqlite3.Connection) -> None:
    """Let the connection find everything that the newest version has, and write nothing to the store."""
    if version_of(connection) == VERSION:
        return
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("BEGIN")  # of one moment: another program may be migrating it
    for migration in MIGRATIONS[version_of(connection) - 1 :]:
        migration(connection, "temp")
    connection.execute("COMMIT")


def _to_version_2(connection: sqlite3.Connection, schema: Schema) -> None:
    """Entrants become events; and the deal groups of units, which only the later stores of version 1 have, a rule."""
    connection.execute(
        f"""CREATE TABLE {schema}.entrant_events (
        time TEXT, bot TEXT NOT NULL, event TEXT NOT NULL, round INTEGER NOT NULL)"""
    )
    if not connection.execute("SELECT 1 FROM main.sqlite_master WHERE name = 'played'").fetchone():
        connection.execute(
            f"""CREATE TABLE {schema}.played (
        unit INTEGER NOT NULL REFERENCES units (number), deal INTEGER NOT NULL UNIQUE,
        PRIMARY KEY (unit, deal)) WITHOUT ROWID"""
        )
    insert(connection, f"{schema}.entrant_events", _entrant_events_of_version_1(connection))


def _entrant_events_of_version_1(connection: sqlite3.Connection) -> Iterator[dict[str, object]]:
    """What the spec says of entrants. When they came is not known."""
    (spec,) = connection.execute("SELECT value FROM main.facts WHERE name = 'spec'").fetchone()
    for bot in json.loads(spec)["bots"]:
        yield {"time": None, "bot": bot["name"], "event": "entered", "round": bot.get("from_round", 1)}
        if bot.get("until_round") is not None:
            yield {"time": None, "bot": bot["name"], "event": "withdrew", "round": bot["until_round"] + 1}


_TOTALS_OF_GAMES = """
    SELECT match, mine.bot AS bot,
        sum(other.side = (mine.side = 0)) AS games,
        sum(2 * (mine.placing < other.placing) + (mine.placing = other.placing)) AS halves,
        sum(mine.points * (other.side = (mine.side = 0))) AS points,
        sum((mine.points - other.points) * NOT (mine.forfeited OR other.forfeited)) AS margin,
        sum(NOT (mine.forfeited OR other.forfeited)) AS compared
    FROM main.games JOIN main.sides AS mine USING (deal, seating) JOIN main.sides AS other USING (deal, seating)
    WHERE mine.side <> other.side GROUP BY match, mine.bot"""
"""By match and bot. Each two sides of a game are a row; what counts once a game is taken from that with the first other
side."""


def _to_version_3(connection: sqlite3.Connection, schema: Schema) -> None:
    """What the games of each match come to is kept; who only reads adds it up when asked. Reports are found by unit."""
    if schema == "temp":
        connection.execute(f"CREATE TEMP VIEW totals AS {_TOTALS_OF_GAMES}")
        return
    connection.execute(
        """CREATE TABLE totals (
        match TEXT REFERENCES matches (id), bot TEXT, games INTEGER NOT NULL, halves INTEGER NOT NULL,
        points INTEGER NOT NULL, margin INTEGER NOT NULL, compared INTEGER NOT NULL,
        PRIMARY KEY (match, bot)) WITHOUT ROWID"""
    )
    connection.execute(f"INSERT INTO totals (match, bot, games, halves, points, margin, compared) {_TOTALS_OF_GAMES}")
    connection.execute("CREATE INDEX instances_by_unit ON instances (unit)")
    connection.execute("CREATE INDEX bots_by_unit ON bots (unit)")


def _to_version_4(connection: sqlite3.Connection, schema: Schema) -> None:
    """What is taken out of a store again is noted."""
    connection.execute(
        f"CREATE TABLE {schema}.voidings "
        "(time TEXT NOT NULL, bot TEXT NOT NULL, games INTEGER NOT NULL, reason TEXT NOT NULL)"
    )


MIGRATIONS: tuple[Callable[[sqlite3.Connection, Schema], None], ...] = (_to_version_2, _to_version_3, _to_version_4)
"""The first leads from version 1 to 2, the next from 2 to 3, and so on."""
