"""Which strengths the games determine: a question of who took anything from whom, not of numbers."""

from collections.abc import Iterable, Sequence
from enum import StrEnum

import networkx as nx
from aurum.statistics.bradley_terry import Tally


class Bound(StrEnum):
    """How to read a figure that the games alone do not determine."""

    NONE = ""
    """They do."""
    AT_LEAST = ">"
    """Nobody outside the bot's circle took even a draw from it: it may be stronger by any amount."""
    AT_MOST = "<"
    """It took not even a draw from anybody outside its circle: it may be weaker by any amount."""
    LOOSE = "~"
    """It swept some and was swept by others: it may lie anywhere between them."""


def islands(field: int, tallies: Iterable[Tally]) -> list[list[int]]:
    """Bots that chains of games connect, each ascending; the largest island first, then by its first bot."""
    graph = _won_from(range(field), tallies)
    return sorted((sorted(island) for island in nx.weakly_connected_components(graph)), key=lambda i: (-len(i), i))


def circles(island: Iterable[int], tallies: Iterable[Tally]) -> list[list[int]]:
    """Bots of an island that took half a game or more from each other, directly or in a round-about way.

    Within a circle the maximum-likelihood strengths exist; between two circles every game went the same way.
    """
    return sorted(sorted(circle) for circle in nx.strongly_connected_components(_won_from(island, tallies)))


def bounds(circles: Sequence[Sequence[int]], tallies: Sequence[Tally]) -> dict[int, Bound]:
    """How to read the figure of each bot of an island that falls apart into these circles.

    Figures are read from the main circle: the one that is larger than every other, if there is one.
    """
    by_size = sorted(circles, key=len, reverse=True)
    main = by_size[0] if len(by_size) == 1 or len(by_size[0]) > len(by_size[1]) else None
    result: dict[int, Bound] = {}
    for circle in circles:
        inside = set(circle)
        across = [tally for tally in tallies if (tally.a in inside) != (tally.b in inside)]
        won = {(tally.halves > 0) == (tally.a in inside) for tally in across}
        if circle is main:
            bound = Bound.NONE
        elif won == {True}:
            bound = Bound.AT_LEAST
        elif won == {False}:
            bound = Bound.AT_MOST
        else:
            bound = Bound.LOOSE
        result |= dict.fromkeys(circle, bound)
    return result


def _won_from(bots: Iterable[int], tallies: Iterable[Tally]) -> "nx.DiGraph[int]":
    """An edge for each bot that took half a game or more from another. Tallies with bots not given are left out."""
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(bots)
    for tally in tallies:
        if tally.a in graph and tally.b in graph:
            if tally.halves > 0:
                graph.add_edge(tally.a, tally.b)
            if tally.halves < 2 * tally.games:
                graph.add_edge(tally.b, tally.a)
    return graph
