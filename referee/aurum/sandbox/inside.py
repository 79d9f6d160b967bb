"""What a bot, or a build, finds in its sandbox."""

import os
import stat
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from aurum.sandbox.mounts import Mounts, lies_in
from aurum.sandbox.sandbox import Sandbox
from aurum.sandbox.toolchains import home_folder, needed, system_folders

_SECRETS = (".cargo/credentials", ".cargo/credentials.toml")
"""Secrets in a home's toolchains."""


class Private(NamedTuple):
    """The folders that a program may write to, on the disk of this machine."""

    home: str
    temporary: str
    """Is /tmp inside."""
    shared_memory: str
    """Is /dev/shm inside."""


def private_folders(scratch: str) -> Private:
    """Make these folders in an empty one. Raises OSError if there is no room."""
    folders = Private(*(os.path.join(scratch, name) for name in ("home", "tmp", "shm")))
    for folder in folders:
        os.mkdir(folder, 0o700)
    return folders


def options(
    sandbox: Sandbox,
    command: Sequence[str],
    folder: str,
    variables: Mapping[str, str],
    private: Private,
    *,
    socket: str = "",
    writable: bool = False,
    network: bool = False,
) -> list[str]:
    """Bubblewrap's options for what is there, without those for what is shut off.

    Args:
        sandbox: what is to be read and hidden besides.
        command: program and arguments.
        folder: the one it is run in.
        variables: of its environment that the organiser has chosen, PATH among them.
        private: what it may write to.
        socket: the path of a Unix socket that it may connect to.
        writable: it may write to its folder.
        network: it needs the files by which names are looked up.
    """
    folder = os.path.abspath(folder)
    mounts = Mounts()
    for system in system_folders():
        mounts.show(system)
    for path in _private_of_system():
        mounts.hide(path)
    mounts.give("/tmp", private.temporary)
    mounts.link("/var/tmp", "/tmp")
    if network:
        mounts.show("/etc/resolv.conf")
    home = home_folder()
    if any(lies_in(home, os.path.realpath(shown)) for shown in (folder, *sandbox.reads)):
        for name in os.listdir(home):
            if name.startswith("."):
                mounts.hide(os.path.join(home, name))
    for path in (*_needed(tuple(command), folder, tuple(variables.items())), *sandbox.reads):
        mounts.show(path)
    for name in _SECRETS:
        mounts.hide(os.path.join(home, name))
    for path in sandbox.hidden:
        mounts.hide(path)
    (mounts.give if writable else mounts.show)(folder)
    mounts.give(private.home)
    if socket:
        mounts.show(socket)
    return [
        *("--dev", "/dev", "--remount-ro", "/dev", "--bind", private.shared_memory, "/dev/shm"),
        *("--proc", "/proc"),
        *mounts.options(),
        *("--chdir", folder),
    ]


@cache
def _needed(command: tuple[str, ...], folder: str, variables: tuple[tuple[str, str], ...]) -> list[str]:
    return needed(command, folder, dict(variables))


@cache
def _private_of_system() -> list[str]:
    """What of /etc this user may read, but not everyone."""
    found = []
    for folder, folders, files in os.walk("/etc"):
        for name in [*folders, *files]:
            path = os.path.join(folder, name)
            mode = os.lstat(path).st_mode
            needs = stat.S_IROTH | stat.S_IXOTH if stat.S_ISDIR(mode) else stat.S_IROTH
            if not stat.S_ISLNK(mode) and mode & needs != needs and os.access(path, os.R_OK):
                found.append(path)
    return found
