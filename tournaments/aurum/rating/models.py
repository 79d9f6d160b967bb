"""Rates bots from finishing orders, by one of several models."""

from collections import Counter
from collections.abc import Callable, Mapping
from enum import StrEnum

from aurum.rating.intervals import most_probable
from aurum.rating.likeliest import likeliest
from aurum.rating.orders import Choice, Cluster, Group, Order, comparisons, stages
from aurum.rating.strengths import Strengths


class Model(StrEnum):
    """The model by which a finishing order comes about, and how it is fitted."""

    POSTERIOR = "posterior"
    """Davidson-Luce: a chain of choices, in which sides may be level. Most probable under a weak normal prior."""
    DAVIDSON_LUCE = "davidson-luce"
    """The same, by maximum likelihood: where all games went one way there are bounds, and no figures."""
    BRADLEY_TERRY = "bradley-terry"
    """Comparisons of every two sides, being level half a win for each, by maximum likelihood."""


def rate(field: int, groups: Mapping[Group, int], model: Model) -> Strengths:
    """The strengths of `field` bots, and how certain they are.

    Args:
        field: how many bots; each has played.
        groups: how many deal groups ended this way.
        model: of the games.
    """
    clusters = clusters_of(groups, comparisons if model is Model.BRADLEY_TERRY else stages)
    played = [0] * field
    for group, number in groups.items():
        for bot in {bot for order in group for level in order for side in level for bot in side}:
            played[bot] += number
    return (most_probable if model is Model.POSTERIOR else likeliest)(field, clusters, played)


def clusters_of(
    groups: Mapping[Group, int], choices: Callable[[Order], list[tuple[Choice, int]]] = stages
) -> Counter[Cluster]:
    """The choices of deal groups: how many ended this way."""
    clusters = Counter[Cluster]()
    for group, number in groups.items():
        halves = Counter[Choice]()
        for order in group:
            for choice, half in choices(order):
                halves[choice] += half
        clusters[tuple(sorted(halves.items()))] += number
    return clusters
