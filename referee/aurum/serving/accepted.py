"""One connection that gRPC has accepted, as the system sees it: what has come on it, and who is at its other end.

gRPC does not hand out its sockets, so a duplicate of one is looked at. What has come on a TCP connection is
`tcpi_bytes_received` of tcp(7). Of a Unix-domain socket the system counts nothing, but it keeps SO_PEEK_OFF of
socket(7): where the next look ahead would begin, which goes down by each byte that is read. Nobody looks ahead here, so
set to a large number it counts backwards. Both are Linux's; elsewhere nothing has ever come.
"""

import contextlib
import os
import socket
import stat
import struct
import sys
from pathlib import Path

_LINUX = sys.platform == "linux"
_IDLE = "TCP_KEEPIDLE" if _LINUX else "TCP_KEEPALIVE"
_LONGEST_STEP_S = 3600
"""Between two questions of the system, for which 32767 can be set at most."""
_BYTES_RECEIVED = 128
"""Where it lies in tcp_info, as 64 bits."""
_PEEK_OFFSET = 42
"""SO_PEEK_OFF, which Python does not name."""
_PEEK_FROM = 1 << 30
_CREDENTIALS = struct.Struct("3i")
"""What SO_PEERCRED gives: a process, its user and group."""


class Accepted:
    """A connection to an address of this process; `peer` is its other end as gRPC names it, "" if it has no name.

    Args:
        own: a duplicate of its socket, which is closed by `close`.
        inode: the number of that socket.
    """

    def __init__(self, own: socket.socket, inode: int) -> None:
        self._socket = own
        self._is_unix = own.family == socket.AF_UNIX
        self._received = 0
        self._offset = 0
        self.file = own.fileno()
        self.inode = inode
        self.peer = "" if self._is_unix else _peer(own)
        if self._is_unix and _LINUX:
            self._count_from_here()

    @classmethod
    def of(cls, file: int, inode: int, addresses: frozenset[int | str]) -> "Accepted | None":
        """The connection that is open as this file, or None if it is none, or not to one of these ports and paths."""
        try:
            duplicate = os.dup(file)
        except OSError:
            return None
        try:
            own = socket.socket(fileno=duplicate)
        except OSError:
            os.close(duplicate)
            return None
        try:
            here = own.getsockname()
            if (here if own.family == socket.AF_UNIX else here[1]) in addresses:
                own.getpeername()  # a socket that listens has none
                return cls(own, inode)
        except (OSError, IndexError, TypeError):
            pass  # it listens, is over already, or of a family that we do not know
        own.close()
        return None

    def received(self) -> int:
        """The bytes that have been taken in from it; over a Unix-domain socket, since it was found."""
        with contextlib.suppress(OSError, struct.error):
            if not _LINUX:
                pass
            elif self._is_unix:
                offset = self._socket.getsockopt(socket.SOL_SOCKET, _PEEK_OFFSET)
                self._received += self._offset - offset
                self._offset = offset
                if offset < _PEEK_FROM // 2:
                    self._count_from_here()
            else:
                info = self._socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _BYTES_RECEIVED + 8)
                self._received = int(struct.unpack_from("Q", info, _BYTES_RECEIVED)[0])
        return self._received

    def process(self) -> int:
        """The process that has made it, if that can be known, as of a Unix-domain socket on Linux; else 0."""
        if not (self._is_unix and _LINUX):
            return 0
        try:
            found = self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        except OSError:
            return 0
        return int(_CREDENTIALS.unpack(found)[0])

    def other_socket(self) -> int:
        """The number of the socket at the other end of a TCP connection, if that is on this machine; else 0."""
        if self._is_unix:
            return 0
        with contextlib.suppress(OSError, ValueError, IndexError):
            here, there = (_as_listed(self._socket.getsockname()), _as_listed(self._socket.getpeername()))
            table = "/proc/net/tcp" if self._socket.family == socket.AF_INET else "/proc/net/tcp6"
            for name in (table, "/proc/net/tcp"):
                for line in Path(name).read_text(encoding="ascii").splitlines()[1:]:
                    fields = line.split()
                    # A peer that speaks IPv4 to a socket of IPv6 is listed with the end of these addresses.
                    if there.endswith(fields[1]) and here.endswith(fields[2]):
                        return int(fields[9])
        return 0

    def notice_loss_within(self, seconds: float) -> None:
        """Have the system ask the other one whether it is there, and give up after so long."""
        if self._is_unix:  # the same system
            return
        step = max(1, min(int(seconds / 4), _LONGEST_STEP_S))
        silence = max(1.0, seconds - step)
        options = {getattr(socket, _IDLE): step, socket.TCP_KEEPINTVL: step, socket.TCP_KEEPCNT: 3}
        if sys.platform == "linux":
            # Counts also while something is on its way, when the system does not ask.
            options[socket.TCP_USER_TIMEOUT] = int(silence * 1000)
        with contextlib.suppress(OSError):
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for option, value in options.items():
                self._socket.setsockopt(socket.IPPROTO_TCP, option, value)

    def cut(self) -> None:
        """End it, whatever is on its way."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Look at it no more."""
        self._socket.close()

    def _count_from_here(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.setsockopt(socket.SOL_SOCKET, _PEEK_OFFSET, _PEEK_FROM)
            self._offset = _PEEK_FROM


def inode_of(file: int) -> int:
    """The number of the socket that is open as this file; 0 if it is none."""
    try:
        found = os.fstat(file)
    except OSError:
        return 0
    return found.st_ino if stat.S_ISSOCK(found.st_mode) else 0


def _peer(connected: socket.socket) -> str:
    host, port = connected.getpeername()[:2]
    mapped = host.removeprefix("::ffff:")
    return f"ipv4:{mapped}:{port}" if "." in mapped else f"ipv6:[{host}]:{port}"


def _as_listed(address: tuple[str, int]) -> str:
    """An address as /proc/net lists it: each word of 32 bits in the order of this machine, then the port."""
    host, port = address[:2]
    packed = socket.inet_pton(socket.AF_INET6 if ":" in host else socket.AF_INET, host)
    words = struct.unpack(f"={len(packed) // 4}I", packed)
    return "".join(f"{word:08X}" for word in words) + f":{port:04X}"
