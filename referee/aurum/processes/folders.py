"""Folders that bots may have filled with anything: how much there is, and how they are removed.

Standard library without pathlib and shutil, which would double the time that a bot's supervisor takes to start.
"""

import contextlib
import ctypes
import errno
import os
import sys

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_UNMOUNT = 2 | 8
"""umount2(2): MNT_DETACH, UMOUNT_NOFOLLOW."""


def size_mb(folder: str, limit: float) -> float:
    """What the files in a folder take on the disk, in MiB; the count ends beyond `limit`."""
    total = 0.0
    waiting = [folder]
    while waiting and total <= limit:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    total += entry.stat(follow_symlinks=False).st_blocks / 2048
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                if total > limit:
                    break
    return total


def remove(folder: str) -> bool:
    """Remove a folder and whatever is in it, and say whether it is gone. Nothing that is found there raises.

    Each folder inside is first moved to the top, so neither depth nor the length of a path matters. Nothing can be
    moved out of another file system or a bind mount, so what a bot has mounted there is taken down and never emptied.
    """
    try:
        top = os.open(folder, _FOLDER)
    except OSError:
        return not os.path.lexists(folder)
    try:
        _Emptying(top).empty_all()
    finally:
        os.close(top)
    with contextlib.suppress(OSError):
        os.rmdir(folder)  # noqa: PTH106 - no pathlib here
    return not os.path.lexists(folder)


class _Emptying:
    """Empties the folder that is open as `top`."""

    def __init__(self, top: int) -> None:
        self._top = top
        self._prefix = os.urandom(8).hex()
        self._moved = 0
        self._waiting: list[str] = []

    def empty_all(self) -> None:
        with contextlib.suppress(OSError):
            os.fchmod(self._top, 0o700)
        self._empty(self._top)
        while self._waiting:
            name = self._waiting.pop()
            try:
                inside = os.open(name, _FOLDER, dir_fd=self._top)
            except OSError:
                continue
            try:
                self._empty(inside)
            finally:
                os.close(inside)
            with contextlib.suppress(OSError):
                os.rmdir(name, dir_fd=self._top)

    def _empty(self, inside: int) -> None:
        """Delete the files and move the folders away. Again, as long as that helps: a pass may miss entries."""
        helped = True
        while helped:
            helped = False
            with os.scandir(inside) as entries:
                for entry in entries:
                    if inside != self._top or not entry.name.startswith(self._prefix):
                        helped |= self._take(inside, entry)

    def _take(self, inside: int, entry: "os.DirEntry[str]") -> bool:
        try:
            if not entry.is_dir(follow_symlinks=False):
                os.unlink(entry.name, dir_fd=inside)
                return True
            # Its owner is who the bot ran as. A folder that cannot be written to cannot be moved.
            os.chmod(entry.name, 0o700, dir_fd=inside)
            self._moved += 1
            name = f"{self._prefix}{self._moved}"
            os.rename(entry.name, name, src_dir_fd=inside, dst_dir_fd=self._top)
        except OSError as error:
            return error.errno == errno.EBUSY and _unmount(inside, entry.name)
        self._waiting.append(name)
        return True


def _unmount(inside: int, name: str) -> bool:
    """Take down what is mounted there; only root can."""
    if sys.platform != "linux":
        return False
    path = os.fsencode(f"/proc/self/fd/{inside}/{name}")
    return bool(ctypes.CDLL(None).umount2(path, _UNMOUNT) == 0)
