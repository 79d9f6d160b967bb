"""Puts into a sentence what neither the command nor a bot is to blame for.

The machine refuses, the libraries of the environment do not fit together, or we have a bug.
"""

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


def misfit(error: Exception) -> str | None:
    """What is wrong with the libraries of this environment, in a sentence; None if the error is of another kind.

    One of them cannot be loaded, or not with the version of another that is here: pip says so and installs them all the
    same, if it is asked for one that does not fit the others. The user can mend it, and it is no bug of ours.
    """
    missing = isinstance(error, ImportError) and not (error.name or "aurum").startswith("aurum")
    frames = traceback.extract_tb(error.__traceback__)
    # While a library was loaded, or generated code, which says what it needs.
    loading = any(frame.name == "<module>" and _of_a_library(frame.filename) for frame in frames)
    if not (missing or loading):
        return None
    return (
        f"the libraries of this environment do not fit together: {type(error).__name__}: "
        f"{printable(str(error)).removesuffix('.')}; `{sys.executable} -m pip check` names those that do not; "
        "installed in an environment of its own, the arena has libraries that do"
    )


def _of_a_library(file: str) -> bool:
    path = Path(file)
    installed = not {"site-packages", "dist-packages"}.isdisjoint(path.parts)
    return "_pb2" in path.name or (installed and "aurum" not in path.parts)


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
