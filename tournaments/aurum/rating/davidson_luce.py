"""The Davidson-Luce model of finishing orders with ties: estimate and covariance.

Of the sides S that are left, a set T of t of them comes next, level with each other, with a probability in proportion
to

    delta_t * exp(mean of the strengths in T),    delta_1 = 1,

where a side's strength is the mean of its members'. With two sides it is Davidson's model (1970), delta_2 his nu;
without ties it is Plackett's and Luce's, with two sides Bradley's and Terry's. Source: Turner, van Etten, Firth and
Kosmidis, "Modelling rankings in R: the PlackettLuce package", Computational Statistics 35 (2020).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from aurum.rating.likelihood import Counts, Likelihood, Matrix, Vector
from aurum.rating.orders import WHOLE

_CLOSE = 1e-9
"""Nats. Newton's steps shrink quadratically: the one after this would be lost in rounding."""
_MOST_STEPS = 1_000
_ZERO = 1e-12
"""Of the largest eigenvalue: what is less is a direction that the games say nothing about, up to rounding."""


@dataclass(frozen=True)
class Fit:
    """Maximum-likelihood parameters: strengths in nats, mean 0 where they are free; then ln delta_t of `sizes[1:]`.

    `sizes` are how many sides may come next at once, ascending; the first of them has delta 1.
    """

    parameters: Vector
    sizes: tuple[int, ...]
    log_likelihood: float

    @property
    def strengths(self) -> Vector:
        """In nats, by bot."""
        return self.parameters[: len(self.parameters) - len(self.sizes) + 1]

    @property
    def ties(self) -> dict[int, float]:
        """The delta_t, by t."""
        logs = self.parameters[len(self.strengths) :]
        return {size: float(delta) for size, delta in zip(self.sizes[1:], np.exp(logs), strict=True)}


def estimate(field: int, counts: Counts, sizes: tuple[int, ...]) -> Fit:
    """The parameters that make the choices most likely.

    Args:
        field: how many bots.
        counts: in halves. That there is a maximum is for `connections` to see to.
        sizes: how many sides may be chosen at once, ascending.

    Raises:
        ArithmeticError: no convergence, which for such counts would be a bug.
    """
    likelihood, weights = weighed(field, counts, sizes)
    parameters = maximum(likelihood, weights, np.zeros(likelihood.width))
    return Fit(parameters, sizes, likelihood.value(parameters, weights))


def weighed(field: int, counts: Counts, sizes: tuple[int, ...]) -> tuple[Likelihood, Vector]:
    """The likelihood of these choices, and how often each was made."""
    choices = sorted(counts)
    return Likelihood(field, choices, sizes), np.array([counts[choice] / WHOLE for choice in choices])


def maximum(
    likelihood: Likelihood,
    weights: Vector,
    start: Vector,
    precision: Vector | None = None,
    basis: Matrix | None = None,
) -> Vector:
    """The parameters at which the log-likelihood, less half of `precision` times their squares, is largest.

    Newton's method, its step shortened so that the odds of no two ways to choose change by more than the factor e.
    The curvature along the step then changes by less than that factor, so each raises the likelihood.

    Args:
        likelihood: of choices.
        weights: how often each was made.
        start: parameters to begin with.
        precision: of a normal prior around 0, by parameter; None for no prior.
        basis: directions, one a column, in which the parameters may move away from `start`; None for all.

    Raises:
        ArithmeticError: no convergence, which would be a bug.
    """
    prior = np.zeros(likelihood.width) if precision is None else precision
    parameters = start.copy()
    for _ in range(_MOST_STEPS):
        slope = likelihood.score(parameters, weights) - prior * parameters
        curvature = likelihood.information(parameters, weights) + np.diag(prior)
        if basis is None:
            step: Vector = inverse(curvature) @ slope if precision is None else _solved(curvature, slope)
        else:
            step = basis @ (inverse(basis.T @ curvature @ basis) @ (basis.T @ slope))
        largest = likelihood.largest_change(step) if precision is None else float(np.abs(step).max(initial=0.0))
        parameters += step / max(1.0, largest)
        if largest < _CLOSE:
            return parameters
    raise ArithmeticError("the ratings did not converge")


def information(field: int, fitted: Fit, counts: Counts) -> Matrix:
    """Minus the second derivative of the log-likelihood at the estimate."""
    likelihood, weights = weighed(field, counts, fitted.sizes)
    return likelihood.information(fitted.parameters, weights)


def covariance(field: int, fitted: Fit, counts: Counts, clusters: Sequence[tuple[Counts, int]]) -> Matrix:
    """Sandwich covariance H^-1 (sum over clusters of s s^T) H^-1 x G/(G - 1) of the parameters.

    H is the information, s a cluster's sum of first derivatives. It holds whatever the dependence within a cluster; G
    is the number of clusters, at least 2. In directions that the choices say nothing about it is 0.

    Args:
        field: how many bots.
        fitted: the estimate.
        counts: what it was estimated from.
        clusters: the same choices by deal group, and how many groups say the same; in a fixed order.
    """
    bread = inverse(information(field, fitted, counts))
    meat = Likelihood(field, sorted(counts), fitted.sizes).meat(fitted.parameters, clusters)
    groups = float(sum(number for _, number in clusters))
    result: Matrix = bread @ meat @ bread * (groups / (groups - 1))
    return result


def inverse(matrix: Matrix) -> Matrix:
    """Of a symmetric matrix, on the directions that it does not send to 0 (a constant for all of an island is one)."""
    return np.asarray(np.linalg.pinv(matrix, rcond=_ZERO, hermitian=True), dtype=np.float64)


def _solved(matrix: Matrix, vector: Vector) -> Vector:
    return np.asarray(np.linalg.solve(matrix, vector), dtype=np.float64)
