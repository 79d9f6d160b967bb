"""Opens an SQLite file that may be anything, and says in one line what is wrong with it.

Nothing is written to a file before it is known to be a store that this arena can read.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path

from aurum.common.errors import UserError
from aurum.store.schema import APPLICATION, GROWING, TABLES, VERSION

_BUSY_S = 30.0
_SMALL = 64 * 2**20
"""Bytes. It takes a fraction of a second to check so much: some 30,000 games."""
_TAIL = 100
"""Rows."""


class DamageCheck(Enum):
    """How much of a store is looked at for damage when it is opened.

    A store is not damaged by a run that is killed or by a power cut: SQLite commits whole units or none. What damages
    it are disks, copies that were not finished and other programs, at any time, so no run can leave word that all is
    well. To read all of a large store takes long, and whoever reads games (standings, verify, export, merge) notices.
    """

    NOTHING = "nothing"
    WHERE_A_RUN_GOES_ON = "where a run goes on"
    """All of a small store. Of a large one all that a run reads, whose size does not depend on how many games are
    stored; and of what grows with them the end, where more is added."""
    WHOLE = "whole"


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


def reader(path: Path, check: DamageCheck) -> sqlite3.Connection | None:
    """A connection that cannot write to the store at `path`; a run may go on writing meanwhile.

    Args:
        path: of the file.
        check: how much of it is looked at for damage.

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
            if _is_store(connection, path, check):
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


def _is_store(connection: sqlite3.Connection, path: Path, check: DamageCheck) -> bool:
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
    for harm in damage(connection, check):
        raise UserError(f"{path}: {_SENTENCES[sqlite3.SQLITE_CORRUPT]} ({' '.join(harm.split())})")
    return True


def damage(connection: sqlite3.Connection, check: DamageCheck) -> Iterator[str]:
    """What is wrong with the structure of a store's file, as SQLite puts it.

    Raises:
        sqlite3.DatabaseError: it is so damaged that it cannot be read.
    """
    (size,) = connection.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").fetchone()
    if check is DamageCheck.WHOLE or (check is DamageCheck.WHERE_A_RUN_GOES_ON and size <= _SMALL):
        yield from _not_ok(connection.execute("PRAGMA quick_check(1)"))
    elif check is DamageCheck.WHERE_A_RUN_GOES_ON:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for name in sorted(tables - GROWING.keys()):
            yield from _not_ok(connection.execute(f"PRAGMA quick_check({name})"))
        for name in sorted(tables & GROWING.keys()):
            connection.execute(f"SELECT * FROM {name} ORDER BY {GROWING[name]} DESC LIMIT {_TAIL}").fetchall()


def _not_ok(found: Iterable[tuple[str]]) -> Iterator[str]:
    return (state for (state,) in found if state != "ok")
