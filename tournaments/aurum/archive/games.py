"""Reads recorded games from a tournament's folder, an exported file, or standard input."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from aurum.common.errors import UserError
from aurum.records.json_lines import from_line
from aurum.results.game_row import GameRow
from aurum.store.store import Store
from aurum.v1.record_pb2 import GameRecord
from google.protobuf.message import DecodeError

STDIN = Path("-")


@dataclass(frozen=True)
class Entry:
    """A game as it was found, not read yet: bytes out of a store, text out of a file.

    `label` names it in errors; `row` is what a store counts of it, if anything.
    """

    label: str
    content: bytes | str
    row: GameRow | None = None

    def record(self) -> GameRecord:
        """Read it.

        Raises:
            UserError: it is no record.
        """
        try:
            return GameRecord.FromString(self.content) if isinstance(self.content, bytes) else from_line(self.content)
        except (ValueError, DecodeError) as error:
            raise UserError(f"{self.label}: not the record of a game: {error}") from None


def entries(path: Path) -> Iterator[Entry]:
    """The games of a folder, of a file of JSON Lines, or of standard input for `-`; empty lines are passed over.

    Raises:
        UserError: there is nothing to read.
    """
    if path.is_dir():
        with Store.read(path) as store:
            yield from stored_entries(store)
        return
    if path == STDIN and sys.stdin is None:
        raise UserError("standard input is closed: there is nothing to read")
    with ExitStack() as stack:
        yield from _lines(path, sys.stdin if path == STDIN else stack.enter_context(_open(path)))


def stored_entries(store: Store) -> Iterator[Entry]:
    """The games of a store, by deal and seating."""
    for game in store.finished_games():
        yield Entry(f"{store.path}: {game.id}", game.record, game.row)


def _open(path: Path) -> TextIO:
    try:
        return path.open(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from None


def _lines(path: Path, file: TextIO) -> Iterator[Entry]:
    name = "standard input" if path == STDIN else str(path)
    number = 0
    try:
        for number, line in enumerate(file, 1):
            text = line.removeprefix("\ufeff")  # a byte order mark, as some editors and shells write one
            if text and not text.isspace():
                yield Entry(f"{name}:{number}", text)
    except UnicodeDecodeError:
        raise UserError(f"{name}:{number + 1}: not UTF-8 text: give a folder, or a file of `arena export`") from None


def find(path: Path, game: str) -> GameRecord:
    """The game that a person means: by number from 1, by id, or by the end of its id if no other ends so.

    Raises:
        UserError: none, or more than one.
    """
    if game.isdecimal():
        count = 0
        for count, entry in enumerate(entries(path), 1):
            if count == int(game):
                return entry.record()
        raise UserError(f"{path}: no game {game}: there are {count}")
    found: list[GameRecord] = []
    for entry in entries(path):
        record = entry.record()
        if record.id == game:
            return record
        if record.id.endswith(f"/{game}"):
            found.append(record)
    if not found:
        raise UserError(f"{path}: no game {game!r}: give an id, the end of one (as r1m1/0/0), or a number from 1")
    if len(found) > 1:
        ids = ", ".join(record.id for record in found[:3]) + (", ..." if len(found) > 3 else "")
        raise UserError(f"{path}: {len(found)} games end in /{game} ({ids}): give more of the id")
    return found[0]
