"""Become a bot's command, within limits: `python -I -S launcher.py MEMORY_MB FILE_MB COMMAND [ARG ...]`.

Run as a script, in a session of its own, by `aurum.processes.process`. It replaces itself by the command, so
the process that was started is the bot. Standard library only, since every bot pays for its start.
"""

import ctypes
import os
import resource
import signal
import sys

_PR_SET_PDEATHSIG = 1
NO_COMMAND = 127
"""Exit code where the command cannot be run, as a shell's."""


def main(memory_mb: int, file_mb: int, command: list[str]) -> None:
    if sys.platform == "linux":
        # The bot dies with the referee even if that is killed; other systems rely on the guardian alone.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        resource.setrlimit(resource.RLIMIT_DATA, (memory_mb << 20, memory_mb << 20))
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_mb << 20, file_mb << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.stderr.write(f"cannot run {command[0]!r}: {error.strerror}\n")
        sys.exit(NO_COMMAND)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
