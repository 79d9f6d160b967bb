"""Tables of three at which every two meet, and tables that cost least."""

import ctypes
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations
from pathlib import Path

import pytest
from aurum.pairing.cheapest_trios import EXACT, cheapest, settled, total
from aurum.pairing.coverings import covering
from aurum.pairing.quiet import silenced
from aurum.pairing.steiner import exists, steiner
from aurum.pairing.swiss_trios import rounds_of_strangers
from aurum.pairing.trios import Trio
from aurum.spec.loading import spec_from
from hypothesis import given, settings
from hypothesis import strategies as st

Costs = tuple[tuple[int, ...], ...]


@pytest.mark.parametrize("field", [*range(3, 50), 60, 75, 100])
def test_every_two_meet_at_the_fewest_tables(field: int) -> None:
    """These are field/3 * ((field-1)/2), each rounded up: 150 for 30."""
    tables = covering(field)
    met = Counter(two for table in tables for two in combinations(table, 2))
    assert {3} == {len(set(table)) for table in tables}
    assert set(combinations(range(field), 2)) == set(met)
    fewest = -(-field * -(-(field - 1) // 2) // 3)
    assert fewest == len(tables)
    assert max(met.values()) <= (3 if field % 6 == 5 else 2)


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
    """Those of 3 to 60 entrants: stores that were begun before have them for rounds."""
    trios = repr([covering(field) for field in range(3, 61)])
    assert "79f1e8791c5061f116e201f07f4bcf7a815c43b4c3e9ba6035e9016cc9210d4e" == sha256(trios.encode()).hexdigest()


def test_the_solver_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    """In rounds of a Swiss of fifteen, as HiGHS did; nor does any C library with a buffer of its own."""
    chance = random.Random(15)
    for _ in range(8):
        costs = [[0] * 15 for _ in range(15)]
        for a, b in combinations(range(15), 2):
            costs[a][b] = costs[b][a] = chance.choice([0, 4, 16, 4_000]) * 10_000 + chance.randint(0, 9_999)
        assert 5 == len(cheapest(tuple(map(tuple, costs)), (tuple(range(15)),)))
    print("before")
    with silenced():
        ctypes.CDLL(None).printf(b"%s\n", b"Presolving model")
        os.write(1, b"and this")
    print("after")
    sys.stdout.flush()
    ctypes.CDLL(None).fflush(None)
    assert ("before\nafter\n", "") == capfd.readouterr()


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


@pytest.mark.parametrize(
    ("field", "rounds"), [(2, 0), (3, 1), (5, 2), (6, 1), (7, 1), (8, 4), (9, 4), (12, 4), (15, 7), (18, 8), (30, 14)]
)
def test_rounds_of_strangers(field: int, rounds: int) -> None:
    """Known from trying all, and from Kirkman's systems; 9 bots have all met after four rounds."""
    assert rounds == rounds_of_strangers(field)


@pytest.mark.parametrize(("bots", "rounds", "warned"), [(9, 4, False), (9, 5, True), (6, 2, True), (15, 7, False)])
def test_a_swiss_of_three_sides_warns_of_rematches(bots: int, rounds: int, warned: bool) -> None:
    """Before the first game, where they are certain."""
    names = [{"name": f"b{number}", "command": "x"} for number in range(bots)]
    mapping = {
        "tournament": {"name": "t", "format": "swiss", "players": 3, "rounds": rounds, "deals": 1},
        "bots": names,
    }
    spec = spec_from(mapping, "spec", Path())
    found = list(spec.format.warnings(spec))
    assert warned == bool(found)
    assert not warned or f"{bots} bots can be paired in threes for" in found[0]
