"""Finds out which strengths the games determine, from the graph of who finished ahead of whom.

An *island* is a set of bots that chains of games connect. A *component* is a strongly connected component of the graph:
a part of an island in which the results limit how far apart the bots are.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import permutations
from typing import TypeAlias

import rustworkx as rx
from aurum.rating.orders import Choice

Graph: TypeAlias = "rx.PyDiGraph[int, int]"
"""Bots by number; an edge holds its weight."""


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


def comparable(field: int, choices: Iterable[Choice]) -> Graph:
    """The graph with an edge from each bot to those that it has ever been ahead of or level with.

    A draw is an edge both ways here, since the prior of the posterior keeps draws from growing ever likelier.
    """
    graph: Graph = rx.PyDiGraph(multigraph=False)
    graph.add_nodes_from(range(field))
    for choice in choices:
        ahead = [bot for side in choice.chosen for bot in side]
        level = [(a, b) for x, y in permutations(choice.chosen, 2) for a in x for b in y]
        behind = [bot for side in choice.sides if side not in choice.chosen for bot in side]
        graph.add_edges_from([(a, b, 0) for a, b in [*level, *((a, b) for a in ahead for b in behind)]])
    return graph


def components(island: Iterable[int], graph: Graph, played: Sequence[int]) -> list[list[int]]:
    """The components of an island, each with its bots ascending; first the one that others are compared with.

    It is the largest; of several, the one that has `played` most, then the one with the first bot.
    """
    inside = set(island)
    found = [sorted(bots) for bots in rx.strongly_connected_components(graph) if inside.issuperset(bots)]
    return sorted(found, key=lambda bots: (-len(bots), -sum(played[bot] for bot in bots), bots))


def above(component: Iterable[int], graph: Graph) -> set[int]:
    """The bots of other components that a chain of sweeps puts above this one."""
    inside = set(component)
    return set(rx.ancestors(graph, min(inside))) - inside


def below(component: Iterable[int], graph: Graph) -> set[int]:
    """The bots of other components that a chain of sweeps puts below this one."""
    inside = set(component)
    return set(rx.descendants(graph, min(inside))) - inside


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
