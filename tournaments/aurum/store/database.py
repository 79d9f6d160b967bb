"""Opens an SQLite file that may be anything, and says in one line what is wrong with it.

Nothing is written to a file before it is known to be a store that this arena can read.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aurum.common.errors import UserError
from aurum.store.schema import APPLICATION, TABLES, VERSION

_BUSY_S = 30.0

_SENTENCES = {
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
def user_errors(path: Path) -> Iterator[None]:
    """Turn those of SQLite's errors that the user can mend into UserErrors that name the file."""
    try:
        yield
    except sqlite3.Error as error:
        # Python's own errors carry no code; of SQLite's the low byte is the kind, the rest its details.
        sentence = _SENTENCES.get(getattr(error, "sqlite_errorcode", -1) & 0xFF)
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


@contextmanager
def closed_on_error(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Close the connection if anything goes wrong inside."""
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


def reader(path: Path, thorough: bool) -> sqlite3.Connection | None:
    """A connection that cannot write to the store at `path`; a run may go on writing meanwhile.

    Args:
        path: of the file.
        thorough: read all of it and compare its check sums, before more is written to it.

    Returns:
        The connection; None for a file that does not exist or holds nothing yet.

    Raises:
        UserError: there is something else, a store of a newer version, or a damaged one.
    """
    if not path.exists():
        return None
    with user_errors(path):
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=_BUSY_S, isolation_level=None
        )
        with closed_on_error(connection):
            if _is_store(connection, path, thorough):
                return connection
            connection.close()
            return None


def writer(path: Path) -> sqlite3.Connection:
    """A connection in WAL mode that survives a power cut; creates the file if need be."""
    connection = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
    with closed_on_error(connection):
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
    return connection


def version_of(connection: sqlite3.Connection) -> int:
    """The version of the store."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _is_store(connection: sqlite3.Connection, path: Path, thorough: bool) -> bool:
    """Whether it is one; False for an empty file. Raises UserError as `reader` does."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    version = version_of(connection)
    found = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not found and not application:
        return False  # killed before the first transaction
    if application != APPLICATION:
        raise UserError(f"{path}: not the store of a tournament but another SQLite file: it was left as it is")
    if version > VERSION:
        raise UserError(
            f"{path}: a store of version {version}, and this arena knows versions up to {VERSION}: "
            "use the newer arena that wrote it"
        )
    if version not in TABLES:
        raise UserError(f"{path}: damaged: there is no version {version} of a store")
    if not TABLES[version] <= found:
        raise UserError(f"{path}: damaged: it lacks the SQL table {min(TABLES[version] - found)}")
    if thorough:
        (state,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if state != "ok":
            raise UserError(f"{path}: {_SENTENCES[sqlite3.SQLITE_CORRUPT]} ({' '.join(state.split())})")
    return True
