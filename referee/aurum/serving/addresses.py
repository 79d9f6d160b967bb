"""Addresses to listen on, and to dial: `HOST:PORT`, or `unix:PATH` for a Unix-domain socket."""

import errno
import os
import socket
import stat
from contextlib import suppress
from pathlib import Path

from aurum.processes.sockets import LONGEST_PATH

_OUTSIDE = {socket.AF_INET: ("192.0.2.1", 9), socket.AF_INET6: ("2001:db8::1", 9)}
"""Addresses of no machine (RFC 5737, RFC 3849): the way to them shows the address that this machine has outside."""
_LOOPBACK = {socket.AF_INET: "127.0.0.1", socket.AF_INET6: "::1"}
_WILDCARDS = {"0.0.0.0": socket.AF_INET, "[::]": socket.AF_INET6, "::": socket.AF_INET6}


def address_to_listen_on(text: str) -> str:
    """An address in full: the path of a Unix-domain socket becomes absolute, and is free.

    A socket that a killed server has left there is removed.

    Raises OSError, with a sentence, if it is no address, or a path that cannot be had.
    """
    if text.startswith("unix:"):
        path = Path(os.path.abspath(text.removeprefix("unix:").removeprefix("//")))  # noqa: PTH100 - keeps links
        _free(path)
        return f"unix:{path}"
    host, _, port = text.rpartition(":")
    if not (host and port.isdecimal() and int(port) < 1 << 16):
        raise OSError(f"{text!r} is no address: HOST:PORT or unix:PATH is expected")
    return text


def address_to_dial(listened_on: str, port: int) -> str:
    """Where bots find a server that listens on an address, at a port if it is none of a Unix-domain socket.

    If it listens on all addresses of this machine, it is the one by which other machines know it.
    """
    if listened_on.startswith("unix:"):
        return listened_on
    host = listened_on.rpartition(":")[0]
    if host in _WILDCARDS:
        host = _own_address(_WILDCARDS[host])
    return f"{host}:{port}"


def _free(path: Path) -> None:
    """Remove a socket that nobody serves."""
    if len(os.fsencode(path)) > LONGEST_PATH:
        raise OSError(f"the path {path} is too long for a socket: {LONGEST_PATH} bytes are possible")
    try:
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise OSError(f"{path} is there already, and is no socket")
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise OSError(f"there is no folder {path.parent}") from None
        return
    with socket.socket(socket.AF_UNIX) as caller:
        caller.setblocking(False)
        try:
            caller.connect(str(path))
        except OSError as error:
            if error.errno == errno.ECONNREFUSED:
                path.unlink()
                return
    raise OSError(f"cannot listen on unix:{path}: another process does")


def _own_address(family: socket.AddressFamily) -> str:
    own = _LOOPBACK[family]
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
        asking.connect(_OUTSIDE[family])  # sends nothing
        own = asking.getsockname()[0]
    return own if family is socket.AF_INET else f"[{own}]"
