"""All trios of a field, in rounds."""

from collections import Counter
from itertools import combinations

import pytest
from aurum.pairing.trios import all_trios


@pytest.mark.parametrize("field", range(3, 25))
def test_every_trio_sits_once_and_nobody_at_two_tables(field: int) -> None:
    """All trios once; the tables of a round are disjoint and no round is empty."""
    rounds = all_trios(field)
    assert sorted(combinations(range(field), 3)) == sorted(trio for tables in rounds for trio in tables)
    for tables in rounds:
        busy = [entrant for trio in tables for entrant in trio]
        assert sorted(set(busy)) == sorted(busy) != []


@pytest.mark.parametrize("field", range(3, 25))
def test_play_stays_even(field: int) -> None:
    """At no time has anyone sat more than three times oftener than another."""
    sat = Counter(dict.fromkeys(range(field), 0))
    for tables in all_trios(field):
        sat.update(entrant for trio in tables for entrant in trio)
        assert max(sat.values()) - min(sat.values()) <= 3


def test_six_need_no_more_rounds_than_they_must() -> None:
    """Twenty trios of six fit into ten full rounds."""
    assert [2] * 10 == [len(tables) for tables in all_trios(6)]
