"""The effect that a stopped sequential test has measured, corrected for its stopping.

A test that stops as soon as a bot looks good enough stops while it looks better than it is. Median-unbiased is the
effect at which a result as high as the one seen, or higher, is as likely as not. Results are in the order of the stages
(Siegmund, "Estimation following sequential tests", Biometrika 65, 1978; Jennison and Turnbull, Group Sequential
Methods, 2000, section 8.5): acceptance is higher the earlier it came, rejection the later, and between them is where a
test stood when it ended without a verdict.

The LLR is taken for a Brownian motion between its two bounds, moved outwards by the mean overshoot of its steps, 0.583
standard deviations of a step (Siegmund, Sequential Analysis, 1985, section 10.2). The times at which it reaches a bound
are those of Cox and Miller, The Theory of Stochastic Processes, 1965, section 5.7.
"""

import math
from collections.abc import Sequence

import numpy as np
from aurum.statistics.bounds import Bounds
from aurum.statistics.elo import mean_and_variance
from aurum.statistics.gsprt import Verdict
from aurum.statistics.likelihood_ratio import seen
from aurum.statistics.wald import walk
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtr

_OVERSHOOT = 0.583
_FAR = 40.0
"""Terms of a series beyond exp(-_FAR) of the first are left out."""
_NO_RETURN = 1e-9
"""If the other bound is reached with less than this probability, it is left out."""
_CELLS = 400
_WIDEST = 20.0
"""Standard errors of the drift on both sides of the raw one within which the corrected one is looked for."""


def corrected_score(
    support: Sequence[float], counts: Sequence[int], bounds: Bounds, games: int, verdict: Verdict, llr: float
) -> float | None:
    """The median-unbiased score, from 0 to 1; None while there are no two deal groups with different scores.

    Args:
        support: the scores that a deal group can have, ascending from 0 to 1.
        counts: how many deal groups had each.
        bounds: of the test.
        games: how many games a deal group is.
        verdict: how the test ended, if it has.
        llr: where it stood.
    """
    groups = sum(counts)
    if sum(count > 0 for count in counts) < 2:
        return None
    score, variance = mean_and_variance(support, seen(counts).tolist())
    raw, spread = walk(bounds, games, score, variance)
    reached = _Reached(bounds, verdict, groups, llr, spread)
    error = math.sqrt(spread / groups)
    low, high = raw - _WIDEST * error, raw + _WIDEST * error
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if reached.as_high(middle) < 0.5 else (low, middle)
    gain = math.sqrt(spread / variance)  # of the LLR by a group, for a score of 1
    return min(max(score + ((low + high) / 2 - raw) / gain, 0.0), 1.0)


class _Reached:
    """How probable a result is that is as high as the one seen, or higher, by the drift of the LLR.

    Args:
        bounds: of the test.
        verdict: and how it ended, if it has.
        groups: after so many deal groups.
        llr: where it stood.
        spread: the variance of a step.
    """

    def __init__(self, bounds: Bounds, verdict: Verdict, groups: int, llr: float, spread: float) -> None:
        over = _OVERSHOOT * math.sqrt(spread)
        self._lower, self._upper = bounds.lower - over, bounds.upper + over
        self._verdict, self._time, self._llr, self._spread = verdict, float(groups), llr, spread

    def as_high(self, drift: float) -> float:
        """That probability, which rises with the drift."""
        if self._verdict is Verdict.ACCEPTED:
            return self._accepted(drift, self._lower, self._upper)
        rejected = self._accepted(-drift, -self._upper, -self._lower)
        if self._verdict is Verdict.REJECTED:
            return 1 - rejected
        accepted = self._accepted(drift, self._lower, self._upper)
        under, inside = self._between(drift)
        return accepted + (1 - accepted - rejected) * (1 - under / inside) if inside > 0 else float(drift > 0)

    def _accepted(self, drift: float, lower: float, upper: float) -> float:
        """The probability that the upper bound is reached by now, and the lower one not before."""
        time, spread = self._time, self._spread
        if drift > 0 and math.exp(2 * drift * lower / spread) < _NO_RETURN:
            deviation = math.sqrt(spread * time)
            crossed = 2 * drift * upper / spread + float(log_ndtr((-upper - drift * time) / deviation))
            return float(ndtr((drift * time - upper) / deviation)) + math.exp(min(crossed, 0.0))
        width = upper - lower
        n = self._terms(width)
        decay = drift**2 / (2 * spread) + (n * math.pi / width) ** 2 * spread / 2
        waves = n * np.where(n % 2 == 1, 1, -1) * np.sin(-n * math.pi * lower / width)
        later = math.pi * spread / width**2 * float(waves / decay @ np.exp(drift * upper / spread - decay * time))
        return min(max(_ever(drift, lower, upper, spread) - later, 0.0), 1.0)

    def _between(self, drift: float) -> tuple[float, float]:
        """In proportion: the probability to be below where the test stands, and to be between the bounds at all."""
        lower, width = self._lower, self._upper - self._lower
        n = self._terms(width)
        heights = np.exp(-((n * math.pi / width) ** 2) * self._spread * self._time / 2)
        heights *= np.sin(-n * math.pi * lower / width)
        places = (np.arange(_CELLS) + 0.5) / _CELLS
        tilt = drift * width * places / self._spread
        density = np.maximum(np.sin(places[:, None] * n * math.pi) @ heights, 0.0) * np.exp(tilt - tilt.max())
        share = min(max((self._llr - lower) / width, 0.0), 1.0) * _CELLS
        whole = int(share)
        part = density[whole] * (share - whole) if whole < _CELLS else 0.0
        return float(density[:whole].sum() + part), float(density.sum())

    def _terms(self, width: float) -> NDArray[np.float64]:
        most = math.sqrt(2 * _FAR / (self._spread * self._time)) * width / math.pi
        return np.arange(1.0, math.ceil(most) + 2)


def _ever(drift: float, lower: float, upper: float, spread: float) -> float:
    """The probability that the upper bound is reached before the lower one."""
    h = 2 * drift / spread
    if abs(h) < 1e-9:
        return -lower / (upper - lower)
    if h < 0:
        return 1 - math.expm1(h * upper) / math.expm1(h * (upper - lower))
    return math.expm1(h * lower) / math.expm1(h * (lower - upper))
