"""Steiner triple systems: what defines them, and how many tables they have."""

from collections import Counter
from itertools import combinations

import pytest
from aurum.pairing.steiner import exists, steiner
from aurum.pairing.trios import in_rounds

ORDERS = [field for field in range(3, 56) if field % 6 in (1, 3)]


@pytest.mark.parametrize("field", ORDERS)
def test_every_two_meet_exactly_once(field: int) -> None:
    """That is what the system is; it follows that everyone sits at (field - 1) / 2 tables."""
    tables = steiner(field)
    assert {3} == {len(set(table)) for table in tables}
    assert dict.fromkeys(combinations(range(field), 2), 1) == Counter(two for t in tables for two in combinations(t, 2))


@pytest.mark.parametrize(("field", "tables"), [(7, 7), (9, 12), (13, 26), (15, 35), (19, 57)])
def test_published_counts(field: int, tables: int) -> None:
    """The smallest systems, as combinatorics handbooks have them."""
    assert tables == len(steiner(field))


@pytest.mark.parametrize("field", range(3, 56))
def test_exists_for_one_and_three_modulo_six_alone(field: int) -> None:
    """Elsewhere it is refused."""
    assert (field in ORDERS) == exists(field)
    if not exists(field):
        with pytest.raises(ValueError, match=f"no Steiner triple system of {field}"):
            steiner(field)


@pytest.mark.parametrize("field", ORDERS)
def test_in_rounds_nobody_sits_twice(field: int) -> None:
    """All tables are there, each once, and the tables of a round are disjoint."""
    rounds = in_rounds(steiner(field), field)
    assert steiner(field) == sorted(table for tables in rounds for table in tables)
    for tables in rounds:
        seated = [entrant for table in tables for entrant in table]
        assert len(set(seated)) == len(seated) > 0


def test_nine_need_four_full_rounds() -> None:
    """The affine plane of order three: four classes of three parallel lines."""
    assert [3, 3, 3, 3] == [len(tables) for tables in in_rounds(steiner(9), 9)]
