"""The maximum-likelihood fit: the bots of each component by their own games, and bounds for the other components."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from aurum.rating.connections import Graph, above, ahead, below, components, islands, tie_sizes
from aurum.rating.davidson_luce import covariance, estimate
from aurum.rating.likelihood import Matrix, Vector
from aurum.rating.orders import Choice, Cluster
from aurum.rating.split import across, within
from aurum.rating.strengths import Ends, Strengths
from aurum.rating.sweeps import least_distance
from aurum.statistics.elo import ELO, student_95, student_chance

_NO_SPREAD = 1e-3 / ELO
"""Nats. A smaller standard error is a rounding error: the deal groups all came out alike, and it says nothing."""


@dataclass(frozen=True)
class Likeliest(Strengths):
    """The likeliest strengths. Within a component errors are those of the sandwich, clustered by deal group.

    Fields:
        values: by bot, relative to the mean of its component.
        sweeps: the choices across components, in halves.
        graph: of who was ahead of whom.
    """

    values: Vector
    sweeps: Mapping[Choice, int] = field(repr=False)
    graph: Graph = field(repr=False)
    _covariance: Matrix | None = field(repr=False, compare=False)

    def centre(self, island: int) -> Sequence[int]:
        """Those of its first component."""
        return self.components[island][0]

    def lead(self, bot: int, others: Sequence[int]) -> float | None:
        """None if the component is another."""
        if not {*others} <= {*self._component[bot]}:
            return None
        return float(self.values[bot]) - math.fsum(self.values[other] for other in others) / len(others)

    def interval(self, bot: int, others: Sequence[int]) -> Ends:
        """By Student's t within a component, one-sided between two of them."""
        lead = self.lead(bot, others)
        if lead is None:
            return self._bound(bot, others)
        error = self._error(bot, others)
        if error is None:
            return None, None
        reach = student_95(self.fewest(bot, others) - 1) * error
        return lead - reach, lead + reach

    def superiority(self, bot: int, other: int) -> float | None:
        """None between components, and where there is no spread."""
        lead = self.lead(bot, [other])
        error = None if lead is None else self._error(bot, [other])
        if lead is None or error is None:
            return None
        return student_chance(self.fewest(bot, [other]) - 1, lead / error)

    @cached_property
    def _component(self) -> dict[int, tuple[int, ...]]:
        return {bot: part for parts in self.components for part in parts for bot in part}

    def _error(self, bot: int, others: Sequence[int]) -> float | None:
        """The standard error of a lead; None if one of two bots has but one deal group, or if there is no spread."""
        if self._covariance is None or self.fewest(bot, others) < 2:
            return None
        contrast = np.zeros(len(self._covariance))
        contrast[list(others)] = -1 / len(others)
        contrast[bot] += 1
        error = math.sqrt(max(0.0, float(contrast @ self._covariance @ contrast)))
        return error if error > _NO_SPREAD else None

    def _bound(self, bot: int, others: Sequence[int]) -> Ends:
        """How far a bot is above or below others of one component at least."""
        mine, theirs = self._component[bot], self._component[others[0]]
        offset = float(self.values[bot]) - math.fsum(self.values[other] for other in others) / len(others)
        up, down = above(theirs, self.graph), below(theirs, self.graph)
        if bot in up:
            between = self._parts(up & below(mine, self.graph))
            distance = least_distance(self.values, mine, theirs, between, self.sweeps)
            return None if distance is None else offset + distance, None
        if bot in down:
            between = self._parts(down & above(mine, self.graph))
            distance = least_distance(self.values, theirs, mine, between, self.sweeps)
            return None, None if distance is None else offset - distance
        return None, None

    def _parts(self, bots: set[int]) -> list[tuple[int, ...]]:
        return sorted({self._component[bot] for bot in bots})


def likeliest(size: int, clusters: Mapping[Cluster, int], played: Sequence[int]) -> Likeliest:
    """The maximum-likelihood strengths of `size` bots.

    Args:
        size: how many bots; each has played.
        clusters: the choices of deal groups, and how many ended this way.
        played: by bot, its deal groups.
    """
    counts = Counter[Choice]()
    for cluster, number in clusters.items():
        for choice, half in cluster:
            counts[choice] += half * number
    kept = tie_sizes(counts)[1]
    graph = ahead(size, kept, tie_sizes(counts)[0])
    found = islands(size, counts)
    parts = [components(island, graph, played) for island in found]
    component = {bot: number for number, part in enumerate(c for own in parts for c in own) for bot in part}
    inner, outer = Counter[Choice](), Counter[Choice]()
    for choice, halves in counts.items():
        if own := within(choice, component):
            inner[own] += halves
        if apart := across(choice, component):
            outer[apart] += halves
    sizes, informative = tie_sizes(inner)
    fitted = Counter({choice: inner[choice] for choice in informative})
    result = estimate(size, fitted, sizes)
    several = []
    for cluster in sorted(clusters):
        own_choices = Counter[Choice]()
        for choice, half in cluster:
            if (own := within(choice, component)) in fitted and own is not None:
                own_choices[own] += half
        several.append((own_choices, clusters[cluster]))
    return Likeliest(
        tuple(map(tuple, found)),
        tuple(tuple(map(tuple, own)) for own in parts),
        result.ties,
        result.log_likelihood,
        played,
        result.strengths,
        outer,
        graph,
        covariance(size, result, fitted, several) if sum(clusters.values()) > 1 else None,
    )
