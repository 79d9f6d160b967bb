"""Predicts how a sequential test ends and when, by Wald's approximation: its LLR is a random walk with drift.

(A. Wald, Sequential Analysis, 1947.) The last step's overshoot is left out, so a test takes some percent longer and
errs a little less often.
"""

import math

from aurum.statistics.bounds import Bounds, EloModel
from aurum.statistics.elo import NELO, expected_score

_LEVEL = 1e-9
"""A walk whose drift is less than this share of its spread is taken to have none: the formulas divide by the drift."""


def chance_of_acceptance(bounds: Bounds, games: int, score: float, variance: float, llr: float = 0.0) -> float:
    """How probably a test ends accepted, by Wald (1945), if it stands at `llr`.

    Args:
        bounds: what is tested.
        games: how many games a deal group is.
        score: the true mean of a deal group's score.
        variance: and its variance, above 0.
        llr: where the test stands.
    """
    drift, spread = walk(bounds, games, score, variance)
    below, above = min(bounds.lower - llr, 0.0), max(bounds.upper - llr, 0.0)
    h = 2 * drift / spread
    if abs(h) < _LEVEL:
        return below / (below - above)
    if h < 0:  # the mirror image: no exponential overflows
        return 1 - math.expm1(h * above) / math.expm1(h * (above - below))
    return math.expm1(h * below) / math.expm1(h * (below - above))


def expected_groups(bounds: Bounds, games: int, score: float, variance: float, llr: float = 0.0) -> float:
    """How many deal groups a test takes until its verdict on average, by Wald (1945); arguments as above.

    The overshoot of the last group is not in it, so with few groups the true number is some percent higher.
    """
    drift, spread = walk(bounds, games, score, variance)
    below, above = min(bounds.lower - llr, 0.0), max(bounds.upper - llr, 0.0)
    if abs(2 * drift / spread) < _LEVEL:
        return -below * above / spread
    accepted = chance_of_acceptance(bounds, games, score, variance, llr)
    return (accepted * above + (1 - accepted) * below) / drift


def walk(bounds: Bounds, games: int, score: float, variance: float) -> tuple[float, float]:
    """Mean and variance of what one deal group adds to the LLR, in its normal approximation."""
    if not variance > 0:
        raise ValueError(f"the variance of a deal group's score must be above 0, not {variance:g}")
    deviation = math.sqrt(variance)
    if bounds.model is EloModel.NORMALIZED:
        effect, zero, one = (
            (score - 0.5) / deviation,
            *(e * math.sqrt(games) / NELO for e in (bounds.elo0, bounds.elo1)),
        )
    else:
        effect, zero, one = (s / deviation for s in (score, expected_score(bounds.elo0), expected_score(bounds.elo1)))
    return (effect - (zero + one) / 2) * (one - zero), (one - zero) ** 2
