"""The generalised likelihood ratio of counts under two hypotheses of Elo, exactly.

A unit is an observation with one of a few scores, its *support*: a game with 0, 1/2, 1, or a deal group with the mean
of its games. An Elo holds for many distributions over the support; the ratio compares the likeliest one of `elo1`
with the likeliest one of `elo0`. The usual quadratic approximation is wrong by a factor of ten where a bot wins or
loses nearly always. (Van den Bergh, "A practical introduction to the GSPRT"; the same figures as fishtest's and
fastchess's.)
"""

import math
from collections.abc import Sequence

import numpy as np
from aurum.statistics.bounds import Bounds, EloModel
from aurum.statistics.elo import NELO, expected_score
from numpy.typing import ArrayLike, NDArray

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]

_UNSEEN = 1e-3
"""What a score counts that has not come up yet: without it a hypothesis could be impossible."""
_CLOSE = 1e-9
"""The iteration ends when a step changes no probability by more than this."""
_PATIENCE = 50
"""Steps after which an iteration that has not ended is taken to oscillate, and is damped."""
_MOST_STEPS = 200


def log_likelihood_ratio(support: Sequence[float], counts: Sequence[int], bounds: Bounds, games: int) -> float:
    """How much likelier counts are with `elo1` than with `elo0`, in nats. Finite, whatever the counts.

    Args:
        support: the scores that a unit can have, ascending from 0 to 1.
        counts: how many units had each.
        bounds: the two hypotheses.
        games: how many games a unit is.

    Raises:
        ValueError: no such support, or counts that are negative or not one for each score.
    """
    return float(log_likelihood_ratios(support, [counts], bounds, games)[0])


def log_likelihood_ratios(support: Sequence[float], counts: ArrayLike, bounds: Bounds, games: int) -> Vector:
    """The same for each row of counts."""
    a = _checked(support)
    rows = np.atleast_2d(np.asarray(counts, dtype=np.float64))
    if games < 1:
        raise ValueError(f"a unit is at least one game, not {games}")
    if rows.shape[1] != len(a) or not np.all((rows >= 0) & np.isfinite(rows)):
        raise ValueError(f"{len(a)} scores need as many counts, none of them negative")
    n = np.ascontiguousarray(seen(rows).T)  # a score a row: sums over scores are then sums of long vectors
    p = np.concatenate([n / n.sum(axis=0)] * 2, axis=1)  # first all under elo0, then all under elo1
    if bounds.model is EloModel.NORMALIZED:
        aims = [elo / NELO * math.sqrt(games) for elo in (bounds.elo0, bounds.elo1)]
        tilt = _tilt_to_effect(a, p, np.repeat(aims, len(rows)))
    else:
        aims = [expected_score(elo) for elo in (bounds.elo0, bounds.elo1)]
        tilt = _tilt_to_mean(a, p, np.repeat(aims, len(rows)))
    llr: Vector = np.sum(n * (tilt[:, : len(rows)] - tilt[:, len(rows) :]), axis=0)
    return llr


def seen(counts: ArrayLike) -> Matrix:
    """The counts, with a little of what has not come up yet."""
    given = np.asarray(counts, dtype=np.float64)
    filled: Matrix = np.where(given > 0, given, _UNSEEN)
    return filled


def _tilt_to_mean(a: Matrix, p: Matrix, mean: Vector) -> Matrix:
    """ln(p / q) for the distribution q of that mean under which frequencies p are likeliest; column by column."""
    phi = a - mean
    tilt: Matrix = np.log1p(_multiplier(p, phi, np.zeros_like(mean)) * phi)
    return tilt


def _tilt_to_effect(a: Matrix, p: Matrix, t: Vector) -> Matrix:
    """The same for distributions whose mean is t standard deviations above 1/2.

    That is no linear constraint; it is replaced by its tangent at the last solution, again and again. The first one
    is at the widest distribution there is, on 0 and 1 alone: it fulfils the constraint, so that for results on the
    nearer side of it so do all that follow, and their likelihood rises (the concave-convex procedure). From elsewhere,
    with wide bounds, there may be no way back to it. Where t is about 1 or more there can be several distributions that
    none near them is likelier than; then it is the one that this way leads to.
    """
    sigma = 0.5 / np.sqrt(1 + t * t)
    mean = 0.5 + t * sigma
    q, x = np.zeros_like(p), np.zeros_like(t)
    for step in range(_MOST_STEPS):
        phi = a - 0.5 - t * sigma / 2 * (1 + ((a - mean) / sigma) ** 2)
        x = _multiplier(p, phi, x)
        last, q = q, p / (1 + x * phi)
        if np.max(np.abs(q - last)) < _CLOSE:
            break
        own_mean = np.sum(q * a, axis=0)
        own_sigma = np.sqrt(np.sum(q * (a - own_mean) ** 2, axis=0))
        pace = 1.0 if step < _PATIENCE else 0.5
        mean = mean + pace * (own_mean - mean)
        sigma = sigma + pace * (own_sigma - sigma)
    tilt: Matrix = np.log1p(x * phi)
    return tilt


def _multiplier(p: Matrix, phi: Matrix, start: Vector) -> Vector:
    """In each column the x with sum p phi / (1 + x phi) = 0: then q = p / (1 + x phi) is the likeliest with E phi = 0.

    q is a distribution, so x lies where p <= 1 + x phi: an interval that the poles are outside of. Within it Newton's
    method, on the sum times its two nearest poles' distances, which is nearly linear; and bisection where it would
    leave the interval. A constraint that nothing fulfils, phi having one sign, is left out: x = 0.
    """
    high, low = phi.max(axis=0), phi.min(axis=0)
    possible = (low < 0) & (high > 0)
    with np.errstate(all="ignore"):  # what is not finite is not inside
        ends = (p - 1) / phi
        left = np.where(possible, np.max(np.where(phi > 0, ends, -np.inf), axis=0), 0)
        right = np.where(possible, np.min(np.where(phi < 0, ends, np.inf), axis=0), 0)
        x: Vector = np.clip(start, left, right)
        for _ in range(_MOST_STEPS):
            ratio = phi / (1 + x * phi)
            weighted = p * ratio
            value, slope = weighted.sum(axis=0), -(weighted * ratio).sum(axis=0)
            left, right = np.where(value > 0, x, left), np.where(value < 0, x, right)
            poles = (1 + x * high) * (1 + x * low)
            after = x - value * poles / (slope * poles + value * (high + low + 2 * x * high * low))
            inside = (after >= left) & (after <= right)
            after = np.where(inside, after, (left + right) / 2)
            moved = np.max(np.abs((after - x) * ratio), axis=0)  # q's relative change
            x = after
            if np.all(np.where(inside, moved * moved, moved) < _CLOSE):  # after a step of Newton's, the next one
                break
    return x


def _checked(support: Sequence[float]) -> Matrix:
    """The support as a column."""
    a = np.asarray(support, dtype=np.float64)
    if a.ndim != 1 or len(a) < 2 or a[0] != 0 or a[-1] != 1 or not np.all(np.diff(a) > 0):
        raise ValueError(f"the scores of a unit must ascend from 0 to 1, not be {list(support)}")
    return a[:, None]
