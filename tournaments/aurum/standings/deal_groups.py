"""Measures what the duplicate deals of a tournament saved, from its games sorted into deal groups."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from aurum.results.game_arrays import GameArrays, Ints, arrays_of
from aurum.results.game_row import GameRow
from aurum.statistics.duplicates import Duplicates, Values, pooled

_FEWEST = 20
"""Deal groups below which the intervals are too wide to be worth a sentence."""

Value = Callable[[GameArrays, Ints, Ints], Values]
"""The value of each game for one of its sides against another, by their numbers; the negative if they are exchanged."""


def by_result(games: GameArrays, side: Ints, other: Ints) -> Values:
    """The score less a half: 0.5 for a win, 0 for a draw, -0.5 for a loss."""
    found: Values = np.sign(_of_side(games.placing, other) - _of_side(games.placing, side)) / 2
    return found


def by_margin(games: GameArrays, side: Ints, other: Ints) -> Values:
    """The difference in card points."""
    return (_of_side(games.points, side) - _of_side(games.points, other)).astype(np.float64)


def _of_side(figures: Ints, side: Ints) -> Ints:
    return figures[np.arange(len(figures)), side]


@dataclass(frozen=True)
class DuplicateSavings:
    """What deal groups saved, measured by `by_result` and by `by_margin`."""

    result: Duplicates
    margin: Duplicates


def duplicate_savings(games: Iterable[GameRow] | Iterable[GameArrays]) -> DuplicateSavings:
    """What the deal groups of these games, in any order, saved; pooled over the pairings."""
    whole = deal_groups(games)
    return DuplicateSavings(
        *(pooled(pairing for groups in whole for pairing in values(groups, value)) for value in (by_result, by_margin))
    )


def savings_note(savings: DuplicateSavings) -> Iterator[str]:
    """The sentence for people, if there are figures: efficiencies with their 95 % intervals."""
    parts = [
        f"{amount} by {what} (correlation {measured.correlation:+.2f})"
        for what, measured in (("result", savings.result), ("margin", savings.margin))
        if (amount := _amount(measured)) and measured.correlation is not None
    ]
    if parts and savings.margin.groups >= _FEWEST:
        yield (
            f"duplicate deals: in independent games, a game was worth {', '.join(parts)}; "
            f"{savings.margin.groups} deal groups"
        )


def _amount(measured: Duplicates) -> str | None:
    if measured.efficiency is None:
        return None if measured.ratio is None else "no end of them"
    if measured.efficiency_95 is None:
        return f"{measured.efficiency:.1f}"
    low, high = measured.efficiency_95
    unclear = ", no measurable saving" if low <= 1 <= high else ""
    return f"{measured.efficiency:.1f} ({low:.1f} to {high:.1f}{unclear})"


@dataclass(frozen=True)
class DealGroups:
    """Deal groups of the same number of games and sides.

    Fields:
        games: sorted by pairing, in it by deal group, and in that by the order of the bots.
        size: how many games a deal group has.
        pairings: of each pairing, its first deal group.
    """

    games: GameArrays
    size: int
    pairings: Sequence[int]


def deal_groups(games: Iterable[GameRow] | Iterable[GameArrays]) -> list[DealGroups]:
    """The games sorted into pairings and deal groups, those with fewer sides first.

    Left out are games of a bot against itself, and deal groups that lack games which others have.
    """
    met = [found.of_different_bots() for found in arrays_of(games)]
    by_group = [found.taken(np.lexsort((*found.bot.T[::-1], found.deal, found.match))) for found in met if len(found)]
    sizes = [np.diff(found.group_begins(), append=len(found)) for found in by_group]
    whole = max((int(size.max()) for size in sizes), default=0)
    result = []
    for found, size in zip(by_group, sizes, strict=True):
        kept = found.taken(np.repeat(size == whole, size))
        if len(kept):
            pairing = np.sort(kept.bot[::whole], axis=1)  # of the first game of each deal group
            order = np.lexsort(pairing.T[::-1])
            changes = np.flatnonzero((np.diff(pairing[order], axis=0, prepend=-1) != 0).any(axis=1))
            games_in_order = (order[:, None] * whole + np.arange(whole)).ravel()
            result.append(DealGroups(kept.taken(games_in_order), whole, changes.tolist()))
    return result


def values(groups: DealGroups, value: Value) -> Iterator[Values]:
    """The values of the games, by pairing; each by deal group, comparison and seating.

    A comparison is of a bot with a bot that comes after it by name.
    """
    games = groups.games
    by_name = np.argsort(games.bot, axis=1)
    compared = [value(games, by_name[:, one], by_name[:, other]) for one, other in combinations(range(games.sides), 2)]
    by_group = np.stack(compared).reshape(len(compared), -1, groups.size).transpose(1, 0, 2)
    yield from np.split(by_group, groups.pairings[1:])
