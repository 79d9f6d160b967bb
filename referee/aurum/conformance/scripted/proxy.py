"""A proxy between the bot and the referee, so that a check can make the referee unreachable or cut a connection."""

import asyncio
import contextlib
import socket
from pathlib import Path


class Proxy:
    """Passes bytes on between bots that dial `address` and the Unix-domain socket of a referee.

    Until `open` is called, connections to `address` are refused.
    """

    def __init__(self, listener: socket.socket, address: str, referee: str) -> None:
        self.address = address
        self._listener = listener
        self._referee = referee
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    @classmethod
    def tcp(cls, referee: str) -> "Proxy":
        """A proxy at any free port of this machine."""
        listener = socket.socket(socket.AF_INET)
        listener.bind(("127.0.0.1", 0))
        return cls(listener, f"127.0.0.1:{listener.getsockname()[1]}", referee)

    @classmethod
    def unix(cls, path: Path, referee: str) -> "Proxy":
        """A proxy at a Unix-domain socket."""
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
        return cls(listener, f"unix:{path}", referee)

    async def open(self) -> None:
        """Accept connections from now on."""
        serve = asyncio.start_unix_server if self._listener.family is socket.AF_UNIX else asyncio.start_server
        self._server = await serve(self._connect, sock=self._listener)

    def cut(self) -> None:
        """Drop every connection, with whatever is under way on it."""
        for writer in self._writers:
            writer.transport.abort()

    def close(self) -> None:
        """Drop every connection and accept no more."""
        if self._server is not None:
            self._server.close()
        self._listener.close()
        self.cut()

    async def _connect(self, bot: asyncio.StreamReader, to_bot: asyncio.StreamWriter) -> None:
        referee, to_referee = await asyncio.open_unix_connection(self._referee)
        writers = {to_bot, to_referee}
        self._writers |= writers
        await asyncio.gather(_pass_on(bot, to_referee), _pass_on(referee, to_bot))
        self._writers -= writers


async def _pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await source.read(1 << 16):
            target.write(data)
            await target.drain()
    target.close()
