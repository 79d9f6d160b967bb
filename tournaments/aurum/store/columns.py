"""SQL by the names of columns: no statement and no value depends on the order in which a SQL table has them."""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, TypeVar

T = TypeVar("T")


def names_of(kind: type[Any]) -> tuple[str, ...]:
    """The columns that hold a dataclass: they are called as its fields."""
    return tuple(field.name for field in fields(kind))


def rows_of(kind: type[T], values: Iterable[T], **others: object) -> list[dict[str, object]]:
    """The rows that hold these dataclasses of one kind, with the same values in other columns."""
    names = names_of(kind)
    return [others | {name: getattr(value, name) for name in names} for value in values]


def insert(connection: sqlite3.Connection, table: str, rows: Iterable[Mapping[str, object]]) -> None:
    """Insert rows into a SQL table. Each maps the same columns to values; the other columns are NULL."""
    rows = list(rows)
    if rows:
        names = tuple(rows[0])
        marks = ", ".join(f":{name}" for name in names)
        connection.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", rows)


def made(kind: type[T], names: Iterable[str], values: Iterable[object]) -> T:
    """The dataclass whose fields of these names have these values."""
    return kind(**dict(zip(names, values, strict=True)))


def select(connection: sqlite3.Connection, kind: type[T], source: str) -> list[T]:
    """One dataclass a row: each of its fields is read from the column of its name.

    Args:
        connection: to the store.
        kind: the dataclass.
        source: what follows the columns in the statement, from FROM on.
    """
    names = names_of(kind)
    return [made(kind, names, row) for row in connection.execute(f"SELECT {', '.join(names)} {source}")]
