"""Measures what the duplicate deals of a tournament saved, from its games sorted into deal groups."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from aurum.results.game_row import GameRow
from aurum.statistics.duplicates import DealGroup, Duplicates, pooled
from aurum.statistics.elo import NORMAL_95

Value = Callable[[GameRow, int, int], float]
"""The value of a game for one side against another, by their numbers; exactly the negative if they are exchanged."""


def by_result(row: GameRow, side: int, other: int) -> float:
    """The score less a half: 0.5 for a win, 0 for a draw, -0.5 for a loss."""
    return ((row.placing[side] < row.placing[other]) - (row.placing[side] > row.placing[other])) / 2


def by_margin(row: GameRow, side: int, other: int) -> float:
    """The difference in card points."""
    return row.points[side] - row.points[other]


@dataclass(frozen=True)
class DuplicateSavings:
    """What deal groups saved, measured by `by_result` and by `by_margin`."""

    result: Duplicates
    margin: Duplicates


def duplicate_savings(games: Iterable[GameRow]) -> DuplicateSavings:
    """What the deal groups of these games, in any order, saved; pooled over the pairings."""
    pairings = deal_groups(games)
    return DuplicateSavings(
        *(pooled(_valued(groups, value) for groups in pairings) for value in (by_result, by_margin))
    )


def savings_note(savings: DuplicateSavings) -> Iterator[str]:
    """The sentence for people, if there are figures: efficiencies with half of their 95 % intervals."""
    parts = [
        f"{amount} by {what} (correlation {measured.correlation:+.2f})"
        for what, measured in (("result", savings.result), ("margin", savings.margin))
        if (amount := _amount(measured)) and measured.correlation is not None
    ]
    if parts:
        yield (
            f"duplicate deals: in independent games, a game was worth {', '.join(parts)}; "
            f"{savings.margin.groups} deal groups"
        )


def _amount(measured: Duplicates) -> str | None:
    if measured.efficiency is None:
        return None if measured.ratio is None else "no end of them"
    error = measured.efficiency_error
    return f"{measured.efficiency:.1f}" + ("" if error is None else f" +- {NORMAL_95 * error:.1f}")


def deal_groups(games: Iterable[GameRow]) -> list[list[list[GameRow]]]:
    """The games sorted into pairings, each pairing into deal groups, and each deal group by seating.

    Left out are games of a bot against itself, and deal groups that lack games which others have.
    """
    groups: defaultdict[tuple[str, int], list[GameRow]] = defaultdict(list)
    for game in games:
        if len(set(game.bots)) == len(game.bots):
            groups[game.match, game.deal].append(game)
    whole = max(map(len, groups.values()), default=0)
    pairings: defaultdict[tuple[str, ...], list[list[GameRow]]] = defaultdict(list)
    for match_and_deal in sorted(groups):
        if len(groups[match_and_deal]) == whole:
            group = sorted(groups[match_and_deal], key=lambda game: game.bots)
            pairings[tuple(sorted(group[0].bots))].append(group)
    return [pairings[bots] for bots in sorted(pairings)]


def comparisons(group: Sequence[GameRow], value: Value) -> DealGroup:
    """The values of a deal group's games for each bot against each bot that comes after it by name."""
    return [
        [value(game, game.bots.index(one), game.bots.index(other)) for game in group]
        for one, other in combinations(sorted(group[0].bots), 2)
    ]


def _valued(groups: Iterable[Sequence[GameRow]], value: Value) -> list[DealGroup]:
    return [comparisons(group, value) for group in groups]
