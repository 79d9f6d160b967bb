"""Killed with SIGKILL at ten random instants and run again each time, a tournament ends as if nothing had happened."""

import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest
from aurum.cli.main import main
from aurum.store.store import Store
from tournament_runs import content

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

EXAMPLES = Path(__file__).parent.parent / "example_bots"
KILLS = 10
DEALS = 5
GAMES = 2 * DEALS * 2
"""Three bots in a Swiss of two rounds: one match and one bye a round, two seatings a deal."""

SPEC = """
[tournament]
name = "mortal"
format = "swiss"
rounds = 2
deals = {deals}
seed = "ten times"
[clock]
turn_ms = 60000
setup_ms = 600000
[run]
workers = 2
games_in_flight = 8
unit_deals = {unit_deals}
"""
BOT = """
[[bots]]
name = "{name}"
command = ["{python}", "{path}"]
env = {{ {mark} = "1" }}
"""


def write_spec(file: Path, mark: str, unit_deals: int) -> Path:
    """A spec whose bots can be recognised by the variable `mark` in their environment."""
    bots = {"random": "random_bot.py", "lowest": "lowest_card.py", "another": "random_bot.py"}
    file.write_text(
        SPEC.format(deals=DEALS, unit_deals=unit_deals)
        + "".join(
            BOT.format(name=name, python=sys.executable, path=EXAMPLES / path, mark=mark) for name, path in bots.items()
        )
    )
    return file


class Run:
    """`arena tournament run` in a process of its own, on a terminal, so that its bar tells of each stored unit."""

    def __init__(self, spec: Path, out: Path, mark: str) -> None:
        self.shown = ""
        self._terminal, inside = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "aurum.cli.main", "tournament", "run", str(spec), "--out", str(out)],
            env=os.environ | {mark: "1"},
            stdout=subprocess.DEVNULL,
            stderr=inside,
        )
        os.close(inside)

    @property
    def stored(self) -> int:
        """Games that it has said are stored."""
        return max(map(int, re.findall(rf"(\d+)/{GAMES} games", self.shown)), default=0)

    def watch(self, games: int, seconds: float) -> None:
        """Read on until that many games are stored and, from then on, for so many seconds; or until it ends."""
        while self.stored < games:
            if not self._read(None):
                return
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and self._read(left):
            pass

    def _read(self, timeout: float | None) -> bool:
        if not select.select([self._terminal], [], [], timeout)[0]:
            return True
        try:
            self.shown += os.read(self._terminal, 1 << 16).decode()
        except OSError:  # how a terminal says that nobody is left on its other side
            return False
        return True

    def kill(self) -> bool:
        """SIGKILL; whether it was still running."""
        self._process.kill()
        code = self._process.wait()
        os.close(self._terminal)
        return code == -signal.SIGKILL

    def finish(self) -> int:
        """Let it end by itself; its exit code."""
        while self._read(None):
            pass
        os.close(self._terminal)
        return self._process.wait()


def left_behind(mark: str, patience: float) -> list[str]:
    """Processes with `mark` in their environment that do not end within `patience` seconds."""
    end = time.monotonic() + patience
    alive = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() not in (folder / "environ").read_bytes():
                continue
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            descriptor = os.pidfd_open(int(folder.name))
        except OSError:
            continue  # it has ended meanwhile
        try:
            if not select.select([descriptor], [], [], max(0.0, end - time.monotonic()))[0]:
                alive.append(command)
        finally:
            os.close(descriptor)
    return alive


@pytest.mark.timeout(600)
def test_killed_ten_times(tmp_path: Path) -> None:
    """Same games, same results, nothing double, no process left behind after any kill."""
    mark = f"AURUM_TEST_{uuid.uuid4().hex}"
    begun = time.monotonic()
    assert Run(write_spec(tmp_path / "whole.toml", mark, DEALS), tmp_path / "whole", mark).finish() == 0
    whole = time.monotonic() - begun

    spec, out = write_spec(tmp_path / "mortal.toml", mark, 1), tmp_path / "out"
    chance = random.Random("instants")
    killed = 0
    for games in sorted(chance.randrange(GAMES - 8) for _ in range(KILLS)):  # 8: it must not end before the kill
        run = Run(spec, out, mark)
        run.watch(games, chance.uniform(0, whole / 4))
        killed += run.kill()
        assert left_behind(mark, 20) == []
    assert killed == KILLS

    assert Run(spec, out, mark).finish() == 0
    assert left_behind(mark, 20) == []
    rows, records = content(out)
    assert len(rows) == GAMES
    assert (rows, records) == content(tmp_path / "whole")
    assert main(["verify", str(out)]) == 0
    with Store.read(out) as store, Store.read(tmp_path / "whole") as other:
        assert store.rounds() == other.rounds()
        assert store.finished is not None


def test_left_behind_finds_what_is_left() -> None:
    """The search above would see a process that stays."""
    mark = f"AURUM_TEST_{uuid.uuid4().hex}"
    with subprocess.Popen(["sleep", "60"], env={mark: "1", "PATH": os.defpath}) as process:
        assert left_behind(mark, 0) == ["sleep 60 "]
        process.kill()
    assert left_behind(mark, 0) == []
