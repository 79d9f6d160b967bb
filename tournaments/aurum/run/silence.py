"""Notices workers that have stopped: nothing is heard of the units that they play."""

from collections import Counter
from collections.abc import Iterable
from concurrent.futures import BrokenExecutor

_START = 30
"""Of a unit that has not been heard yet, whose worker may still have to start, silence is this many times as long."""


class WorkerStoppedError(BrokenExecutor):
    """A worker has stopped: what is in flight is void, and played again by others."""


class Silence:
    """Counts for how many ticks nothing has been heard of each unit.

    Ticks are those of the run, so a time in which everything stood still counts as one.

    Args:
        limit: after so many ticks a worker is taken to have stopped; 0: never.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._ticks: Counter[str] = Counter()
        self._heard: set[str] = set()

    def heard(self, unit: str) -> None:
        """The worker of a unit has said something."""
        self._heard.add(unit)
        self._ticks[unit] = 0

    def tick(self, playing: Iterable[str]) -> None:
        """About a second has passed in which these units were played.

        Raises:
            WorkerStoppedError: one of them has been silent for too long.
        """
        self._ticks = Counter({unit: self._ticks[unit] + 1 for unit in playing})
        self._heard &= self._ticks.keys()
        for unit, ticks in self._ticks.items():
            if 0 < self._limit * (1 if unit in self._heard else _START) < ticks:
                raise WorkerStoppedError(f"a worker process has said nothing for {ticks - 1} s")
