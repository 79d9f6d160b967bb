"""Doing what a document says, in a folder that looks like the project's to its reader."""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from docs_blocks import ROOT, Block
from languages import LANGUAGES

PATIENCE = 300
"""Seconds that commands may take which take a few; nothing is measured by it."""

_PLACE = re.compile(r"AURUM_ADDRESS=\S+ AURUM_SEAT=(\d) AURUM_TOKEN=\S+")


class Workspace:
    """A folder with the example bots in it, and the programs of this environment on the search path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # Not those that have to be built: other tests build them meanwhile, and what comes of it is large.
        ignore = shutil.ignore_patterns("__pycache__", *LANGUAGES)
        shutil.copytree(ROOT / "example_bots", folder / "example_bots", ignore=ignore)
        self._env = {
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
            "HOME": str(folder),
            "LANG": "C.UTF-8",
        }
        self._background: list[subprocess.Popen[str]] = []
        self._places: dict[str, str] = {}

    def follow(self, block: Block) -> None:
        """Do what a block says; AssertionError if it goes wrong."""
        if block.note.startswith("not run: "):
            return
        if name := block.noted("file"):
            (self.folder / name).write_text(block.text, encoding="utf-8")
        elif block.note == "in the background":
            self._begin(block)
        elif block.language == "sh":
            self._run(block.text, block.place)
        elif block.language == "console":
            self._compare(block)

    def run(self, command: str, place: str = "") -> str:
        """What a shell's command prints; it must end well."""
        return self._run(command, place)

    def _popen(self, commands: str, stderr: int) -> "subprocess.Popen[str]":
        # A document shows an address and a token; the real ones are those that were printed for that seat.
        commands = _PLACE.sub(lambda match: self._places[match[1]], commands)
        with _on_one_core():
            return subprocess.Popen(
                ["bash", "-euo", "pipefail", "-c", commands],
                cwd=self.folder,
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
                start_new_session=True,
            )

    def _run(self, commands: str, place: str) -> str:
        process = self._popen(commands, subprocess.PIPE)
        try:
            output, errors = process.communicate(timeout=PATIENCE)
        except BaseException:
            _kill(process)
            raise
        assert 0 == process.returncode, f"{place}: {commands}\n{output}{errors}"
        return output

    def _compare(self, block: Block) -> None:
        """Lines after `$ ` are commands, the others what they print, with `...` for what changes."""
        for step in block.text.split("$ ")[1:]:
            command, _, expected = step.partition("\n")
            output = self._run(command, block.place)
            pattern = ".*".join(re.escape(_on_one_line(part)) for part in expected.split("..."))
            if not re.fullmatch(pattern, _on_one_line(output)):
                raise AssertionError(f"{block.place}: $ {command}\nexpected:\n{expected}\nactual:\n{output}")

    def _begin(self, block: Block) -> None:
        process = self._popen(block.text, subprocess.STDOUT)
        self._background.append(process)
        assert process.stdout is not None
        line = process.stdout.readline()
        match = _PLACE.search(line)
        assert match is not None, f"{block.place}: printed {line!r}"
        self._places[match[1]] = match[0]

    def __enter__(self) -> "Workspace":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            for process in self._background:
                if kind is None:
                    output, _ = process.communicate(timeout=PATIENCE)
                    assert 0 == process.returncode, output
        finally:
            for process in self._background:
                _kill(process)


@contextmanager
def _on_one_core() -> Iterator[None]:
    """Let what is started see one core: a run has a worker for each, and each worker launches all bots."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {random.choice(sorted(cores))})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _kill(process: "subprocess.Popen[str]") -> None:
    """End what is left of a command, with all that it has started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
