"""The cheapest tables of three that a field can be seated at: exact up to 30, a local search above."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from aurum.pairing.trios import Trio
from numpy.typing import NDArray

Costs = tuple[tuple[int, ...], ...]
"""What it costs that two sit at one table: symmetric, zeros on the diagonal, none negative."""

EXACT = 30
"""The largest field whose tables are proven to be the cheapest."""

_NODES = 1_000
"""Nodes of the search for a proof, which takes one as a rule. Seconds would let a slow machine decide a pairing."""


def cheapest(costs: Costs, starts: tuple[tuple[int, ...], ...]) -> tuple[Trio, ...]:
    """Tables, ascending, at which everyone sits once and whose pairs cost least in all.

    Args:
        costs: of a field of a multiple of three.
        starts: orders from which the local search is to begin; in each, every three make a table.
    """
    found = min((settled(start, costs) for start in starts), key=lambda tables: total(tables, costs))
    return _proven(found, costs) if 3 < len(costs) <= EXACT else found


def total(tables: Sequence[Trio], costs: Costs) -> int:
    """What tables cost in all."""
    return sum(costs[a][b] for table in tables for a, b in combinations(table, 2))


def settled(start: Sequence[int], costs: Costs) -> tuple[Trio, ...]:
    """The tables after exchanges of two entrants, the most saving one first, until no single one saves anything."""
    seats = np.array(start)
    prices = np.array(costs, dtype=np.int64)
    size = len(seats)
    table_of = np.arange(size) // 3
    while True:
        here = prices[np.ix_(seats, seats)]
        beside = here.reshape(size, -1, 3).sum(axis=2)  # what each would pay at each table if all there stayed
        now, there = np.diag(beside[:, table_of]), beside[:, table_of] - here
        saved = now[:, None] + now - there - there.T
        saved[table_of[:, None] >= table_of] = 0
        i, j = divmod(int(saved.argmax()), size)
        if saved[i, j] <= 0:
            return _tables(seats.reshape(-1, 3))
        seats[[i, j]] = seats[[j, i]]


def _proven(found: tuple[Trio, ...], costs: Costs) -> tuple[Trio, ...]:
    """The cheapest tables of all, given some good ones.

    A set partition: of all tables, each is taken or not, so that everyone sits once (scipy's MILP, which is HiGHS). No
    table that costs more than those found do together can be among the cheapest.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp  # takes longer to import than most fields to seat
    from scipy.sparse import csc_array

    bound = total(found, costs)
    trios = [trio for trio in combinations(range(len(costs)), 3) if total([trio], costs) <= bound]
    at = np.array(trios)
    column = np.repeat(np.arange(len(trios)), 3)
    seats = csc_array((np.ones(at.size), (at.ravel(), column)), shape=(len(costs), len(trios)))
    solved = milp(
        [float(total([trio], costs)) for trio in trios],
        integrality=np.ones(len(trios)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(seats, 1, 1),
        options={"mip_rel_gap": 0, "node_limit": _NODES},
    )
    best = found if solved.x is None else _tables(at[solved.x > 0.5])
    return best if total(best, costs) < bound else found


def _tables(members: NDArray[np.int64]) -> tuple[Trio, ...]:
    trios = (sorted(table) for table in members.tolist())
    return tuple(sorted((first, second, third) for first, second, third in trios))
