"""A server's TCP connections as the system sees them: which are silent, and which flood.

gRPC bounds what it hands over of a connection, not what it takes in. Of a header block that does not end, it keeps what
fits into each frame, and when the connection ends it hands all of that over at once, which holds up everything else.
So it is counted here what comes in, and a connection is cut that brings more than anyone can ask for.

gRPC does not hand out its sockets either. They are found among the open files of this process, and looked at through
duplicates. What is counted is `tcpi_bytes_received` of tcp(7), which Linux has; elsewhere nothing is cut.
"""

import asyncio
import contextlib
import os
import socket
import stat
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

INTERVAL = 0.02
"""Seconds between two looks."""

BURST = 192 * 1024
"""Bytes that may come on a connection beyond what it was asked for: a message on its way, and one that is refused."""
TOKENLESS_BURST = 16 * 1024
"""Bytes that may come on a connection before it has shown a token: the metadata of a call, twice."""
TOKENLESS_SUM = 64 * 1024
"""The same for all such connections together."""
FOR_A_TURN = 512
"""Bytes for each turn that a bot is asked: an answer takes 30, and about 50 of what HTTP/2 adds."""
EACH_SECOND = 256
"""Bytes for pings, and for calls that begin again."""

_OPEN_FILES = "/proc/self/fd" if sys.platform == "linux" else "/dev/fd"
_IDLE = "TCP_KEEPIDLE" if sys.platform == "linux" else "TCP_KEEPALIVE"
_LONGEST_STEP_S = 3600
"""Between two questions of the system, for which 32767 can be set at most."""
_BYTES_RECEIVED = 128
"""Where it lies in tcp_info, as 64 bits."""
_SENTENCE = "flooded its connection with {kib} KiB that no turn has asked for"


class Owner(Protocol):
    """Whom a connection belongs to: who has shown a token on it."""

    turns_asked: int
    """How many answers it may have been sent, so far."""

    def flooded(self, sentence: str) -> None:
        """More came from its bot than anyone can ask for; the connection is cut."""


class Connections:
    """The open connections to a port of this process, for as long as it is not closed.

    Args:
        port: where it listens.
        blame: gets the number of the other side's socket, if that is on this machine, and a sentence, when a connection
            is cut that belongs to nobody.
    """

    def __init__(self, port: int, blame: Callable[[int, str], None]) -> None:
        self._port = port
        self._blame = blame
        self._silence: float | None = None
        self._by_peer: dict[str, _Connection] = {}
        self._owners: dict[str, tuple[Owner, int]] = {}
        """Of connections that are not found yet, and how many turns they had been asked before."""
        self._others: dict[int, int] = {}
        """By file: the number of a socket that is none of ours."""
        self._files: dict[int, _Connection] = {}
        self._tokenless = 0.0
        self._loop = asyncio.get_running_loop()
        self._looked = self._loop.time()
        self._timer = self._loop.call_later(INTERVAL, self._look)

    def notice_loss_within(self, seconds: float) -> None:
        """Have a connection end when the other machine has been silent for so long.

        That is a matter of the two systems: a bot that is busy, or stopped, is not silent.
        """
        self._silence = seconds
        for connection in self._by_peer.values():
            connection.notice_loss_within(seconds)

    def belongs(self, peer: str, owner: Owner) -> None:
        """The connection from `peer`, as gRPC names it, has shown a token of `owner`."""
        if (connection := self._by_peer.get(peer)) is not None:
            connection.belongs(owner, owner.turns_asked)
        else:
            self._owners[peer] = owner, owner.turns_asked

    def close(self) -> None:
        """Look no more."""
        self._timer.cancel()
        for connection in self._by_peer.values():
            connection.close()
        self._by_peer.clear()
        self._files.clear()

    def _look(self) -> None:
        now = self._loop.time()
        passed, self._looked = now - self._looked, now
        self._find()
        fresh = 0
        for connection in self._by_peer.values():
            fresh += connection.look(passed)
        self._tokenless = max(0.0, self._tokenless + fresh - EACH_SECOND * passed)
        for connection in self._by_peer.values():
            if connection.excess > BURST or (connection.owner is None and self._is_too_much(connection.excess)):
                self._cut(connection)
        self._timer = self._loop.call_later(INTERVAL, self._look)

    def _is_too_much(self, excess: float) -> bool:
        return excess > TOKENLESS_BURST or (self._tokenless > TOKENLESS_SUM and excess > TOKENLESS_BURST // 4)

    def _cut(self, connection: "_Connection") -> None:
        sentence = _SENTENCE.format(kib=round(connection.excess / 1024))
        inode = connection.other_end() if connection.owner is None else 0
        connection.cut()
        if connection.owner is not None:
            connection.owner.flooded(sentence)
        elif inode:
            self._blame(inode, sentence)

    def _find(self) -> None:
        """Forget the connections that gRPC has closed, and find those that it has accepted."""
        numbers = set()
        with contextlib.suppress(OSError):
            numbers = {int(name) for name in os.listdir(_OPEN_FILES)}  # noqa: PTH208 - fifty times a second
        strange = numbers - self._files.keys() - {connection.file for connection in self._files.values()}
        for number, connection in list(self._files.items()):
            if number not in numbers or connection.inode != _inode(number):
                connection.close()
                del self._files[number], self._by_peer[connection.peer]
        for number in strange:
            inode = _inode(number)
            if inode and self._others.get(number) != inode:
                if (found := _Connection.of(number, inode, self._port)) is None:
                    self._others[number] = inode
                elif found.peer in self._by_peer:  # a duplicate that was made in this loop
                    found.close()
                else:
                    self._begin(number, found)

    def _begin(self, number: int, connection: "_Connection") -> None:
        self._files[number] = self._by_peer[connection.peer] = connection
        if self._silence is not None:
            connection.notice_loss_within(self._silence)
        if (owner := self._owners.pop(connection.peer, None)) is not None:
            connection.belongs(*owner)


class _Connection:
    """One connection: `excess` is what has come on it, in bytes, beyond what its bot was asked for."""

    def __init__(self, own: socket.socket, inode: int, peer: str) -> None:
        self._socket = own
        self.file = own.fileno()
        self.inode = inode
        self.peer = peer
        self.owner: Owner | None = None
        self.excess = 0.0
        self._received = self._turns = 0

    @classmethod
    def of(cls, number: int, inode: int, port: int) -> "_Connection | None":
        """The connection to this port that is open as a file of this number, or None if that is something else."""
        try:
            duplicate = os.dup(number)
        except OSError:
            return None
        try:
            own = socket.socket(fileno=duplicate)
        except OSError:
            os.close(duplicate)
            return None
        try:
            if own.family in (socket.AF_INET, socket.AF_INET6) and own.getsockname()[1] == port:
                return cls(own, inode, _peer(own))
        except OSError:
            pass  # it listens, or is over already
        own.close()
        return None

    def belongs(self, owner: Owner, turns: int) -> None:
        """It has shown a token of `owner`, who had been asked so many turns before."""
        if self.owner is not owner:
            self.owner, self._turns = owner, turns

    def look(self, seconds: float) -> int:
        """Count what has come since the last look, so many seconds ago; returns it if there is no owner."""
        received = self._bytes_received()
        fresh, self._received = received - self._received, received
        turns = 0
        if self.owner is not None:
            turns, self._turns = self.owner.turns_asked - self._turns, self.owner.turns_asked
        self.excess = max(0.0, self.excess + fresh - FOR_A_TURN * max(0, turns) - EACH_SECOND * seconds)
        return fresh if self.owner is None else 0

    def notice_loss_within(self, seconds: float) -> None:
        """Have the system ask the other one whether it is there, and give up after so long."""
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

    def other_end(self) -> int:
        """The number of the socket at its other end, if that is on this machine, or 0."""
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

    def cut(self) -> None:
        """End it, whatever is on its way."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self.excess = 0.0

    def close(self) -> None:
        """Look at it no more."""
        self._socket.close()

    def _bytes_received(self) -> int:
        if sys.platform != "linux":
            return 0
        try:
            info = self._socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _BYTES_RECEIVED + 8)
            return int(struct.unpack_from("Q", info, _BYTES_RECEIVED)[0])
        except (OSError, struct.error):
            return self._received


def _inode(number: int) -> int:
    """The number of the socket that is open as this file; 0 if it is none."""
    try:
        found = os.fstat(number)
    except OSError:
        return 0
    return found.st_ino if stat.S_ISSOCK(found.st_mode) else 0


def _peer(connected: socket.socket) -> str:
    """The other end as gRPC names it."""
    host, port = connected.getpeername()[:2]
    mapped = host.removeprefix("::ffff:")
    return f"ipv4:{mapped}:{port}" if "." in mapped else f"ipv6:[{host}]:{port}"


def _as_listed(address: tuple[str, int]) -> str:
    """An address as /proc/net lists it: each word of 32 bits in the order of this machine, then the port."""
    host, port = address[:2]
    packed = socket.inet_pton(socket.AF_INET6 if ":" in host else socket.AF_INET, host)
    words = struct.unpack(f"={len(packed) // 4}I", packed)
    return "".join(f"{word:08X}" for word in words) + f":{port:04X}"
