"""Cores that runs on one machine keep for themselves, so that two runs do not measure each other's bots."""

import socket
from collections.abc import Sequence
from contextlib import AbstractContextManager
from types import TracebackType


class CoreLocks(AbstractContextManager["CoreLocks"]):
    """Advisory locks, one for each core, that are free again when this is closed or its process has ended.

    A lock is a socket that is bound to an abstract name (unix(7)): those need no files and no rights, and are seen by
    all users of the machine, though not out of a container with a network of its own. Other systems than Linux have
    none: there no core can be locked, nor can a process keep to one.
    """

    def __init__(self) -> None:
        self._sockets: list[socket.socket] = []

    def take(self, cores: Sequence[int], count: int) -> list[int]:
        """Lock so many of these cores, the first that are free, and return them; none at all if too few are free."""
        taken: list[int] = []
        for core in cores:
            if len(taken) < count and self._lock(core):
                taken.append(core)
        if len(taken) < count:
            self.close()
            return []
        return taken

    def _lock(self, core: int) -> bool:
        lock = socket.socket(socket.AF_UNIX)
        try:
            lock.bind(f"\0aurum-arena-core-{core}")
        except OSError:
            lock.close()
            return False
        self._sockets.append(lock)
        return True

    def close(self) -> None:
        """Free all cores."""
        for lock in self._sockets:
            lock.close()
        self._sockets.clear()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
