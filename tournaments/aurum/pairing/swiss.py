"""Swiss pairing for two sides: the cheapest perfect matching of the field, without rematch."""

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
    met: Collection[frozenset[str]],
    rested: Collection[str],
    secret: bytes,
) -> tuple[list[tuple[str, str]], str | None]:
    """Pairs of one round, best first, and who has the bye (with an odd field).

    A perfect matching that minimises, in this order: the rank of the bye's receiver, who has had none yet; the sum
    over pairs of 10,000 x (difference in points)^2 + (difference in rank); a lot drawn for each pair, which leaves
    one optimum, so that the choice is no accident of the matching algorithm. Bots that met are never paired.

    Args:
        order: the field, ranked.
        score: half points by bot.
        met: pairs that have played each other.
        rested: bots that have had a bye.
        secret: the tournament's.

    Raises:
        ValueError: no pairing without rematch exists. It cannot be while there are at most half as many rounds as
            bots (rounded up): everyone, the bye counted as one more opponent, has then at least half of the others
            still to meet, and Dirac's theorem gives a matching.
    """
    size = len(order)
    costs: dict[tuple[int, int], int] = {}
    for j, low in enumerate(order):
        for i, high in enumerate(order[:j]):
            if frozenset((high, low)) not in met:
                apart = score[high] - score[low]
                costs[i, j] = ((2_500 * apart * apart + j - i) << _ABOVE_LOTS) + lot(secret, *sorted((high, low)))
    if size % 2:
        # One step in rank outweighs everything that the pairs can cost together.
        step = size * (1 + max(costs.values(), default=0))
        costs |= {(i, size): (size - i) * step for i, bot in enumerate(order) if bot not in rested}
    most = max(costs.values(), default=0)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from((i, j, most - cost) for (i, j), cost in costs.items())
    matching = sorted((min(edge), max(edge)) for edge in nx.max_weight_matching(graph, maxcardinality=True))
    if 2 * len(matching) < size:
        raise ValueError(f"no pairing of {size} bots without rematch is left")
    return (
        [(order[i], order[j]) for i, j in matching if j < size],
        next((order[i] for i, j in matching if j == size), None),
    )
