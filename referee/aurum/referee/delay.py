"""Measures how late the referee itself is, since a bot must not lose by our slowness unseen."""

import asyncio
from collections import deque
from collections.abc import Callable


class DelayMonitor:
    """Wakes up at even intervals and notes by how much it was late.

    Args:
        tolerance: seconds. Of a longer delay `excuse` is told at once, before anything that has come meanwhile is read.
        excuse: gets such a delay, in seconds.
    """

    INTERVAL = 0.02
    """Seconds between two wake-ups: a delay is noticed if it is longer."""

    def __init__(self, tolerance: float, excuse: Callable[[float], None]) -> None:
        self._tolerance = tolerance
        self._excuse = excuse
        self._worst = 0.0
        self._late: deque[tuple[float, float]] = deque(maxlen=10_000)
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(self.INTERVAL, self._tick)

    def _tick(self) -> None:
        now = self._loop.time()
        late = now - self._timer.when()
        if late > 0.001:
            self._worst = max(self._worst, late)
            self._late.append((now, late))
        if late > self._tolerance:
            self._excuse(late)
        self._timer = self._loop.call_later(self.INTERVAL, self._tick)

    def since(self, start: float) -> float:
        """The longest delay noticed since `start` (the loop's time), in seconds."""
        worst = 0.0
        for when, late in reversed(self._late):
            if when < start:
                break
            worst = max(worst, late)
        return max(worst, self._loop.time() - self._timer.when())

    def take_worst(self) -> float:
        """The longest delay noticed since the last call, in seconds."""
        worst, self._worst = self._worst, 0.0
        return worst

    def stop(self) -> None:
        """Wake up no more."""
        self._timer.cancel()
