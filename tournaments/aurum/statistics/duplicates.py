"""Measures what duplicate deals save: the variance of a deal group's mean, compared with as many independent games.

For games x_1 ... x_g of a deal group, one in each seating, S_j the variance of x_j over deal groups and C_jk the
covariance of x_j and x_k:

    grouped      Var(mean of the group)               = (sum of S_j + sum over j != k of C_jk) / g^2
    independent  Var(mean, each game of another deal) =  sum of S_j                            / g^2
    ratio        grouped / independent                =  1 + (g - 1) r,   r = mean C_jk / mean S_j

which is the design effect of cluster samples (Kish, Survey Sampling, 1965, section 5.4). Both variances come from
the same games, by the unbiased estimators (divided by the deal groups less one), and so does r, the correlation
of two games of a group. S_j is taken *over deal groups*: it has the luck of the deal in it in full. It is taken
*within a seating*: who plays without duplicates can still let bots change seats from deal to deal, so what a seat is
worth is not counted as saved.

r is negative where luck cancels: the cards that made a bot win make it lose when the sides are exchanged. It cannot
be below -1 / (g - 1); then nothing is left but the bots' own chance, and that is the end of what duplicates can do.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
from aurum.statistics.elo import NORMAL_95
from numpy.typing import NDArray

Values = NDArray[np.float64]
DealGroup = Sequence[Sequence[float]]
"""By comparison of two sides, the results by seating: one row with two sides, three with three."""

FEWEST = 10
"""Degrees of freedom below which a ratio of variances is mostly noise (at 10 its error is about half of it)."""
_ROUNDING = 1e-12
"""A spread that is a smaller share of the values is taken for their rounding errors."""


@dataclass(frozen=True)
class Duplicates:
    """What deal groups saved. Figures are None where there is too little data, and `lack` says why.

    Fields:
        groups: deal groups that were measured.
        games: games in each.
        grouped: variance of a deal group's mean.
        independent: variance of the mean of as many games, each of another deal.
        ratio: grouped / independent.
        error: standard error of the ratio.
        efficiency: 1 / ratio: how many independent games one game of a deal group is worth.
        efficiency_error: its standard error.
        correlation: of two games of a deal group.
        lack: a sentence, or None if nothing lacks.
    """

    groups: int
    games: int
    grouped: float | None = None
    independent: float | None = None
    ratio: float | None = None
    error: float | None = None
    efficiency: float | None = None
    efficiency_error: float | None = None
    correlation: float | None = None
    lack: str | None = None

    @property
    def efficiency_95(self) -> tuple[float, float] | None:
        """The ends of the 95 % interval of `efficiency`, both above 0; None where there is no error.

        It is that of the logarithm of the ratio: a variance has a long tail upwards, and no end below 0.
        """
        if not self.ratio or self.error is None:
            return None
        reach = NORMAL_95 * self.error / self.ratio
        return math.exp(-reach) / self.ratio, math.exp(reach) / self.ratio


def duplicates(groups: Iterable[Sequence[float]]) -> Duplicates:
    """Measure what the deal groups of one pairing saved.

    Args:
        groups: of each deal group, one bot's results against the other by seating, in any unit.

    Raises:
        ValueError: groups differ in their number of games.
    """
    return pooled([[(group,) for group in groups]])


def pooled(pairings: Iterable[Iterable[DealGroup] | Values]) -> Duplicates:
    """Measure what the deal groups of several pairings, rows or arrays of them, saved together.

    Squares are summed within each comparison of each pairing: that one bot is stronger than another is no variance.
    A pairing so counts by its deal groups less one and by how much is open in it; one that always ends alike, not at
    all. The error is the delete-one jackknife by deal group, within pairings, which holds whatever the dependence of
    the comparisons in a group. Sums are rounded once, so neither the order of anything nor the side from which a
    comparison is seen changes a bit.

    Raises:
        ValueError: groups differ in their number of games, or those of a pairing in their number of comparisons.
    """
    matches = [_array(groups) for groups in pairings]
    matches = [groups for groups in matches if len(groups)]
    sizes = {groups.shape[2] for groups in matches}
    if len(sizes) > 1:
        raise _unequal(sizes)
    number, games = sum(map(len, matches)), max(sizes, default=0)
    if games < 2:
        return Duplicates(number, games, lack="no deal was played in more than one seating")
    freedom = sum(len(groups) - 1 for groups in matches)
    if freedom < FEWEST:
        need = f"{FEWEST} more than there are pairings"
        return Duplicates(number, games, lack=f"{number} deal groups are too few to tell: it takes {need}")
    squares = [_squares(groups) for groups in matches]
    between = math.fsum(chain.from_iterable(square.mean.tolist() for square in squares))
    within = math.fsum(chain.from_iterable(square.games.tolist() for square in squares))
    rows = sum(groups.shape[0] * groups.shape[1] for groups in matches)
    nothing = rows * (_ROUNDING * max(float(np.abs(groups).max()) for groups in matches)) ** 2
    if within <= nothing:
        return Duplicates(number, games, 0.0, 0.0, lack="all games came out alike")
    compared = sum((len(groups) - 1) * groups.shape[1] for groups in matches)
    ratio = between / within if between > nothing else 0.0
    error = _jackknife(squares, between, within)
    return Duplicates(
        number,
        games,
        grouped=between / compared,
        independent=within / compared,
        ratio=ratio,
        error=error,
        efficiency=1 / ratio if ratio else None,
        efficiency_error=error / ratio**2 if ratio and error is not None else None,
        correlation=(ratio - 1) / (games - 1),
        lack=None if ratio else "all deal groups came out alike: there is no end to what they saved",
    )


def _array(groups: Iterable[DealGroup] | Values) -> Values:
    """By deal group, comparison and seating."""
    rows = groups if isinstance(groups, np.ndarray) else list(groups)
    if len({len(group) for group in rows}) > 1:
        raise ValueError("deal groups of one pairing differ in their number of comparisons")
    if not isinstance(rows, np.ndarray) and len(sizes := {len(row) for group in rows for row in group}) > 1:
        raise _unequal(sizes)
    return np.asarray(rows, dtype=np.float64)


def _unequal(sizes: Iterable[int]) -> ValueError:
    return ValueError(f"deal groups of {' and '.join(map(str, sorted(sizes)))} games cannot be pooled")


class _Squares(NamedTuple):
    """What each deal group adds to the sums of squares around the means of its pairing, over all its comparisons."""

    mean: Values
    """Of the groups' means."""
    games: Values
    """Of the games, over g^2: so that it compares with the former."""


def _squares(groups: Values) -> _Squares:
    number, comparisons, games = groups.shape
    means = _sums(groups.reshape(number, -1).T) / number
    off = groups - means.reshape(comparisons, games)
    totals = _sums(off.reshape(-1, games)).reshape(number, comparisons)
    return _Squares(_sums((totals / games) ** 2), _sums(((off / games) ** 2).reshape(number, -1)))


def _sums(rows: Values) -> Values:
    """The sum of each row, rounded once."""
    if rows.shape[1] == 1:
        return rows[:, 0]
    if rows.shape[1] == 2:
        two: Values = rows[:, 0] + rows[:, 1]
        return two
    return np.array([math.fsum(row) for row in rows.tolist()])


def _jackknife(squares: Sequence[_Squares], between: float, within: float) -> float | None:
    """The standard error of between / within, from leaving out one deal group at a time.

    Leaving out one of n values takes n / (n - 1) times its square from the sum of squares around their mean. None
    where one deal group alone has all the spread.
    """
    variances = []
    for pairing in squares:
        n = len(pairing.mean)
        if n < 2:
            continue
        rest = within - n / (n - 1) * pairing.games
        if rest.min() <= _ROUNDING * within:
            return None
        ratios = np.maximum(between - n / (n - 1) * pairing.mean, 0.0) / rest
        centre = math.fsum(ratios.tolist()) / n
        variances.append((n - 1) / n * math.fsum(((ratios - centre) ** 2).tolist()))
    return math.sqrt(math.fsum(variances))
