"""A scratch folder that is removed also if this process is killed."""

import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from aurum.processes.folders import remove
from aurum.processes.isolated import isolated
from aurum.processes.shortage import machine_has_what_it_takes_to

_PATIENCE_S = 30.0


@contextlib.contextmanager
def scratch_folder(parent: str | None = None) -> Iterator[Path]:
    """A new folder in TMPDIR, or in `parent`, which is removed with all that is in it when the `with` is left.

    A helper process, the *guardian*, does it, and would do it too if this process was killed. A session of its own
    keeps it out of the terminal's Ctrl-C. It may be killed itself: then its work is done here.

    Raises UserError if the machine has no room for a folder or a process.
    """
    with machine_has_what_it_takes_to("make a folder for the bots"):
        folder = tempfile.mkdtemp(prefix="aurum-", dir=parent)
    try:
        with machine_has_what_it_takes_to("start a process"):
            guardian = subprocess.Popen(
                isolated("aurum.processes.scratch", folder), stdin=subprocess.PIPE, start_new_session=True
            )
        try:
            yield Path(folder)
        finally:
            assert guardian.stdin is not None
            guardian.stdin.close()
            try:
                guardian.wait(_PATIENCE_S)
            except subprocess.TimeoutExpired:
                guardian.kill()
                guardian.wait()
    finally:
        if Path(folder).exists():
            remove(folder)


def main() -> None:
    """Be the guardian of the folder that the argument names: its input ends, however who holds the other end does."""
    sys.stdin.read()
    remove(sys.argv[1])
