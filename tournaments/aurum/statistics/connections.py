"""Which strengths the games determine: a question of who finished ahead of whom, not of numbers."""

from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from itertools import permutations
from typing import TypeAlias

import networkx as nx
from aurum.statistics.orders import Choice

Graph: TypeAlias = "nx.DiGraph[int]"


class Bound(StrEnum):
    """How to read a figure that the games alone do not determine."""

    NONE = ""
    """They do."""
    AT_LEAST = ">"
    """Nobody outside the bot's circle was ever ahead of it: it may be stronger by any amount."""
    AT_MOST = "<"
    """It was never ahead of anybody outside its circle: it may be weaker by any amount."""
    LOOSE = "~"
    """It was always ahead of some and always behind others, or only ever level: it may lie anywhere."""


def tie_sizes(choices: Iterable[Choice]) -> tuple[tuple[int, ...], list[Choice]]:
    """How many sides were chosen at once, ascending, and the choices that say anything.

    Where as many as possible were level every time, as when all games are drawn, nothing bounds how likely that is:
    the choices are then certain, and say nothing else.
    """
    kept = list(choices)
    sizes = sorted({len(choice.chosen) for choice in kept})
    for size in [size for size in reversed(sizes) if size > 1]:
        possible = [choice for choice in kept if len(choice.sides) >= size]
        if all(len(choice.chosen) == size for choice in possible):
            kept = [choice for choice in kept if len(choice.sides) < size]
            sizes.remove(size)
    return tuple(sizes) or (1,), kept


def islands(field: int, choices: Iterable[Choice]) -> list[list[int]]:
    """Bots that chains of games connect, each ascending; the largest island first, then by its first bot."""
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(field))
    for choice in choices:
        first = choice.sides[0][0]
        graph.add_edges_from((first, bot) for side in choice.sides for bot in side)
    return sorted((sorted(island) for island in nx.connected_components(graph)), key=lambda i: (-len(i), i))


def ahead(field: int, choices: Iterable[Choice], sizes: Sequence[int]) -> Graph:
    """An edge from each bot to those that it is at least as strong as, as far as the choices bound strengths.

    The strengths of an island are determined exactly if it is strongly connected: then no shift of strengths and tie
    parameters leaves every choice as likely as before or likelier. Whoever came next has edges to those who were left.
    Being level is an edge both ways only where something keeps its parameter from growing along with the difference:

    - of two sides, a closed walk along edges that has more lone winners than level pairs on it;
    - of more, a choice in which that many might have been level, among bots of one circle, and were not.

    Without it, a bot with wins and draws alone may be stronger by any amount.
    """
    graph: Graph = nx.DiGraph()
    graph.add_nodes_from(range(field))
    choices = sorted(choices)
    for choice in choices:
        left = [side for side in choice.sides if side not in choice.chosen]
        _add(graph, ((a, b) for x in choice.chosen for y in left for a in x for b in y), -(len(choice.chosen) == 1))
    settled = {sizes[0]}
    for size in sizes[1:]:
        level = [c.chosen for c in choices if len(c.chosen) == size]
        links = [(a, b) for chosen in level for x, y in permutations(chosen, 2) for a in x for b in y]
        if _won_in_a_circle(graph, links) if size == 2 else _was_possible(graph, choices, size, settled):
            _add(graph, links, 0)
            settled.add(size)
    return graph


def circles(island: Iterable[int], graph: Graph) -> list[list[int]]:
    """Bots of an island whose strengths bound each other, directly or in a round-about way, each circle ascending."""
    return sorted(sorted(circle) for circle in nx.strongly_connected_components(graph.subgraph(island)))


def main_circle(circles: Sequence[Sequence[int]]) -> Sequence[int] | None:
    """The circle that is larger than every other, if there is one: figures are read from it."""
    by_size = sorted(circles, key=len, reverse=True)
    return by_size[0] if len(by_size) == 1 or len(by_size[0]) > len(by_size[1]) else None


def bounds(circles: Sequence[Sequence[int]], graph: Graph) -> dict[int, Bound]:
    """How to read the figure of each bot of an island that falls apart into these circles."""
    main = main_circle(circles)
    result: dict[int, Bound] = {}
    for circle in circles:
        inside = set(circle)
        was_ahead = any(b not in inside for a in circle for b in graph.successors(a))
        was_behind = any(b not in inside for a in circle for b in graph.predecessors(a))
        if circle is main:
            bound = Bound.NONE
        elif was_ahead and not was_behind:
            bound = Bound.AT_LEAST
        elif was_behind and not was_ahead:
            bound = Bound.AT_MOST
        else:
            bound = Bound.LOOSE
        result |= dict.fromkeys(circle, bound)
    return result


def met(choices: Iterable[Choice]) -> list[tuple[int, int]]:
    """Every two bots that were on different sides of a game, ascending."""
    pairs = {(a, b) for c in choices for x, y in permutations(c.sides, 2) for a in x for b in y}
    return sorted((a, b) for a, b in pairs if a < b)


def _add(graph: Graph, edges: Iterable[tuple[int, int]], weight: int) -> None:
    """Add edges; of two between the same bots the lighter stays."""
    for a, b in edges:
        if not graph.has_edge(a, b) or graph[a][b]["weight"] > weight:
            graph.add_edge(a, b, weight=weight)


def _won_in_a_circle(graph: Graph, level: Iterable[tuple[int, int]]) -> bool:
    """Whether a closed walk has more lone winners (edges of weight -1) than level pairs on it."""
    walks = graph.copy()
    _add(walks, level, 1)
    return bool(nx.negative_edge_cycle(walks))


def _was_possible(graph: Graph, choices: Iterable[Choice], size: int, settled: Collection[int]) -> bool:
    """Whether bots of one circle might have been level, that many of them, and were not."""
    circle = {bot: n for n, bots in enumerate(nx.strongly_connected_components(graph)) for bot in bots}
    return any(
        len(c.sides) >= size
        and len(c.chosen) in settled
        and len({circle[bot] for side in c.sides for bot in side}) == 1
        for c in choices
    )
