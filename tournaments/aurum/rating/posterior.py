"""The default rating: the maximum of the posterior under a weak normal prior, and how far it may be off.

The strengths of an island are drawn from a normal distribution around its mean, with a standard deviation of
`PRIOR_ELO`; the logarithms of the model's delta_t from one around 0, with `TIE_SPREAD`. So every bot has a finite
figure, whatever it won or lost. What the games determine themselves the prior hardly touches, in two ways:

- The bots of a component (`aurum.rating.connections`, a draw being an edge both ways) are placed by their games with
  each other. Sweeps of other components say only how far away those are (`aurum.rating.split`), which is estimated
  afterwards: a posterior whose feedback is cut (Plummer, "Cuts in Bayesian graphical models", Statistics and Computing
  25, 2015). Otherwise bots that beat a weak field would be drawn together, more with each bot in it.
- Evidence counts in deal groups. The games of one share their cards, so their likelihood is divided by the design
  effect: how much the first derivatives of deal groups vary, compared with those of as many independent games (the
  magnitude adjustment of Pauli, Racugno and Ventura, "Bayesian composite marginal likelihoods", Statistica Sinica 21,
  2011).

With F the equations that the estimate solves, B their derivative, J the covariance of F and P the prior's precision,
the covariance is B^-1 (J + P) B^-T: the sandwich, and what the prior may have shifted. J mixes the spread of the deal
groups seen with that of the model times the design effect, bot by bot, as if `SEEN` deal groups between equals spoke
for the latter: a bot that won nearly everything has shown hardly any spread.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from aurum.rating.davidson_luce import maximum, weighed
from aurum.rating.likelihood import Counts, Likelihood, Matrix, Vector
from aurum.rating.orders import WHOLE, Choice, Cluster
from aurum.rating.split import across, within
from aurum.statistics.elo import ELO

PRIOR_ELO = 400.0
"""Elo. The standard deviation of strengths that the prior expects; docs/ratings.md says why."""
TIE_SPREAD = 3.0
"""Nats. The standard deviation of ln delta_t that the prior expects around 0: 68 % from one draw in 40 to ten in 11."""
SEEN = 10.0
"""Deal groups between equals. As many speak for the model's own spread, beside those that were played."""


@dataclass(frozen=True)
class Evidence:
    """The choices of all games: those within components, and those between components.

    Where there are several components, a bot of the latter has a second number, `field` more than its own: first
    derivatives of both kinds then stand side by side.
    """

    field: int
    component: Mapping[int, int]
    sizes: tuple[int, ...]
    inner: Counter[Choice]
    outer: Counter[Choice]
    clusters: Sequence[tuple[Counts, int]]

    @property
    def stacked(self) -> int:
        """How many numbers bots have."""
        return 2 * self.field if self.outer else self.field

    def means(self) -> Matrix:
        """What makes of the bots' figures the means of their components."""
        numbers = np.array([self.component[bot] for bot in range(self.field)])
        alike: Matrix = (numbers[:, None] == numbers).astype(np.float64)
        means: Matrix = alike / alike.sum(axis=0)
        return means

    def stacking(self, moved: Matrix) -> Matrix:
        """What makes of the parameters those of a likelihood of both kinds of choices.

        Args:
            moved: what choices between components see of the bots' strengths.
        """
        width = self.field + len(self.sizes) - 1
        rows = [np.eye(width)[: self.field]]
        if self.outer:
            rows.append(np.pad(moved, ((0, 0), (0, width - self.field))))
        rows.append(np.eye(width)[self.field :])
        result: Matrix = np.concatenate(rows)
        return result

    @cached_property
    def within(self) -> tuple[Likelihood, Vector]:
        """The likelihood of the choices within components, and how often each was made."""
        return weighed(self.field, self.inner, self.sizes)

    @cached_property
    def likelihood(self) -> tuple[Likelihood, Vector]:
        """That of both kinds of choices."""
        return weighed(self.stacked, {**self.inner, **self.outer}, self.sizes) if self.outer else self.within

    def neighbours(self) -> Mapping[int, Sequence[int]]:
        """By number, the bots that a choice moves with: those of its component, if it is between components."""
        near: dict[int, list[int]] = {bot: [bot] for bot in range(self.field)}
        for bot in range(self.field):
            near[self.field + bot] = [other for other in near if self.component.get(other) == self.component[bot]]
        return near


def evidence(field: int, clusters: Mapping[Cluster, int], component: Mapping[int, int]) -> Evidence:
    """Sort the choices of deal groups; `component` is the number of each bot's."""
    inner, outer = Counter[Choice](), Counter[Choice]()
    several: list[tuple[Counts, int]] = []
    whole = len(set(component.values())) == 1
    for cluster in sorted(clusters):
        found, times = Counter[Choice](), clusters[cluster]
        if whole:
            for choice, halves in cluster:
                inner[choice] += halves * times
            several.append((dict(cluster), times))
            continue
        for choice, halves in cluster:
            if kept := within(choice, component):
                found[kept] += halves
                inner[kept] += halves * times
            if apart := across(choice, component):
                shifted = _shifted(apart, field)
                found[shifted] += halves
                outer[shifted] += halves * times
        several.append((found, times))
    sizes = (1, *sorted({len(choice.chosen) for choice in inner} - {1}))
    return Evidence(field, component, sizes, inner, outer, several)


def _shifted(choice: Choice, by: int) -> Choice:
    def moved(sides: Iterable[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(bot + by for bot in side) for side in sides)

    return Choice(moved(choice.sides), moved(choice.chosen), choice.ties)


@dataclass(frozen=True)
class Posterior:
    """The estimate, all in nats; parameters are the strengths, then ln delta_t of `evidence.sizes[1:]`.

    Fields:
        evidence: what it was made of.
        parameters: the maximum.
        design_effect: by which the likelihood was divided.
        curvature: of the logarithm of the posterior, times `design_effect`.
        covariance: of the parameters.
        log_likelihood: of the games.
    """

    evidence: Evidence
    parameters: Vector
    design_effect: float
    curvature: Matrix
    covariance: Matrix
    log_likelihood: float

    @property
    def ties(self) -> dict[int, float]:
        """The delta_t, by t."""
        sizes, logs = self.evidence.sizes[1:], self.parameters[self.evidence.field :]
        return {size: float(delta) for size, delta in zip(sizes, np.exp(logs), strict=True)}


def posterior(found: Evidence, width: float = PRIOR_ELO) -> Posterior:
    """The maximum of the posterior, and its curvature and covariance.

    Args:
        found: the choices of all games.
        width: the standard deviation of strengths that the prior expects, in Elo.

    Raises:
        ArithmeticError: no convergence, which would be a bug.
    """
    prior: Vector = np.full(found.field + len(found.sizes) - 1, (ELO / width) ** 2)
    prior[found.field :] = 1 / TIE_SPREAD**2
    start = _maximum(found, np.zeros(len(prior)), prior)
    effect = _Spread(found, start, prior).design_effect()
    parameters = _maximum(found, start, prior * effect)
    spread = _Spread(found, parameters, prior * effect)
    bread = np.linalg.inv(spread.derivative + np.diag(prior * effect))
    return Posterior(
        found,
        parameters,
        effect,
        spread.model + np.diag(prior * effect),
        bread @ (spread.mixed(effect) + np.diag(prior * effect**2)) @ bread.T,
        spread.log_likelihood,
    )


def _maximum(found: Evidence, start: Vector, prior: Vector) -> Vector:
    """First the bots of each component around its mean, then these means.

    Args:
        found: the choices.
        start: parameters to begin with.
        prior: the precision of each, times the design effect.
    """
    field, means = found.field, found.means()
    inner, weights = found.within
    parameters = start.copy()
    parameters[:field] -= means @ start[:field]
    parameters = maximum(inner, weights, parameters, prior)
    if found.outer:
        counts = {_shifted(choice, -field): halves for choice, halves in found.outer.items()}
        outer, weights = weighed(field, counts, (1,))
        placed = parameters[:field] + means @ start[:field]
        bots = np.unique(means > 0, axis=1).astype(np.float64)
        parameters[:field] = maximum(outer, weights, placed, prior[:field], bots)
    return parameters


class _Spread:
    """How much the equations of an estimate vary from deal group to deal group.

    Args:
        found: the choices.
        parameters: the estimate.
        prior: the precision of each, times the design effect.

    Fields:
        model: their covariance if all games were independent, and the curvature along their solutions.
        derivative: minus that of the equations, but for the prior.
        log_likelihood: of the games.
    """

    def __init__(self, found: Evidence, parameters: Vector, prior: Vector) -> None:
        self._found = found
        self._stacking = found.stacking(found.means())
        twice = found.stacking(np.eye(found.field))
        likelihood, weights = found.likelihood
        inside = twice @ parameters
        self._stacked = likelihood.information(inside, weights)
        self.model: Matrix = self._stacking.T @ self._stacked @ self._stacking
        self.derivative: Matrix = self._stacking.T @ self._stacked @ twice
        self.log_likelihood = likelihood.value(inside, weights)
        self._seen = self._deal_groups()
        self._measured = self._corrected(likelihood.meat(inside, found.clusters), prior)
        self._prior = prior

    def _deal_groups(self) -> Vector:
        """By equation, how many deal groups between equals would say as much as its choices do."""
        clusters = self._found.clusters
        choices = sum(halves * times for cluster, times in clusters for halves in cluster.values()) / WHOLE
        groups: Vector = 4 * np.diag(self._stacked) / choices * sum(times for _, times in clusters)
        return groups

    def _corrected(self, spread: Matrix, prior: Vector) -> Matrix:
        """The sum of squares over deal groups, made up for the parameters that were fitted to them, kind by kind."""
        found, up = self._found, np.ones(len(spread))
        for number, shadow in enumerate([False, True][: 1 + bool(found.outer)]):
            mine = np.zeros(len(spread), dtype=bool)
            mine[found.field : found.stacked] = shadow
            mine[: found.field], mine[found.stacked :] = not shadow, not shadow
            rows = self._stacking[mine]
            model = rows.T @ self._stacked[np.ix_(mine, mine)] @ rows
            fitted = float(np.trace(np.linalg.solve(model + np.diag(prior), model)))
            kind = (found.inner, found.outer)[number]
            groups = sum(times for cluster, times in found.clusters if any(choice in kind for choice in cluster))
            up[mine] = np.sqrt(groups / max(groups - fitted, groups / 2)) if groups else 1.0
        return spread * up[:, None] * up

    def design_effect(self) -> float:
        """How much deal groups vary, compared with independent games; as if `SEEN` of them varied as those do.

        Only of choices within components: sweeps vary neither way.
        """
        found = self._found
        own = np.r_[0 : found.field, found.stacked : len(self._stacked)]
        model, measured = self._stacked[np.ix_(own, own)], self._measured[np.ix_(own, own)]
        inverse = np.linalg.inv(model + np.diag(self._prior))
        groups = float(self._seen[: found.field].sum()) / 2
        expected = float(np.sum(inverse * model))
        ratio = float(np.sum(inverse * measured)) / expected if expected else 1.0
        return (groups * ratio + SEEN) / (groups + SEEN)

    def mixed(self, effect: float) -> Matrix:
        """The covariance of the equations: as the deal groups say, and as the model does, by what each bot has seen."""
        share, rest = (np.sqrt(part / (self._seen + SEEN)) for part in (self._seen, SEEN))
        both = share[:, None] * self._measured * share + effect * rest[:, None] * self._stacked * rest
        result: Matrix = self._stacking.T @ both @ self._stacking
        return result
