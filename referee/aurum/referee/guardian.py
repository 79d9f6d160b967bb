"""Kill what a referee leaves behind: `python -I -S guardian.py`, fed lines `+GROUP` and `-GROUP` on its input.

When the input ends, however the referee died, every process group still named is killed. A session of its
own keeps it out of the terminal's Ctrl-C.
"""

import contextlib
import os
import signal
import sys


def main() -> None:
    groups: set[int] = set()
    for line in sys.stdin:
        (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
    for group in groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    main()
