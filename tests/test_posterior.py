"""The default rating: what the prior does to figures and intervals, and what it leaves alone."""

import importlib.util
import math
import sys
from collections import Counter
from collections.abc import Mapping
from types import ModuleType

import numpy as np
import pytest
from aurum.rating.intervals import MostProbable
from aurum.rating.models import Model, rate
from aurum.rating.orders import Group
from aurum.rating.posterior import PRIOR_ELO
from aurum.statistics.elo import ELO
from docs_blocks import ROOT
from rating_data import synth2
from scipy.optimize import minimize_scalar
from scipy.special import log_expit


def won(winner: int, loser: int) -> Group:
    """A deal group of two games that ended alike."""
    game = ((winner,),), ((loser,),)
    return game, game


def posterior(field: int, groups: Mapping[Group, int]) -> MostProbable:
    """The default rating."""
    found = rate(field, groups, Model.POSTERIOR)
    assert isinstance(found, MostProbable)
    return found


def between(found: MostProbable, one: int, other: int) -> tuple[float, float, float]:
    """The difference of two bots in Elo, and the ends of its interval."""
    low, high = found.interval(one, [other])
    assert low is not None
    assert high is not None
    return ELO * found.lead(one, [other]), ELO * low, ELO * high


def beaten_by_both(hopeless: int) -> dict[Group, int]:
    """Two bots who met 6 : 2, and so many that lost all games to both."""
    met = {won(0, 1): 3, won(1, 0): 1}
    return met | {won(bot, loser): 4 for bot in (0, 1) for loser in range(2, 2 + hopeless)}


@pytest.mark.parametrize("hopeless", [1, 3, 12])
def test_hopeless_bots_say_nothing_of_those_that_beat_them(hopeless: int) -> None:
    """6 : 2 stays what it is, however many others lost everything to both: so does nearly the interval."""
    alone = between(posterior(2, beaten_by_both(0)), 0, 1)
    beside = between(posterior(2 + hopeless, beaten_by_both(hopeless)), 0, 1)
    assert 150 < alone[0] < 191
    assert alone[0] == pytest.approx(beside[0], abs=0.01)
    assert alone[1:] == pytest.approx(beside[1:], abs=60)


def test_a_sweep_has_a_figure_and_an_interval_that_is_lopsided() -> None:
    """8 : 0: finite, no less than the games support, +137, and open upwards as far as the prior allows."""
    lead, low, high = between(posterior(2, {won(0, 1): 4}), 0, 1)
    assert 137 < lead < 650
    assert 100 < low < 180
    assert high - lead > 1.5 * (lead - low)


def test_the_figure_of_a_sweep_is_the_maximum_of_the_posterior() -> None:
    """Worked out with another optimiser: eight wins, and two strengths from the prior."""
    found = posterior(2, {won(0, 1): 4})
    assert 1 == found.figure.design_effect
    width = math.sqrt(2) * PRIOR_ELO / ELO
    best = minimize_scalar(lambda d: -8 * log_expit(d) + (d / width) ** 2 / 2, bounds=(0, 20), method="bounded").x
    assert best == pytest.approx(found.lead(0, [1]), abs=1e-4)


def test_fifty_draws() -> None:
    """Two equals, with an interval around their difference and even chances."""
    level = (((0,), (1,)),)
    found = posterior(2, {(level, level): 25})
    lead, low, high = between(found, 0, 1)
    assert 0 == pytest.approx(lead, abs=1e-9)
    assert -700 < low < -50
    assert -low == pytest.approx(high)
    assert 0.5 == pytest.approx(found.superiority(0, 1))


def test_what_the_games_determine_is_hardly_touched() -> None:
    """390 games of six bots: within a few Elo of the likeliest figures, and intervals about as wide."""
    groups: Counter[Group] = Counter()
    bots = sorted({bot for row in synth2() for bot in row.bots})
    for row in synth2():
        (a, b), (first, second) = (bots.index(bot) for bot in row.bots), row.placing
        order = (
            (tuple(sorted(((a,), (b,)))),)
            if first == second
            else (((a,),), ((b,),))
            if first < second
            else (((b,),), ((a,),))
        )
        groups[(order,)] += 1
    ours, likeliest = posterior(6, groups), rate(6, groups, Model.DAVIDSON_LUCE)
    for bot in range(6):
        lead, low, high = likeliest.lead(bot, range(6)), *likeliest.interval(bot, range(6))
        assert lead is not None
        assert ELO * lead == pytest.approx(ELO * ours.lead(bot, range(6)), abs=5)
        own_low, own_high = ours.interval(bot, range(6))
        assert None not in (low, high, own_low, own_high)
        assert high - low == pytest.approx(own_high - own_low, rel=0.15)  # type: ignore[operator]


def test_two_islands_are_rated_as_if_alone() -> None:
    """What happens on one changes nothing on the other but how much deal groups are taken to vary."""
    one, other = {won(0, 1): 3, won(1, 0): 2}, {won(2, 3): 1, won(3, 2): 5}
    both = posterior(4, one | other)
    assert ((0, 1), (2, 3)) == both.islands
    assert both.lead(0, [1]) == pytest.approx(posterior(2, one).lead(0, [1]), rel=0.05)


@pytest.fixture(scope="module")
def simulation() -> ModuleType:
    """The benchmark as a module."""
    spec = importlib.util.spec_from_file_location("interval_coverage", ROOT / "benchmarks/interval_coverage.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["interval_coverage"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("field", ["ordinary", "a champion", "a hopeless bot"])
def test_intervals_hold_the_truth_as_often_as_they_say(simulation: ModuleType, field: str) -> None:
    """A small part of what benchmarks/interval_coverage.py measures, with a seed; docs/ratings.md has all."""
    found = simulation.measure((simulation.Case(field, 5, 4, 0.4), 60, (1,)))
    assert 0.92 < found.held < 0.99
    assert found.right == pytest.approx(found.los, abs=0.07)


def test_long_chains_of_sweeps() -> None:
    """Forty bots, each of which beat the next: in order, finite, the ends in order too."""
    found = posterior(40, {won(number, number + 1): 2 for number in range(39)})
    values = [found.lead(bot, range(40)) for bot in range(40)]
    assert values == sorted(values, reverse=True)
    assert all(low < lead < high for lead, low, high in (between(found, bot, bot + 1) for bot in range(39)))
    assert np.abs(values).max() < 30
