"""The Bradley-Terry model with draws as half wins: estimate and covariance, in nats.

P(a ahead of b) = 1 / (1 + exp(theta_b - theta_a)). Everything here works on `Tally` counts, which are whole numbers
in a fixed order, so the same games give the same bits in whatever order they came.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]

_CLOSE = 1e-9
"""Nats. Newton's steps shrink quadratically: the one after this would be lost in rounding."""
_MOST_STEPS = 1_000


class Tally(NamedTuple):
    """Comparisons of two bots, by index: `games` of them, of which `halves` half wins went to bot a."""

    a: int
    b: int
    halves: int
    games: int


Cluster = tuple[Tally, ...]
"""What one deal group says: its comparisons are not independent of each other."""


def estimate(field: int, tallies: Sequence[Tally]) -> Vector:
    """The maximum-likelihood strengths of `field` bots, with mean 0.

    Newton's method, its step shortened so that no difference moves by more than one nat: p (1 - p) changes by less
    than the factor e over such a step, so each raises the likelihood.

    Args:
        field: how many bots.
        tallies: at most one for each two bots. Their graph of wins must be strongly connected (Ford 1957).

    Raises:
        ArithmeticError: no convergence, which for such tallies would be a bug.
    """
    a, b = _ends(tallies)
    theta = np.zeros(field)
    for _ in range(_MOST_STEPS):
        step = np.linalg.solve(information(theta, tallies), _score(theta, tallies))
        largest = float(np.max(np.abs(step[a] - step[b])))
        theta += step / max(1.0, largest)
        if largest < _CLOSE:
            return theta - np.mean(theta)
    raise ArithmeticError("the ratings did not converge")


def information(theta: Vector, tallies: Sequence[Tally]) -> Matrix:
    """Minus the second derivative of the log-likelihood, plus 1/n everywhere.

    The addition makes the matrix invertible (strengths are only determined up to a constant) and changes nothing
    for vectors with mean 0.
    """
    field = len(theta)
    a, b = _ends(tallies)
    ahead = _ahead(theta, tallies)
    weight = np.array([tally.games for tally in tallies]) * ahead * (1 - ahead)
    matrix = np.full((field, field), 1 / field)
    for row, column, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
        np.add.at(matrix, (row, column), sign * weight)
    return matrix


def covariance(theta: Vector, tallies: Sequence[Tally], clusters: Mapping[Cluster, int]) -> Matrix:
    """Sandwich covariance H^-1 (sum over clusters of s s^T) H^-1 x G/(G - 1) of strengths with mean 0.

    s is a cluster's sum of first derivatives. It holds whatever the dependence within a cluster; G is the number of
    clusters, at least 2.

    Args:
        theta: the estimate.
        tallies: what it was estimated from.
        clusters: the same comparisons, by deal group: how many groups say the same.
    """
    field = len(theta)
    meat = np.zeros((field, field))
    for cluster in sorted(clusters):
        score = _score(theta, cluster)
        meat += clusters[cluster] * np.outer(score, score)
    number = sum(clusters.values())
    bread = np.linalg.inv(information(theta, tallies))
    result: Matrix = bread @ meat @ bread * (number / (number - 1))
    return result


def add_up(clusters: Mapping[Cluster, int]) -> list[Tally]:
    """One tally for each two bots that met, in order."""
    totals: dict[tuple[int, int], list[int]] = {}
    for cluster, number in clusters.items():
        for a, b, halves, games in cluster:
            total = totals.setdefault((a, b), [0, 0])
            total[0] += number * halves
            total[1] += number * games
    return [Tally(a, b, *totals[a, b]) for a, b in sorted(totals)]


def _score(theta: Vector, tallies: Sequence[Tally]) -> Vector:
    """The first derivative of the log-likelihood."""
    a, b = _ends(tallies)
    surplus = np.array([tally.halves / 2 for tally in tallies])
    surplus -= np.array([tally.games for tally in tallies]) * _ahead(theta, tallies)
    score = np.zeros(len(theta))
    np.add.at(score, a, surplus)
    np.add.at(score, b, -surplus)
    return score


def _ahead(theta: Vector, tallies: Sequence[Tally]) -> Vector:
    a, b = _ends(tallies)
    result: Vector = np.exp(-np.logaddexp(0, theta[b] - theta[a]))  # 1 / (1 + exp(...)) would overflow
    return result


def _ends(tallies: Iterable[Tally]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    pairs = np.array([(tally.a, tally.b) for tally in tallies], dtype=np.intp)
    return pairs[:, 0], pairs[:, 1]
