"""A gauntlet: each challenger meets every other entrant, and nobody sits twice in a round."""

from collections import Counter
from itertools import chain, combinations, product

import pytest
from aurum.pairing.challenges import duels, trios
from aurum.schedule.schedule import match_count, rounds_ready
from hypothesis import given
from hypothesis import strategies as st
from tournament_rows import spec_of


@st.composite
def fields(draw: st.DrawFn, others: int) -> tuple[list[int], list[int]]:
    """Some challengers, and at least so many others."""
    size = draw(st.integers(others + 1, 16))
    challengers = draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=size - others))
    return sorted(challengers), sorted(set(range(size)) - challengers)


@given(fields(1))
def test_each_pair_exactly_once(field: tuple[list[int], list[int]]) -> None:
    """In as few rounds as the more numerous side has members, and no fewer would do."""
    challengers, others = field
    rounds = duels(challengers, others)
    assert Counter(product(challengers, others)) == Counter(chain.from_iterable(rounds))
    assert max(len(challengers), len(others)) == len(rounds)
    for pairs in rounds:
        seated = list(chain.from_iterable(pairs))
        assert len(set(seated)) == len(seated) > 0


@given(fields(2))
def test_each_challenger_meets_every_two_others_once(field: tuple[list[int], list[int]]) -> None:
    """At tables of three: one challenger at each, disjoint within a round."""
    challengers, others = field
    rounds = trios(challengers, others)
    expected = Counter((c, frozenset(two)) for c, two in product(challengers, combinations(others, 2)))
    assert expected == Counter((table[0], frozenset(table[1:])) for table in chain.from_iterable(rounds))
    for tables in rounds:
        seated = list(chain.from_iterable(tables))
        assert len(set(seated)) == len(seated) > 0


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("challengers", [["b2"], ["b4", "b1"]])
def test_as_a_tournament(players: int, challengers: list[str]) -> None:
    """A challenger in each match, all matches at once, and nobody has a bye for not being challenged."""
    spec = spec_of(6, format="gauntlet", players=players, challengers=challengers, deals=3)
    rounds = rounds_ready(spec, b"", {})
    matches = [match for played in rounds for match in played.matches]
    assert {1} == {len({*match.bots} & {*challengers}) for match in matches}
    assert [3 * index for index in range(match_count(spec))] == [match.first_deal for match in matches]
    assert () == sum((played.byes for played in rounds), ())
