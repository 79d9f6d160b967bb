"""Scores as Elo, and what counts of results say in it.

A *score* is the mean of results in [0, 1]: a win is 1, a draw 1/2. Two scales of Elo are in use:

- *logistic*: 400 Elo are odds of ten to one. It says how large an effect is.
- *normalized*: the surplus over 1/2 in standard deviations of a game, times 800 / ln 10; near equality, without
  draws, it is the logistic one. It says how many games show the effect, whatever the luck of the deal.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

ELO = 400 / math.log(10)
"""Elo in a nat."""
NELO = 800 / math.log(10)
"""Normalized Elo in a standard deviation of a game."""

NORMAL_95 = 1.959963984540054
"""How many standard errors to each side make a 95 % interval of a normal estimate."""
_CLIP = 1e-3
"""A score nearer to 0 or 1 is read as this far from it: about 1200 Elo, where no number of games could say more."""


def expected_score(elo: float) -> float:
    """The score of a bot that is `elo` (logistic) stronger than its opponent."""
    return 0.5 * (1 + math.tanh(elo / (2 * ELO)))  # 1 / (1 + 10 ** (-elo / 400)) would overflow


def elo_of(score: float) -> float:
    """The logistic Elo that gives a score; finite: scores are clipped to [0.001, 0.999], or +-1200 Elo."""
    score = min(max(score, _CLIP), 1 - _CLIP)
    return ELO * math.log(score / (1 - score))


def superiority(difference: float, error: float) -> float:
    """The likelihood of superiority: the probability that a normal estimate with this standard error is above 0.

    Raises:
        ValueError: `error` is not above 0. Results without any spread say nothing of their own error.
    """
    if not error > 0:
        raise ValueError(f"a standard error is above 0, not {error}")
    return 0.5 * math.erfc(-difference / (error * math.sqrt(2)))


@cache
def student_95(degrees: float) -> float:
    """How many standard errors to each side make a 95 % interval if the error itself is estimated.

    This is the 97.5 % point of Student's t distribution.

    Args:
        degrees: of freedom, at least 1: how many independent observations the error was estimated from, less one.
    """
    from scipy.special import stdtrit  # its import takes longer than computing most standings

    return float(stdtrit(degrees, 0.975))


def student_chance(degrees: float, errors: float) -> float:
    """The probability that an estimate so many of its own standard errors above 0 is of something above 0.

    The standard error itself was estimated: Student's t distribution.

    Args:
        degrees: of freedom, as in `student_95`.
        errors: the estimate, divided by its standard error.
    """
    from scipy.special import stdtr  # as above

    return float(stdtr(degrees, errors))


def mean_and_variance(support: Sequence[float], counts: Sequence[float]) -> tuple[float, float]:
    """The mean and variance of `counts` values at `support`; the counts do not sum to 0."""
    total = math.fsum(counts)
    mean = math.fsum(c * a for a, c in zip(support, counts, strict=True)) / total
    return mean, math.fsum(c * (a - mean) ** 2 for a, c in zip(support, counts, strict=True)) / total


@dataclass(frozen=True)
class Estimate:
    """What counts of units say, by the normal approximation.

    The intervals hold for a number of units that was fixed beforehand: under a sequential test, which stops when the
    score looks good, they are too narrow (`aurum.statistics.confidence` has one that holds there).

    Fields, all but `units`, `score` and `elo` None where the units all came out alike:
        units: how many.
        score: their mean.
        error: its standard error.
        elo: logistic, clipped.
        elo_95: half of its 95 % interval.
        normalized: normalized Elo.
        normalized_95: half of its 95 % interval.
        superiority: the likelihood that the true score is above 1/2.
    """

    units: int
    score: float
    error: float | None
    elo: float
    elo_95: float | None
    normalized: float | None
    normalized_95: float | None
    superiority: float | None


def estimate(support: Sequence[float], counts: Sequence[int], games: int) -> Estimate:
    """The estimate of independent units of `games` games each, `counts` of them with each mean result of `support`.

    Raises:
        ValueError: there are no units.
    """
    units = sum(counts)
    if not units:
        raise ValueError("an estimate needs at least one unit")
    score, variance = mean_and_variance(support, counts)
    elo = elo_of(score)
    if not variance > 0:
        return Estimate(units, score, None, elo, None, None, None, None)
    error = math.sqrt(variance / units)
    elo_95 = (elo_of(score + NORMAL_95 * error) - elo_of(score - NORMAL_95 * error)) / 2
    a_game = NELO / math.sqrt(games * variance)  # normalized Elo in a score of 1, by the spread of a game
    return Estimate(
        units,
        score,
        error,
        elo,
        elo_95,
        a_game * (score - 0.5),
        a_game * NORMAL_95 * error,
        superiority(score - 0.5, error),
    )
