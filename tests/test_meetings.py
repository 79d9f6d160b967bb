"""Tables of three at which every two meet, and tables that cost least."""

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations

import pytest
from aurum.pairing.cheapest_trios import EXACT, cheapest, settled, total
from aurum.pairing.coverings import covering
from aurum.pairing.steiner import exists, steiner
from aurum.pairing.trios import Trio
from hypothesis import given, settings
from hypothesis import strategies as st

Costs = tuple[tuple[int, ...], ...]


@pytest.mark.parametrize("field", [*range(3, 50), 60, 75, 100])
def test_every_two_meet_at_few_tables(field: int) -> None:
    """At most a sixth of the field above the fewest tables possible: field/3 * ((field-1)/2), each rounded up."""
    tables = covering(field)
    met = Counter(two for table in tables for two in combinations(table, 2))
    assert {3} == {len(set(table)) for table in tables}
    assert set(combinations(range(field), 2)) == set(met)
    fewest = -(-field * -(-(field - 1) // 2) // 3)
    assert fewest <= len(tables) <= fewest + field / 6
    assert max(met.values()) <= 3


@pytest.mark.parametrize("field", range(6, 50))
def test_nobody_sits_much_oftener(field: int) -> None:
    """The numbers of tables differ by at most one."""
    sat = Counter(entrant for table in covering(field) for entrant in table)
    assert max(sat.values()) - min(sat.values()) <= 1


@pytest.mark.parametrize("field", [field for field in range(3, 50) if exists(field)])
def test_a_covering_is_a_steiner_system_where_there_is_one(field: int) -> None:
    """Nobody meets twice where that can be."""
    assert steiner(field) == covering(field)


def test_the_trios_of_a_field_stay_the_same() -> None:
    """Those of 3 to 60 entrants as networkx joined them: stores that were begun before have them for rounds."""
    trios = repr([covering(field) for field in range(3, 61)])
    assert "a9ee1200fe0fdf476dbc05dc4cd85f82700f28fddba966d0de9c7a31048c155b" == sha256(trios.encode()).hexdigest()


@st.composite
def prices(draw: st.DrawFn, most: int) -> Costs:
    """Symmetric costs of a field of a multiple of three."""
    size = 3 * draw(st.integers(1, most))
    costs = [[0] * size for _ in range(size)]
    for a, b in combinations(range(size), 2):
        costs[a][b] = costs[b][a] = draw(st.integers(0, 20))
    return tuple(map(tuple, costs))


def all_tables(field: tuple[int, ...]) -> Iterator[tuple[Trio, ...]]:
    """Every way to seat a field at tables of three."""
    if not field:
        yield ()
        return
    first, *others = field
    for second, third in combinations(others, 2):
        rest = tuple(other for other in others if other not in (second, third))
        yield from (((first, second, third), *tables) for tables in all_tables(rest))


@settings(deadline=None, max_examples=40)
@given(prices(3))
def test_cheapest_of_all(costs: Costs) -> None:
    """Of up to nine, no other tables cost less: every way to seat them is tried."""
    field = tuple(range(len(costs)))
    found = cheapest(costs, (field,))
    assert sorted(field) == sorted(entrant for table in found for entrant in table)
    assert min(total(tables, costs) for tables in all_tables(field)) == total(found, costs)


@settings(deadline=None, max_examples=25)
@given(prices(8))
def test_the_proof_is_never_worse_than_the_search(costs: Costs) -> None:
    """Everyone sits once, for no more than the tables that the local search ends with."""
    field = tuple(range(len(costs)))
    found = cheapest(costs, (field, field[::-1]))
    assert sorted(field) == sorted(entrant for table in found for entrant in table)
    assert total(found, costs) <= min(total(settled(start, costs), costs) for start in (field, field[::-1]))


@settings(deadline=None)
@given(prices(4))
def test_no_exchange_makes_what_was_searched_cheaper(costs: Costs) -> None:
    """Where the local search ends, every exchange of two costs at least as much; nobody got lost."""
    tables = settled(range(len(costs)), costs)
    seats = [entrant for table in tables for entrant in table]
    assert list(range(len(costs))) == sorted(seats)
    for i, j in combinations(range(len(costs)), 2):
        other = seats[:]
        other[i], other[j] = other[j], other[i]
        changed = [(other[k], other[k + 1], other[k + 2]) for k in range(0, len(other), 3)]
        assert total(tables, costs) <= total(changed, costs)


def test_the_exact_search_finds_what_exchanges_do_not() -> None:
    """Nine who have played three rounds of four: the one round left without rematch is a needle in a haystack."""
    classes = [[(0, 1, 2), (3, 4, 5), (6, 7, 8)], [(0, 3, 6), (1, 4, 7), (2, 5, 8)], [(0, 4, 8), (1, 5, 6), (2, 3, 7)]]
    met = {frozenset(two) for tables in classes for table in tables for two in combinations(table, 2)}
    costs = tuple(tuple(int(frozenset((a, b)) in met) for b in range(9)) for a in range(9))
    assert len(costs) <= EXACT
    assert ((0, 5, 7), (1, 3, 8), (2, 4, 6)) == cheapest(costs, (tuple(range(9)),))
