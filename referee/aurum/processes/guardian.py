"""Clear up what a killed referee leaves behind: `python -I -S guardian.py FOLDER`, fed `+GROUP` and `-GROUP`.

When its input ends, however the referee died, every process group still named is killed and the scratch
folder is removed. A session of its own keeps it out of the terminal's Ctrl-C.
"""

import contextlib
import os
import shutil
import signal
import sys


def main(folder: str) -> None:
    groups: set[int] = set()
    for line in sys.stdin:
        (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
    for group in groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1])
