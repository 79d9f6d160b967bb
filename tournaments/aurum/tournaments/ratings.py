"""How strong the bots are, from who finished ahead of whom."""

from dataclasses import dataclass
from enum import StrEnum

from aurum.tournaments.results import GameRow

__all__ = ["Bound", "GameRow", "Rating", "Ratings"]


class Bound(StrEnum):
    """How to read a figure that the games alone do not determine."""

    NONE = ""
    AT_LEAST = ">"
    AT_MOST = "<"
    LOOSE = "~"


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
    """A fitted table, best first within each island.

    `islands` are sets of bots that no chain of games connects: figures of two islands cannot be compared. With one
    island, the usual case, they can. `anchor` is the bot that the errors are relative to, if it has played.
    """

    model: str
    anchor: str | None
    rows: tuple[Rating, ...]
    islands: tuple[tuple[str, ...], ...]
