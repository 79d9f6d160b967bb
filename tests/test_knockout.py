"""A knockout's bracket, for every field up to 33: as it is drawn, and whatever the results."""

import random

import pytest
from aurum.pairing.bracket import advanced, drawn, meetings, round_count
from hypothesis import given
from hypothesis import strategies as st

FIELDS = range(2, 34)


def play(field: int, chance: random.Random | None) -> list[list[tuple[int, int]]]:
    """The pairs of every round; without chance the better seed always wins."""
    places, rounds = drawn(field), []
    while len(places) > 1:
        rounds.append(meetings(places))
        beaten = {pair[1] if chance is None else chance.choice(pair) for pair in rounds[-1]}
        places = advanced(places, beaten)
    return rounds


@pytest.mark.parametrize("field", FIELDS)
def test_byes_are_the_top_seeds_and_of_the_first_round(field: int) -> None:
    """As many as the field lacks of a power of two; from the second round on all play."""
    rounds = play(field, None)
    byes = 2 ** len(rounds) - field
    assert set(range(byes, field)) == {seed for pair in rounds[0] for seed in pair}
    assert [2 ** (len(rounds) - number) for number in range(2, len(rounds) + 1)] == [len(pairs) for pairs in rounds[1:]]
    assert len(rounds) == round_count(field)


@pytest.mark.parametrize("field", FIELDS)
def test_the_better_seeds_meet_late(field: int) -> None:
    """If the better seed always wins, the last round is 0 against 1, the one before 0 against 3 and 1 against 2."""
    rounds = play(field, None)
    for number, pairs in enumerate(reversed(rounds)):
        size = 2 ** (number + 1)
        assert {(seed, size - 1 - seed) for seed in range(size // 2) if size - 1 - seed < field} == set(pairs)


@given(st.sampled_from(FIELDS), st.randoms(use_true_random=False))
def test_whoever_loses_is_out(field: int, chance: random.Random) -> None:
    """One match less than entrants; of each pair one plays on and the other never again."""
    rounds = play(field, chance)
    matches = [pair for pairs in rounds for pair in pairs]
    assert field - 1 == len(matches)
    assert all(better < other for better, other in matches)
    for number, pairs in enumerate(rounds):
        later = {seed for after in rounds[number + 1 :] for pair in after for seed in pair}
        assert all(len({*pair} & later) == (number + 1 < len(rounds)) for pair in pairs)


@given(st.sampled_from(FIELDS), st.randoms(use_true_random=False))
def test_the_first_two_seeds_meet_in_the_last_round_or_never(field: int, chance: random.Random) -> None:
    """Whatever the results."""
    assert not any((0, 1) in pairs for pairs in play(field, chance)[:-1])
