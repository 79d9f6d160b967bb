"""The confidence sequence: how often it has the truth in it, and what it must be whatever the results."""

import math
import random
from itertools import pairwise
from statistics import fmean

import pytest
from aurum.statistics.confidence import ConfidenceSequence
from aurum.statistics.elo import NORMAL_95
from hypothesis import given
from hypothesis import strategies as st

RESULTS = st.lists(st.floats(0, 1), max_size=60)


def test_it_starts_with_everything() -> None:
    """No result, no knowledge; nor do one or two say anything."""
    sequence = ConfidenceSequence()
    assert (0.0, 1.0) == sequence.interval
    sequence.add(1.0)
    assert (0.0, 1.0) == sequence.interval


@given(RESULTS, st.sampled_from([0.5, 0.95, 0.999]))
def test_it_never_widens_and_is_never_empty(results: list[float], level: float) -> None:
    """Whatever the results, dependent ones included."""
    sequence = ConfidenceSequence(level)
    intervals = [sequence.interval]
    for x in results:
        sequence.add(x)
        intervals.append(sequence.interval)
    for (low, high), (then_low, then_high) in pairwise(intervals):
        assert 0 <= low <= then_low < then_high <= high <= 1


@given(RESULTS)
def test_the_mirror_image(results: list[float]) -> None:
    """Seen from the opponent's side, it is the same interval but for a cell."""
    one, other = ConfidenceSequence(), ConfidenceSequence()
    for x in results:
        one.add(x)
        other.add(1 - x)
    low, high = other.interval
    assert (1 - high, 1 - low) == pytest.approx(one.interval, abs=1 / 4000 + 1e-9)


def test_more_confidence_is_a_wider_interval() -> None:
    """Looked at after the same results."""
    sequences = [ConfidenceSequence(level) for level in (0.5, 0.9, 0.95, 0.999)]
    for number in range(200):
        for sequence in sequences:
            sequence.add(number % 4 / 3)
    widths = [high - low for low, high in (sequence.interval for sequence in sequences)]
    assert widths == sorted(set(widths))


@pytest.mark.parametrize("mean", [0.5, 0.7])
def test_it_has_the_truth_in_it_all_the_time(mean: float) -> None:
    """In 95 % of all runs, at every single look; a fixed-sample interval is wrong at some time in many runs."""
    runs, wrong, fixed_wrong = 300, 0, 0
    choice = random.Random(1)
    for _ in range(runs):
        sequence = ConfidenceSequence()
        seen: list[float] = []
        fixed = False
        for _ in range(150):
            x = fmean(choice.random() < mean for _ in range(2))
            sequence.add(x)
            seen.append(x)
            if len(seen) >= 10:
                average = fmean(seen)
                error = math.sqrt(max(fmean(a * a for a in seen) - average**2, 0) / len(seen))
                fixed = fixed or abs(average - mean) > NORMAL_95 * error
        low, high = sequence.interval  # it never widens: if the truth was ever out, it is now
        wrong += not low <= mean <= high
        fixed_wrong += fixed
    assert wrong <= 0.05 * runs
    assert fixed_wrong > 0.25 * runs


def test_it_narrows_as_the_results_allow() -> None:
    """Results with little spread say more; the width is of the order of an interval looked at once."""
    choice = random.Random(5)
    wide, narrow = ConfidenceSequence(), ConfidenceSequence()
    for _ in range(2000):
        wide.add(float(choice.random() < 0.5))
        narrow.add(0.5 + 0.1 * (choice.random() - 0.5))
    once = 2 * NORMAL_95 * 0.5 / math.sqrt(2000)
    assert once < wide.interval[1] - wide.interval[0] < 3 * once
    assert narrow.interval[1] - narrow.interval[0] < once / 4


def test_a_sweep() -> None:
    """Every game won: the interval goes up to 1 and closes in on it."""
    sequence = ConfidenceSequence()
    for _ in range(300):
        sequence.add(1.0)
    low, high = sequence.interval
    assert high == 1.0
    assert 0.97 < low < 1


def test_results_that_contradict_each_other() -> None:
    """First all won, then all lost: that is no sequence of independent results, and the last interval stays."""
    sequence = ConfidenceSequence()
    for x in [1.0] * 300 + [0.0] * 300:
        sequence.add(x)
    low, high = sequence.interval
    assert 0.9 < low < high <= 1


@pytest.mark.parametrize("level", [0.0, 1.0, -1.0, math.nan])
def test_levels_that_do_not_exist(level: float) -> None:
    """They are refused."""
    with pytest.raises(ValueError, match="level"):
        ConfidenceSequence(level)


@pytest.mark.parametrize("x", [-0.001, 1.001, math.nan, math.inf])
def test_results_out_of_range(x: float) -> None:
    """They are refused, and change nothing."""
    sequence, untouched = ConfidenceSequence(), ConfidenceSequence()
    with pytest.raises(ValueError, match="from 0 to 1"):
        sequence.add(x)
    for _ in range(20):
        sequence.add(0.5)
        untouched.add(0.5)
    assert untouched.interval == sequence.interval
