"""The tree of a process, itself left out: who is in it, what memory it takes, and its end.

Where there is no /proc, as on macOS, a process has no descendants that we know of. Imported by a program that every bot
has to wait for: so nothing is imported here that takes long.
"""

import contextlib
import os
import signal
import time
from collections.abc import Iterable, Iterator

_PATIENCE_S = 5.0


def descendants(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have started, and so on."""
    found = list(_children(pid))
    for each in found:  # grows meanwhile
        found.extend(_children(each))
    return found


def end_descendants() -> None:
    """Kill all descendants of this process, which must be the only one that waits for them.

    It must be a subreaper (prctl(2)): then those whose parents have died become its own children.
    """
    give_up = time.monotonic() + _PATIENCE_S
    while time.monotonic() < give_up:
        for pid in descendants(os.getpid()):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.002)


def memory_mb(pids: Iterable[int], limit: float) -> float:
    """How much memory processes take that is theirs, in MiB: not what they read of files, which the system can drop.

    Beyond `limit` it is exact, with memory that several of them share counted once. Up to there it is an upper bound,
    which is much faster to get.
    """
    pids = list(pids)
    bound = sum(_sum_of_fields(f"/proc/{pid}/status", (b"RssAnon:", b"RssShmem:", b"VmSwap:")) for pid in pids)
    if bound / 1024 <= limit:
        return bound / 1024
    return (
        sum(_sum_of_fields(f"/proc/{pid}/smaps_rollup", (b"Pss_Anon:", b"Pss_Shmem:", b"SwapPss:")) for pid in pids)
        / 1024
    )


def _sum_of_fields(file: str, names: tuple[bytes, ...]) -> int:
    """The sum of some of its fields, which are in KiB; 0 where the process has ended."""
    total = 0
    try:
        with open(file, "rb") as lines:  # noqa: PTH123 - no pathlib here
            for line in lines:
                if line.startswith(names):
                    total += int(line.split()[1])
    except OSError:
        return 0
    return total


def _children(pid: int) -> Iterator[int]:
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - no pathlib here
            children = f"/proc/{pid}/task/{thread}/children"
            with contextlib.suppress(OSError), open(children, "rb") as file:  # noqa: PTH123 - no pathlib here
                yield from map(int, file.read().split())
