"""What the games of a match come to: all that pairings, points and tie-breaks read of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from aurum.results.game_arrays import GameArrays, arrays_of
from aurum.results.game_row import GameRow


@dataclass(frozen=True)
class BotTotals:
    """What one bot did in the games of a match, summed up.

    Fields:
        halves: half points: of each game 2 for each side that comes after its own, 1 for each that is equal.
        points: card points.
        margin: card points less those of each other side, where neither of the two forfeited.
        compared: how many such comparisons there were.
    """

    halves: int
    points: int
    margin: int
    compared: int

    def __add__(self, other: "BotTotals") -> "BotTotals":
        return BotTotals(
            self.halves + other.halves,
            self.points + other.points,
            self.margin + other.margin,
            self.compared + other.compared,
        )


@dataclass(frozen=True)
class MatchTotals:
    """How many games of a match there are, and what each bot did in them."""

    games: int
    bots: Mapping[str, BotTotals]


Totals = Mapping[str, MatchTotals]
"""By id of a match; a match without a game is left out."""


def by_match(games: Iterable[GameRow] | Iterable[GameArrays]) -> dict[str, MatchTotals]:
    """The totals of each match of which there are games."""
    totals: dict[str, MatchTotals] = {}
    for found in arrays_of(games):
        counts = np.bincount(found.match, minlength=len(found.matches))
        bots: dict[int, dict[str, BotTotals]] = {}
        for match, bot, figures in _by_match_and_bot(found):
            bots.setdefault(match, {})[found.bots[bot]] = figures
        for match, theirs in bots.items():
            before = totals.get(found.matches[match], MatchTotals(0, {}))
            both = {bot: theirs[bot] + before.bots[bot] for bot in theirs.keys() & before.bots.keys()}
            totals[found.matches[match]] = MatchTotals(
                before.games + int(counts[match]), {**before.bots, **theirs, **both}
            )
    return totals


def _by_match_and_bot(games: GameArrays) -> Iterable[tuple[int, int, BotTotals]]:
    halves, margin, compared = (np.zeros_like(games.bot) for _ in range(3))
    for side, other in permutations(range(games.sides), 2):
        mine, theirs = games.placing[:, side], games.placing[:, other]
        halves[:, side] += 2 * (mine < theirs) + (mine == theirs)
        clean = (games.forfeited[:, side] | games.forfeited[:, other]) == 0
        margin[:, side] += clean * (games.points[:, side] - games.points[:, other])
        compared[:, side] += clean
    keys, inverse = np.unique((games.match[:, None] * len(games.bots) + games.bot).ravel(), return_inverse=True)
    sums = [
        np.bincount(inverse, figures.ravel(), len(keys)).astype(np.int64).tolist()
        for figures in (halves, games.points, margin, compared)
    ]
    for key, *figures in zip(keys.tolist(), *sums, strict=True):
        match, bot = divmod(key, len(games.bots))
        yield match, bot, BotTotals(*figures)
