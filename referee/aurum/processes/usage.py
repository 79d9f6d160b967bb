"""What a bot uses, with all that it has started, looked at as often as it could pass a limit."""

import os
import time

from aurum.processes.folders import size_mb
from aurum.processes.tree import descendants, memory_mb

_FASTEST_MB_S = 4096
"""No bot is taken to fill memory or disk faster than this."""
_SHORTEST_S, _LONGEST_S = 0.05, 1.0
_SHARE = 20
"""A look takes at most one part in so many of the time, however much there is to look at."""


class Usage:
    """Watches the descendants of this process, and a folder. A limit of 0 is none.

    Args:
        memory_limit_mb: see `Limits.memory_mb`.
        disk_limit_mb: see `Limits.disk_mb`.
        folder: the one that has the second limit.
    """

    def __init__(self, memory_limit_mb: int, disk_limit_mb: int, folder: str) -> None:
        self._memory_limit = memory_limit_mb
        self._disk_limit = disk_limit_mb
        self._folder = folder
        never = float("inf")
        self._memory_due = time.monotonic() if memory_limit_mb else never
        self._disk_due = time.monotonic() if disk_limit_mb else never

    def seconds_to_next(self) -> float | None:
        """How long to wait before `excess` has something to do; None: for ever."""
        due = min(self._memory_due, self._disk_due)
        return None if due == float("inf") else max(0.0, due - time.monotonic())

    def excess(self) -> str:
        """What has been used beyond a limit, as the end of one; empty if nothing, or if it is too early to look."""
        now = time.monotonic()
        if now >= self._memory_due:
            used = memory_mb(descendants(os.getpid()), self._memory_limit)
            if used > self._memory_limit:
                return f"{used:.0f} MiB of memory with all that it started (memory_mb = {self._memory_limit})"
            self._memory_due = _next_look(now, self._memory_limit - used)
        if now >= self._disk_due:
            used = size_mb(self._folder, self._disk_limit)
            if used > self._disk_limit:
                return f"more than {self._disk_limit} MiB for files in its HOME (disk_mb = {self._disk_limit})"
            self._disk_due = _next_look(now, self._disk_limit - used)
        return ""


def _next_look(began: float, rest_mb: float) -> float:
    now = time.monotonic()
    soon = min(max(rest_mb / _FASTEST_MB_S, _SHORTEST_S), _LONGEST_S)
    return now + max(soon, _SHARE * (now - began))
