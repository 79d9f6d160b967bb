"""Finished games as arrays, for what reads all games of a tournament: a million of them as rows would fill 2 GB."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from aurum.results.game_row import GameRow
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class GameArrays:
    """Finished games with the same number of sides. The fields are those of `GameRow`, with an entry for each game.

    Fields:
        bots: names of bots, ascending; not all of them need to have played.
        matches: ids of matches, ascending.
        match: by game, an index into `matches`.
        deal, seating, delayed: by game.
        bot: by game and side, an index into `bots`.
        placing, points, faults, decisions, time_us: by game and side.
        forfeited: by game and side, 1 or 0.
    """

    bots: Sequence[str]
    matches: Sequence[str]
    match: Ints
    deal: Ints
    seating: Ints
    delayed: Ints
    bot: Ints
    placing: Ints
    points: Ints
    forfeited: Ints
    faults: Ints
    decisions: Ints
    time_us: Ints

    @property
    def sides(self) -> int:
        """Sides of a game."""
        return int(self.bot.shape[1])

    def __len__(self) -> int:
        return len(self.match)

    def taken(self, games: NDArray[np.intp] | NDArray[np.bool_]) -> "GameArrays":
        """Some of the games: by their positions, or by what is true of them."""
        if games.dtype == np.bool_ and games.all():
            return self  # a copy of a million games takes 200 MB
        columns = {name: value[games] for name, value in vars(self).items() if isinstance(value, np.ndarray)}
        return GameArrays(self.bots, self.matches, **columns)

    def of_different_bots(self) -> "GameArrays":
        """Without the games in which a bot has two sides."""
        ordered = np.sort(self.bot, axis=1)
        return self.taken((ordered[:, 1:] != ordered[:, :-1]).all(axis=1))

    def in_order(self) -> "GameArrays":
        """By match, deal and seating; games that have these in common by bots and placing."""
        ties = [self.placing[:, side] for side in reversed(range(self.sides))]
        ties += [self.bot[:, side] for side in reversed(range(self.sides))]
        return self.taken(np.lexsort((*ties, self.seating, self.deal, self.match)))

    def group_begins(self) -> NDArray[np.intp]:
        """The positions at which deal groups begin, in games that are sorted by match and deal."""
        return np.flatnonzero((np.diff(self.match, prepend=-1) != 0) | (np.diff(self.deal, prepend=-1) != 0))


def arrays_of(games: Iterable[GameRow] | Iterable[GameArrays]) -> list[GameArrays]:
    """Rows as arrays, one for each number of sides, all with the same names; and arrays as they are."""
    rows: list[GameRow] = []
    arrays: list[GameArrays] = []
    for game in games:
        if isinstance(game, GameRow):
            rows.append(game)
        else:
            arrays.append(game)
    bots = sorted({bot for row in rows for bot in row.bots})
    matches = sorted({row.match for row in rows})
    by_sides = ([row for row in rows if len(row.bots) == sides] for sides in sorted({len(row.bots) for row in rows}))
    return arrays + [_arrays(alike, bots, matches) for alike in by_sides]


def _arrays(rows: Sequence[GameRow], bots: Sequence[str], matches: Sequence[str]) -> GameArrays:
    number = {bot: index for index, bot in enumerate(bots)}
    match = {id_: index for index, id_ in enumerate(matches)}
    sides = range(len(rows[0].bots))
    names = ("placing", "points", "faults", "decisions", "time_us")
    columns = {name: np.array([getattr(row, name) for row in rows], dtype=np.int64) for name in names}
    return GameArrays(
        bots,
        matches,
        match=np.array([match[row.match] for row in rows], dtype=np.int64),
        deal=np.array([row.deal for row in rows], dtype=np.int64),
        seating=np.array([row.seating for row in rows], dtype=np.int64),
        delayed=np.array([row.delayed for row in rows], dtype=np.int64),
        bot=np.array([[number[bot] for bot in row.bots] for row in rows], dtype=np.int64),
        forfeited=np.array([[side in row.forfeited for side in sides] for row in rows], dtype=np.int64),
        **columns,
    )


class Distinct(NamedTuple):
    """The different rows among many.

    Fields:
        first: of each, the position of its first occurrence.
        which: of each row, which of these it is.
        times: of each, how often it occurs.
    """

    first: NDArray[np.intp]
    which: NDArray[np.intp]
    times: NDArray[np.intp]


def distinct(columns: Iterable[Ints]) -> Distinct:
    """The different rows of these columns, which are equally long and not empty; in the order of their values."""
    code, span = np.zeros(1, dtype=np.int64), 1
    for column in columns:
        least = int(column.min())
        width = int(column.max()) - least + 1
        if span * width >= 2**62:  # keep few enough numbers that the next column has room beside them
            code = np.unique(code, return_inverse=True)[1].astype(np.int64)
            span = int(code.max()) + 1
        code, span = code * width + (column - least), span * width
    _, first, which, times = np.unique(code, return_index=True, return_inverse=True, return_counts=True)
    return Distinct(first, which, times)
