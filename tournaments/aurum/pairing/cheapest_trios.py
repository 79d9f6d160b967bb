"""Divides a field into the cheapest trios: proven to be so up to 30 entrants, by a local search above."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from aurum.pairing.quiet import silenced
from aurum.pairing.trios import Trio
from numpy.typing import NDArray

Costs = tuple[tuple[int, ...], ...]
"""What it costs that two are in one trio: symmetric, zeros on the diagonal, none negative."""

EXACT = 30
"""The largest field whose trios are proven to be the cheapest."""

_NODES = 1_000
"""Nodes of the search for a proof, which takes one as a rule. Seconds would let a slow machine decide a pairing."""


def cheapest(costs: Costs, starts: tuple[tuple[int, ...], ...]) -> tuple[Trio, ...]:
    """Trios, ascending, with everyone in one of them, whose pairs cost least in all.

    Args:
        costs: of a field of a multiple of three.
        starts: orders from which the local search is to begin; in each, every three make a trio.
    """
    found = min((settled(start, costs) for start in starts), key=lambda trios: total(trios, costs))
    return _proven(found, costs) if 3 < len(costs) <= EXACT else found


def total(trios: Sequence[Trio], costs: Costs) -> int:
    """What trios cost in all."""
    return sum(costs[a][b] for trio in trios for a, b in combinations(trio, 2))


def settled(start: Sequence[int], costs: Costs) -> tuple[Trio, ...]:
    """The trios after exchanges of two entrants, the most saving one first, until no single one saves anything."""
    seats = np.array(start)
    prices = np.array(costs, dtype=np.int64)
    size = len(seats)
    trio_of = np.arange(size) // 3
    while True:
        here = prices[np.ix_(seats, seats)]
        beside = here.reshape(size, -1, 3).sum(axis=2)  # what each would pay in each trio if all there stayed
        now, there = np.diag(beside[:, trio_of]), beside[:, trio_of] - here
        saved = now[:, None] + now - there - there.T
        saved[trio_of[:, None] >= trio_of] = 0
        i, j = divmod(int(saved.argmax()), size)
        if saved[i, j] <= 0:
            return _trios(seats.reshape(-1, 3))
        seats[[i, j]] = seats[[j, i]]


def _proven(found: tuple[Trio, ...], costs: Costs) -> tuple[Trio, ...]:
    """The cheapest trios of all, given some good ones.

    A set partition: of all trios, each is taken or not, so that everyone is in one (scipy's MILP, which is HiGHS). No
    trio that costs more than those found do together can be among the cheapest.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp  # takes longer to import than most fields to seat
    from scipy.sparse import csc_array

    bound = total(found, costs)
    trios = [trio for trio in combinations(range(len(costs)), 3) if total([trio], costs) <= bound]
    at = np.array(trios)
    column = np.repeat(np.arange(len(trios)), 3)
    seats = csc_array((np.ones(at.size), (at.ravel(), column)), shape=(len(costs), len(trios)))
    with silenced():  # HiGHS prints some of its doings whatever it is told (scipy 1.17)
        solved = milp(
            [float(total([trio], costs)) for trio in trios],
            integrality=np.ones(len(trios)),
            bounds=Bounds(0, 1),
            constraints=LinearConstraint(seats, 1, 1),
            options={"mip_rel_gap": 0, "node_limit": _NODES},
        )
    best = found if solved.x is None else _trios(at[solved.x > 0.5])
    return best if total(best, costs) < bound else found


def _trios(members: NDArray[np.int64]) -> tuple[Trio, ...]:
    found = (sorted(trio) for trio in members.tolist())
    return tuple(sorted((first, second, third) for first, second, third in found))
