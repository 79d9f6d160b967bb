"""Puts into a sentence what neither the command nor a bot is to blame for: the machine refuses, or we have a bug."""

import errno
import os
import sys
import traceback
from pathlib import Path

from aurum.common.texts import printable

VARIABLE = "AURUM_TRACEBACK"
"""The environment variable that shows where an error of our own comes from."""
ISSUES = "https://github.com/aurum-arena/aurum-arena/issues"

_OF_THE_MACHINE = {
    *(errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM),
    *(errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN),
}


def refusal(error: Exception) -> str | None:
    """What the machine refuses us, in a sentence; None if the error is of another kind.

    No space, no permission, no further process or file: the user can mend it, and nobody else is to blame.
    """
    if not isinstance(error, OSError) or error.errno not in _OF_THE_MACHINE:
        return None
    where = f"{error.filename}: " if error.filename else "this machine refuses what is needed here: "
    return f"{where}{error.strerror}"


def own_error(error: Exception) -> str:
    """A sentence on an error that only a bug of ours explains. Its traceback is printed if `VARIABLE` asks for it."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    if os.environ.get(VARIABLE):
        sys.stderr.write("".join(traceback.format_exception(error)))
        how = "with the traceback above"
    else:
        how = f"with what the command prints when the variable {VARIABLE}=1 is set"
    what = f"{type(error).__name__}: {printable(str(error))}{where}"
    return f"an error of our own: {what}; please report it {how}: {ISSUES}"
