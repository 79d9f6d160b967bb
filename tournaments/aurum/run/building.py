"""Builds the bots of a spec that have a `build` command, before the first game of a run."""

import contextlib
import os
import re
import shlex
import signal
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import BinaryIO, NamedTuple

from aurum.common.errors import Interrupted, UserError
from aurum.common.texts import printable, shown
from aurum.processes.commands import fault_in_command
from aurum.run.interrupts import on_interrupt
from aurum.run.progress import WorkProgress
from aurum.sandbox.bubblewrap import argument_file, bubblewrap, usable
from aurum.sandbox.exits import exit_of
from aurum.sandbox.inside import options, private_folders
from aurum.sandbox.sandbox import Sandbox
from aurum.schedule.jobs import bot_sandbox
from aurum.spec.spec import BotEntry, Spec

TAIL_LINES = 20
"""How much of a failed build's output is shown."""

_TAIL_BYTES = 8192
_TICK_S = 1.0

_OF_TOOLS = re.compile(
    r"PATH|LANG|LC_\w+|TZ|CI|CC|CXX|AR|LD|\w*FLAGS|(GO|CGO_|CARGO_|RUST|JAVA_|MAVEN_|GRADLE_|NODE_|npm_config_"
    r"|PYTHON|PIP_|UV_|CMAKE_|PKG_CONFIG_|DOTNET_|NUGET_|SSL_CERT_|SOURCE_DATE_)\w*"
)
"""Variables of the organiser's environment that a build in a sandbox gets."""
_OF_NETWORK = re.compile(r"(http|https|ftp|all|no)_proxy", re.IGNORECASE)
"""Others that it gets if it may reach the network."""
_SECRET = re.compile("token|secret|passw|auth|key|credential", re.IGNORECASE)
"""In the names of those that it never gets."""

_IN_HOME = {"RUSTUP_HOME": ".rustup", "PYENV_ROOT": ".pyenv"}
"""Variables by which tools are found whose home is not the build's."""
_CACHES = {"CARGO_HOME": ".cargo", "GOMODCACHE": "go/pkg/mod"}
"""And libraries: without network nothing else brings them; with it, tools want to write there."""
_MAVEN = ".m2/repository"


def build_bots(spec: Spec, progress: WorkProgress, hidden: tuple[str, ...] = ()) -> None:
    """Build every bot that has something to build, one after another; a build that several bots share runs once.

    A build runs in its bot's folder, without a shell: in a sandbox, as the spec says, in which it can write to that
    folder and does not see what is `hidden`; otherwise with the environment of this process.

    Raises:
        UserError: a build failed or cannot be run, or there must be a sandbox and is none.
        Interrupted: the user ended it.
    """
    build = _Build(progress, spec.build_network)
    built = set()
    with on_interrupt(build.interrupt):
        for number, bot in enumerate(spec.bots, 1):
            if not bot.build or (bot.folder, bot.build) in built:
                continue
            built.add((bot.folder, bot.build))
            progress.say(f"building {bot.name}: {shlex.join(bot.build)}")
            if failure := build.run(bot, bot_sandbox(spec, bot, hidden)):
                offline = build.sandboxed and not spec.build_network
                raise UserError(
                    f"{spec.source}: bots[{number}].build: {failure} (name {shown(bot.name)}): "
                    f"{shlex.join(bot.build)}, in {bot.folder}; no game was played"
                    + "; it had no network, in its sandbox: if it needs that, set run.build_network = true"
                    * offline
                )
    build.check_interrupted()


class _Prepared(NamedTuple):
    """A build as it is started."""

    command: tuple[str, ...]
    env: Mapping[str, str]
    files: tuple[int, ...] = ()


class _Build:
    """The build under way, if there is one; `network`: whether one in a sandbox may reach it."""

    def __init__(self, progress: WorkProgress, network: bool) -> None:
        self._progress = progress
        self._network = network
        self.sandboxed = False
        """Whether the last build ran in a sandbox."""
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

    def run(self, bot: BotEntry, sandbox: Sandbox | None) -> str:
        """Build one bot; if it failed, show the last lines of its output and return what went wrong, else nothing."""
        if fault := fault_in_command(bot.build, bot.folder, os.environ.get("PATH", os.defpath)):
            return f"cannot be run: {fault}"
        with TemporaryFile() as output, self._prepared(bot, sandbox) as prepared:
            try:
                self._process = subprocess.Popen(
                    prepared.command,
                    cwd=bot.folder,
                    env=prepared.env,
                    pass_fds=prepared.files,
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
        self.sandboxed = bool(prepared.files)
        if self.sandboxed:
            code = exit_of(code)
        if code < 0:
            return f"was ended by {signal.Signals(-code).name}"
        return f"failed with exit code {code}" if code else ""

    @contextlib.contextmanager
    def _prepared(self, bot: BotEntry, sandbox: Sandbox | None) -> Iterator[_Prepared]:
        if sandbox is None or not usable(sandbox):
            yield _Prepared(bot.build, os.environ)
            return
        with TemporaryDirectory(prefix="aurum-build-", ignore_cleanup_errors=True) as scratch:
            private = private_folders(scratch)
            tools = _tools(self._network)
            places = options(sandbox, bot.build, str(bot.folder), tools, private, writable=True, network=self._network)
            file = argument_file(places, network=self._network)
            try:
                env = {**tools, "HOME": private.home, "TMPDIR": private.home}
                yield _Prepared((bubblewrap().program, "--args", str(file), "--", *bot.build), env, (file,))
            finally:
                os.close(file)

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


def _tools(network: bool) -> dict[str, str]:
    """The variables that a build in a sandbox gets: those by which tools work, and no secrets."""
    home = Path.home()
    folders = {name: home / place for name, place in (_IN_HOME if network else _IN_HOME | _CACHES).items()}
    found = {name: str(folder) for name, folder in folders.items() if folder.is_dir()}
    for name, value in os.environ.items():
        wanted = _OF_TOOLS.fullmatch(name) or (network and _OF_NETWORK.fullmatch(name))
        if wanted and not _SECRET.search(name):
            found[name] = value
    if not network and (home / _MAVEN).is_dir():
        found["MAVEN_OPTS"] = f"{found.get('MAVEN_OPTS', '')} -Dmaven.repo.local={home / _MAVEN}".strip()
    return found


def _tail(output: BinaryIO) -> list[str]:
    """The last lines that a build printed, harmless to a terminal."""
    size = output.seek(0, os.SEEK_END)
    output.seek(max(0, size - _TAIL_BYTES))
    lines = output.read().decode(errors="replace").splitlines()
    return [printable(line) for line in lines[-TAIL_LINES:]]
