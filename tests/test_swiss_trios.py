"""Swiss pairing for tables of three."""

from collections import Counter
from itertools import combinations

from aurum.pairing.swiss import ranked
from aurum.pairing.swiss_trios import seat, settle, total_cost
from hypothesis import given, settings
from hypothesis import strategies as st

SECRET = b"a secret of thirty-two bytes ..."


@st.composite
def costs_of_tables(draw: st.DrawFn) -> list[list[int]]:
    """A symmetric matrix of costs for up to four tables."""
    size = 3 * draw(st.integers(1, 4))
    costs = [[0] * size for _ in range(size)]
    for a, b in combinations(range(size), 2):
        costs[a][b] = costs[b][a] = draw(st.integers(0, 20))
    return costs


@settings(deadline=None)
@given(costs_of_tables())
def test_no_exchange_makes_it_cheaper(costs: list[list[int]]) -> None:
    """Where the search ends, every exchange of two bots costs at least as much; nobody got lost."""
    seats = settle(range(len(costs)), costs)
    assert list(range(len(costs))) == sorted(seats)
    for i, j in combinations(range(len(costs)), 2):
        other = seats[:]
        other[i], other[j] = other[j], other[i]
        assert total_cost(seats, costs) <= total_cost(other, costs)


def test_the_order_stands_when_nothing_is_to_be_saved() -> None:
    """In a first round tables are filled in rank order."""
    bots = [f"b{number}" for number in range(9)]
    level = dict.fromkeys(bots, 0)
    order = ranked(bots, level, SECRET)
    tables, resting = seat(order, level, {}, Counter(), SECRET)
    assert ([tuple(order[:3]), tuple(order[3:6]), tuple(order[6:])], []) == (tables, resting)


def test_equals_sit_together() -> None:
    """With scores of three kinds, each table holds one kind."""
    score = {"a": 4, "b": 2, "c": 0, "d": 4, "e": 2, "f": 0, "g": 4, "h": 2, "i": 0}
    tables, _ = seat(ranked(score, score, SECRET), score, {}, Counter(), SECRET)
    assert [{4}, {2}, {0}] == [{score[bot] for bot in table} for table in tables]


def test_a_rematch_weighs_more_than_points() -> None:
    """Bots that have met sit apart even if that mixes scores."""
    score = {"a": 4, "b": 4, "c": 4, "d": 0, "e": 0, "f": 0}
    tables, _ = seat(list("abcdef"), score, {frozenset("ab"): 1}, Counter(), SECRET)
    assert not any({"a", "b"} <= set(table) for table in tables)


def test_byes_go_to_the_lowest_of_those_with_fewest() -> None:
    """Five bots have two byes; the last has had one already."""
    score = {"a": 4, "b": 3, "c": 2, "d": 1, "e": 0}
    tables, resting = seat(list("abcde"), score, {}, Counter({"e": 1}), SECRET)
    assert ([("a", "b", "e")], ["d", "c"]) == (tables, resting)


def test_a_second_bye_only_when_everybody_had_one() -> None:
    """When all have had as many, the lowest has the next."""
    score = {"a": 4, "b": 3, "c": 2, "d": 1}
    _, resting = seat(list("abcd"), score, {}, Counter("abcd"), SECRET)
    assert ["d"] == resting
