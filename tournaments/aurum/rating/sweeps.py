"""How far apart two components are at least, as far as their sweeps say: a one-sided bound.

If all games between two components went the same way, the likelihood has no maximum. It has a bound, though: at a
difference at which such a sweep has a probability of 5 %, a smaller difference would make it rarer still (an exact
test, as in Clopper and Pearson, Biometrika 26, 1934). Eight wins of eight are at least +137 Elo. Where other components
lie between the two, their distances are those that make the sweeps likeliest. Games are taken as independent, and the
bots of a component as they stand to each other.
"""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from aurum.rating.davidson_luce import maximum, weighed
from aurum.rating.likelihood import Vector
from aurum.rating.orders import Choice

_LEVEL = math.log(0.05)
_CLOSE = 1e-9
_LONGEST = 20.0
"""Nats: a longer step leads to where nothing but rounding errors is left."""
_MOST_STEPS = 200


def least_distance(
    strengths: Vector,
    upper: Collection[int],
    lower: Collection[int],
    between: Sequence[Collection[int]],
    sweeps: Mapping[Choice, int],
) -> float | None:
    """By how many nats the origin of `upper` is above that of `lower` at least, in 95 % of all cases.

    None if the games say nothing of it, as where a bot was level with one that it could be far from.

    Args:
        strengths: of the bots, each relative to the origin of its component.
        upper: the bots of a component.
        lower: those of one below.
        between: the components that lie between the two.
        sweeps: the choices across components (`aurum.rating.split.across`), in halves.

    Raises:
        ArithmeticError: no convergence, which would be a bug.
    """
    place = {bot: number for number, part in enumerate([upper, lower, *between]) for bot in part}
    found = Counter[Choice]()
    for choice, halves in sweeps.items():
        if kept := _among(choice, place):
            found[kept] += halves
    likelihood, weights = weighed(len(strengths), found, (1,))
    basis = np.zeros((len(strengths), len(between)))
    for bot, number in place.items():
        if number > 1:
            basis[bot, number - 2] = 1

    raised: Vector = np.zeros(len(strengths))
    raised[list(upper)] = 1
    halfway = raised + basis.sum(axis=1) / 2
    distance = 0.0
    for _ in range(_MOST_STEPS):  # Newton's method: the logarithm is concave, so after one step it comes from below
        start = strengths + distance * halfway
        best = maximum(likelihood, weights, start, basis=basis) if between else start
        missing, slope = _LEVEL - likelihood.value(best, weights), float(likelihood.score(best, weights) @ raised)
        if not slope > 0:
            return None
        step = missing / slope
        distance += max(-_LONGEST, min(step, _LONGEST))
        if abs(missing) < _CLOSE:
            return distance
    raise ArithmeticError("the bound of a sweep was not found")


def _among(choice: Choice, place: Mapping[int, int]) -> Choice | None:
    """The choice among the sides of these components; None if it says nothing about them."""
    sides = tuple(side for side in choice.sides if all(bot in place for bot in side))
    if not set(choice.chosen) <= set(sides) or len({place[bot] for side in sides for bot in side}) < 2:
        return None
    return Choice(sides, choice.chosen, ties=False)
