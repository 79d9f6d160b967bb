"""Pairs a Swiss of two sides: the cheapest perfect matching of the field, without rematch while there is one."""

import hashlib
import hmac
from collections.abc import Collection, Mapping, Sequence

import networkx as nx

_ABOVE_LOTS = 64
"""Bits by which a cost is moved up: the lots of a whole round cannot add up to one unit of it."""


def lot(secret: bytes, *names: str) -> int:
    """A number from 0 to 2^48 - 1 drawn for these names: the one source of chance in a Swiss.

    HMAC-SHA256 (key `secret`, message "lot:" and the names, each ended by a zero byte), its first six bytes; so
    anyone can recompute the pairings when the secret is published.
    """
    message = b"lot:" + b"".join(name.encode() + b"\0" for name in names)
    return int.from_bytes(hmac.digest(secret, message, hashlib.sha256)[:6], "big")


def ranked(field: Collection[str], score: Mapping[str, int], secret: bytes) -> list[str]:
    """The field from the highest score to the lowest, among equals in an order drawn by lot once and for all."""
    return sorted(field, key=lambda bot: (-score[bot], lot(secret, bot), bot))


def pair(
    order: Sequence[str],
    score: Mapping[str, int],
    met: Mapping[frozenset[str], int],
    byes: Mapping[str, int],
    secret: bytes,
) -> tuple[list[tuple[str, str]], str | None]:
    """Pairs of one round, best first, and who has the bye (with an odd field).

    A perfect matching that minimises, in this order: the byes that the bye's receiver has had; the meetings that the
    pairs have had; the rank of the receiver, from the lowest up; the sum over pairs of 10,000 x (difference in
    points)^2 + (difference in rank); a lot drawn for each pair, which leaves one optimum, so that the choice is no
    accident of the matching algorithm.

    While the field stays the same and there are at most half as many rounds as bots (rounded up), nobody has a second
    bye and no two meet again: everyone, the bye counted as one more opponent, has then at least half of the others
    still to meet, and Dirac's theorem gives a matching. Where bots come and go it may take the fewest of both.

    Args:
        order: the field, ranked.
        score: half points by bot.
        met: how often two bots have played each other; absent is never.
        byes: how many a bot has had; absent is none.
        secret: the tournament's.
    """
    size = len(order)
    costs: dict[tuple[int, int], int] = {}
    for j, low in enumerate(order):
        for i, high in enumerate(order[:j]):
            apart = score[high] - score[low]
            costs[i, j] = ((2_500 * apart * apart + j - i) << _ABOVE_LOTS) + lot(secret, *sorted((high, low)))
    # Each of these steps outweighs everything before it, a whole round taken together.
    rank = size * (1 + max(costs.values(), default=0))
    rematch = (size + 1) * rank
    bye = rematch * size * (1 + max(met.values(), default=0))
    for i, j in costs:
        costs[i, j] += rematch * met.get(frozenset((order[i], order[j])), 0)
    if size % 2:
        costs |= {(i, size): (size - i) * rank + bye * byes.get(bot, 0) for i, bot in enumerate(order)}
    most = max(costs.values(), default=0)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from((i, j, most - cost) for (i, j), cost in costs.items())
    matching = sorted((min(edge), max(edge)) for edge in nx.max_weight_matching(graph, maxcardinality=True))
    return (
        [(order[i], order[j]) for i, j in matching if j < size],
        next((order[i] for i, j in matching if j == size), None),
    )
