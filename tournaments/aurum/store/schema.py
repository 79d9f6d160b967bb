"""The SQL tables of a store, and its version."""

import sqlite3

APPLICATION = 0x41757275
"""SQLite's application id of a store: "Auru"."""

VERSION = 4
"""The version of the SQL tables below (SQLite's user version). Each version after the first has a migration to it."""

SCHEMA = (
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID",
    # Who was entered or withdrawn from which round on, and when (ISO 8601, UTC); NULL where no arena noted the time.
    """CREATE TABLE entrant_events (
        time TEXT, bot TEXT NOT NULL, event TEXT NOT NULL, round INTEGER NOT NULL)""",
    """CREATE TABLE matches (
        id TEXT PRIMARY KEY, round INTEGER NOT NULL, bots TEXT NOT NULL,
        first_deal INTEGER NOT NULL UNIQUE, deals INTEGER NOT NULL)""",
    "CREATE TABLE byes (round INTEGER, bot TEXT, PRIMARY KEY (round, bot)) WITHOUT ROWID",
    """CREATE TABLE games (
        match TEXT NOT NULL REFERENCES matches (id), deal INTEGER NOT NULL, seating INTEGER NOT NULL,
        id TEXT NOT NULL UNIQUE, delayed INTEGER NOT NULL, PRIMARY KEY (match, deal, seating))""",
    "CREATE UNIQUE INDEX games_in_order ON games (deal, seating)",
    """CREATE TABLE sides (
        deal INTEGER, seating INTEGER, side INTEGER,
        bot TEXT NOT NULL, placing INTEGER NOT NULL, points INTEGER NOT NULL, forfeited INTEGER NOT NULL,
        faults INTEGER NOT NULL, decisions INTEGER NOT NULL, time_us INTEGER NOT NULL,
        PRIMARY KEY (deal, seating, side)) WITHOUT ROWID""",
    "CREATE TABLE records (id TEXT PRIMARY KEY REFERENCES games (id), record BLOB NOT NULL)",
    "CREATE TABLE units (number INTEGER PRIMARY KEY, delayed INTEGER NOT NULL, referee_delay_ms INTEGER NOT NULL)",
    """CREATE TABLE instances (
        unit INTEGER NOT NULL REFERENCES units (number), bot TEXT NOT NULL, seat INTEGER NOT NULL,
        starts INTEGER NOT NULL, start_failures INTEGER NOT NULL, unsolicited INTEGER NOT NULL, exit TEXT NOT NULL,
        stderr_tail TEXT NOT NULL, decisions INTEGER NOT NULL, cpu_s REAL NOT NULL, wait_s REAL NOT NULL)""",
    """CREATE TABLE bots (
        unit INTEGER NOT NULL REFERENCES units (number), name TEXT NOT NULL,
        version TEXT NOT NULL, language TEXT NOT NULL)""",
    # The deal groups of each unit.
    """CREATE TABLE played (
        unit INTEGER NOT NULL REFERENCES units (number), deal INTEGER NOT NULL UNIQUE,
        PRIMARY KEY (unit, deal)) WITHOUT ROWID""",
    # What the games of each match come to, kept with each game: who goes on with a run need not read all games.
    """CREATE TABLE totals (
        match TEXT REFERENCES matches (id), bot TEXT, games INTEGER NOT NULL, halves INTEGER NOT NULL,
        points INTEGER NOT NULL, margin INTEGER NOT NULL, compared INTEGER NOT NULL,
        PRIMARY KEY (match, bot)) WITHOUT ROWID""",
    # Games that were taken out again, to be played anew.
    "CREATE TABLE voidings (time TEXT NOT NULL, bot TEXT NOT NULL, games INTEGER NOT NULL, reason TEXT NOT NULL)",
    "CREATE INDEX instances_by_unit ON instances (unit)",
    "CREATE INDEX bots_by_unit ON bots (unit)",
)

_FIRST = frozenset(("facts", "matches", "byes", "games", "sides", "records", "units", "instances", "bots"))
_SECOND = _FIRST | {"played", "entrant_events"}
_THIRD = _SECOND | {"totals"}
TABLES = {1: _FIRST, 2: _SECOND, 3: _THIRD, 4: _THIRD | {"voidings"}}
"""By version, the SQL tables that every store of it has."""
GROWING = {
    "games": "rowid",
    "sides": "deal",
    "records": "rowid",
    "units": "rowid",
    "instances": "rowid",
    "bots": "rowid",
    "played": "unit",
}
"""Those that grow with every game, and by which column what was added last is found."""


def create_tables(connection: sqlite3.Connection) -> None:
    """Make the SQL tables of a new store; the caller's transaction holds it together."""
    for statement in SCHEMA:
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
