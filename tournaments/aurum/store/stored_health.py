"""How the processes did, as of some unit: kept from time to time, so that nobody has to read all reports again."""

import json
import sqlite3

from aurum.results.process_health import ProcessHealth
from aurum.store.stored_units import select_reports

_EVERY = 100
"""Units from one note to the next."""


def select_health(connection: sqlite3.Connection, turn_ms: int) -> ProcessHealth:
    """By the reports of all units, in their order: what is noted, and the units since."""
    unit, health = 0, ProcessHealth(turn_ms)
    for (noted,) in connection.execute("SELECT value FROM facts WHERE name = 'health'"):
        unit, before = json.loads(noted)
        health = ProcessHealth.restored(turn_ms, before)
    for _, report in select_reports(connection, after=unit):
        health.add(report)
    return health


def note_now_and_then(connection: sqlite3.Connection, unit: int, turn_ms: int) -> None:
    """Note it if it is time to; `unit` is the number of the last unit that was added."""
    if unit % _EVERY == 0:
        _note(connection, unit, turn_ms)


def note_anew(connection: sqlite3.Connection, turn_ms: int) -> None:
    """Note it after units were put into another order."""
    connection.execute("DELETE FROM facts WHERE name = 'health'")
    (unit,) = connection.execute("SELECT max(number) FROM units").fetchone()
    _note(connection, unit or 0, turn_ms)


def _note(connection: sqlite3.Connection, unit: int, turn_ms: int) -> None:
    noted = json.dumps([unit, select_health(connection, turn_ms).as_json()])
    connection.execute("INSERT OR REPLACE INTO facts (name, value) VALUES ('health', ?)", [noted])
