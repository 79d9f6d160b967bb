"""What the duplicate deals of a tournament saved: its deal groups, as `aurum.statistics.duplicates` takes them."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from aurum.statistics.duplicates import DealGroup, Duplicates, pooled
from aurum.tournaments.results import GameRow

Value = Callable[[GameRow, int, int], float]
"""What a game was to one side against another, by their numbers; exactly the negative if they are exchanged."""


def by_result(row: GameRow, side: int, other: int) -> float:
    """The score, less a half: 0.5 for a win, 0 for a draw."""
    return ((row.placing[side] < row.placing[other]) - (row.placing[side] > row.placing[other])) / 2


def by_margin(row: GameRow, side: int, other: int) -> float:
    """The difference in card points."""
    return row.points[side] - row.points[other]


@dataclass(frozen=True)
class Worth:
    """What deal groups were worth, by `by_result` and by `by_margin`."""

    result: Duplicates
    margin: Duplicates


def worth(games: Iterable[GameRow]) -> Worth:
    """What the deal groups of these games were worth, in any order; pooled over the pairings."""
    pairings = deal_groups(games)
    return Worth(*(pooled(_valued(groups, value) for groups in pairings) for value in (by_result, by_margin)))


def deal_groups(games: Iterable[GameRow]) -> list[list[list[GameRow]]]:
    """Sorted into pairings, these into deal groups, these by who sits where.

    Left out are games of a bot against itself, and deal groups that lack games which others have.
    """
    groups: defaultdict[tuple[str, int], list[GameRow]] = defaultdict(list)
    for game in games:
        if len(set(game.bots)) == len(game.bots):
            groups[game.match, game.deal].append(game)
    whole = max(map(len, groups.values()), default=0)
    pairings: defaultdict[tuple[str, ...], list[list[GameRow]]] = defaultdict(list)
    for place in sorted(groups):
        if len(groups[place]) == whole:
            group = sorted(groups[place], key=lambda game: game.bots)
            pairings[tuple(sorted(group[0].bots))].append(group)
    return [pairings[bots] for bots in sorted(pairings)]


def comparisons(group: Sequence[GameRow], value: Value) -> DealGroup:
    """What the games of a deal group were to each bot against each that comes after it by name."""
    return [
        [value(game, game.bots.index(one), game.bots.index(other)) for game in group]
        for one, other in combinations(sorted(group[0].bots), 2)
    ]


def _valued(groups: Iterable[Sequence[GameRow]], value: Value) -> list[DealGroup]:
    return [comparisons(group, value) for group in groups]
