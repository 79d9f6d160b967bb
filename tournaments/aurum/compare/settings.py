"""The settings of a comparison, chosen before the first game."""

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from aurum.spec.spec import MOST_DEALS
from aurum.statistics.bounds import Bounds
from aurum.statistics.elo import NELO

OLD, NEW, THIRD = "OLD", "NEW", "THIRD"
"""The names of the bots, in the store and in every output."""

PRESETS: Final = {"gain": (0.0, 10.0), "quick": (0.0, 20.0), "non-regression": (-10.0, 0.0)}
"""Elo bounds by name."""

_PATIENCE = 3
"""The cap, as a multiple of the average number of games of a test where that is largest."""


class Statistic(StrEnum):
    """What a deal group counts for."""

    WINS = "wins"
    """The mean of its games' results."""
    BOARDS = "boards"
    """Won, drawn or lost as a whole, by the sum of its games' margins in card points, as in board-a-match scoring."""


@dataclass(frozen=True)
class Settings:
    """Everything that defines the test.

    `players` play a game (4 or 3), `max_deals` is the cap on deal groups. Unless `allow_faults`, the first fault of
    a bot ends a comparison, once so many deals with a fault were played again as `retries` says.
    """

    statistic: Statistic
    bounds: Bounds
    players: int
    max_deals: int
    allow_faults: bool
    retries: int = 0

    @property
    def chosen(self) -> dict[str, Any]:
        """The settings that decide the verdict on given games, by the names under which they are stored."""
        bounds = self.bounds
        return {
            "statistic": str(self.statistic),
            "elo_model": str(bounds.model),
            "elo0": bounds.elo0,
            "elo1": bounds.elo1,
            "alpha": bounds.alpha,
            "beta": bounds.beta,
            "allow_faults": self.allow_faults,
            "retry_faults": self.retries,
        }

    @property
    def games(self) -> int:
        """How many games a deal group has: one for each seating of its deal."""
        return group_games(self.players)

    @property
    def support(self) -> tuple[float, ...]:
        """The scores that a deal group can have, from 0 to 1."""
        steps = 2 if self.statistic is Statistic.BOARDS else 2 * self.games
        return tuple(step / steps for step in range(steps + 1))


def group_games(players: int) -> int:
    """Both seatings of two teams, or all six of three bots: with rotations alone, NEW would always sit before OLD."""
    return 6 if players == 3 else 2


def default_cap(bounds: Bounds, players: int) -> int:
    """A number of deal groups after which hardly any test is still undecided.

    A test takes longest where the truth lies midway between its bounds: there the LLR is a random walk without drift,
    and takes lower * upper / variance steps on average (Wald 1945, 1947), the variance of a game's step being the
    squared distance of the bounds in standard deviations of a game.
    """
    step = (bounds.elo1 - bounds.elo0) / NELO
    games = -bounds.lower * bounds.upper / step**2
    return min(math.ceil(_PATIENCE * games / group_games(players)), MOST_DEALS)
