"""Elo figures: how strong the bots are, from who finished ahead of whom. A pure function of the games' set."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from aurum.statistics.bradley_terry import Cluster, Matrix, Tally, Vector, add_up, covariance, estimate
from aurum.statistics.connections import Bound, bounds, circles, islands
from aurum.statistics.student import student_95
from aurum.tournaments.results import GameRow

__all__ = ["CENTRE", "MODEL", "Bound", "GameRow", "Rating", "Ratings", "fit"]

MODEL = "Bradley-Terry, draws as half wins"
CENTRE = 1500.0
"""Elo of the anchor; without one, the mean of the bots whose figures the games determine."""

_ELO = 400 / math.log(10)
"""Elo in a nat: 400 Elo are odds of ten to one."""
_PLACES = 6
"""Decimals kept: bots whose results are mirror images are then equal, not a rounding error apart."""
_NO_SPREAD = 1e-3
"""Elo. Deal groups that all came out alike give a standard error of zero up to rounding, which says nothing."""


@dataclass(frozen=True)
class Rating:
    """One bot's strength. `error` is half the 95 % interval in Elo, None where there is too little to tell.

    `groups` counts the deal groups behind the figure; `island` is an index into `Ratings.islands`.
    """

    bot: str
    elo: float
    error: float | None
    groups: int
    bound: Bound
    island: int


@dataclass(frozen=True)
class Ratings:
    """A fitted table, best first within each island, equals by name.

    `islands` are sets of bots that no chain of games connects: figures of two islands cannot be compared. With one
    island, the usual case, all can. `anchor` is the bot that errors are relative to: None if none was named, or if it
    has not played.
    """

    model: str
    anchor: str | None
    rows: tuple[Rating, ...]
    islands: tuple[tuple[str, ...], ...]


def fit(rows: Iterable[GameRow], anchor: str | None = None) -> Ratings:
    """Rates every bot that met another.

    Every two sides of a game are one comparison: ahead, behind, or equal in its placing, which is a half win. So a
    game of two sides is one comparison, a game of three is three. A bot is never compared with itself.

    - The strengths maximise the Bradley-Terry likelihood of all comparisons. The order of the rows does not matter,
      to the last bit.
    - The error is `student_95` of the bot's deal groups, less one, times the standard error of the difference to the
      anchor, or else to the mean of the bots whose figures are determined, from the sandwich covariance clustered by
      deal group. It is None where the bot or the anchor has fewer than two deal groups or a figure that is only
      bounded, and where there is no spread between deal groups.
    - Where all games between two circles of bots went one way, the likelihood has no maximum. One virtual draw is
      added for each two bots of different circles that met, never for others, and the rows concerned are marked
      with a `Bound`.
    - Islands are fitted and centred one by one; only the anchor's own has the anchor.

    Args:
        rows: finished games.
        anchor: the bot whose figure is 1500 by definition.
    """
    names, clusters = _comparisons(rows)
    tallies = add_up(clusters)
    found = islands(len(names), tallies)
    rated: list[Rating] = []
    for index, island in enumerate(found):
        local = {bot: position for position, bot in enumerate(island)}
        own = Counter({_moved(c, local): n for c, n in clusters.items() if c[0].a in local})
        members = [names[bot] for bot in island]
        rated += _fit_island(members, own, anchor if anchor in members else None, index)
    rated.sort(key=lambda rating: (rating.island, -rating.elo, rating.bot))
    return Ratings(
        MODEL,
        anchor if anchor in names else None,
        tuple(rated),
        tuple(tuple(names[bot] for bot in island) for island in found),
    )


def _comparisons(rows: Iterable[GameRow]) -> tuple[list[str], Counter[Cluster]]:
    """The bots that met another, by name, and what each deal group says (equal groups are counted)."""
    groups: defaultdict[tuple[str, int], Counter[tuple[str, str, int]]] = defaultdict(Counter)
    for row in rows:
        for (a, placed_a), (b, placed_b) in combinations(sorted(zip(row.bots, row.placing, strict=True)), 2):
            if a != b:
                halves = 1 if placed_a == placed_b else 2 * (placed_a < placed_b)
                groups[row.match, row.deal][a, b, halves] += 1
    names = sorted({name for group in groups.values() for a, b, _ in group for name in (a, b)})
    index = {name: position for position, name in enumerate(names)}
    clusters: Counter[Cluster] = Counter()
    for group in groups.values():
        pairs: dict[tuple[int, int], list[int]] = {}
        for (a, b, halves), times in group.items():
            pair = pairs.setdefault((index[a], index[b]), [0, 0])
            pair[0] += halves * times
            pair[1] += times
        clusters[tuple(Tally(a, b, *pairs[a, b]) for a, b in sorted(pairs))] += 1
    return names, clusters


def _fit_island(bots: Sequence[str], clusters: Mapping[Cluster, int], anchor: str | None, island: int) -> list[Rating]:
    field = len(bots)
    tallies = add_up(clusters)
    parts = circles(range(field), tallies)
    marks = bounds(parts, tallies)
    tallies = _with_virtual_draws(tallies, parts)
    theta = estimate(field, tallies)
    zero = _zero(bots, anchor, marks)
    elo = CENTRE + _ELO * (theta - zero @ theta)
    spread = _spread(covariance(theta, tallies, clusters), zero) if sum(clusters.values()) > 1 else np.zeros(field)
    groups = Counter[int]()
    for cluster, number in clusters.items():
        for i in {end for tally in cluster for end in (tally.a, tally.b)}:
            groups[i] += number
    known = [marks[i] is Bound.NONE and groups[i] > 1 for i in range(field)]
    centre_known = anchor is None or known[bots.index(anchor)]
    rated = []
    for i, bot in enumerate(bots):
        error = None
        if bot == anchor:
            error = 0.0
        elif centre_known and known[i] and spread[i] > _NO_SPREAD:
            error = round(student_95(groups[i] - 1) * float(spread[i]), _PLACES)
        rated.append(Rating(bot, round(float(elo[i]), _PLACES), error, groups[i], marks[i], island))
    return rated


def _with_virtual_draws(tallies: Sequence[Tally], circles: Sequence[Sequence[int]]) -> list[Tally]:
    circle = {bot: number for number, members in enumerate(circles) for bot in members}
    return [t if circle[t.a] == circle[t.b] else t._replace(halves=t.halves + 1, games=t.games + 1) for t in tallies]


def _zero(bots: Sequence[str], anchor: str | None, marks: Mapping[int, Bound]) -> Vector:
    """Weights, 1 in all, of the bots whose weighted mean is the table's centre."""
    if anchor is not None:
        counted = [bot == anchor for bot in bots]
    else:
        counted = [marks[i] is Bound.NONE for i in range(len(bots))]
    if not any(counted):
        counted = [True] * len(bots)
    return np.array(counted) / sum(counted)


def _spread(cov: Matrix, zero: Vector) -> Vector:
    """Standard errors of the differences to the centre, in Elo."""
    variance = np.diag(cov) - 2 * cov @ zero + zero @ cov @ zero
    spread: Vector = _ELO * np.sqrt(np.maximum(variance, 0))
    return spread


def _moved(cluster: Cluster, local: Mapping[int, int]) -> Cluster:
    """The same cluster with the numbers that its bots have on their island."""
    return tuple(tally._replace(a=local[tally.a], b=local[tally.b]) for tally in cluster)
