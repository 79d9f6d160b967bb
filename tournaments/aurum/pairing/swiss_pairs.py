"""Pairs a Swiss of two sides: the cheapest perfect matching of the field, without rematch while there is one."""

import hashlib
import hmac
from collections.abc import Collection, Mapping, Sequence

from aurum.pairing.matching import cheapest_matching

_LOT_BITS = 48


def lot(secret: bytes, *names: str) -> int:
    """A number from 0 to 2^48 - 1 drawn for these names: the one source of chance in a Swiss.

    HMAC-SHA256 (key `secret`, message "lot:" and the names, each ended by a zero byte), its first six bytes; so
    anyone can recompute the pairings when the secret is published.
    """
    message = "\0".join(("lot:" + names[0], *names[1:], "")).encode()
    return int.from_bytes(hmac.digest(secret, message, hashlib.sha256)[: _LOT_BITS // 8], "big")


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
    accident of the matching algorithm. (With no more than 900 bots, and as many rounds as half of them, the sums of
    all this stay below 2^125 whatever happened in the rounds before: the matching is exact.)

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
    pairs = (size + 1) // 2  # of a perfect matching: with an odd field, the bye is one more vertex
    costs = [[0] * (2 * pairs) for _ in range(2 * pairs)]
    # Each unit outweighs everything before it, a whole round taken together.
    unit = pairs << _LOT_BITS
    for j, low in enumerate(order):
        for i, high in enumerate(order[:j]):
            apart = score[high] - score[low]
            costs[i][j] = (2_500 * apart * apart + j - i) * unit + lot(secret, *sorted((high, low)))
    rank = pairs * (1 + max(map(max, costs), default=0))
    rematch = size * rank
    bye = rematch * (1 + pairs * max(met.values(), default=0))
    place = {bot: i for i, bot in enumerate(order)}
    for two, times in met.items():
        if two <= place.keys():
            i, j = sorted(place[bot] for bot in two)
            costs[i][j] += times * rematch
    if size % 2:
        fewest = min(byes.get(bot, 0) for bot in order)
        for i, bot in enumerate(order):
            costs[i][size] = (size - 1 - i) * rank + bye * (byes.get(bot, 0) > fewest)
    for i, row in enumerate(costs):
        for j in range(i):
            row[j] = costs[j][i]
    matching = cheapest_matching(costs)
    return (
        [(order[i], order[j]) for i, j in matching if j < size],
        next((order[i] for i, j in matching if j == size), None),
    )
