"""Finds out which strengths the games determine, from the graph of who finished ahead of whom.

An *island* is a set of bots that chains of games connect. A *component* is a strongly connected component of the graph:
a part of an island in which the results limit how far apart the bots are.
"""

from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from itertools import permutations
from typing import TypeAlias

import rustworkx as rx
from aurum.statistics.orders import Choice

Graph: TypeAlias = "rx.PyDiGraph[int, int]"
"""Bots by number; an edge holds its weight."""


class Bound(StrEnum):
    """Whether the games determine a figure, and how to read it if they do not."""

    NONE = ""
    """They determine it."""
    AT_LEAST = ">"
    """Nobody outside the bot's component was ever ahead of it: it may be stronger by any amount."""
    AT_MOST = "<"
    """It was never ahead of anybody outside its component: it may be weaker by any amount."""
    LOOSE = "~"
    """It was always ahead of some and always behind others, or only ever level: it may lie anywhere."""


def tie_sizes(choices: Iterable[Choice]) -> tuple[tuple[int, ...], list[Choice]]:
    """How many sides were chosen at once, ascending, and the choices that carry information.

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
    """The islands, each with its bots ascending; the largest island first, then by its first bot."""
    graph: rx.PyGraph[int, None] = rx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(field))
    for choice in choices:
        first = choice.sides[0][0]
        graph.add_edges_from_no_data([(first, bot) for side in choice.sides for bot in side])
    return sorted((sorted(island) for island in rx.connected_components(graph)), key=lambda i: (-len(i), i))


def ahead(field: int, choices: Iterable[Choice], sizes: Sequence[int]) -> Graph:
    """The graph with an edge from each bot to those that it is at least as strong as, as far as is known.

    The strengths of an island are determined exactly if it is strongly connected: then no shift of strengths and tie
    parameters leaves every choice as likely as before or likelier. Whoever came next has edges to those who were left.
    Being level is an edge both ways only where something keeps its parameter from growing along with the difference:

    - of two sides, a closed walk along edges that has more lone winners than level pairs on it;
    - of more, a choice in which that many might have been level, among bots of one component, and were not.

    Without it, a bot with wins and draws alone may be stronger by any amount.
    """
    graph: Graph = rx.PyDiGraph(multigraph=False)
    graph.add_nodes_from(range(field))
    choices = sorted(choices)
    for choice in choices:
        left = [side for side in choice.sides if side not in choice.chosen]
        _add(graph, ((a, b) for x in choice.chosen for y in left for a in x for b in y), -(len(choice.chosen) == 1))
    settled = {sizes[0]}
    for size in sizes[1:]:
        level = [c.chosen for c in choices if len(c.chosen) == size]
        links = [(a, b) for chosen in level for x, y in permutations(chosen, 2) for a in x for b in y]
        if _won_on_a_closed_walk(graph, links) if size == 2 else _was_possible(graph, choices, size, settled):
            _add(graph, links, 0)
            settled.add(size)
    return graph


def components(island: Iterable[int], graph: Graph) -> list[list[int]]:
    """The components of an island, each with its bots ascending."""
    inside = set(island)
    return sorted(sorted(bots) for bots in rx.strongly_connected_components(graph) if inside.issuperset(bots))


def main_component(components: Sequence[Sequence[int]]) -> Sequence[int] | None:
    """The component that is larger than every other, if there is one: the other figures are relative to it."""
    by_size = sorted(components, key=len, reverse=True)
    return by_size[0] if len(by_size) == 1 or len(by_size[0]) > len(by_size[1]) else None


def bounds(components: Sequence[Sequence[int]], graph: Graph) -> dict[int, Bound]:
    """How to read the figure of each bot of an island that consists of these components."""
    main = main_component(components)
    result: dict[int, Bound] = {}
    for component in components:
        inside = set(component)
        was_ahead = any(b not in inside for a in component for b in graph.successor_indices(a))
        was_behind = any(b not in inside for a in component for b in graph.predecessor_indices(a))
        if component is main:
            bound = Bound.NONE
        elif was_ahead and not was_behind:
            bound = Bound.AT_LEAST
        elif was_behind and not was_ahead:
            bound = Bound.AT_MOST
        else:
            bound = Bound.LOOSE
        result |= dict.fromkeys(component, bound)
    return result


def met(choices: Iterable[Choice]) -> list[tuple[int, int]]:
    """Every two bots that were on different sides of a game, ascending."""
    pairs = {(a, b) for c in choices for x, y in permutations(c.sides, 2) for a in x for b in y}
    return sorted((a, b) for a, b in pairs if a < b)


def _add(graph: Graph, edges: Iterable[tuple[int, int]], weight: int) -> None:
    """Add edges; of two between the same bots keep the one with the smaller weight."""
    for a, b in edges:
        if not graph.has_edge(a, b) or graph.get_edge_data(a, b) > weight:
            graph.add_edge(a, b, weight)


def _won_on_a_closed_walk(graph: Graph, level: Iterable[tuple[int, int]]) -> bool:
    """Whether a closed walk has more lone winners (edges of weight -1) than level pairs on it."""
    walks = graph.copy()
    _add(walks, level, 1)
    return rx.negative_edge_cycle(walks, float)


def _was_possible(graph: Graph, choices: Iterable[Choice], size: int, settled: Collection[int]) -> bool:
    """Whether as many bots of one component as `size` could have been level in some choice, and were not."""
    component = {bot: n for n, bots in enumerate(rx.strongly_connected_components(graph)) for bot in bots}
    return any(
        len(c.sides) >= size
        and len(c.chosen) in settled
        and len({component[bot] for side in c.sides for bot in side}) == 1
        for c in choices
    )
