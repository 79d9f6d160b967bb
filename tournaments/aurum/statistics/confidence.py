"""A confidence sequence: an interval for a mean that holds after every result, so that one may stop at any time.

If one looks at a fixed-sample 95 % interval again and again, it misses the true mean at some time in far more than
5 % of all runs. Here, in 95 % of all runs, the interval contains the true mean from the first result to the last.
"""

import math

import numpy as np

_CELLS = 4_000
"""Into how many cells [0, 1] is divided: near 1/2 one is 0.17 Elo wide. An interval ends at the outer edge of one."""
_LARGEST_LOSS = 0.5
"""The share of its capital that a bet may lose at most."""


class ConfidenceSequence:
    """An always-valid interval for the mean of independent results in [0, 1], whatever their distribution.

    The hedged betting martingale of Waudby-Smith and Ramdas ("Estimating means of bounded random variables by
    betting", JRSS B 86, 2024, section 4.4): for every mean m one gambler bets that the results are above m, one that
    they are below. If m is true, neither expects to gain, and either becomes 2 / (1 - level) times as rich with
    probability (1 - level) / 2 at most; an m against which one does is ruled out for good. The stakes depend on the
    results before, so the interval depends on the order.
    """

    def __init__(self, level: float = 0.95) -> None:
        """The interval [0, 1].

        Raises:
            ValueError: `level` is not between 0 and 1.
        """
        if not 0 < level < 1:
            raise ValueError(f"a confidence level is between 0 and 1, not {level}")
        self._ruin = math.log(2 / (1 - level))
        self._means = np.arange(1, _CELLS) / _CELLS
        """The means that are not ruled out."""
        self._above = np.zeros(_CELLS - 1)
        """By mean: the log of the capital of the gambler who bets that the results are above it."""
        self._below = np.zeros(_CELLS - 1)
        self._results = 0
        self._sum = 0.5
        self._squares = 0.25

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of the interval, which never widens and is never empty."""
        return (round(self._means[0] * _CELLS) - 1) / _CELLS, (round(self._means[-1] * _CELLS) + 1) / _CELLS

    def add(self, x: float) -> None:
        """Take one more result.

        Raises:
            ValueError: it is not in [0, 1].
        """
        if not 0 <= x <= 1:
            raise ValueError(f"a result is from 0 to 1, not {x}")
        self._results += 1
        stake = math.sqrt(2 * self._ruin / (self._squares * math.log(self._results + 1)))
        self._above += np.log1p(np.minimum(stake, _LARGEST_LOSS / self._means) * (x - self._means))
        self._below += np.log1p(np.minimum(stake, _LARGEST_LOSS / (1 - self._means)) * (self._means - x))
        self._sum += x
        self._squares += (x - self._sum / (self._results + 1)) ** 2
        self._narrow()

    def _narrow(self) -> None:
        """Drop the means at both ends that are ruled out.

        If all are ruled out, which happens in less than 1 - level of all runs, or where results are not independent,
        the last interval stays.
        """
        left = np.flatnonzero(np.maximum(self._above, self._below) < self._ruin)
        if left.size:
            inner = slice(left[0], left[-1] + 1)
            self._means, self._above, self._below = self._means[inner], self._above[inner], self._below[inner]
