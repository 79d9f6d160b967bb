"""How many processor cores this process may use: by its affinity, and by the CPU quota of its control group."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

_CGROUPS = Path("/sys/fs/cgroup")
_OWN = Path("/proc/self/cgroup")


def cores() -> list[int]:
    """The numbers of the cores that this process may run on, ascending."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def quota(own: Path = _OWN, cgroups: Path = _CGROUPS) -> float:
    """How many cores' time this process and its neighbours in a control group get, by the smallest quota; inf without.

    Containers are limited so (Docker's --cpus, limits of Kubernetes): all cores are there, but their time is short.

    Args:
        own: the file that says in which control groups this process is (cgroups(7)).
        cgroups: where they are mounted.
    """
    return min(_quotas(own, cgroups), default=float("inf"))


def usable_cores() -> int:
    """How many processes that compute all the time can do so at once: at least 1."""
    return max(1, int(min(len(cores()), quota())))


def _quotas(own: Path, cgroups: Path) -> Iterator[float]:
    try:
        lines = own.read_text(encoding="utf-8").splitlines()
    except OSError:  # no Linux
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            yield from _up(cgroups, path, _quota_of_version_2)
        elif "cpu" in controllers.split(","):
            yield from _up(cgroups / "cpu", path, _quota_of_version_1)


def _up(root: Path, path: str, read: Callable[[Path], float]) -> Iterator[float]:
    """The quotas of a control group and of all above it, which hold for it, too."""
    group = root / path.strip("/")
    while True:
        with suppress(OSError, ValueError):  # no quota, or nothing that we may see: in a container, groups above it
            yield read(group)
        if group in (root, group.parent):
            return
        group = group.parent


def _quota_of_version_2(group: Path) -> float:
    limit, period = (group / "cpu.max").read_text(encoding="utf-8").split()
    return float("inf") if limit == "max" else int(limit) / int(period)


def _quota_of_version_1(group: Path) -> float:
    limit, period = (int((group / f"cpu.cfs_{name}_us").read_text(encoding="utf-8")) for name in ("quota", "period"))
    return limit / period if limit > 0 else float("inf")
