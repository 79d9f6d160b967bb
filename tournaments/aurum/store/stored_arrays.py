"""The finished games in a store, read into arrays: a column is a number, so what is in memory is small."""

import sqlite3
from collections.abc import Sequence

import numpy as np
from aurum.results.game_arrays import GameArrays, Ints

_PORTION = 2_000
"""Rows that are in memory at once."""
_GAME = "deal * 64 + seating"
"""SQL for a number that tells games apart, and orders them: one value of a row is cheaper to read than two."""


def select_arrays(connection: sqlite3.Connection, sides: int) -> GameArrays:
    """The finished games, each of so many sides, by deal and seating.

    Both SQL tables are read from their beginnings to their ends: to look up the game of each side takes longer. What is
    0 nearly everywhere is read only where it is not.

    Raises:
        ValueError: there are sides of games that are not there, or games that lack sides.
    """
    games, matches = _columns(connection, (_GAME, "deal", "seating", "match", "delayed"), "FROM games", text="match")
    order = np.argsort(games[_GAME], kind="stable")
    games = {name: column[order] for name, column in games.items()}
    numbers = games.pop(_GAME)
    names = (_GAME, "bot", "placing", "points", "decisions", "time_us")
    found, bots = _columns(connection, names, "FROM sides ORDER BY deal, seating, side", text="bot")
    if len(found[_GAME]) != sides * len(numbers):
        raise ValueError("games and their sides are not equally many")
    by_side = {name: column.reshape(-1, sides) for name, column in found.items()}
    if (by_side.pop(_GAME) != numbers[:, None]).any():
        raise ValueError("games and their sides are not the same")
    for name in "forfeited", "faults":
        by_side[name] = np.zeros_like(by_side["placing"])
        for game, side, value in connection.execute(f"SELECT {_GAME}, side, {name} FROM sides WHERE {name} <> 0"):
            by_side[name][np.searchsorted(numbers, game), side] = value
    return GameArrays(bots, matches, **games, **by_side)


class _Numbers(dict[str, int]):
    """Texts by number, in the order in which they are asked for first."""

    def __missing__(self, text: str) -> int:
        self[text] = len(self)
        return self[text]


def _columns(
    connection: sqlite3.Connection, names: Sequence[str], source: str, text: str
) -> tuple[dict[str, Ints], list[str]]:
    """Columns of what the SQL names after FROM; and the different texts of the column `text`, which holds their places.

    The texts ascend.
    """
    numbers = _Numbers()
    portions: dict[str, list[Ints]] = {name: [np.empty(0, dtype=np.int64)] for name in names}
    cursor = connection.execute(f"SELECT {', '.join(names)} {source}")
    while rows := cursor.fetchmany(_PORTION):
        for name, column in zip(names, zip(*rows, strict=True), strict=True):
            values = map(numbers.__getitem__, column) if name == text else column
            portions[name].append(np.fromiter(values, np.int64, len(rows)))
    columns = {name: np.concatenate(found) for name, found in portions.items()}
    texts = sorted(numbers)
    place = np.empty(len(texts), dtype=np.int64)
    place[[numbers[known] for known in texts]] = np.arange(len(texts))
    columns[text] = place[columns[text]]
    return columns, texts
