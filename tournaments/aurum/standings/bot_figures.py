"""Adds up what each bot did in all of its games."""

from collections.abc import Iterable
from itertools import permutations

import numpy as np
from aurum.results.game_arrays import GameArrays, Ints

NAMES = ("games", "won", "drawn", "lost", "margin", "forfeits", "faults", "decisions", "time_us")
"""The figures of a bot, all whole numbers.

`games` counts its sides. `won`, `drawn`, `lost` and `margin`, the sum of its card points less the other's, are over
comparisons with each other side of a game that is not its own. `forfeits`, `faults`, `decisions` and `time_us` are
summed over its sides.
"""


def figures_by_bot(games: Iterable[GameArrays]) -> dict[str, dict[str, int]]:
    """By bot that has played, its figures by their `NAMES`."""
    totals: dict[str, dict[str, int]] = {}
    for found in games:
        sums = _sums(found)
        for bot in np.unique(found.bot):
            figures = totals.setdefault(found.bots[bot], dict.fromkeys(NAMES, 0))
            for name in NAMES:
                figures[name] += int(sums[name][bot])
    return totals


def _sums(games: GameArrays) -> dict[str, Ints]:
    """By name of a figure, an entry for each of `games.bots`."""
    sums = {name: np.zeros(len(games.bots), dtype=np.int64) for name in NAMES}

    def add(name: str, bots: Ints, values: Ints) -> None:
        # Weights are floats, in which whole numbers up to 2^53 are exact: 285 years in microseconds.
        sums[name] += np.bincount(bots, values, len(games.bots)).astype(np.int64)

    for side in range(games.sides):
        bots = games.bot[:, side]
        add("games", bots, np.ones(len(games), dtype=np.int64))
        add("forfeits", bots, games.forfeited[:, side])
        for name in ("faults", "decisions", "time_us"):
            add(name, bots, getattr(games, name)[:, side])
    for side, other in permutations(range(games.sides), 2):
        met = games.bot[:, side] != games.bot[:, other]
        bots = games.bot[met, side]
        mine, theirs = games.placing[met, side], games.placing[met, other]
        add("won", bots, mine < theirs)
        add("drawn", bots, mine == theirs)
        add("lost", bots, mine > theirs)
        add("margin", bots, games.points[met, side] - games.points[met, other])
    return sums
