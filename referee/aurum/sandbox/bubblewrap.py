"""Bubblewrap: whether it works here, why not, and how a program is run by it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from aurum.common.errors import UserError
from aurum.sandbox.sandbox import Sandbox, SandboxMode

_SHUT_OFF = (
    "--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --hostname sandbox "
    "--cap-drop ALL --new-session --die-with-parent"
)
"""Own processes, shared memory and semaphores, host name; no capability; no terminal. No new privileges: always."""
_NO_NETWORK = "--unshare-net"
_NO_MORE_USERS = "--disable-userns"
"""Since 0.8: no user namespace inside, through which most ways out of a sandbox have led."""
_PATIENCE_S = 10.0

_KERNEL = Path("/proc/sys")
_SWITCHES = (
    ("kernel/unprivileged_userns_clone", "0", "sudo sysctl kernel.unprivileged_userns_clone=1"),
    ("user/max_user_namespaces", "0", "sudo sysctl user.max_user_namespaces=10000"),
    (
        "kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "an AppArmor profile that lets bwrap make user namespaces, or "
        "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0",
    ),
)
"""By which the system forbids user namespaces: where, the value, and what allows them."""


class Bubblewrap(NamedTuple):
    """The program, if it works here, and what it is called with."""

    program: str
    options: tuple[str, ...]
    reason: str
    """Why it does not work, as a clause; empty if it does."""


@cache
def bubblewrap() -> Bubblewrap:
    """Look for it once, and try it."""
    if sys.platform != "linux":
        return Bubblewrap("", (), "sandboxes are for Linux alone")
    program = shutil.which("bwrap")
    if program is None:
        return Bubblewrap("", (), "bubblewrap is not installed (Debian: apt-get install bubblewrap)")
    options = _SHUT_OFF.split()
    if _NO_MORE_USERS in _output([program, "--help"]):
        options.append(_NO_MORE_USERS)
    trial = (program, *options, _NO_NETWORK, *["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--", "true"])
    worked, lines = _tried(trial)
    return Bubblewrap(program, tuple(options), "" if worked else f"bubblewrap does not work here ({_why(lines)})")


def usable(sandbox: Sandbox | None) -> bool:
    """Whether a program is to be run in this sandbox.

    Raises UserError if it is required and does not work here.
    """
    if sandbox is None:
        return False
    if sandbox.required and bubblewrap().reason:
        raise UserError(f'no bot is started without a sandbox (sandbox = "on"): {bubblewrap().reason}')
    return not bubblewrap().reason


def shortage(mode: SandboxMode) -> str:
    """Why programs run without a sandbox here, in a sentence; empty if they do not, or if nobody wants one.

    Raises UserError if nothing may run without one.
    """
    wanted = mode is not SandboxMode.OFF
    if not wanted or usable(Sandbox(mode is SandboxMode.ON)):
        return ""
    return f"bots run without a sandbox, as you: {bubblewrap().reason}"


def argument_file(places: Sequence[str], *, network: bool = False) -> int:
    """An open file with what bubblewrap is to read by `--args`: what is there, and what is shut off.

    Not on its command line, which the program inside can read: hidden places are named there.
    """
    shut_off = [*bubblewrap().options, *([] if network else [_NO_NETWORK])]
    file = os.memfd_create("sandbox")
    with open(file, "wb", closefd=False) as opened:
        opened.writelines(os.fsencode(option) + b"\0" for option in [*shut_off, *places])
    os.lseek(file, 0, os.SEEK_SET)
    return file


def _tried(command: Sequence[str]) -> tuple[bool, str]:
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_PATIENCE_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return False, str(error)
    return done.returncode == 0, done.stderr


def _output(command: Sequence[str]) -> str:
    try:
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_PATIENCE_S, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def _why(lines: str, kernel: Path = _KERNEL) -> str:
    """What is in the way, and what would remove it."""
    for name, value, remedy in _SWITCHES:
        try:
            if (kernel / name).read_text(encoding="ascii").strip() == value:
                return f"the system forbids user namespaces: {remedy}"
        except OSError:
            continue
    last = lines.strip().splitlines()[-1] if lines.strip() else "it failed and did not say why"
    return f"{last}; in a container, that has to allow user namespaces and a /proc of their own"
