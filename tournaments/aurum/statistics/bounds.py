"""The two hypotheses of a sequential test about a bot's Elo, and its error rates."""

import math
from dataclasses import dataclass
from enum import StrEnum

_WIDEST = 1000.0
"""Elo. Bounds further out are expected scores that no test could tell from 0 or 1."""


class EloModel(StrEnum):
    """On which scale of Elo the bounds of a test are; `aurum.statistics.elo` defines both."""

    LOGISTIC = "logistic"
    NORMALIZED = "normalized"


@dataclass(frozen=True)
class Bounds:
    """The hypotheses of a test, an Elo of `elo0` against one of `elo1`, and its error rates.

    A bot of `elo0` is accepted with probability `alpha`, a bot of `elo1` rejected with probability `beta`.

    Raises:
        ValueError: such a test does not exist; the sentence names the parameter.
    """

    elo0: float
    elo1: float
    model: EloModel
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name, elo in (("elo0", self.elo0), ("elo1", self.elo1)):
            if not abs(elo) <= _WIDEST:
                raise ValueError(f"{name} must be from {-_WIDEST:g} to {_WIDEST:g}, not {elo:g}")
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 must be less than elo1, but {self.elo0:g} is not less than {self.elo1:g}")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 1:
                raise ValueError(f"{name} must be between 0 and 1, not {rate:g}")
        if not self.alpha + self.beta < 1:
            raise ValueError(f"alpha and beta must add up to less than 1, not to {self.alpha + self.beta:g}")

    @property
    def lower(self) -> float:
        """The LLR at which a test rejects, below 0 (Wald 1945)."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The LLR at which a test accepts, above 0."""
        return math.log((1 - self.beta) / self.alpha)
