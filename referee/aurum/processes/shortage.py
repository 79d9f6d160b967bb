"""What the machine lacks: errors of the arena's own calls, which are no bot's fault, as its organiser reads them."""

import contextlib
import errno
import os
import tempfile
from collections.abc import Iterator

from aurum.common.errors import UserError

_REMEDIES = {
    errno.EMFILE: "allow more open files (ulimit -n), or lower workers",
    errno.ENFILE: "allow the machine more open files, or lower workers",
    errno.EAGAIN: "allow more processes (ulimit -u, or the limit of the container), or lower workers",
    errno.ENOMEM: "free memory, or lower workers",
}


@contextlib.contextmanager
def machine_has_what_it_takes_to(do: str) -> Iterator[None]:
    """Turn an OSError of the block into the UserError of `shortage`."""
    try:
        yield
    except OSError as error:
        raise shortage(do, error.errno or 0, error.strerror or str(error)) from error


def shortage(do: str, number: int, reason: str = "") -> UserError:
    """The error that says that the machine cannot do something, and what to do about it.

    Args:
        do: what it cannot do, as an infinitive.
        number: of the system's error.
        reason: the system's sentence, if it is not the usual one.
    """
    remedy = _REMEDIES.get(number) or f"make room in {_folder()}, or set TMPDIR to a folder with room"
    return UserError(
        f"this machine cannot {do}: {reason or os.strerror(number)}; {remedy}. "
        "No bot is blamed, and what was finished is stored: then give the same command again"
    )


def _folder() -> str:
    try:
        return tempfile.gettempdir()
    except OSError:  # there is none
        return "TMPDIR"
