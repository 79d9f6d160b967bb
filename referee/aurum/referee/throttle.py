"""Decides how many games are in flight where that is left to the referee."""

import time
from collections.abc import Callable

from aurum.records.listener import GameListener, Hidden
from aurum.rules import Move

GAIN = 1.1
"""Twice as many games in flight must make so many times as many decisions a second, or else they are not worth it."""
SHARE = 0.25
"""A turn that takes more than this share of its limit is too near to it."""

_DECISIONS = 100
_SECONDS = 0.2


class Throttle(GameListener):
    """Doubles the games in flight while play gets faster and no turn comes near its limit; listens to all of them.

    A step is judged by a window of time in which that many games were in flight. If a step was not worth it,
    it is taken back, and the number stays; it is halved whenever a turn was too long, and then never grows again.

    Args:
        most: games in flight.
        turn_ms: the clock's limit for a turn.
        clock: seconds, never going back.
    """

    def __init__(self, most: int, turn_ms: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._longest = SHARE * turn_ms
        self._clock = clock
        self.limit = 1
        """How many games are to be in flight now."""
        self._settled = most == 1
        self._before, self._best = 1, 0.0
        """The last step: games in flight, and decisions a second with them."""
        self._begin_window()

    def _begin_window(self) -> None:
        self._begun = self._clock()
        self._decisions = 0

    def moved(self, seat: int, move: Move | Hidden[Move], ms: int, by_referee: bool) -> None:
        """Count a decision, and judge the step if its window is over."""
        if ms > self._longest:
            self.limit = max(1, self.limit // 2)
            self._settled = True
            self._begin_window()
            return
        self._decisions += 1
        if self._settled or self._decisions < _DECISIONS * self.limit:
            return
        passed = self._clock() - self._begun
        if passed < _SECONDS:
            return
        rate = self._decisions / passed
        if rate < GAIN * self._best:
            self._settled = True
            self.limit = self._before
        elif self.limit == self._most:
            self._settled = True
        else:
            self._best, self._before = rate, self.limit
            self.limit = min(self._most, 2 * self.limit)
        self._begin_window()
