"""Temporary folders for Unix sockets, whose paths must be short."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LONGEST_PATH = 103
"""Bytes of a Unix socket's path: 107 on Linux (unix(7)), 103 on macOS (sys/un.h)."""

_ROOM = 40
"""Bytes that are kept free for the name of the folder and for those in it."""


@contextmanager
def socket_folder() -> Iterator[Path]:
    """Make a folder for sockets that nobody else can look into; at the end, remove it with all that is in it.

    The part of a socket's path that is below the folder has at most 25 bytes.
    """
    parent = parent_for_sockets()
    with tempfile.TemporaryDirectory(prefix="aurum-", dir=parent, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def parent_for_sockets() -> str:
    """Where to make a folder for sockets: among the temporary folders, or in `/tmp` if their path is too long."""
    parent = tempfile.gettempdir()
    return parent if is_short_for_sockets(parent) else "/tmp"


def is_short_for_sockets(folder: str | Path) -> bool:
    """Whether a folder's path leaves room for the name of a folder in it, and of a socket in that."""
    return len(os.fsencode(folder)) <= LONGEST_PATH - _ROOM
