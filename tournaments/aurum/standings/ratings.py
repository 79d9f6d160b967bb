"""Computes Elo from who finished ahead of whom: a pure function of the set of games."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from aurum.results.game_arrays import GameArrays, arrays_of, distinct
from aurum.results.game_row import GameRow
from aurum.statistics.connections import Bound, main_component
from aurum.statistics.elo import ELO, student_95, superiority
from aurum.statistics.orders import Group, Order, order_of
from aurum.statistics.strengths import Model, Strengths, rate

__all__ = ["CENTRE", "TITLES", "Bound", "GameRow", "Model", "Rating", "Ratings", "fit"]

TITLES: Final[Mapping[Model, str]] = {
    Model.DAVIDSON_LUCE: "Davidson-Luce",
    Model.BRADLEY_TERRY: "Bradley-Terry, draws as half wins",
}
"""The names of the models for people."""
CENTRE = 1500.0
"""Elo of the anchor; without one, the mean of the bots whose figures the games determine."""

_DECIMALS = 6
"""Decimals that are kept, so that bots whose results are mirror images are equal, not a rounding error apart."""
_NO_SPREAD = 1e-3
"""Elo. A smaller standard error is a rounding error: the deal groups all came out alike, and it says nothing."""


@dataclass(frozen=True)
class Rating:
    """The rating of one bot.

    Fields, all figures in Elo, None where there is too little to tell:
        bot: its name.
        elo: its figure.
        error: half the 95 % interval of its difference to the centre.
        next_error: half the 95 % interval of its difference to the next row of its island.
        superiority: the likelihood that it is stronger than the next row.
        groups: the deal groups behind the figure.
        bound: how to read it.
        island: an index into `Ratings.islands`.
    """

    bot: str
    elo: float
    error: float | None
    next_error: float | None
    superiority: float | None
    groups: int
    bound: Bound
    island: int


@dataclass(frozen=True)
class Ratings:
    """The ratings of all bots, best first within each island; equal bots in the order of their first games.

    Bots that were never ahead of another nor level with one stand behind all others of their island, whatever their
    figures: these say mostly whom they met.

    Fields:
        model: its name.
        ties: how readily that many sides finish level, by number of sides: the model's delta_t.
        anchor: the bot that errors are relative to: None if none was named, or if it has not played.
        rows: the bots.
        islands: sets of bots. No chain of games connects two islands: their figures cannot be compared.
        components: for each island its components (`aurum.statistics.connections`), one if all differences on it are
            determined; the main one, if there is one, first.
    """

    model: str
    ties: tuple[tuple[int, float], ...]
    anchor: str | None
    rows: tuple[Rating, ...]
    islands: tuple[tuple[str, ...], ...]
    components: tuple[tuple[tuple[str, ...], ...], ...]

    @property
    def provisional(self) -> bool:
        """Whether there are figures that the games do not determine, or that cannot be compared."""
        return len(self.islands) > 1 or any(len(parts) > 1 for parts in self.components)


def fit(
    games: Iterable[GameRow] | Iterable[GameArrays], anchor: str | None = None, model: Model = Model.DAVIDSON_LUCE
) -> Ratings:
    """Rates every bot that met another.

    A game counts by its finishing order. One in which a bot has two sides is left out.

    - The strengths are the likeliest under the model (`aurum.statistics.strengths`). Neither the order of the games nor
      the bots' names matter, to the last bit: bots are numbered as they come in the games, sorted by match and deal.
    - The error is `student_95` of the bot's deal groups, less one, times the standard error of the difference to the
      anchor, or else to the mean of the bots whose figures are determined, from the sandwich covariance clustered by
      deal group. It is None where the bot or the anchor has fewer than two deal groups or a figure that is only
      bounded, and where there is no spread between deal groups. The same for the difference to the next row, with the
      deal groups of whichever has fewer.
    - Rows that the games do not determine are marked with a `Bound` and have a finite figure.
    - Each island has its own centre; only the anchor's own has the anchor.

    Args:
        games: finished games.
        anchor: the bot whose figure is 1500 by definition.
        model: of the games.
    """
    names, groups, played = _groups(arrays_of(games))
    if not names:
        return Ratings(TITLES[model], (), None, (), (), ())
    strengths = rate(len(names), groups, model)
    scorers = _scorers(groups)
    rated: list[Rating] = []
    for island, members in enumerate(strengths.islands):
        determined = [bot for bot in members if strengths.bounds[bot] is Bound.NONE]
        centre = [bot for bot in members if names[bot] == anchor] or determined or list(members)
        rated += _island_ratings(strengths, names, played, members, centre, island, scorers)
    return Ratings(
        TITLES[model],
        tuple(sorted(strengths.ties.items())),
        anchor if anchor in names else None,
        tuple(rated),
        tuple(tuple(sorted(names[bot] for bot in island)) for island in strengths.islands),
        tuple(_main_first(parts, names) for parts in strengths.components),
    )


def _groups(games: Sequence[GameArrays]) -> tuple[list[str], Counter[Group], list[int]]:
    """The bots that met another, by number; how many deal groups ended in each way; each bot's count of deal groups."""
    met = [found.of_different_bots().in_order() for found in games]
    met = [found for found in met if len(found)]
    names = _names_in_order(met)
    numbers = {bot: number for number, bot in enumerate(names)}
    groups = Counter[Group]()
    for found in met:
        groups.update(_ends(found, [numbers.get(bot, -1) for bot in found.bots]))
    played = Counter[int]()
    for orders, times in groups.items():
        for bot in _bots(orders):
            played[bot] += times
    return names, groups, [played[bot] for bot in range(len(names))]


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


def _bots(games: Iterable[Order]) -> set[int]:
    return {bot for order in games for level in order for (bot,) in level}


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
    played: list[int],
    members: Iterable[int],
    centre: list[int],
    island: int,
    scorers: Collection[int],
) -> list[Rating]:
    """The ratings on one island, best first."""
    elo = {bot: round(CENTRE + ELO * strengths.lead(bot, centre), _DECIMALS) for bot in members}
    # Who has lost everything to the strongest has shown no more than who has lost everything to others.
    order = sorted(elo, key=lambda bot: (bot not in scorers, -elo[bot], bot))

    def error(bot: int, others: list[int]) -> float | None:
        """The standard error of a difference, in Elo."""
        known = all(strengths.bounds[i] is Bound.NONE and played[i] > 1 for i in {bot, *others[: len(others) == 1]})
        found = strengths.error(bot, others) if known else None
        return ELO * found if found is not None and ELO * found > _NO_SPREAD else None

    def half_95(spread: float | None, groups: int) -> float | None:
        return spread and round(student_95(groups - 1) * spread, _DECIMALS)

    rated = []
    for bot, following in zip(order, [*order[1:], None], strict=True):
        spread = 0.0 if centre == [bot] else error(bot, centre)
        after = None if following is None else error(bot, [following])
        lead = 0.0 if following is None else elo[bot] - elo[following]
        rated.append(
            Rating(
                bot=names[bot],
                elo=elo[bot],
                error=half_95(spread, played[bot]),
                next_error=None if following is None else half_95(after, min(played[bot], played[following])),
                superiority=None if after is None else round(superiority(lead, after), _DECIMALS),
                groups=played[bot],
                bound=strengths.bounds[bot],
                island=island,
            )
        )
    return rated


def _main_first(parts: Iterable[tuple[int, ...]], names: list[str]) -> tuple[tuple[str, ...], ...]:
    parts = list(parts)
    main = main_component(parts)
    return tuple(
        tuple(sorted(names[bot] for bot in part)) for part in sorted(parts, key=lambda part: (part is not main, part))
    )
