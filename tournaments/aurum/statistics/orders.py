"""Finishing orders, and the choices that a model takes them for.

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
    """Of the sides that were left, which came next, level with each other.

    Not `ties`: it is known that one alone was chosen, so the choice says nothing of how often sides are level.
    """

    sides: tuple[Side, ...]
    chosen: tuple[Side, ...]
    ties: bool = True


WHOLE = 2
"""Choices are counted in halves."""


def order_of(sides: tuple[Side, ...], placing: tuple[int, ...]) -> Order:
    """The order that a placing (1 is first, equal numbers are level) puts the sides in."""
    return tuple(
        tuple(sorted(side for side, place in zip(sides, placing, strict=True) if place == level))
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
    places = [(side, place) for place, level in enumerate(order) for side in level]
    result = []
    for (a, place_a), (b, place_b) in combinations(sorted(places), 2):
        for side, halves in ((a, 1 + (place_a < place_b)), (b, 1 + (place_b < place_a))):
            if place_a == place_b or halves == WHOLE:
                result.append((Choice((a, b), (side,), ties=False), halves))
    return result
