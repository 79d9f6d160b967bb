"""Keeps a folder to one run at a time."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aurum.common.errors import UserError


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Keep other runs out of `folder`, made if need be. However this process ends, the claim ends with it.

    Raises:
        UserError: it cannot be made, or another run is on it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise UserError(f"{folder}: cannot be used for results: {error.strerror}") from error
    try:
        try:
            # The folder itself is locked: no lock file is left behind, and none can be stale.
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(f"{folder}: another run is playing into this folder at the moment") from None
        yield
    finally:
        os.close(descriptor)
