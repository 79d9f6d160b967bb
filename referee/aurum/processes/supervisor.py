"""The parent of a bot's process, a program of its own: starts it, watches its limits, ends all that it has started.

`aurum.processes.process` runs one for each instance, with the bot's environment. Its standard input is a socket, on
which it says what happens, a line each:

    started PID          the bot's process is there
    no-folder NUMBER     the bot cannot be started in its folder: the system's error
    no-command NUMBER    its command cannot be run, and the command is to blame: the system's error
    not-run CODE         bubblewrap has ended, and has not run its command
    short NUMBER         it cannot be started, since the machine lacks something: the system's error
    limit SENTENCE       it is ended, since it has used more than a limit allows
    ended CODE           it has ended, with an exit code or minus the number of a signal
    failed SENTENCE      the supervisor itself has failed: a bug of ours

When the other end of the socket is closed, or shut down for writing, the bot is ended; so it ends with the arena,
however that ends. Everything that the bot has started ends with it: on Linux a supervisor is its subreaper (prctl(2)),
the parent of processes that have lost theirs, so that none can leave; elsewhere the bot's process group ends with it.
In a sandbox, what it starts is bubblewrap, and that the bot.
At the end the bot's private folder is removed.
"""

import contextlib
import ctypes
import errno
import os
import resource
import select
import signal
import sys

from aurum.processes.folders import remove
from aurum.processes.tree import end_descendants
from aurum.processes.usage import Usage
from aurum.sandbox.exits import exit_of

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_LINUX = sys.platform == "linux"
_SHORT = {errno.ENOMEM, errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.EIO, errno.ENOSPC}
"""What the machine lacks when a program cannot be started; any other error is the command's."""


def main() -> None:
    """Run a command in a folder: FOLDER HOME MEMORY_MB DISK_MB SANDBOX COMMAND [ARG ...].

    SANDBOX is empty, or `FILE PROGRAM`: the number of an open file with arguments for bubblewrap, and that program.
    """
    folder, home, memory_mb, disk_mb, sandbox, *command = sys.argv[1:]
    control = os.dup(0)  # closed when a bot takes over
    usage = Usage(int(memory_mb) if _LINUX else 0, int(disk_mb), home)
    supervisor = _Supervisor(control, sandbox, command, folder, usage)
    try:
        supervisor.run()
    except Exception as error:
        supervisor.say("failed", f"{type(error).__name__}: {error}")
    remove(home)


class _Supervisor:
    def __init__(self, control: int, sandbox: str, command: list[str], folder: str, usage: Usage) -> None:
        self._control = control
        self._command = command
        self._status, self._status_end = os.pipe() if sandbox else (-1, -1)
        if sandbox:
            os.set_inheritable(self._status_end, True)
            file, _, program = sandbox.partition(" ")
            self._command = [program, "--args", file, "--json-status-fd", str(self._status_end), "--", *command]
        self._folder = folder
        self._usage = usage
        self._libc = ctypes.CDLL(None) if _LINUX else None

    def run(self) -> None:
        """Start the bot, and return when it has ended with all that it has started."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a shutdown ends the arena, and so the bot
        wake, wake_end = os.pipe()
        os.set_blocking(wake_end, False)
        signal.set_wakeup_fd(wake_end, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        if self._libc is not None:
            self._libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        try:
            pid = os.fork()
        except OSError as error:
            self.say("short", error.errno)
        else:
            if pid == 0:
                self._become_the_bot()
            self.say("started", pid)
            null = os.open(os.devnull, os.O_RDWR)
            for number in range(3):  # the bot's output ends when it has closed it
                os.dup2(null, number)
            self._watch(pid, wake)
            self._end(pid)

    def _become_the_bot(self) -> None:
        """In the child: turn into the bot's command. Does not return."""
        blame = "no-folder"
        try:
            os.setsid()
            if self._libc is not None:
                self._libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ):
                signal.signal(number, signal.SIG_DFL)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            os.chdir(self._folder)
            blame = "no-command"
            os.execvp(self._command[0], self._command)
        except OSError as error:
            self.say("short" if error.errno in _SHORT else blame, error.errno)
        finally:
            os._exit(127)

    def _watch(self, pid: int, wake: int) -> None:
        """Return when the bot has ended or is to be ended."""
        while True:
            ready, _, _ = select.select([self._control, wake], [], [], self._usage.seconds_to_next())
            if wake in ready:
                os.read(wake, 1 << 16)
            if self._has_ended(pid):
                return
            if self._control in ready and not os.read(self._control, 1 << 12):
                self.say("ended", -signal.SIGKILL)
                return
            if sentence := self._usage.excess():
                self.say("limit", sentence)
                return

    def _has_ended(self, pid: int) -> bool:
        """Wait for all children that have ended; say it if the bot is among them."""
        with contextlib.suppress(ChildProcessError):
            while True:
                ended, status = os.waitpid(-1, os.WNOHANG)
                if ended == 0:
                    return False
                if ended == pid:
                    self._say_how_it_ended(os.waitstatus_to_exitcode(status))
                    return True
        return False

    def _say_how_it_ended(self, code: int) -> None:
        if self._status >= 0:
            written = b""
            os.set_blocking(self._status, False)
            with contextlib.suppress(BlockingIOError):
                written = os.read(self._status, 1 << 12)
            if code >= 0 and b"exit-code" not in written:
                self.say("not-run", code)
                return
            code = exit_of(code)
        self.say("ended", code)

    def _end(self, pid: int) -> None:
        if _LINUX:
            end_descendants()
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)

    def say(self, word: str, what: object) -> None:
        """Say what has happened."""
        with contextlib.suppress(OSError):  # nobody listens any more
            os.write(self._control, f"{word} {what}\n".encode())
