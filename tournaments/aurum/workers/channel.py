"""Carries what workers send to the run while they play: deal groups that are finished, and events of games.

A worker opens a channel for the time of a unit. When it closes it, all that was sent has been received; so the run has
all of it before it hears that the unit is over.
"""

import pickle
import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from socketserver import StreamRequestHandler, ThreadingUnixStreamServer
from threading import Thread
from typing import Protocol, TypeAlias, TypeVar

from aurum.processes.shortage import machine_has_what_it_takes_to
from aurum.processes.sockets import socket_folder
from aurum.referee.unit import Unit
from aurum.workers.worker import Message, Send

Receive: TypeAlias = Callable[[Message], None]
"""Called with each message, those of a unit in order, in a thread of the channel's own."""

Result = TypeVar("Result")

_POLL_S = 0.05


class Channel(Protocol):
    """The workers' end of a channel; it can be pickled."""

    def open(self) -> AbstractContextManager[Send]:
        """Open it in a worker; gives what sends a message."""


def play_sending(play: Callable[..., Result], channel: Channel, unit: Unit, *arguments: object) -> Result:
    """Play a unit in a worker, as `play(unit, *arguments, send=...)` does, which sends through the channel."""
    with channel.open() as send:
        return play(unit, *arguments, send=send)


@contextmanager
def local_channel(receive: Receive) -> Iterator[Channel]:
    """A channel for worker processes of this machine. They must have ended, or be idle, when its `with` is left.

    Raises UserError if the machine has no room for it.
    """
    with ExitStack() as opened:
        with machine_has_what_it_takes_to("make a folder for the run"):
            path = str(opened.enter_context(socket_folder()) / "socket")
            server = opened.enter_context(_Server(path, receive))
        serving = Thread(target=server.serve_forever, args=(_POLL_S,))
        serving.start()
        try:
            yield SocketChannel(path)
        finally:
            server.shutdown()
            serving.join()


@dataclass(frozen=True)
class SocketChannel:
    """Sends through the socket at `path`: pickled messages, one after the other."""

    path: str

    @contextmanager
    def open(self) -> Iterator[Send]:
        """Connect; at the end, wait until all was received."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(self.path)
            yield lambda message: connection.sendall(pickle.dumps(message))
            connection.shutdown(socket.SHUT_WR)
            connection.recv(1)  # the other side closes once it has read all


class _Server(ThreadingUnixStreamServer):
    """A thread for each connection; closing the server waits for all of them."""

    def __init__(self, path: str, receive: Receive) -> None:
        super().__init__(path, _Connection)
        self.receive = receive


class _Connection(StreamRequestHandler):
    """What one worker sends for one unit."""

    server: _Server

    def handle(self) -> None:
        """Receive messages until the worker has no more, or is dead."""
        while True:
            try:
                message = pickle.load(self.rfile)
            except (EOFError, pickle.UnpicklingError, ConnectionError):
                return
            self.server.receive(message)
