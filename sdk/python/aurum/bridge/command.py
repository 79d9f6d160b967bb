"""Runs a bot's command, and reads and writes its pipes without a buffer between.

It stays in the bridge's process group, which the referee made and ends as a whole. Its standard error is the bridge's.
"""

import asyncio
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress

from aurum.bridge.mapping import LINE_LIMIT

_CHUNK = 1 << 16
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)


class Command:
    """A command that was started, in the event loop of the main thread; raises OSError if it cannot be."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str]) -> None:
        self._loop = asyncio.get_running_loop()
        bridge = os.getpid()

        def die_with_the_bridge() -> None:
            _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != bridge:  # it has died already
                os._exit(1)

        self._process = subprocess.Popen(
            command,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            preexec_fn=die_with_the_bridge if sys.platform == "linux" else None,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        for pipe in (self._input, self._output):
            os.set_blocking(pipe.fileno(), False)
        self.exited: asyncio.Future[int] = self._loop.create_future()
        """Done once it has ended, with the exit code as `Popen.returncode` gives it."""
        self._loop.add_signal_handler(signal.SIGCHLD, self._look)
        self._look()  # it may have ended before anybody listened

    async def lines(self) -> AsyncIterator[list[bytes]]:
        """What it writes: at a time all lines that are ready, without their ends. Half a line at the end is none."""
        begun = b""
        while chunk := await self._read():
            *lines, begun = (begun + chunk).split(b"\n")
            if len(begun) > LINE_LIMIT:  # no message, however it goes on
                lines.append(begun)
                begun = b""
            yield lines

    async def write(self, data: bytes) -> None:
        """Have it read `data`, which takes as long as the command takes; what it does not want to read is lost."""
        rest = memoryview(data)
        with suppress(BrokenPipeError):
            while rest and not self._input.closed:
                try:
                    rest = rest[os.write(self._input.fileno(), rest) :]
                except BlockingIOError:
                    await self._until_writable()

    async def end(self, patience: float) -> int:
        """Close its input, and kill it unless it ends within so many seconds; returns its exit code."""
        self._input.close()
        await asyncio.wait({self.exited}, timeout=patience)
        if not self.exited.done():
            self._process.kill()
        return await self.exited

    async def _read(self) -> bytes:
        """The next of its output; nothing at its end. What others write, whom it has left behind, is not waited for."""
        while True:
            ended = self.exited.done()
            await (asyncio.sleep(0) if ended else self._until_readable())
            try:
                return os.read(self._output.fileno(), _CHUNK)
            except BlockingIOError:
                if ended:
                    return b""

    async def _until_readable(self) -> None:
        """Until there is output, or the end of it, or of the command."""
        self._readable = self._loop.create_future()
        self._loop.add_reader(self._output.fileno(), _wake, self._readable)
        try:
            await self._readable
        finally:
            self._loop.remove_reader(self._output.fileno())

    async def _until_writable(self) -> None:
        writable: asyncio.Future[None] = self._loop.create_future()
        self._loop.add_writer(self._input.fileno(), _wake, writable)
        try:
            await writable
        finally:
            self._loop.remove_writer(self._input.fileno())

    def _look(self) -> None:
        if self._process.poll() is not None and not self.exited.done():
            self.exited.set_result(self._process.returncode)
            _wake(self._readable)


def _wake(future: "asyncio.Future[None]") -> None:
    if not future.done():
        future.set_result(None)
