"""Computes what a deal group counts for in the test, from the games of its deal and from NEW's point of view."""

from collections.abc import Sequence

from aurum.compare.settings import NEW, OLD, Settings, Statistic
from aurum.results.game_row import GameRow


def halves(game: GameRow) -> int:
    """The result of a game: 2 if NEW finished ahead of OLD, 1 if level with it, 0 if behind."""
    new, old = (game.placing[game.bots.index(bot)] for bot in (NEW, OLD))
    return 1 + (new < old) - (new > old)


def step_of(group: Sequence[GameRow], settings: Settings) -> int:
    """The group's score, as an index into the support of the settings."""
    if settings.statistic is Statistic.WINS:
        return sum(map(halves, group))
    # A stand-in's points say nothing about the bot, so a forfeited game weighs more than any points.
    balance = sum(map(_forfeits, group)), sum(map(_margin, group))
    return 1 + (balance > (0, 0)) - (balance < (0, 0))


def _forfeits(game: GameRow) -> int:
    """How many more of OLD's sides forfeited than of NEW's."""
    lost = [game.bots[side] for side in game.forfeited]
    return lost.count(OLD) - lost.count(NEW)


def _margin(game: GameRow) -> int:
    return game.points[game.bots.index(NEW)] - game.points[game.bots.index(OLD)]


class PairCorrelation:
    """The correlation of two games of a deal group, as `aurum.statistics.duplicates` defines it, one group at a time.

    It takes results in halves, so that its sums are exact and need no second pass over the games.
    """

    _FEWEST = 10
    """With fewer groups the figure would be mostly noise."""

    def __init__(self, games: int) -> None:
        self._groups = 0
        self._seats = [0] * games  # by seating: the sum of its results
        self._squares = 0  # of single results
        self._totals = 0  # squares of groups' totals

    def add(self, results: Sequence[int]) -> None:
        """Take one more group: its results by seating."""
        self._groups += 1
        self._seats = [total + result for total, result in zip(self._seats, results, strict=True)]
        self._squares += sum(result * result for result in results)
        self._totals += sum(results) ** 2

    @property
    def value(self) -> float | None:
        """The correlation; None if there are too few groups, or if all games came out alike."""
        if self._groups < self._FEWEST:
            return None
        between = self._groups * self._totals - sum(self._seats) ** 2
        within = self._groups * self._squares - sum(total * total for total in self._seats)
        return (between / within - 1) / (len(self._seats) - 1) if within else None
