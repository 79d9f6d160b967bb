"""Computes Elo from who finished ahead of whom: a pure function of the set of games."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

import numpy as np
from aurum.rating.models import Model, rate
from aurum.rating.orders import Group, order_of
from aurum.rating.posterior import PRIOR_ELO
from aurum.rating.strengths import Strengths
from aurum.results.game_arrays import GameArrays, arrays_of, distinct
from aurum.results.game_row import GameRow
from aurum.statistics.elo import ELO

__all__ = ["CENTRE", "TITLES", "Bound", "GameRow", "Model", "Rating", "Ratings", "fit"]

TITLES: Final[Mapping[Model, str]] = {
    Model.POSTERIOR: f"Davidson-Luce, most probable (normal prior, {PRIOR_ELO:.0f} Elo)",
    Model.DAVIDSON_LUCE: "Davidson-Luce, maximum likelihood",
    Model.BRADLEY_TERRY: "Bradley-Terry, draws as half wins, maximum likelihood",
}
"""The names of the models for people."""
CENTRE = 1500.0
"""Elo of the anchor; without one, the mean of the bots that have a figure."""

_DECIMALS = 6
"""Decimals that are kept, so that bots whose results are mirror images are equal, not a rounding error apart."""


class Bound(StrEnum):
    """What stands in the place of a figure that maximum likelihood does not have."""

    NONE = ""
    """There is a figure."""
    AT_LEAST = ">"
    """The bot has at least the Elo of the lower end, in 95 % of such cases."""
    AT_MOST = "<"
    """It has at most the Elo of the upper end, in 95 % of such cases."""
    OPEN = "~"
    """The games say nothing of its distance to the others."""


@dataclass(frozen=True)
class Rating:
    """The rating of one bot.

    Fields, all figures in Elo, None where there is too little to tell:
        bot: its name.
        elo: its figure.
        low: the lower end of the 95 % interval of its difference to the centre, or the bound in place of a figure.
        high: the upper end.
        error: half the width of that interval.
        next_error: half the width of the 95 % interval of its difference to the next row of its island.
        superiority: the likelihood that it is stronger than the next row.
        groups: its deal groups.
        island: an index into `Ratings.islands`.
    """

    bot: str
    elo: float | None
    low: float | None
    high: float | None
    error: float | None
    next_error: float | None
    superiority: float | None
    groups: int
    island: int

    @property
    def bound(self) -> Bound:
        """What stands in the place of its figure."""
        if self.elo is not None:
            return Bound.NONE
        if self.low is not None:
            return Bound.AT_LEAST
        return Bound.AT_MOST if self.high is not None else Bound.OPEN

    @property
    def position(self) -> tuple[int, float]:
        """What it is sorted by: those that are above all figures, the figures, and the rest, each by what is known."""
        level = {Bound.AT_LEAST: 3, Bound.NONE: 2, Bound.AT_MOST: 1, Bound.OPEN: 0}[self.bound]
        return level, next((known for known in (self.elo, self.low, self.high) if known is not None), 0.0)


@dataclass(frozen=True)
class Ratings:
    """The ratings of all bots, best first within each island; equal bots in the order of their first games.

    Bots that were never ahead of another nor level with one stand behind all others of their island, whatever their
    figures: these say mostly whom they met.

    Fields:
        model: its name.
        ties: how readily that many sides finish level, by number of sides: the model's delta_t.
        anchor: the bot that figures are relative to: None if none was named, or if it has not played.
        rows: the bots.
        islands: sets of bots. No chain of games connects two islands: their figures cannot be compared.
        components: for each island, the sets of bots between which all games went one way; usually one. Where there
            are several, maximum likelihood has no figures but for the first, or for that of the anchor.
        prior: whether a prior gives every bot a figure.
    """

    model: str
    ties: tuple[tuple[int, float], ...]
    anchor: str | None
    rows: tuple[Rating, ...]
    islands: tuple[tuple[str, ...], ...]
    components: tuple[tuple[tuple[str, ...], ...], ...]
    prior: bool = True

    @property
    def provisional(self) -> bool:
        """Whether there are figures that cannot be compared, or bots without a figure."""
        return len(self.islands) > 1 or any(rating.bound for rating in self.rows)


def fit(
    games: Iterable[GameRow] | Iterable[GameArrays], anchor: str | None = None, model: Model = Model.POSTERIOR
) -> Ratings:
    """Rates every bot that met another.

    A game counts by its finishing order. One in which a bot has two sides is left out.

    - Strengths and intervals are those of the model (`aurum.rating`). Neither the order of the games nor the bots'
      names matter, to the last bit: bots are numbered as they come in the games, sorted by match and deal.
    - Figures are relative to the anchor, which has no interval; on islands without it, to the mean of the bots that
      have a figure.
    - `rows` are sorted by figure; where there is none, by its bound, above or below the figures.

    Args:
        games: finished games.
        anchor: the bot whose figure is 1500 by definition.
        model: of the games.
    """
    names, groups = _groups(arrays_of(games))
    if not names:
        return Ratings(TITLES[model], (), None, (), (), (), model is Model.POSTERIOR)
    strengths = rate(len(names), groups, model)
    scorers = _scorers(groups)
    rated: list[Rating] = []
    for island, members in enumerate(strengths.islands):
        centre = [bot for bot in members if names[bot] == anchor] or strengths.centre(island)
        rated += _island_ratings(strengths, names, members, centre, island, scorers)
    return Ratings(
        TITLES[model],
        tuple(sorted(strengths.ties.items())),
        anchor if anchor in names else None,
        tuple(rated),
        tuple(tuple(sorted(names[bot] for bot in island)) for island in strengths.islands),
        tuple(tuple(tuple(sorted(names[bot] for bot in part)) for part in own) for own in strengths.components),
        model is Model.POSTERIOR,
    )


def _groups(games: Sequence[GameArrays]) -> tuple[list[str], Counter[Group]]:
    """The bots that met another, by number; how many deal groups ended in each way."""
    met = [found.of_different_bots().in_order() for found in games]
    met = [found for found in met if len(found)]
    names = _names_in_order(met)
    numbers = {bot: number for number, bot in enumerate(names)}
    groups = Counter[Group]()
    for found in met:
        groups.update(_ends(found, [numbers.get(bot, -1) for bot in found.bots]))
    return names, groups


def _names_in_order(games: Iterable[GameArrays]) -> list[str]:
    """The bots in the order of their first games: of games that are `in_order` themselves."""
    begun: list[tuple[Any, ...]] = []
    for found in games:
        for bot, place in zip(*np.unique(found.bot, return_index=True), strict=True):
            game, side = divmod(int(place), found.sides)
            position = (found.match[game], found.deal[game], found.seating[game])
            begun.append((*position, (*found.bot[game],), (*found.placing[game],), side, found.bots[bot]))
    return list(dict.fromkeys(first[-1] for first in sorted(begun)))


def _ends(games: GameArrays, numbers: Sequence[int]) -> Counter[Group]:
    """How many deal groups of these games ended in each way. A million games are only some ten thousand ways."""
    kinds = distinct((*games.bot.T, *games.placing.T))
    orders = [
        order_of(tuple((numbers[bot],) for bot in games.bot[game]), tuple(map(int, games.placing[game])))
        for game in kinds.first
    ]
    begins = games.group_begins()
    sizes = np.diff(begins, append=len(games))
    groups = Counter[Group]()
    for size in np.unique(sizes):
        members = kinds.which[begins[sizes == size, None] + np.arange(size)]
        members.sort(axis=1)
        ways = distinct(members.T)
        for way, times in zip(members[ways.first].tolist(), ways.times.tolist(), strict=True):
            groups[tuple(sorted(orders[kind] for kind in way))] += times
    return groups


def _scorers(groups: Iterable[Group]) -> set[int]:
    """The bots that were ahead of another or level with one in any game."""
    found: set[int] = set()
    for game in {order for group in groups for order in group}:
        for place, level in enumerate(game, 1):
            if place < len(game) or len(level) > 1:
                found.update(bot for (bot,) in level)
    return found


def _island_ratings(
    strengths: Strengths,
    names: list[str],
    members: Iterable[int],
    centre: Sequence[int],
    island: int,
    scorers: Collection[int],
) -> list[Rating]:
    """The ratings on one island, best first."""
    placed = {bot: _placed(strengths, names, bot, centre, island) for bot in members}
    # Who has lost everything to the strongest has shown no more than who has lost everything to others.
    # Sorting is stable: equals stay in order.
    order = sorted(sorted(placed), key=lambda bot: (bot in scorers, placed[bot].position), reverse=True)
    rated = []
    for bot, following in zip(order, [*order[1:], None], strict=True):
        row = placed[bot]
        if following is not None:
            low, high = strengths.interval(bot, [following])
            chance = strengths.superiority(bot, following)
            row = replace(row, next_error=_half(low, high), superiority=None if chance is None else _rounded(chance))
        rated.append(row)
    return rated


def _placed(strengths: Strengths, names: list[str], bot: int, centre: Sequence[int], island: int) -> Rating:
    """A rating without what depends on the next row."""
    lead = strengths.lead(bot, centre)
    low, high = strengths.interval(bot, centre) if list(centre) != [bot] else (None, None)
    return Rating(
        bot=names[bot],
        elo=_elo(lead),
        low=_elo(low),
        high=_elo(high),
        error=_half(low, high),
        next_error=None,
        superiority=None,
        groups=strengths.played[bot],
        island=island,
    )


def _elo(lead: float | None) -> float | None:
    return None if lead is None else _rounded(CENTRE + ELO * lead)


def _half(low: float | None, high: float | None) -> float | None:
    return None if low is None or high is None else _rounded(ELO * (high - low) / 2)


def _rounded(figure: float) -> float:
    return round(float(figure), _DECIMALS)
