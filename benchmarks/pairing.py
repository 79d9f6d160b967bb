"""How long a two-sided Swiss round takes to pair, beside networkx: prints a Markdown table.

    python benchmarks/pairing.py [--bots 100 200 500]

The round is the sixth of an event of random results. The baseline is `networkx.max_weight_matching`, in Python, on the
same costs; both must give the same pairings. Times are of the processor, and of the whole round: its lots, its costs
and the matching; networkx is timed once, the arena is the median of three. 500 bots take networkx a minute or more.
"""

import argparse
import random
from collections import Counter
from collections.abc import Callable, Sequence
from statistics import median
from time import process_time
from typing import TypeVar
from unittest.mock import patch

import networkx as nx
from aurum.pairing import swiss_pairs
from tabulate import tabulate

SECRET = bytes(32)
ROUNDS_BEFORE = 5
REPEATS = 3

Result = TypeVar("Result")
Paired = tuple[list[tuple[str, str]], str | None]


def by_networkx(costs: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """What `aurum.pairing.matching.cheapest_matching` does."""
    most = max(map(max, costs))
    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from((i, j, most - costs[i][j]) for i in range(len(costs)) for j in range(i))
    return sorted((min(edge), max(edge)) for edge in nx.max_weight_matching(graph, maxcardinality=True))


def round_to_pair(size: int) -> Callable[[], Paired]:
    """Pairs the round after those before it, in which the better bot won more often."""
    chance = random.Random(size)
    bots = [f"bot {number}" for number in range(size)]
    score, met, byes = Counter[str](), Counter[frozenset[str]](), Counter[str]()

    def pair() -> Paired:
        return swiss_pairs.pair(swiss_pairs.ranked(bots, score, SECRET), score, met, byes, SECRET)

    for _ in range(ROUNDS_BEFORE):
        pairs, bye = pair()
        for two in pairs:
            best = bots.index(two[0]) < bots.index(two[1])
            score[two[0] if best is (chance.random() < 0.8) else two[1]] += 2
            met[frozenset(two)] += 1
        if bye is not None:
            score[bye] += 2
            byes[bye] += 1
    return pair


def timed(call: Callable[[], Result]) -> tuple[float, Result]:
    """Seconds of the processor, and what it returned."""
    begin = process_time()
    result = call()
    return process_time() - begin, result


def row(size: int) -> list[str]:
    """Both on the same round."""
    pair = round_to_pair(size)
    measured = [timed(pair) for _ in range(REPEATS)]
    own = median(seconds for seconds, _ in measured)
    with patch.object(swiss_pairs, "cheapest_matching", by_networkx):
        theirs, expected = timed(pair)
    if any(found != expected for _, found in measured):
        raise SystemExit(f"{size} bots: networkx pairs them differently")
    return [f"{size}", f"{own:.2f} s", f"{theirs:.2f} s", f"{theirs / own:.0f}"]


def main() -> None:
    """Print a line for each size of the field."""
    parser = argparse.ArgumentParser(description="Time the pairing of a Swiss round, beside networkx.")
    parser.add_argument("--bots", type=int, nargs="+", default=[100, 200, 500], help="sizes of the field")
    sizes = parser.parse_args().bots
    headers = ["bots", "arena", "networkx", "times as fast"]
    print(tabulate(map(row, sizes), headers, tablefmt="github", disable_numparse=True))


if __name__ == "__main__":
    main()
