"""A server's connections as the system sees them: which are silent, and which flood.

gRPC bounds what it hands over of a connection, not what it takes in. Of a header block that does not end, it keeps what
fits into each frame, and when the connection ends it hands all of that over at once, which holds up everything else.
So it is counted here what comes in, and a connection is cut that brings more than anyone can ask for.

The connections are found among the open files of this process (`aurum.serving.accepted`). Whose a TCP connection is, is
known by the token that is shown on it, or else, once it floods, by the process that has its other end. Those to a
Unix-domain socket have no name that gRPC could tell, but the system knows which process has made each.
"""

import asyncio
import contextlib
import os
import sys
from collections.abc import Collection
from typing import Protocol

from aurum.serving.accepted import Accepted, inode_of

INTERVAL = 0.02
"""Seconds between two looks."""

BURST = 192 * 1024
"""Bytes that may come from a bot beyond what it was asked for: a message on its way, and one that is refused."""
TOKENLESS_BURST = 16 * 1024
"""Bytes that may come on a connection before it has shown a token: the metadata of a call, twice."""
TOKENLESS_SUM = 64 * 1024
"""The same for all such connections together."""
FOR_A_TURN = 512
"""Bytes for each turn that a bot is asked: an answer takes 30, and about 50 of what HTTP/2 adds."""
EACH_SECOND = 256
"""Bytes for pings, and for calls that begin again."""

_OPEN_FILES = "/proc/self/fd" if sys.platform == "linux" else "/dev/fd"


class Owner(Protocol):
    """Whom connections belong to: a bot, or somebody whose bot is not known."""

    @property
    def turns_asked(self) -> int:
        """How many answers it may have been sent, so far."""

    def flooded(self, sentence: str) -> None:
        """More came from it than anyone can ask for; its connections are cut."""


class Owners(Protocol):
    """All that may have connections."""

    def having_socket(self, inode: int) -> Owner | None:
        """The one whose process has a socket of this number open, if that is known."""

    def having_process(self, pid: int) -> Owner:
        """The one that this process belongs to; 0 is none that is known. If it is nobody's, one for itself."""


class _Account:
    """`excess` is what has come in on some connections, in bytes, beyond what their owner was asked for."""

    def __init__(self, owner: Owner | None) -> None:
        self.owner = owner
        self.excess = 0.0
        self._turns = 0 if owner is None else owner.turns_asked

    def settle(self, seconds: float) -> None:
        """Allow for the turns that were asked since this was last called, so many seconds ago."""
        turns = 0
        if self.owner is not None:
            turns, self._turns = self.owner.turns_asked - self._turns, self.owner.turns_asked
        self.excess = max(0.0, self.excess - FOR_A_TURN * max(0, turns) - EACH_SECOND * seconds)


class _Connection:
    def __init__(self, accepted: Accepted, account: _Account) -> None:
        self.accepted = accepted
        self.account = account
        self._received = 0

    def count(self) -> int:
        """Put what has come since this was last called on the account; returns it."""
        received = self.accepted.received()
        fresh, self._received = received - self._received, received
        self.account.excess += fresh
        return fresh


class Connections:
    """The open connections to addresses of this process, for as long as it is not closed.

    Args:
        addresses: the ports, and paths of Unix-domain sockets, where it listens.
        owners: whom they may belong to.
    """

    def __init__(self, addresses: Collection[int | str], owners: Owners) -> None:
        self._addresses = frozenset(addresses)
        self._owners = owners
        self._silence: float | None = None
        self._files: dict[int, _Connection] = {}
        self._by_peer: dict[str, _Connection] = {}
        """Those of TCP."""
        self._accounts: dict[Owner, _Account] = {}
        self._expected: dict[str, Owner] = {}
        """By peer: whose token was shown on a connection that is not found yet."""
        self._others: dict[int, int] = {}
        """By file: the number of a socket that is none of ours."""
        self._tokenless = 0.0
        self._loop = asyncio.get_running_loop()
        self._looked = self._loop.time()
        self._timer = self._loop.call_later(INTERVAL, self._look)

    def notice_loss_within(self, seconds: float) -> None:
        """Have a connection end when the other machine has been silent for so long.

        That is a matter of the two systems: a bot that is busy, or stopped, is not silent.
        """
        self._silence = seconds
        for connection in self._files.values():
            connection.accepted.notice_loss_within(seconds)

    def belongs(self, peer: str, owner: Owner) -> None:
        """The connection from `peer`, as gRPC names it, has shown a token of `owner`."""
        account = self._account(owner)
        if (connection := self._by_peer.get(peer)) is None:
            if peer.startswith("ip"):
                self._expected[peer] = owner
        elif connection.account is not account:
            account.excess += connection.account.excess
            connection.account = account

    def close(self) -> None:
        """Look no more."""
        self._timer.cancel()
        for connection in self._files.values():
            connection.accepted.close()
        self._by_peer.clear()
        self._files.clear()

    def _look(self) -> None:
        now = self._loop.time()
        passed, self._looked = now - self._looked, now
        self._find()
        fresh = 0
        for connection in self._files.values():
            count = connection.count()
            fresh += count if connection.account.owner is None else 0
        self._tokenless = max(0.0, self._tokenless + fresh - EACH_SECOND * passed)
        for account in {id(each.account): each.account for each in self._files.values()}.values():
            account.settle(passed)
            if self._is_too_much(account):
                self._cut(account)
        self._timer = self._loop.call_later(INTERVAL, self._look)

    def _is_too_much(self, account: _Account) -> bool:
        if account.owner is not None:
            return account.excess > BURST
        return account.excess > TOKENLESS_BURST or (
            self._tokenless > TOKENLESS_SUM and account.excess > TOKENLESS_BURST // 4
        )

    def _cut(self, account: _Account) -> None:
        owner = account.owner
        sentence = f"flooded its connection with {round(account.excess / 1024)} KiB that no turn has asked for"
        for connection in self._files.values():
            if connection.account is account:
                if owner is None and (inode := connection.accepted.other_socket()):
                    owner = self._owners.having_socket(inode)
                connection.accepted.cut()
        account.excess = 0.0
        if owner is not None:
            owner.flooded(sentence)

    def _find(self) -> None:
        """Forget the connections that gRPC has closed, and find those that it has accepted."""
        numbers = set()
        with contextlib.suppress(OSError):
            numbers = {int(name) for name in os.listdir(_OPEN_FILES)}  # noqa: PTH208 - fifty times a second
        duplicates = {connection.accepted.file for connection in self._files.values()}
        strange = numbers - self._files.keys() - duplicates
        closed = [
            number
            for number, connection in self._files.items()
            if number not in numbers or connection.accepted.inode != inode_of(number)
        ]
        for number in closed:
            accepted = self._files.pop(number).accepted
            accepted.close()
            self._by_peer.pop(accepted.peer, None)
        if closed:
            used = {connection.account.owner for connection in self._files.values()} | {*self._expected.values()}
            self._accounts = {owner: account for owner, account in self._accounts.items() if owner in used}
        known = {connection.accepted.inode for connection in self._files.values()}
        for number in strange:
            inode = inode_of(number)
            if inode and self._others.get(number) != inode:
                if (found := Accepted.of(number, inode, self._addresses)) is None:
                    self._others[number] = inode
                elif inode in known:  # a duplicate that was made in this loop
                    found.close()
                else:
                    known.add(inode)
                    self._begin(number, found)

    def _begin(self, number: int, accepted: Accepted) -> None:
        account = _Account(None)
        if not accepted.peer:
            account = self._account(self._owners.having_process(accepted.process()))
        elif (owner := self._expected.pop(accepted.peer, None)) is not None:
            account = self._account(owner)
        connection = self._files[number] = _Connection(accepted, account)
        if accepted.peer:
            self._by_peer[accepted.peer] = connection
        if self._silence is not None:
            accepted.notice_loss_within(self._silence)

    def _account(self, owner: Owner) -> _Account:
        if owner not in self._accounts:
            self._accounts[owner] = _Account(owner)
        return self._accounts[owner]
