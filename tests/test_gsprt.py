"""The sequential test: against the figures of other programs, and against what must hold whatever the results.

Figures that others give for the BayesElo model (as cutechess's for one win, three draws and many losses) are left
out: that model measures draws on another scale, and is not one of ours.
"""

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest
from aurum.statistics.elo import ELO, NELO, estimate, expected_score, mean_and_variance
from aurum.statistics.gsprt import Bounds, EloModel, SequentialTest, Verdict, expected_groups, log_likelihood_ratio
from aurum.statistics.likelihood_ratio import log_likelihood_ratios
from aurum.statistics.wald import chance_of_acceptance
from hypothesis import given, settings
from hypothesis import strategies as st

GAME = (0.0, 0.5, 1.0)
PAIR = (0.0, 0.25, 0.5, 0.75, 1.0)
SIX = tuple(step / 12 for step in range(13))
LOGISTIC, NORMALIZED = EloModel.LOGISTIC, EloModel.NORMALIZED

Elos = tuple[float, float]


def games(wins: int, losses: int, draws: int) -> tuple[int, ...]:
    """Counts in the order of GAME."""
    return losses, draws, wins


def pairs(lost: int, behind: int, shared: int, drawn: int, ahead: int, won: int) -> tuple[int, ...]:
    """Counts in the order of PAIR, of those that keep two draws apart from a win and a loss."""
    return lost, behind, shared + drawn, ahead, won


@pytest.mark.parametrize(
    ("counts", "elos", "model", "llr"),
    [
        (games(36433, 36027, 68692), (0, 2), NORMALIZED, 0.92),
        (games(10871, 10650, 20431), (-1.75, 0.25), NORMALIZED, 2.30),
        (games(4250, 0, 0), (0, 10), NORMALIZED, 120.56),
        (games(21404, 21184, 40708), (0.5, 2.5), LOGISTIC, -1.57),
        (games(57433, 57030, 106593), (0, 2), LOGISTIC, -2.59),
        (pairs(365, 16618, 36029, 200, 16974, 390), (0, 2), NORMALIZED, 2.25),
        (pairs(127, 4883, 10311, 401, 5150, 104), (-1.75, 0.25), NORMALIZED, 3.01),
        (pairs(0, 0, 0, 0, 0, 5550), (0, 5), NORMALIZED, 111.82),
        (pairs(223, 9863, 20279, 1000, 10037, 246), (0.5, 2.5), LOGISTIC, -3.07),
        (pairs(871, 26175, 55003, 980, 26678, 821), (0, 2), LOGISTIC, -4.98),
    ],
)
def test_figures_of_fastchess(counts: tuple[int, ...], elos: Elos, model: EloModel, llr: float) -> None:
    """Those of its tests, to two decimals or 1 %."""
    found = log_likelihood_ratio(
        GAME if len(counts) == 3 else PAIR, counts, Bounds(*elos, model), (len(counts) - 1) // 2
    )
    assert llr == pytest.approx(found, abs=5.1e-3, rel=3e-4)


@pytest.mark.parametrize(
    ("counts", "elos", "model", "llr", "digits"),
    [
        ((10789, 19328, 33806, 19402, 10543), (-3, 1), LOGISTIC, 2.131067812, 9),
        ((39, 2226, 31451, 2412, 40), (0.2, 0.9), LOGISTIC, 2.162542580, 9),
        ((39, 2226, 31451, 2412, 40), (0.764, 3.439), NORMALIZED, 2.162940870, 9),
        ((13, 37, 50, 25, 3), (0, 4), NORMALIZED, -0.54912, 5),
        ((13, 37, 50, 25, 3), (0, 2.716), LOGISTIC, -0.53772, 4),  # its bound is rounded
        ((39, 8843, 26675, 9240, 44), (0.5, 2.5), NORMALIZED, 2.94168, 5),
        ((39, 8843, 26675, 9240, 44), (0.5, 2.5), LOGISTIC, 0.5555, 4),
    ],
)
def test_figures_of_fishtest(counts: tuple[int, ...], elos: Elos, model: EloModel, llr: float, digits: int) -> None:
    """Those of its self-test, of a test's page, and of one set of games under both models."""
    found = log_likelihood_ratio(PAIR, counts, Bounds(*elos, model), 2)
    assert llr == pytest.approx(found, abs=0.51 * 10**-digits)


def test_the_rest_of_a_page_of_fishtest() -> None:
    """Elo, normalized Elo and the variance of a game stand beside that LLR."""
    counts = (13, 37, 50, 25, 3)
    found = estimate(PAIR, counts, games=2)
    assert -43.658 == pytest.approx(found.elo, abs=5e-4)
    assert -63.97 == pytest.approx(found.normalized, abs=5e-3)
    assert 0.11523 == pytest.approx(2 * mean_and_variance(PAIR, counts)[1], abs=5e-6)


@pytest.mark.parametrize(
    ("counts", "elos", "llr"),
    [
        (games(1477, 1351, 2942), (0, 10), 2.52),
        (games(555, 555, 298), (0, 10), -0.74),
        (games(3, 149, 1), (0, 10), -4.293),
        (games(880, 759, 1863), (0, 5), 2.947),
    ],
)
def test_figures_of_cutechess(counts: tuple[int, ...], elos: Elos, llr: float) -> None:
    """Where its model and the logistic one agree; the third was computed for the latter by another program."""
    assert llr == pytest.approx(log_likelihood_ratio(GAME, counts, Bounds(*elos, LOGISTIC), 1), abs=6e-3)


def test_the_bounds_of_wald() -> None:
    """With 5 % on either side +-2.944; unequal rates move them apart."""
    both = Bounds(0, 5, LOGISTIC)
    assert (-2.9444, 2.9444) == pytest.approx((both.lower, both.upper), abs=1e-4)
    rash = Bounds(0, 5, LOGISTIC, alpha=0.2, beta=0.01)
    assert (math.log(0.01 / 0.8), math.log(0.99 / 0.2)) == pytest.approx((rash.lower, rash.upper))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((5, 5), "elo0 must be less than elo1, but 5 is not less than 5"),
        ((5, 0), "elo0 must be less than elo1"),
        ((math.nan, 0), "elo0 must be from -1000 to 1000, not nan"),
        ((0, math.inf), "elo1 must be from -1000 to 1000, not inf"),
        ((0, 1001), "elo1 must be from -1000 to 1000, not 1001"),
        ((0, 5, 0), "alpha must be between 0 and 1, not 0"),
        ((0, 5, 0.05, 1), "beta must be between 0 and 1, not 1"),
        ((0, 5, math.nan), "alpha must be between 0 and 1, not nan"),
        ((0, 5, 0.5, 0.5), "alpha and beta must add up to less than 1, not to 1"),
    ],
)
def test_bounds_that_do_not_exist(arguments: tuple[float, ...], sentence: str) -> None:
    """The sentence names what is wrong."""
    elo0, elo1, *rates = arguments
    with pytest.raises(ValueError, match=sentence):
        Bounds(elo0, elo1, LOGISTIC, *rates)


@pytest.mark.parametrize("support", [(0.5,), (), (0.0, 0.5), (0.0, 1.0, 0.5), (0.0, 0.0, 1.0), (-1.0, 1.0)])
def test_supports_that_do_not_exist(support: Sequence[float]) -> None:
    """They are refused before the first result."""
    with pytest.raises(ValueError, match="ascend from 0 to 1"):
        SequentialTest(support, Bounds(0, 5, LOGISTIC), 1)


def test_other_arguments_that_do_not_exist() -> None:
    """Games, cap, counts, scores."""
    bounds = Bounds(0, 5, NORMALIZED)
    with pytest.raises(ValueError, match="at least one game"):
        SequentialTest(PAIR, bounds, games=0)
    with pytest.raises(ValueError, match="cap must be at least 1"):
        SequentialTest(PAIR, bounds, games=2, cap=0)
    for counts in ((1, 2, 3), (1, 2, 3, 4, -1), (1, 2, 3, 4, math.nan)):
        with pytest.raises(ValueError, match="as many counts"):
            log_likelihood_ratios(PAIR, counts, bounds, games=2)
    for index in (-1, 5):
        with pytest.raises(ValueError, match="one of 5"):
            SequentialTest(PAIR, bounds, games=2).add(index)


SUPPORTS = st.sampled_from([(GAME, 1), (GAME, 2), (PAIR, 2), (SIX, 6), ((0.0, 1.0), 1), ((0.0, 0.123, 1.0), 3)])
COUNTS = st.integers(0, 3) | st.integers(0, 10**7)


@given(st.data(), SUPPORTS, st.floats(-1000, 1000), st.floats(0.01, 2000), st.sampled_from(EloModel))
@settings(deadline=None)
def test_it_is_finite_whatever_the_results(
    data: st.DataObject, unit: tuple[tuple[float, ...], int], elo0: float, width: float, model: EloModel
) -> None:
    """One-sided, all alike, none at all, ten million; narrow bounds and the widest (which hung another program)."""
    support, number = unit
    counts = data.draw(st.lists(COUNTS, min_size=len(support), max_size=len(support)))
    bounds = Bounds(min(elo0, 999.9), min(elo0 + width, 1000), model)
    assert math.isfinite(log_likelihood_ratio(support, counts, bounds, number))


@pytest.mark.parametrize("model", EloModel)
@given(st.lists(st.integers(0, 1000), min_size=5, max_size=5), st.floats(-60, 60), st.floats(1, 60))
@settings(deadline=None, max_examples=50)
def test_the_mirror_image(model: EloModel, counts: list[int], elo0: float, width: float) -> None:
    """Seen from the opponent's side, the hypotheses are exchanged."""
    one = log_likelihood_ratio(PAIR, counts, Bounds(elo0, elo0 + width, model), 2)
    other = log_likelihood_ratio(PAIR, counts[::-1], Bounds(-elo0 - width, -elo0, model), 2)
    assert -one == pytest.approx(other, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("model", EloModel)
@given(st.lists(st.integers(0, 1000), min_size=5, max_size=5), st.floats(-60, 60), st.floats(1, 60))
@settings(deadline=None, max_examples=50)
def test_a_better_result_is_a_higher_ratio(model: EloModel, counts: list[int], elo0: float, width: float) -> None:
    """All pairs that were lost were won instead."""
    counts[0] += 1
    bounds = Bounds(elo0, elo0 + width, model)
    better = [0, *counts[1:4], counts[4] + counts[0]]
    assert log_likelihood_ratio(PAIR, better, bounds, 2) > log_likelihood_ratio(PAIR, counts, bounds, 2)


def by_definition(support: Sequence[float], counts: Sequence[int], bounds: Bounds, number: int) -> float:
    """The ratio by scipy's general constrained optimiser: the likeliest distribution of either Elo."""
    from scipy.optimize import minimize

    a, n = np.array(support), np.array(counts, dtype=float)

    def surplus(q: np.ndarray[tuple[int], np.dtype[np.float64]], elo: float) -> float:
        mean = float(q @ a)
        if bounds.model is LOGISTIC:
            return mean - expected_score(elo)
        return mean - 0.5 - elo / NELO * math.sqrt(number * float(q @ (a - mean) ** 2))

    likelihoods = []
    for elo in (bounds.elo0, bounds.elo1):
        found = minimize(
            lambda q: -float(n @ np.log(q)) / n.sum(),
            n / n.sum(),
            jac=lambda q: -n / q / n.sum(),
            bounds=[(1e-9, 1)] * len(a),
            constraints=[
                {"type": "eq", "fun": lambda q: q.sum() - 1},
                {"type": "eq", "fun": lambda q, elo=elo: surplus(q, elo)},
            ],
            method="SLSQP",
            options={"ftol": 1e-15, "maxiter": 1000},
        )
        likelihoods.append(float(n @ np.log(found.x)))
    return likelihoods[1] - likelihoods[0]


@pytest.mark.parametrize("model", EloModel)
@pytest.mark.parametrize(
    ("support", "counts", "number", "elos"),
    [
        (GAME, (200, 30, 170), 1, (0, 30)),
        (GAME, (20, 7, 100), 2, (0, 100)),
        (PAIR, (20, 7, 100, 60, 50), 2, (-50, 50)),
        (SIX, (3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9), 6, (0, 58)),
    ],
)
def test_it_is_what_its_definition_says(
    support: Sequence[float], counts: Sequence[int], number: int, elos: Elos, model: EloModel
) -> None:
    """The likeliest distribution of one Elo against that of the other, also for supports of 13 scores."""
    bounds = Bounds(*elos, model)
    found = log_likelihood_ratio(support, counts, bounds, number)
    assert by_definition(support, counts, bounds, number) == pytest.approx(found, abs=2e-4)


def test_rows_of_counts_at_once() -> None:
    """The same figures as one by one."""
    choice = random.Random(7)
    rows = [[choice.randrange(50) for _ in SIX] for _ in range(20)]
    bounds = Bounds(-10, 10, NORMALIZED)
    one_by_one = [log_likelihood_ratio(SIX, row, bounds, 6) for row in rows]
    assert one_by_one == pytest.approx(log_likelihood_ratios(SIX, rows, bounds, 6), abs=1e-7)


def fed(test: SequentialTest, indices: Sequence[int]) -> SequentialTest:
    for index in indices:
        test.add(index)
    return test


@pytest.mark.parametrize(
    ("cycle", "verdict"), [((2, 2, 2, 0), Verdict.ACCEPTED), ((0, 1, 0, 2), Verdict.REJECTED), ((4,), Verdict.ACCEPTED)]
)
def test_a_verdict_is_final(cycle: tuple[int, ...], verdict: Verdict) -> None:
    """Groups that were still being played when it came change nothing, however bad for it they are."""
    support = PAIR if 4 in cycle else GAME
    test = SequentialTest(support, Bounds(0, 30, LOGISTIC), games=2)
    assert (Verdict.UNDECIDED, 0.0, 0) == (test.verdict, test.llr, test.groups)
    while test.verdict is Verdict.UNDECIDED:
        before = test.llr
        for index in cycle:
            test.add(index)
    assert test.llr != before
    end = (test.verdict, test.llr, test.counts, test.groups, test.groups_left)
    fed(test, [0] * 500 + [len(support) - 1] * 3000)
    assert end == (test.verdict, test.llr, test.counts, test.groups, test.groups_left)
    assert verdict is test.verdict
    outside = test.llr >= test.bounds.upper if verdict is Verdict.ACCEPTED else test.llr <= test.bounds.lower
    assert outside
    assert test.llr == log_likelihood_ratio(support, test.counts, test.bounds, 2)


def test_the_cap() -> None:
    """Undecided until then, inconclusive after; a verdict at the last group counts."""
    bounds = Bounds(0, 5, NORMALIZED)
    capped = fed(SequentialTest(GAME, bounds, 1, cap=10), [0, 2] * 4 + [2])
    assert (Verdict.UNDECIDED, 1.0) == (capped.verdict, capped.groups_left)
    assert Verdict.INCONCLUSIVE is capped.add(0)
    assert Verdict.INCONCLUSIVE is fed(capped, [2] * 5000).verdict
    assert (10, 0.0) == (capped.groups, capped.groups_left)
    free = fed(SequentialTest(GAME, bounds, 1), [2] * 5000)
    assert Verdict.ACCEPTED is free.verdict
    just = fed(SequentialTest(GAME, bounds, 1, cap=free.groups), [2] * 5000)
    assert Verdict.ACCEPTED is just.verdict


def test_the_order_within_a_prefix_does_not_matter() -> None:
    """The ratio is of counts; which groups are counted is what must not depend on luck."""
    indices = [index for index in range(5) for _ in range(20)]
    shuffled = random.Random(3).sample(indices, len(indices))
    bounds = Bounds(0, 5, NORMALIZED)
    assert fed(SequentialTest(PAIR, bounds, 2), indices).llr == fed(SequentialTest(PAIR, bounds, 2), shuffled).llr


@pytest.mark.parametrize(
    ("elo1", "draws", "expected"),
    [
        (5, 0.0, (25594, 25594, 9479, 4067)),
        (5, 0.6, (10238, 10238, 3792, 1627)),
        (10, 0.05, (6081, 9948, 6081, 2254)),
        (20, 0.0, (1603, 2233, 2622, 1603)),
        (20, 0.3, (1122, 1563, 1835, 1122)),
    ],
)
def test_expected_games(elo1: float, draws: float, expected: tuple[int, ...]) -> None:
    """Wald's figures for bounds [0, elo1] at 0, 5, 10 and 20 Elo, for independent games."""
    bounds = Bounds(0, elo1, LOGISTIC)
    found = [round(expected_groups(bounds, 1, expected_score(elo), 0.25 * (1 - draws))) for elo in (0, 5, 10, 20)]
    assert list(expected) == found


def test_normalized_bounds_need_as_many_games_whatever_the_draws() -> None:
    """That is what they are for; and as many as logistic ones where there is no draw, near equality."""
    bounds = Bounds(0, 5, NORMALIZED)
    needed = [expected_groups(bounds, 1, 0.5, 0.25 * (1 - draws)) for draws in (0.0, 0.3, 0.9)]
    assert [needed[0]] * 3 == pytest.approx(needed)
    assert needed[0] == pytest.approx(expected_groups(Bounds(0, 5, LOGISTIC), 1, 0.5, 0.25), rel=1e-3)
    assert needed[0] / 2 == pytest.approx(expected_groups(bounds, 2, 0.5, 0.01))
    assert 2 * ELO == NELO


def test_chances_of_acceptance() -> None:
    """alpha at elo0, 1 - beta at elo1, near 0 and 1 further out, and all the more the better the test stands."""
    bounds = Bounds(0, 20, LOGISTIC, alpha=0.05, beta=0.1)
    at = [chance_of_acceptance(bounds, 1, expected_score(elo), 0.25) for elo in (-300, 0, 10, 20, 300)]
    assert [0, 0.05, 0.9, 1] == pytest.approx([at[0], at[1], at[3], at[4]], abs=1e-9)
    middle = (expected_score(0) + expected_score(20)) / 2
    standing = [chance_of_acceptance(bounds, 1, middle, 0.25, llr) for llr in (-9, bounds.lower, 0, bounds.upper, 9)]
    share = bounds.lower / (bounds.lower - bounds.upper)
    assert [0, 0, share, 1, 1] == pytest.approx(standing, abs=1e-6)
    with pytest.raises(ValueError, match="variance"):
        chance_of_acceptance(bounds, 1, 0.5, 0)


def test_groups_that_are_left() -> None:
    """Unknown before the first; about what it then takes, if it goes on as it has begun."""
    test = SequentialTest(GAME, Bounds(0, 30, LOGISTIC), 1)
    assert None is test.groups_left
    cycle = [2, 0, 2, 0, 2, 1]
    guess = fed(test, cycle * 20).groups_left
    assert guess is not None
    so_far = test.groups
    while test.verdict is Verdict.UNDECIDED:
        fed(test, cycle)
    assert test.groups - so_far == pytest.approx(guess, rel=0.25)
    swept = fed(SequentialTest(PAIR, Bounds(0, 5, NORMALIZED), 2), [4] * 3)
    assert swept.groups_left is not None
    assert 1 <= swept.groups_left < 1000
