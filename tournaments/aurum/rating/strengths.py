"""What a fit says about the strengths of bots, in nats."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Ends = tuple[float | None, float | None]
"""The ends of an interval; None where it has none, or where there is too little to tell."""


@dataclass(frozen=True)
class Strengths(ABC):
    """A fit.

    Fields:
        islands: sets of bots; no chain of games connects bots of two of them; the largest first.
        components: for each island, the sets of bots between which all games went one way; usually one. The first is
            the one that figures of others are compared with where the fit has no figure for them.
        ties: the model's delta_t: by number of sides, how readily that many are level.
        log_likelihood: of the games.
        played: by bot, its deal groups.
    """

    islands: tuple[tuple[int, ...], ...]
    components: tuple[tuple[tuple[int, ...], ...], ...]
    ties: Mapping[int, float]
    log_likelihood: float
    played: Sequence[int]

    @abstractmethod
    def centre(self, island: int) -> Sequence[int]:
        """The bots of an island whose mean its figures are relative to, if there is no anchor."""

    @abstractmethod
    def lead(self, bot: int, others: Sequence[int]) -> float | None:
        """A bot's strength less the mean strength of `others`, which may contain it; None for no figure."""

    @abstractmethod
    def interval(self, bot: int, others: Sequence[int]) -> Ends:
        """The ends of the 95 % interval of that; without a figure, one end that holds in 95 % of all cases."""

    @abstractmethod
    def superiority(self, bot: int, other: int) -> float | None:
        """The probability that a bot is stronger than another one; None where there is too little to tell."""

    def fewest(self, bot: int, others: Sequence[int]) -> int:
        """The deal groups of whichever of two bots has fewer; of the bot alone, if it is compared with several."""
        return min(self.played[one] for one in {bot, *others[: len(others) == 1]})
