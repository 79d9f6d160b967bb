"""Intervals of the posterior: as wide as its covariance says, and as lopsided as it is.

A bot that won everything may be much stronger than its figure and hardly weaker. So the ends of an interval are not
put at equal distances, but where the logarithm of the posterior has fallen equally far (the signed root of the
likelihood ratio: DiCiccio and Efron, "Bootstrap confidence intervals", Statistical Science 11, 1996, section 5), along
the line on which the difference changes at the least cost. The bot's own games are taken exactly, those of the others
to second order, which is cheap enough for hundreds of bots. How far it falls is counted in standard errors.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from aurum.rating.connections import comparable, components, islands
from aurum.rating.likelihood import ChoiceArrays, Likelihood, Matrix, Vector
from aurum.rating.orders import WHOLE, Choice, Cluster
from aurum.rating.posterior import PRIOR_ELO, SEEN, Posterior, evidence, posterior
from aurum.rating.strengths import Ends, Strengths
from aurum.statistics.elo import student_95, student_chance

_CLOSE = 1e-9
"""Standard errors: how exactly the end of an interval is found."""
_MOST_STEPS = 100


@dataclass(frozen=True)
class MostProbable(Strengths):
    """The most probable strengths. Every bot has a figure, an interval, and a probability to be stronger than another.

    Student's t has `SEEN` degrees of freedom more than the bot has deal groups: as many speak for the model's spread.
    """

    figure: Posterior = field(repr=False)

    def centre(self, island: int) -> Sequence[int]:
        """All of it."""
        return self.islands[island]

    def lead(self, bot: int, others: Sequence[int]) -> float:
        """Always a figure."""
        values = self.figure.parameters
        return float(values[bot]) - math.fsum(values[other] for other in others) / len(others)

    def interval(self, bot: int, others: Sequence[int]) -> Ends:
        """Of a bot and itself there is none."""
        if list(others) == [bot]:
            return None, None
        fall, errors = self._fall(bot, others), student_95(self.fewest(bot, others) + SEEN)
        lead = self.lead(bot, others)
        return lead + fall.reach(-1, errors), lead + fall.reach(1, errors)

    def superiority(self, bot: int, other: int) -> float:
        """Student's t of the fall from the figure to where the two are equal."""
        return student_chance(
            self.fewest(bot, [other]) + SEEN, -self._fall(bot, [other]).root(-self.lead(bot, [other]))
        )

    @cached_property
    def _inverse(self) -> Matrix:
        return np.asarray(np.linalg.inv(self.figure.curvature), dtype=np.float64)

    @cached_property
    def _own_choices(self) -> "_OwnChoices":
        return _OwnChoices(self.figure)

    def _fall(self, bot: int, others: Sequence[int]) -> "_Fall":
        contrast: Vector = np.zeros(len(self.figure.parameters))
        contrast[list(others)] = -1 / len(others)
        contrast[bot] += 1
        line: Vector = self._inverse @ contrast
        curvature = 1 / float(contrast @ line)
        error = math.sqrt(float(contrast @ self.figure.covariance @ contrast))
        own = {bot, *others} if len(others) == 1 else {bot}
        return _Fall(self._own_choices.along(line * curvature, own), curvature, error)


@dataclass(frozen=True)
class _Along:
    """Choices among the same number of sides, and how they change along a line.

    Fields:
        times: how often each was made.
        likely: by choice and way, its probability at the maximum.
        change: by choice and way, how its log-weight changes, less the mean of all ways.
    """

    times: Vector
    likely: Matrix
    change: Matrix

    @property
    def curvature(self) -> float:
        """Of their log-likelihood at the maximum."""
        return float(self.times @ (self.likely * self.change**2).sum(axis=1))

    def fall(self, step: float) -> float:
        """By how much their log-likelihood falls, but for its slope, which is 0 for all choices together."""
        return float(self.times @ np.log1p((self.likely * np.expm1(step * self.change)).sum(axis=1)))


class _Fall:
    """How far the logarithm of the posterior falls along a line, in standard errors.

    Args:
        own: the choices that are taken exactly.
        curvature: of the whole logarithm at the maximum.
        error: the standard error of the difference, which is 1 at a step of 1.
    """

    def __init__(self, own: Sequence[_Along], curvature: float, error: float) -> None:
        self._own = own
        self._rest = max(0.0, curvature - math.fsum(along.curvature for along in own))
        self._scale = error * math.sqrt(curvature)
        self._error = error

    def root(self, step: float) -> float:
        """The signed root of the fall at this distance from the maximum."""
        fall = self._rest * step * step / 2 + math.fsum(along.fall(step) for along in self._own)
        return math.copysign(math.sqrt(2 * max(fall, 0.0)), step) / self._scale

    def reach(self, sign: int, errors: float) -> float:
        """At which distance to one side it has fallen by so many standard errors."""
        near, far = 0.0, errors * self._error
        short = -errors
        while (beyond := abs(self.root(sign * far)) - errors) < 0:
            near, short, far = far, beyond, 2 * far
        for _ in range(_MOST_STEPS):  # the Illinois method: the root is nearly a straight line
            middle = (near * beyond - far * short) / (beyond - short)
            found = abs(self.root(sign * middle)) - errors
            if abs(found) < _CLOSE:
                break
            if found > 0:
                far, beyond, short = middle, found, short / 2
            else:
                near, short, beyond = middle, found, beyond / 2
        return sign * middle


class _OwnChoices:
    """The choices of all games by who was left, with the probabilities at the maximum, to be found by bot."""

    def __init__(self, figure: Posterior) -> None:
        found = figure.evidence
        times = Counter[Choice]()
        for choice, halves in [*found.inner.items(), *found.outer.items()]:
            size = 1 if choice.ties else len(choice.chosen)
            times[Choice(choice.sides, choice.sides[:size], choice.ties)] += halves
        choices = sorted(times)
        likelihood = Likelihood(found.stacked, choices, found.sizes)
        self._stacking = likelihood.members @ found.stacking(found.means())
        inside = likelihood.members @ (found.stacking(np.eye(found.field)) @ figure.parameters)
        self._blocks: list[tuple[ChoiceArrays, Vector, Matrix, Mapping[int, list[int]]]] = []
        near = found.neighbours()
        for arrays in likelihood.arrays:
            own: dict[int, list[int]] = {}
            for place, row in enumerate(arrays.rows):
                for bot in {one for number in choices[row].bots for one in near[number]}:
                    own.setdefault(bot, []).append(place)
            weights: Vector = np.array([times[choices[row]] / WHOLE for row in arrays.rows])
            self._blocks.append((arrays, weights, np.exp(arrays.log_probabilities(inside)), own))

    def along(self, line: Vector, bots: set[int]) -> list[_Along]:
        """The choices that one of these bots has a part in, along a line of parameters."""
        inside = self._stacking @ line
        found = []
        for arrays, times, chances, own in self._blocks:
            if rows := sorted({place for bot in bots for place in own.get(bot, ())}):
                change = inside[arrays.columns[rows]] @ arrays.ways.T
                change -= (chances[rows] * change).sum(axis=1, keepdims=True)
                found.append(_Along(times[rows], chances[rows], change))
        return found


def most_probable(
    size: int, clusters: Mapping[Cluster, int], played: Sequence[int], width: float = PRIOR_ELO
) -> MostProbable:
    """The most probable strengths of `size` bots.

    Args:
        size: how many bots; each has played.
        clusters: the choices of deal groups, and how many ended this way.
        played: by bot, its deal groups.
        width: of the prior, in Elo.
    """
    choices = {choice for cluster in clusters for choice, _ in cluster}
    graph = comparable(size, choices)
    found = islands(size, choices)
    parts = [components(island, graph, played) for island in found]
    component = {bot: number for number, part in enumerate(c for own in parts for c in own) for bot in part}
    figure = posterior(evidence(size, clusters, component), width)
    return MostProbable(
        tuple(map(tuple, found)),
        tuple(tuple(map(tuple, own)) for own in parts),
        figure.ties,
        figure.log_likelihood,
        played,
        figure,
    )
