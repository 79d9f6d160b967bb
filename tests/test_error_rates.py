"""The sequential test as a whole, in the simulation of benchmarks/sprt.py: fewer runs, the same code."""

import importlib.util
import sys
from types import ModuleType

import numpy as np
import pytest
from aurum.statistics.elo import expected_score
from aurum.statistics.gsprt import Bounds, EloModel
from docs_blocks import ROOT

RUNS, SEED = 300, 20_261_128
BOUNDS = Bounds(0, 20, EloModel.LOGISTIC)


@pytest.fixture(scope="module")
def sprt() -> ModuleType:
    """The benchmark as a module."""
    spec = importlib.util.spec_from_file_location("sprt", ROOT / "benchmarks/sprt.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["sprt"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("elo", "rates"), [(0, (0.02, 0.08)), (20, (0.92, 0.98))])
def test_it_errs_as_often_as_it_was_told_to(sprt: ModuleType, elo: float, rates: tuple[float, float]) -> None:
    """In 5 % of all tests on either side, and takes about as long as Wald says, which leaves the last step out."""
    (case,) = sprt.cases([sprt.pairs(0.9)], EloModel.LOGISTIC, [elo])
    cell = sprt.measure((case, RUNS, (SEED, 2)))
    low, high = rates
    assert low <= cell.accepted <= high
    assert 0 == cell.undecided
    assert 0.95 * cell.wald < cell.games < 1.25 * cell.wald


def test_the_order_of_finishing_is_no_order(sprt: ModuleType) -> None:
    """Where wins take longer and many are played at once, a better bot is taken for an equal one."""
    (case,) = sprt.cases([sprt.pairs(0.9)], EloModel.LOGISTIC, [20])
    rng = np.random.default_rng(SEED)
    spoilt = sprt.run(case.design, BOUNDS, RUNS, sprt.as_finished(case.design, case.d, rng, RUNS, 600, 128), 600)
    assert spoilt.decided.mean() > 0.95
    assert spoilt.accepted.mean() < 0.6


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.95])
def test_what_is_simulated(sprt: ModuleType, rho: float) -> None:
    """Games of the Elo that they should have, 5 % of draws, and pairs that luck makes the more alike the more it is."""
    for design in (sprt.SINGLE, sprt.pairs(rho), sprt.boards(rho)):
        d = design.strength(20, EloModel.LOGISTIC)
        assert 1 == pytest.approx(design.chances(d).sum())
        assert expected_score(20) == pytest.approx(design.moments(d)[0])
    game_variance = sprt.SINGLE.moments(0.0)[1]
    assert 0.25 * 0.95 == pytest.approx(game_variance)
    ratio = 2 * sprt.pairs(rho).moments(0.0)[1] / game_variance
    assert {0.0: 1, 0.5: 0.65, 0.95: 0.16}[rho] == pytest.approx(ratio, abs=0.03)


@pytest.mark.parametrize("elo", [0, 10, 20])
def test_the_corrected_elo_is_too_high_as_often_as_too_low(sprt: ModuleType, elo: float) -> None:
    """At both bounds and between them, where the Elo itself is too low or too high in two tests of three."""
    found = sprt.estimates(sprt.pairs(0.8), BOUNDS, elo, RUNS, 2_000, SEED)
    corrected, raw = np.mean(found.corrected > elo), np.mean(found.raw > elo)
    assert 0.42 < corrected < 0.58
    if elo != 10:
        assert abs(raw - 0.5) > abs(corrected - 0.5)
        assert abs(np.median(found.raw) - elo) > abs(np.median(found.corrected) - elo)
    assert np.mean(found.corrected[found.accepted]) < np.mean(found.raw[found.accepted])
