"""Builds the bots of a spec that have a `build` command, before the first game of a run."""

import os
import shlex
import signal
import subprocess
from tempfile import TemporaryFile
from typing import BinaryIO

from aurum.common.errors import Interrupted, UserError
from aurum.common.texts import printable, shown
from aurum.run.interrupts import on_interrupt
from aurum.run.progress import WorkProgress
from aurum.spec.spec import BotEntry, Spec

TAIL_LINES = 20
"""How much of a failed build's output is shown."""

_TAIL_BYTES = 8192
_TICK_S = 1.0


def build_bots(spec: Spec, progress: WorkProgress) -> None:
    """Build every bot that has something to build, one after another; a build that several bots share runs once.

    A build runs in its bot's folder with the environment of this process, without a shell.

    Raises:
        UserError: a build failed or cannot be run.
        Interrupted: the user ended it.
    """
    build = _Build(progress)
    built = set()
    with on_interrupt(build.interrupt):
        for number, bot in enumerate(spec.bots, 1):
            if not bot.build or (bot.folder, bot.build) in built:
                continue
            built.add((bot.folder, bot.build))
            progress.say(f"building {bot.name}: {shlex.join(bot.build)}")
            if failure := build.run(bot):
                raise UserError(
                    f"{spec.source}: bots[{number}].build: {failure} (name {shown(bot.name)}): "
                    f"{shlex.join(bot.build)}, in {bot.folder}; no game was played"
                )
    build.check_interrupted()


class _Build:
    """The build under way, if there is one."""

    def __init__(self, progress: WorkProgress) -> None:
        self._progress = progress
        self._process: subprocess.Popen[bytes] | None = None
        self._interrupted = False

    def interrupt(self) -> None:
        """End the build under way and let no other begin; called in a signal handler."""
        self._interrupted = True
        self._kill()

    def check_interrupted(self) -> None:
        """Raise Interrupted if `interrupt` was called."""
        if self._interrupted:
            raise Interrupted

    def run(self, bot: BotEntry) -> str:
        """Build one bot; if it failed, show the last lines of its output and return what went wrong, else nothing."""
        with TemporaryFile() as output:
            try:
                self._process = subprocess.Popen(
                    bot.build,
                    cwd=bot.folder,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,  # all that it starts ends with it
                )
            except OSError as error:
                return f"cannot be run: {error.strerror}"
            try:
                code = self._wait(self._process)
            finally:
                self._kill()
                self._process.wait()
            self.check_interrupted()
            if code:
                for line in _tail(output):
                    self._progress.say(f"  | {line}")
        if code < 0:
            return f"was ended by {signal.Signals(-code).name}"
        return f"failed with exit code {code}" if code else ""

    def _wait(self, process: subprocess.Popen[bytes]) -> int:
        while True:
            self.check_interrupted()
            try:
                return process.wait(_TICK_S)
            except subprocess.TimeoutExpired:
                self._progress.tick()

    def _kill(self) -> None:
        # The number of a process, and so of its group, is its own until it has been waited for.
        if self._process and self._process.returncode is None:
            os.killpg(self._process.pid, signal.SIGKILL)


def _tail(output: BinaryIO) -> list[str]:
    """The last lines that a build printed, harmless to a terminal."""
    size = output.seek(0, os.SEEK_END)
    output.seek(max(0, size - _TAIL_BYTES))
    lines = output.read().decode(errors="replace").splitlines()
    return [printable(line) for line in lines[-TAIL_LINES:]]
