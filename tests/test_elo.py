"""Elo: against the definition, and against the figures of another program's tests."""

import math

import pytest
from aurum.statistics.elo import ELO, NELO, elo_of, estimate, expected_score, mean_and_variance, superiority
from hypothesis import given
from hypothesis import strategies as st

GAME = (0.0, 0.5, 1.0)
PAIR = (0.0, 0.25, 0.5, 0.75, 1.0)


@pytest.mark.parametrize(("elo", "score"), [(0, 0.5), (100, 0.6401), (200, 0.7597), (400, 0.9091), (-100, 0.3599)])
def test_expected_scores(elo: float, score: float) -> None:
    """The table of every textbook."""
    assert score == pytest.approx(expected_score(elo), abs=5e-5)


def test_a_player_of_1613_in_five_games() -> None:
    """Wikipedia's example: 2.5 points where 2.867 were expected."""
    opponents = (1609, 1477, 1388, 1586, 1720)
    expected = sum(expected_score(1613 - other) for other in opponents)
    assert 2.867 == pytest.approx(expected, abs=1e-3)
    assert 1601.27 == pytest.approx(1613 + 32 * (2.5 - expected), abs=0.02)


@pytest.mark.parametrize(
    ("wins", "losses", "draws", "elo", "elo_95", "normalized", "normalized_95", "superior"),
    [
        (136, 96, 111, 40.70, 30.43, 49.77, 36.77, 0.9960),
        (76, 89, 123, None, None, -20.76, None, 0.1553),
    ],
)
def test_figures_of_games(
    wins: int,
    losses: int,
    draws: int,
    elo: float | None,
    elo_95: float | None,
    normalized: float,
    normalized_95: float | None,
    superior: float,
) -> None:
    """Those of fastchess's tests."""
    found = estimate(GAME, (losses, draws, wins), games=1)
    assert wins + losses + draws == found.units
    assert normalized == pytest.approx(found.normalized, abs=5e-3)
    assert superior == pytest.approx(found.superiority, abs=5e-5)
    for figure, actual in ((elo, found.elo), (elo_95, found.elo_95), (normalized_95, found.normalized_95)):
        assert figure is None or figure == pytest.approx(actual, abs=5e-3)


@pytest.mark.parametrize(
    ("counts", "elo", "elo_95", "normalized", "superior"),
    [
        ((34, 54, 31, 32, 64, 75), 55.58, 27.65, 57.94, None),
        ((332, 433, 457, 41, 333, 334), -8.64, 10.33, None, 0.0505),
    ],
)
def test_figures_of_pairs(
    counts: tuple[int, ...], elo: float, elo_95: float, normalized: float | None, superior: float | None
) -> None:
    """Those of fastchess's tests, which count two draws and a win with a loss apart."""
    lost, behind, drawn, shared, ahead, won = counts
    found = estimate(PAIR, (lost, behind, drawn + shared, ahead, won), games=2)
    assert elo == pytest.approx(found.elo, abs=5e-3)
    assert elo_95 == pytest.approx(found.elo_95, abs=5e-3)
    assert normalized is None or normalized == pytest.approx(found.normalized, abs=5e-3)
    assert superior is None or superior == pytest.approx(found.superiority, abs=5e-5)


@pytest.mark.parametrize(("counts", "elo"), [((0, 0, 9), 1199.83), ((9, 0, 0), -1199.83), ((0, 5, 0), 0)])
def test_a_sweep_has_no_error(counts: tuple[int, int, int], elo: float) -> None:
    """Its Elo is clipped; what rests on the spread of the results is unknown, not infinite."""
    found = estimate(GAME, counts, games=1)
    assert elo == pytest.approx(found.elo, abs=5e-3)
    assert (None,) * 5 == (found.error, found.elo_95, found.normalized, found.normalized_95, found.superiority)


def test_what_cannot_be_estimated() -> None:
    """No units, no spread."""
    with pytest.raises(ValueError, match="at least one unit"):
        estimate(GAME, (0, 0, 0), games=1)
    with pytest.raises(ValueError, match="above 0"):
        superiority(0.1, 0)
    with pytest.raises(ValueError, match="above 0"):
        superiority(0.1, math.nan)


@given(st.floats(-1e300, 1e300))
def test_elo_and_score_are_each_others_inverse(elo: float) -> None:
    """Where the score is not clipped; elsewhere it stays at the end."""
    assert max(-1199.83, min(elo, 1199.83)) == pytest.approx(elo_of(expected_score(elo)), abs=0.01)


def test_the_scales_agree_near_equality() -> None:
    """Without draws, a small surplus is the same in both."""
    found = estimate(GAME, (4999, 0, 5001), games=1)
    assert found.elo == pytest.approx(found.normalized, rel=1e-6)
    assert 2 * ELO == NELO


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 10**6)), min_size=1))
def test_variance_is_not_negative(units: list[tuple[float, int]]) -> None:
    """Nor is the mean outside of the values, but for rounding."""
    support, counts = zip(*units, strict=True)
    if any(counts):
        mean, variance = mean_and_variance(support, counts)
        assert variance >= 0
        assert min(support) - 1e-12 <= mean <= max(support) + 1e-12
