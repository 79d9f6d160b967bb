"""Opening an SQLite file that may be anything, and telling what is wrong with it in one line.

Nothing is written to a file before it is known to be a store of this format.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from aurum.common.errors import UserError

APPLICATION = 0x41757275
"""SQLite's application id of a store: "Auru"."""

FORMAT = 1
"""The store's format, SQLite's user version. It changes when an older program could misread a store."""

_BUSY_S = 30.0

_TOLD = {
    sqlite3.SQLITE_NOTADB: "not the store of a tournament (not an SQLite file): it was left as it is",
    sqlite3.SQLITE_CORRUPT: "damaged: put back a copy of it, or play into another folder",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: its folder must exist and be writable",
    sqlite3.SQLITE_READONLY: "cannot be written: the file or its folder is read-only",
    sqlite3.SQLITE_PERM: "cannot be written: permission denied",
    sqlite3.SQLITE_BUSY: "locked by another program",
    sqlite3.SQLITE_LOCKED: "locked by another program",
    sqlite3.SQLITE_FULL: "the disk is full: make room and give the same command again",
    sqlite3.SQLITE_IOERR: "cannot be read or written: the disk reports an error",
}


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn what the user can mend of SQLite's errors into UserErrors that name the file."""
    try:
        yield
    except sqlite3.Error as error:
        # Python's own errors carry no code; of SQLite's the low byte is the kind, the rest its details.
        sentence = _TOLD.get(getattr(error, "sqlite_errorcode", -1) & 0xFF)
        if sentence is None:
            raise
        raise UserError(f"{path}: {sentence}") from error


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing, whatever kills the process inside."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def reader(path: Path) -> sqlite3.Connection:
    """A connection that cannot write; a run may go on writing meanwhile."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=_BUSY_S, isolation_level=None)


def writer(path: Path) -> sqlite3.Connection:
    """A connection in WAL mode that survives a power cut; creates the file if need be."""
    connection = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def inspect(path: Path, tables: frozenset[str], thorough: bool) -> bool:
    """Whether there is a store at `path`; False for a file that does not exist or holds nothing yet.

    Args:
        path: of the file.
        tables: that a store has.
        thorough: read all of it and compare its check sums, before more is written to it.

    Raises:
        UserError: there is something else, a store of another format, or a damaged one.
    """
    if not path.exists():
        return False
    with told(path), closing(reader(path)) as connection:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        found = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not found and not application:
            return False  # killed before the first transaction
        if application != APPLICATION:
            raise UserError(f"{path}: not the store of a tournament but another SQLite file: it was left as it is")
        if version != FORMAT:
            raise UserError(
                f"{path}: a store of format {version}, and this version of arena knows format {FORMAT}: "
                "use the version that wrote it"
            )
        if not tables <= found:
            raise UserError(f"{path}: damaged: it lacks the table {min(tables - found)}")
        if thorough:
            (state,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if state != "ok":
                raise UserError(f"{path}: {_TOLD[sqlite3.SQLITE_CORRUPT]} ({' '.join(state.split())})")
    return True
