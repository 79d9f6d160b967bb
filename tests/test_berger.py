"""Berger tables for round robins of two sides."""

from collections import Counter
from itertools import combinations

import pytest
from aurum.pairing.berger import berger


def from_one(rounds: list[list[tuple[int, int]]]) -> list[str]:
    return [" ".join(f"{white + 1}-{black + 1}" for white, black in pairs) for pairs in rounds]


def test_four_as_in_the_fide_handbook() -> None:
    """The table for four entrants is FIDE's."""
    assert ["1-4 2-3", "4-3 1-2", "2-4 3-1"] == from_one(berger(4))


def test_six_as_in_the_fide_handbook() -> None:
    """The table for six entrants is FIDE's."""
    assert ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"] == from_one(berger(6))


@pytest.mark.parametrize("field", range(2, 25))
def test_every_pair_meets_once_and_nobody_plays_twice_a_round(field: int) -> None:
    """All pairs once; in each round everyone once, the bye of an odd field included."""
    rounds = berger(field)
    everyone = list(range(field + field % 2))
    assert all(everyone == sorted(end for pair in pairs for end in pair) for pairs in rounds)
    met = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    assert Counter(map(frozenset, combinations(everyone, 2))) == met


@pytest.mark.parametrize("field", range(2, 25))
def test_sides_are_balanced(field: int) -> None:
    """Everyone stands first in a pair one time oftener, or rarer, than second (the bye counted)."""
    balance = Counter[int]()
    for pairs in berger(field):
        for white, black in pairs:
            balance[white] += 1
            balance[black] -= 1
    assert {1} == {abs(difference) for difference in balance.values()}
