"""Rates bots from finishing orders: their likeliest strengths, which of them the games determine, and their errors."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from aurum.statistics.connections import Bound, ahead, bounds, components, islands, met, tie_sizes
from aurum.statistics.davidson_luce import Matrix, covariance, estimate
from aurum.statistics.orders import Choice, Group, Order, comparisons, stages


class Model(StrEnum):
    """The model by which a finishing order comes about."""

    DAVIDSON_LUCE = "davidson-luce"
    """As a chain of choices, in which sides may be level."""
    BRADLEY_TERRY = "bradley-terry"
    """As comparisons of every two sides. Being level is half a win for each."""


_CHOICES: Mapping[Model, Callable[[Order], list[tuple[Choice, int]]]] = {
    Model.DAVIDSON_LUCE: stages,
    Model.BRADLEY_TERRY: comparisons,
}


@dataclass(frozen=True)
class Strengths:
    """A fit, in nats.

    Fields:
        values: by bot; on each island they are determined up to a constant.
        bounds: by bot, how to read its value.
        islands: sets of bots; no chain of games connects bots of two of them; the largest first.
        components: for each island, the sets of bots between which results do not limit the difference; usually one.
        ties: the model's delta_t: by number of sides, how readily that many are level.
        log_likelihood: of the games, half wins that were added included.
    """

    values: tuple[float, ...]
    bounds: tuple[Bound, ...]
    islands: tuple[tuple[int, ...], ...]
    components: tuple[tuple[tuple[int, ...], ...], ...]
    ties: Mapping[int, float]
    log_likelihood: float
    _covariance: Matrix | None = field(repr=False, compare=False)

    def lead(self, bot: int, others: Sequence[int]) -> float:
        """A bot's strength less the mean strength of `others`, which may contain it."""
        return self.values[bot] - math.fsum(self.values[other] for other in others) / len(others)

    def error(self, bot: int, others: Sequence[int]) -> float | None:
        """The standard error of that, by deal group; None if there is but one."""
        if self._covariance is None:
            return None
        contrast = np.zeros(len(self._covariance))
        contrast[list(others)] = -1 / len(others)
        contrast[bot] += 1
        return math.sqrt(max(0.0, float(contrast @ self._covariance @ contrast)))


def rate(field: int, groups: Mapping[Group, int], model: Model) -> Strengths:
    """The maximum-likelihood strengths of `field` bots, and their sandwich covariance, clustered by deal group.

    Where the likelihood has no maximum, half a win each way is added for every two bots of different components that
    met, as the result of a game that one of them won: it does not count among the games that could have been drawn.

    Args:
        field: how many bots; each has played.
        groups: how many deal groups ended this way.
        model: of the games.
    """
    clusters = Counter[tuple[tuple[Choice, int], ...]]()
    for group, number in groups.items():
        halves = Counter[Choice]()
        for order in group:
            for choice, half in _CHOICES[model](order):
                halves[choice] += half
        clusters[tuple(sorted(halves.items()))] += number
    counts = Counter[Choice]()
    for cluster, number in clusters.items():
        for choice, half in cluster:
            counts[choice] += half * number

    sizes, kept = tie_sizes(counts)
    graph = ahead(field, kept, sizes)
    found = islands(field, counts)
    parts = [components(island, graph) for island in found]
    marks: dict[int, Bound] = {}
    for part in parts:
        marks |= bounds(part, graph)

    of = {bot: number for number, component in enumerate(c for part in parts for c in part) for bot in component}
    fitted = Counter({choice: counts[choice] for choice in kept})
    for a, b in met(counts):
        if of[a] != of[b]:
            fitted.update(Choice(((a,), (b,)), ((winner,),), ties=False) for winner in (a, b))
    result = estimate(field, fitted, sizes)
    several = [({c: h for c, h in cluster if c in fitted}, clusters[cluster]) for cluster in sorted(clusters)]
    return Strengths(
        tuple(map(float, result.strengths)),
        tuple(marks[bot] for bot in range(field)),
        tuple(map(tuple, found)),
        tuple(tuple(map(tuple, part)) for part in parts),
        result.ties,
        result.log_likelihood,
        covariance(field, result, fitted, several) if sum(clusters.values()) > 1 else None,
    )
