"""Runs bots as processes: with a clean environment and limits; reads their output; ends them with all they started."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from aurum.processes.launch import Launch

FILE_MB = 1024
"""The largest file a bot may write."""
LOG_LIMIT = 64 << 20
"""Bytes that an instance may write to its output and error in all."""
_TAIL = 8 << 10
_HERE = Path(__file__).parent


class Guardian:
    """A helper process that kills the bots, and removes `scratch`, should the referee die before it does so itself."""

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch

    def __enter__(self) -> "Guardian":
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_HERE / "guardian.py"), str(self._scratch)],
            stdin=subprocess.PIPE,
            start_new_session=True,
            text=True,
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def watch(self, group: int) -> None:
        """Kill this process group if the referee dies."""
        self._say(f"+{group}\n")

    def release(self, group: int) -> None:
        """It is gone."""
        self._say(f"-{group}\n")

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # somebody killed it: bots still end with the unit
            self._process.stdin.write(line)
            self._process.stdin.flush()


def environment(variables: Mapping[str, str], scratch: Path) -> dict[str, str]:
    """What a bot sees of the world: a search path that begins with this Python's programs, a home, and `variables`."""
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return {"PATH": programs, "HOME": str(scratch), "TMPDIR": str(scratch), "LANG": "C.UTF-8", **variables}


class BotProcess:
    """A running bot. `exited` is done, with a sentence, once it has ended and `tail` holds all it will ever say."""

    def __init__(self, process: "subprocess.Popen[bytes]", guardian: Guardian) -> None:
        self._process = process
        self._guardian = guardian
        self._output = bytearray()
        self.written = 0
        self.cpu_s = self.wait_s = 0.0
        guardian.watch(process.pid)
        self.exited = asyncio.create_task(self._follow())

    @classmethod
    def start(
        cls, launch: Launch, variables: Mapping[str, str], scratch: Path, memory_mb: int, guardian: Guardian
    ) -> "BotProcess":
        """Start a bot in a session of its own; raises OSError if its folder is not there."""
        launcher = [sys.executable, "-I", "-S", str(_HERE / "launcher.py"), str(memory_mb), str(FILE_MB)]
        process = subprocess.Popen(
            [*launcher, *launch.command],
            cwd=launch.folder,
            env={**environment(variables, scratch), **dict(launch.env)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        return cls(process, guardian)

    @property
    def tail(self) -> str:
        """The end of what it wrote to output and error."""
        return self._output[-_TAIL:].decode(errors="replace").strip()

    def cpu(self) -> float:
        """CPU time of the process so far, in seconds; the last known value once it has ended."""
        with contextlib.suppress(OSError):
            # The clock id of another process, as clock_getcpuclockid(3) computes it.
            self.cpu_s = time.clock_gettime((~self._process.pid << 3) | 2)
        return self.cpu_s

    def waited(self) -> float:
        """How long its threads were ready but had no processor, in seconds; 0 where the system does not tell."""
        with contextlib.suppress(OSError, ValueError, IndexError):
            threads = Path(f"/proc/{self._process.pid}/task").glob("*/schedstat")
            self.wait_s = sum(int(thread.read_text().split()[1]) for thread in threads) / 1e9
        return self.wait_s

    async def stop(self, patience: float) -> None:
        """Wait up to `patience` seconds for it to end, then kill it with all of its process group."""
        self.cpu()
        self.waited()
        if patience > 0:
            await asyncio.wait({self.exited}, timeout=patience)
        self.kill()
        await self.exited

    def kill(self) -> None:
        """Kill the whole process group, at once."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    async def _follow(self) -> str:
        reading = asyncio.create_task(self._read_output())
        code = await self._wait()
        self.kill()  # what it started and left running
        await asyncio.wait({reading}, timeout=1)  # a child that left the group may hold the pipe open
        reading.cancel()
        self._guardian.release(self._process.pid)
        return describe_exit(code)

    async def _wait(self) -> int:
        # A thread each: asyncio's own subprocesses are not reported gone while a child holds their output open.
        loop = asyncio.get_running_loop()
        exited: asyncio.Future[int] = loop.create_future()

        def report(code: int) -> None:
            if not exited.done():
                exited.set_result(code)

        def wait() -> None:
            code = self._process.wait()
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody asks any more
                loop.call_soon_threadsafe(report, code)

        threading.Thread(target=wait, daemon=True).start()
        return await exited

    async def _read_output(self) -> None:
        output = asyncio.StreamReader()
        assert self._process.stdout is not None
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(output), self._process.stdout
        )
        try:
            while chunk := await output.read(1 << 16):
                self.written += len(chunk)
                self._output += chunk
                del self._output[:-_TAIL]
                if self.written > LOG_LIMIT:
                    self.kill()
        finally:
            transport.close()


def describe_exit(code: int) -> str:
    """An exit code as `Popen.returncode` gives it, in words."""
    if code >= 0:
        return f"exited with code {code}"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"
