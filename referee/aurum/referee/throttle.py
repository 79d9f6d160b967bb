"""Decides how many games are in flight where that is left to the referee."""

import time
from collections.abc import Callable

from aurum.records.listener import GameListener, Hidden
from aurum.rules import Move

GAIN = 1.1
"""More games in flight must make so many times as many decisions a second, or else they are not worth it."""
PATIENCE = 3
"""After so many steps that were not worth it there is no other: one may only have met a busy moment of the machine."""
SHARE = 0.25
"""A turn that takes more than this share of its limit is too near to it."""

_DECISIONS = 100
_SECONDS = 0.2


class Throttle(GameListener):
    """Doubles the games in flight while play gets faster and no turn comes near its limit; listens to all of them.

    A step is judged by a window of time in which that many games were in flight. In the end the number stays at the
    last step that was worth it. It is halved whenever a turn was too long, and then never grows again.

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
        self._best, self._best_rate = 1, 0.0
        """The last step that was worth it: games in flight, and decisions a second with them."""
        self._misses = 0
        """Steps after it."""
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
        if rate >= GAIN * self._best_rate:
            self._best, self._best_rate = self.limit, rate
            self._misses = 0
        else:
            self._misses += 1
        self._settled = self.limit == self._most or self._misses == PATIENCE
        self.limit = self._best if self._settled else min(self._most, 2 * self.limit)
        self._begin_window()
