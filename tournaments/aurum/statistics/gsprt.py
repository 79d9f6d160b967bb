"""The generalised sequential probability ratio test: decides, as soon as the results allow, whether a bot is better.

It takes one deal group at a time and gives one verdict. The error rates hold for groups taken in the order of the
schedule, never in that in which they finish: long games are won more or less often than short ones.
"""

from collections.abc import Sequence
from enum import StrEnum

from aurum.statistics.bounds import Bounds, EloModel
from aurum.statistics.elo import mean_and_variance
from aurum.statistics.likelihood_ratio import log_likelihood_ratio, seen
from aurum.statistics.wald import expected_groups

__all__ = ["Bounds", "EloModel", "SequentialTest", "Verdict", "expected_groups", "log_likelihood_ratio"]


class Verdict(StrEnum):
    """The verdict of a test. All but the last are final."""

    ACCEPTED = "accepted"
    """At least `elo1`, or near it."""
    REJECTED = "rejected"
    """At most `elo0`, or near it."""
    INCONCLUSIVE = "inconclusive"
    """The cap came first."""
    UNDECIDED = "undecided"


class SequentialTest:
    """A test under way. Its verdict is final: groups that come after it change nothing, not even the counts.

    So the same groups in the same order give the same result, however many were still being played when it stopped.
    The caller sees to the order: that of the schedule, without gaps.
    """

    def __init__(self, support: Sequence[float], bounds: Bounds, games: int, cap: int | None = None) -> None:
        """An empty test.

        Args:
            support: the scores that a deal group can have, ascending from 0 to 1.
            bounds: what is tested.
            games: how many games a deal group is.
            cap: after how many groups the test gives up; None for never.

        Raises:
            ValueError: no such support, no games, or a cap below 1.
        """
        if cap is not None and cap < 1:
            raise ValueError(f"cap must be at least 1 deal group, not {cap}")
        self.support = tuple(support)
        self.bounds = bounds
        self.games = games
        self.cap = cap
        self._counts = [0] * len(self.support)
        self._llr = 0.0
        self._verdict = Verdict.UNDECIDED
        log_likelihood_ratio(self.support, self._counts, bounds, games)  # a bad argument is refused now, not later

    @property
    def counts(self) -> tuple[int, ...]:
        """How many deal groups had each score, up to the verdict."""
        return tuple(self._counts)

    @property
    def groups(self) -> int:
        """How many deal groups were counted."""
        return sum(self._counts)

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of these counts, in nats; 0 before the first."""
        return self._llr

    @property
    def verdict(self) -> Verdict:
        """The verdict so far."""
        return self._verdict

    def add(self, index: int) -> Verdict:
        """Count the next deal group of the schedule, whose score is `support[index]`.

        Raises:
            ValueError: the support has no such index.
        """
        if not 0 <= index < len(self.support):
            raise ValueError(f"a deal group's score is one of {len(self.support)}, not number {index}")
        if self._verdict is Verdict.UNDECIDED:
            self._counts[index] += 1
            self._llr = log_likelihood_ratio(self.support, self._counts, self.bounds, self.games)
            if self._llr >= self.bounds.upper:
                self._verdict = Verdict.ACCEPTED
            elif self._llr <= self.bounds.lower:
                self._verdict = Verdict.REJECTED
            elif self.groups == self.cap:
                self._verdict = Verdict.INCONCLUSIVE
        return self._verdict

    @property
    def groups_left(self) -> float | None:
        """How many more deal groups to expect if the true score is the one so far; None before there is one.

        A rough figure while there are few. It is from 1 to what the cap leaves, and 0 after the verdict.
        """
        if not self.groups:
            return None
        if self._verdict is not Verdict.UNDECIDED:
            return 0.0
        score, variance = mean_and_variance(self.support, seen(self._counts).tolist())
        left = max(1.0, expected_groups(self.bounds, self.games, score, variance, self._llr))
        return left if self.cap is None else min(left, float(self.cap - self.groups))
