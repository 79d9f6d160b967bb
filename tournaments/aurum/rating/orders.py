"""Finishing orders, and the choices that a model makes of them.

Bots are numbers from 0. Tuples of them, of sides and of choices are ascending, so equal results are equal values.
"""

from itertools import combinations
from typing import NamedTuple

Side = tuple[int, ...]
"""The bots of a side: one, or several who play together."""
Order = tuple[tuple[Side, ...], ...]
"""How a game ended: its sides from first to last, those that are level together. No bot is on two sides."""
Group = tuple[Order, ...]
"""The games of a deal group, which are not independent of each other."""


class Choice(NamedTuple):
    """Which of the sides that were left came next, level with each other.

    Without `ties` it was certain that so many would be chosen, so the choice does not say how often sides are level.
    """

    sides: tuple[Side, ...]
    chosen: tuple[Side, ...]
    ties: bool = True

    @property
    def bots(self) -> set[int]:
        """Everyone who was left."""
        return {bot for side in self.sides for bot in side}


WHOLE = 2
"""Choices are counted in halves."""
Cluster = tuple[tuple[Choice, int], ...]
"""The choices of a deal group, ascending, with their halves."""


def order_of(sides: tuple[Side, ...], placing: tuple[int, ...]) -> Order:
    """The order that a placing (1 is first, equal numbers are level) puts the sides in."""
    return tuple(
        tuple(sorted(side for side, rank in zip(sides, placing, strict=True) if rank == level))
        for level in sorted(set(placing))
    )


def stages(order: Order) -> list[tuple[Choice, int]]:
    """An order as a chain of choices, with their halves: who is first of all, who is next of the rest, and so on.

    The last side has no choice. Luce (1959); with level sides Turner, van Etten, Firth and Kosmidis (2020).
    """
    left = sorted(side for level in order for side in level)
    result = []
    for level in order:
        if len(left) > 1:
            result.append((Choice(tuple(left), level), WHOLE))
        left = [side for side in left if side not in level]
    return result


def comparisons(order: Order) -> list[tuple[Choice, int]]:
    """An order as comparisons of every two sides, with their halves: level sides have half a win each."""
    ranks = [(side, rank) for rank, level in enumerate(order) for side in level]
    result = []
    for (a, rank_a), (b, rank_b) in combinations(sorted(ranks), 2):
        for side, halves in ((a, 1 + (rank_a < rank_b)), (b, 1 + (rank_b < rank_a))):
            if rank_a == rank_b or halves == WHOLE:
                result.append((Choice((a, b), (side,), ties=False), halves))
    return result
