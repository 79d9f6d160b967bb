"""Runs bots as processes: with a clean environment and limits; reads their output; ends them with all they started."""

import asyncio
import contextlib
import errno
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from aurum.common.errors import UserError
from aurum.processes.commands import fault_in_command, fault_in_start, hint_about
from aurum.processes.isolated import isolated
from aurum.processes.launch import Launch, Limits
from aurum.processes.shortage import machine_has_what_it_takes_to, shortage
from aurum.processes.tree import descendants
from aurum.sandbox.bubblewrap import argument_file, bubblewrap, usable
from aurum.sandbox.inside import options, private_folders

LOG_LIMIT = 64 << 20
"""Bytes that an instance may write to its output and error in all."""
_TAIL = 8 << 10
_SPARE_FILES = 8
"""Files that must still be free once a bot is started: its connection and what it is read with take some."""
_OUTPUT_S = 1.0
"""How long the output of a bot that has ended may stay open, in the hands of a process that has escaped."""
_END_S = 10.0
"""How long a supervisor may take to end its bot, and to empty its folder, before it is killed itself."""


def environment(variables: Mapping[str, str], scratch: Path) -> dict[str, str]:
    """What a bot sees of the world: a search path that begins with this Python's programs, a home, and `variables`."""
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return {"PATH": programs, "HOME": str(scratch), "TMPDIR": str(scratch), "LANG": "C.UTF-8", **variables}


class BotProcess:
    """A running bot. `exited` is done, with a sentence, once it has ended and `tail` holds all it will ever say.

    `trouble` is what ended it if that was not the bot's own doing: UserError where the machine lacks something,
    another exception for a bug of ours. `could_start` is False once it is known that its command cannot be run.
    """

    def __init__(
        self,
        supervisor: "subprocess.Popen[bytes]",
        control: socket.socket,
        launch: Launch,
        path: str,
        sandboxed: bool,
    ) -> None:
        self._supervisor = supervisor
        self._control = control
        self._launch = launch
        self._path = path
        self._pid = 0
        self._sandboxed = sandboxed
        self._output = bytearray()
        self.trouble: Exception | None = None
        self.could_start = True
        self.written = 0
        self.cpu_s = self.wait_s = 0.0
        self.exited = asyncio.create_task(self._follow())
        self._gone = asyncio.create_task(self._wait_for_supervisor())

    @classmethod
    def start(cls, launch: Launch, variables: Mapping[str, str], home: Path, limits: Limits) -> "BotProcess":
        """Start a bot in a session of its own, and in a sandbox if one is wanted and works here.

        Args:
            launch: what is started.
            variables: of its environment. A bot in a sandbox reaches nothing but the Unix socket of AURUM_ADDRESS.
            home: a folder for this bot alone, which is removed when it has ended.
            limits: for it and all that it starts.

        Raises UserError if the machine has no process, no files or no sandbox for it.
        """
        sandboxed = usable(launch.sandbox)
        with machine_has_what_it_takes_to("start a bot"), contextlib.ExitStack() as open_if_it_fails:
            env = {**environment(variables, home), **dict(launch.env)}
            files: list[int] = []
            sandbox = ""
            if sandboxed:
                env, file = _in_sandbox(launch, variables, home)
                open_if_it_fails.callback(os.close, file)
                files.append(file)
                sandbox = f"{file} {bubblewrap().program}"
            said = (launch.folder, str(home), str(limits.memory_mb), str(limits.disk_mb), sandbox, *launch.command)
            control, supervisors_end = socket.socketpair()
            open_if_it_fails.enter_context(control)
            with supervisors_end:
                _check_spare_files(control)
                supervisor = subprocess.Popen(
                    isolated("aurum.processes.supervisor", *said),
                    env=env,
                    stdin=supervisors_end.fileno(),
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    pass_fds=files,
                )
            open_if_it_fails.pop_all()
            for file in files:
                os.close(file)
        control.setblocking(False)
        return cls(supervisor, control, launch, env["PATH"], sandboxed)

    @property
    def tail(self) -> str:
        """The end of what it wrote to output and error."""
        return self._output[-_TAIL:].decode(errors="replace").strip()

    @property
    def hint(self) -> str:
        """What may be wrong with its command, if it did not come as far as it should; else empty."""
        return hint_about(self._launch.command, Path(self._launch.folder), self._path)

    def cpu(self) -> float:
        """CPU time of the process so far, in seconds; the last known value once it has ended."""
        if self._look_for_bot():
            with contextlib.suppress(OSError):
                # The clock id of another process, as clock_getcpuclockid(3) computes it.
                self.cpu_s = time.clock_gettime((~self._pid << 3) | 2)
        return self.cpu_s

    def waited(self) -> float:
        """How long it and all that it started were ready but had no processor, in seconds, summed over their threads.

        0 where the system does not tell.
        """
        total = 0
        for pid in [self._pid, *descendants(self._pid)] if self._pid else ():
            with contextlib.suppress(OSError, ValueError, IndexError):  # of what has ended meanwhile
                for thread in Path(f"/proc/{pid}/task").glob("*/schedstat"):
                    total += int(thread.read_text().split()[1])
        self.wait_s = max(self.wait_s, total / 1e9)  # what has ended is counted no more
        return self.wait_s

    def holds_socket(self, inode: int) -> bool:
        """Whether the bot, or a process that it has started, has a socket of this number open (Linux only)."""
        link = f"socket:[{inode}]"
        for pid in descendants(self._supervisor.pid):
            with contextlib.suppress(OSError):
                for file in os.listdir(f"/proc/{pid}/fd"):  # noqa: PTH208 - links that may be gone by now
                    with contextlib.suppress(OSError):
                        if os.readlink(f"/proc/{pid}/fd/{file}") == link:  # noqa: PTH115
                            return True
        return False

    def includes(self, pid: int) -> bool:
        """Whether this is the bot's process, or one that it has started."""
        return pid in descendants(self._supervisor.pid)

    def _look_for_bot(self) -> int:
        """The bot's own process; 0 before it is known. In a sandbox, bubblewrap starts the first, and that the bot."""
        if self._sandboxed and self._pid and len(inside := descendants(self._pid)) > 1:
            self._pid, self._sandboxed = inside[1], False
        return 0 if self._sandboxed else self._pid

    async def stop(self, patience: float) -> None:
        """Wait up to `patience` seconds for it to end, then kill it with all that it has started."""
        self.cpu()
        self.waited()
        if patience > 0:
            await asyncio.wait({self.exited}, timeout=patience)
        self.kill()
        await asyncio.wait({self._gone}, timeout=_END_S)
        if not self._gone.done():
            self._kill_supervisor()
        await self._gone

    def kill(self) -> None:
        """Have it killed with all that it has started, at once."""
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)

    def _kill_supervisor(self) -> None:
        """Do what a supervisor that is stopped, or hangs, does not do."""
        pid = self._supervisor.pid
        for each in [*descendants(pid), pid]:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(each, signal.SIGKILL)

    async def _follow(self) -> str:
        self._reading = asyncio.create_task(self._read_output())
        sentence = await self._hear()
        await asyncio.wait({self._reading}, timeout=_OUTPUT_S)
        self._reading.cancel()
        return sentence

    async def _hear(self) -> str:
        """Listen to the supervisor until the bot has ended; returns how, as the end of a sentence."""
        async for word, what in self._messages():
            match word:
                case "started":
                    self._pid = int(what)
                case "ended":
                    return describe_exit(int(what))
                case "limit":
                    return f"was ended for using {what}"
                case "not-run":
                    return await self._why_not_run()
                case "no-folder":
                    self.could_start = False
                    return f"could not be started: its folder {self._launch.folder}: {os.strerror(int(what))}"
                case "no-command":
                    self.could_start = False
                    fault = fault_in_start(int(what), self._launch.command, Path(self._launch.folder), self._path)
                    return f"could not be started: {fault}"
                case "short":
                    self.trouble = shortage("start a bot", int(what))
                    return f"could not be started: {self.trouble}"
                case _:
                    self.trouble = RuntimeError(f"the supervisor of a bot failed: {what}")
                    return "was ended"
        code = await self._supervisor_code()
        if code > 0:
            self.trouble = RuntimeError(f"the supervisor of a bot failed: {self.tail}")
        return describe_exit(code)

    async def _why_not_run(self) -> str:
        """Why bubblewrap has not run the command, as the end of a sentence, by what it has written."""
        await asyncio.wait({self._reading}, timeout=_OUTPUT_S)
        self.could_start = False
        last = self.tail.splitlines()[-1] if self.tail else "it wrote nothing"
        if not last.startswith("bwrap: execvp "):
            self.trouble = UserError(f"this machine cannot make a sandbox for a bot: {last}")
            return f"could not be started: {self.trouble}"
        errors = {os.strerror(number): number for number in errno.errorcode}
        number = errors.get(last.rpartition(": ")[2], errno.ENOENT)
        folder = Path(self._launch.folder)
        if fault := fault_in_command(self._launch.command, folder, self._path):
            return f"could not be started: {fault}"
        if number != errno.ENOENT:
            return f"could not be started: {fault_in_start(number, self._launch.command, folder, self._path)}"
        return (
            f"could not be started: {self._launch.command[0]}, or what it is run by, is not there in its sandbox: "
            "name the folder it lies in in the bot's `reads`"
        )

    async def _messages(self) -> AsyncIterator[tuple[str, str]]:
        loop = asyncio.get_running_loop()
        buffer = b""
        while True:
            try:
                data = await loop.sock_recv(self._control, 1 << 12)
            except ConnectionError:
                return
            if not data:
                return
            *lines, buffer = (buffer + data).split(b"\n")
            for line in lines:
                word, _, what = line.decode(errors="replace").partition(" ")
                yield word, what

    async def _wait_for_supervisor(self) -> None:
        await asyncio.wait({self.exited})
        await self._supervisor_code()
        self._control.close()

    async def _supervisor_code(self) -> int:
        """How the supervisor has ended, which it does soon."""
        pause = 0.001
        while (code := self._supervisor.poll()) is None:
            await asyncio.sleep(pause)
            pause = min(2 * pause, 0.05)
        return code

    async def _read_output(self) -> None:
        output = asyncio.StreamReader()
        assert self._supervisor.stdout is not None
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(output), self._supervisor.stdout
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


def _in_sandbox(launch: Launch, variables: Mapping[str, str], scratch: Path) -> tuple[dict[str, str], int]:
    """The environment of a bot in a sandbox, and an open file with bubblewrap's arguments."""
    assert launch.sandbox is not None
    private = private_folders(str(scratch))
    env = {**environment(variables, Path(private.home)), **dict(launch.env)}
    places = options(
        launch.sandbox,
        launch.command,
        launch.folder,
        {"PATH": env["PATH"], **dict(launch.env)},
        private,
        socket=variables.get("AURUM_ADDRESS", "").removeprefix("unix:"),
    )
    return env, argument_file(places)


def _check_spare_files(control: socket.socket) -> None:
    """Raise OSError if so few files can still be opened that a bot might be refused its connection."""
    with contextlib.ExitStack() as spare:
        for _ in range(_SPARE_FILES):
            spare.enter_context(control.dup())


def describe_exit(code: int) -> str:
    """An exit code as `Popen.returncode` gives it, in words."""
    if code >= 0:
        return f"exited with code {code}"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"
