"""Swiss pairing for tables of three."""

from collections import Counter

import pytest
from aurum.pairing.swiss_pairs import ranked
from aurum.pairing.swiss_trios import seat

SECRET = b"a secret of thirty-two bytes ..."


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


@pytest.mark.parametrize("field", ["", "a", "ab"])
def test_too_few_for_a_table_all_have_byes(field: str) -> None:
    """What is left when the others have gone."""
    tables, resting = seat(field, dict.fromkeys(field, 0), {}, {}, SECRET)
    assert ([], sorted(field)) == (tables, sorted(resting))
