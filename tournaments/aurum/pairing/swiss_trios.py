"""Swiss pairing for tables of three: a local search for the cheapest tables."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from aurum.pairing.swiss import lot

Table = tuple[str, str, str]
Costs = Sequence[Sequence[int]]

_REMATCH = 4_000
"""What each meeting before costs: the square of half points that 1,000 is of points."""
_STARTS = 8


def seat(
    order: Sequence[str],
    score: Mapping[str, int],
    met: Mapping[frozenset[str], int],
    byes: Mapping[str, int],
    secret: bytes,
) -> tuple[list[Table], list[str]]:
    """Tables of one round, best first, and who has a bye: the size of the field modulo three.

    Byes go to those who have had the fewest, among them to the lowest in rank. The others fill tables in rank order;
    then the two bots of different tables whose exchange saves most change places, until no exchange saves anything.
    The cost is the sum over every two bots at one table of (difference in points)^2 + 1,000 x (times they have met).
    The search starts from seven orders drawn by lot as well, and the cheapest tables found are taken, the earliest
    among equals. That is a local optimum: a rematch may remain where another arrangement had none (seen in the fifth
    round of fifteen bots), and small fields cannot avoid them.

    Args:
        order: the field, ranked.
        score: half points by bot.
        met: how often two bots have sat at one table; absent is never.
        byes: how many a bot has had.
        secret: the tournament's.
    """
    fewest_lowest = sorted(range(len(order)), key=lambda i: (byes[order[i]], -i))
    resting = [order[i] for i in fewest_lowest[: len(order) % 3]]
    playing = [bot for bot in order if bot not in resting]
    costs = [[(score[a] - score[b]) ** 2 + _REMATCH * met.get(frozenset((a, b)), 0) for b in playing] for a in playing]
    by_rank = range(len(playing))
    starts = [list(by_rank)]
    starts += [sorted(by_rank, key=lambda i: lot(secret, playing[i], str(start))) for start in range(1, _STARTS)]
    best = min((settle(start, costs) for start in starts), key=lambda seats: total_cost(seats, costs))
    tables = sorted(tuple(sorted(best[i : i + 3])) for i in range(0, len(best), 3))
    return [(playing[a], playing[b], playing[c]) for a, b, c in tables], resting


def total_cost(seats: Sequence[int], costs: Costs) -> int:
    """What tables cost in all; each three entries of `seats` are a table."""
    return sum(costs[a][b] for i in range(0, len(seats), 3) for a, b in combinations(seats[i : i + 3], 2))


def settle(seats: Sequence[int], costs: Costs) -> list[int]:
    """Exchanges seats, the most saving exchange first, until no single one saves anything."""
    seats = list(seats)
    exchanges = [(i, j) for i, j in combinations(range(len(seats)), 2) if i // 3 != j // 3]
    while True:
        saved, i, j = max(
            ((_saving(seats, i, j, costs), i, j) for i, j in exchanges),
            key=lambda exchange: exchange[0],
            default=(0, 0, 0),
        )
        if saved <= 0:
            return seats
        seats[i], seats[j] = seats[j], seats[i]


def _saving(seats: Sequence[int], i: int, j: int, costs: Costs) -> int:
    """What it saves to exchange the bots in two seats of different tables."""
    a, b = seats[i], seats[j]
    with_a = [seats[k] for k in _neighbours(i)]
    with_b = [seats[k] for k in _neighbours(j)]
    return sum(costs[a][k] - costs[b][k] for k in with_a) + sum(costs[b][k] - costs[a][k] for k in with_b)


def _neighbours(i: int) -> tuple[int, int]:
    first = i - i % 3
    return first + (i + 1) % 3, first + (i + 2) % 3
