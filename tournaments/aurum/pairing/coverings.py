"""Few tables of three at which every two entrants meet at least once, for a field of any size."""

from collections import Counter
from itertools import combinations

import networkx as nx
from aurum.pairing.steiner import exists, steiner
from aurum.pairing.trios import Trio


def covering(field: int) -> list[Trio]:
    """Tables of `field` entrants, numbered from 0, ascending; where there is a Steiner triple system, it is that.

    Elsewhere it is the next larger system without the entrants that are too many. Tables that lose one of them leave
    a pair; two pairs that share an entrant make one table (as many as can be, by a maximum matching of the pairs),
    and a pair that is left over takes in whoever sits least, then whoever has met the two least. That makes at most
    field / 6 tables more than the fewest possible (Fort and Hedlund 1958). Solving for the cheapest tables of one
    round after another gave more for most fields (94 instead of 88 for 23), and took seconds.
    """
    size = next(size for size in range(field, field + 4) if exists(size))
    cut = [tuple(entrant for entrant in table if entrant < field) for table in steiner(size)]
    tables = [(table[0], table[1], table[2]) for table in cut if len(table) == 3]
    pairs = [(table[0], table[1]) for table in cut if len(table) == 2]
    return sorted(tables + _joined(pairs, tables, field))


def _joined(pairs: list[tuple[int, int]], tables: list[Trio], field: int) -> list[Trio]:
    """Tables that hold all these pairs, beside the tables that there are."""
    sharing: nx.Graph[int] = nx.Graph()
    sharing.add_nodes_from(range(len(pairs)))
    sharing.add_edges_from((i, j) for i, j in combinations(range(len(pairs)), 2) if {*pairs[i]} & {*pairs[j]})
    matched = sorted(sorted(two) for two in nx.max_weight_matching(sharing, maxcardinality=True))
    joined = [_sorted({*pairs[i], *pairs[j]}) for i, j in matched]
    seated = Counter(entrant for table in tables + joined for entrant in table)
    met = Counter(two for table in tables + joined for two in combinations(table, 2))
    for number in sorted(set(range(len(pairs))) - {number for two in matched for number in two}):
        pair = pairs[number]
        third = min(
            set(range(field)) - {*pair},
            key=lambda other: (seated[other], sum(met[min(one, other), max(one, other)] for one in pair), other),
        )
        table = _sorted({*pair, third})
        seated.update(table)
        met.update(combinations(table, 2))
        joined.append(table)
    return joined


def _sorted(members: set[int]) -> Trio:
    first, second, third = sorted(members)
    return first, second, third
