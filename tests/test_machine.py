"""The machine is in trouble, and no bot pays for it: the referee stands still, many bots load at once."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from aurum.store.store import Store

pytestmark = pytest.mark.skipif(os.name != "posix", reason="stops processes by signals")

ARENA = (sys.executable, "-m", "aurum.cli.main")
PAUSE_S = 2.0
TURN_MS = 1000
NAP = '''
import time
from pathlib import Path

from aurum.bot import Bot, run


class Nap(Bot):
    """Thinks for a while, so that a turn is always open; notes that a game has begun."""

    def game_start(self, game):
        with Path("{mark}").open("a") as mark:
            mark.write(".")

    def bid(self, turn):
        time.sleep(0.01)
        return turn.hand[0]

    def play(self, turn):
        time.sleep(0.01)
        return turn.cards[0] if turn.cards else turn.legal[0]


run(Nap)
'''


def test_a_pause_of_the_referee_is_nobodys_fault(tmp_path: Path) -> None:
    """Ctrl-Z and fg, or a container's pause: the games are played again, and the verdict is that of the bots."""
    mark, script, out = tmp_path / "mark", tmp_path / "nap.py", tmp_path / "out"
    script.write_text(NAP.format(mark=mark), encoding="utf-8")
    bot = f"{sys.executable} {script}"
    command = [*ARENA, "compare", bot, bot, "--out", str(out), "--seed", "pause"]
    options = [
        "--turn-ms",
        str(TURN_MS),
        "--max-deals",
        "1",
        "--workers",
        "1",
        "--games-in-flight",
        "2",
        "--sandbox",
        "off",
    ]
    with subprocess.Popen([*command, *options], start_new_session=True, stderr=subprocess.PIPE, text=True) as process:
        while not mark.exists() or len(mark.read_text(encoding="utf-8")) <= 2:  # of which one a bot is of the trial
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(0.2)
        os.killpg(process.pid, signal.SIGSTOP)
        time.sleep(PAUSE_S)
        os.killpg(process.pid, signal.SIGCONT)
        _, shown = process.communicate()
    assert process.returncode == 3, shown
    assert "ms: they are void and played again" in shown
    with Store.read(out) as store:
        games = store.games()
    assert [game.faults for game in games] == [(0, 0)] * 2
    assert not any(game.delayed for game in games)


def test_a_bot_that_cannot_start_is_told_before_the_first_game(tmp_path: Path) -> None:
    """With its reason; nothing is played, and with --allow-absent it forfeits."""
    spec, out, good = tmp_path / "cup.toml", tmp_path / "out", Path(__file__).parents[1] / "example_bots/lowest_card.py"
    spec.write_text(
        '[tournament]\nname = "cup"\nformat = "round_robin"\ndeals = 1\n[clock]\nturn_ms = 60000\n'
        f'[[bots]]\nname = "good"\ncommand = ["{sys.executable}", "{good}"]\n'
        '[[bots]]\nname = "typo"\ncommand = "pyhton bot.py"\n',
        encoding="utf-8",
    )
    with_wrong = spec.with_name("wrong.toml")
    wrong = tmp_path / "wrong.py"
    wrong.write_text(good.read_text(encoding="utf-8").replace("turn.hand", "turn.hnad"), encoding="utf-8")
    entry = f'[[bots]]\nname = "wrong"\ncommand = ["{sys.executable}", "{wrong}"]\n'
    with_wrong.write_text(spec.read_text(encoding="utf-8") + entry, encoding="utf-8")
    command = [*ARENA, "tournament", "check", str(with_wrong)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 2, done.stderr
    assert done.stderr.endswith("2 of 3 bots cannot play: mend them first\n")
    lines = done.stdout.splitlines()
    assert [line[:11] for line in lines[:3]] == ["good   ok  ", "typo   FAIL", "wrong  FAIL"]
    assert "pyhton" in lines[1]
    assert re.search(r"crashed: turn \d \(bid, round 1\): .*AttributeError: .*hnad", lines[2])
    assert lines[3].startswith("loading: a worker launches 8 instances for a match")
    command = [*ARENA, "tournament", "run", str(spec), "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert (2, "") == (done.returncode, done.stdout)
    assert "1 of 2 bots cannot start: typo " in done.stderr
    assert "pyhton" in done.stderr
    assert "mend that and give the same command again, or play without it by --allow-absent\n" in done.stderr
    with Store.read(out) as store:
        assert store.game_count() == 0
    done = subprocess.run([*command, "--allow-absent"], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "note: typo is benched: it cannot start" in done.stderr
    with Store.read(out) as store:
        assert [game.forfeited for game in store.games()] == [(game.bots.index("typo"),) for game in store.games()]


HEAVY = '''
import time

from aurum.bot import Bot, run

while time.process_time() < {seconds}:
    pass


class Heavy(Bot):
    """Takes processor time to load."""

    def bid(self, turn):
        return turn.hand[0]

    def play(self, turn):
        return turn.cards[0] if turn.cards else turn.legal[0]


run(Heavy)
'''


def test_loading_together_takes_nobodys_set_up_time(tmp_path: Path) -> None:
    """Eight instances on one core, each of which alone needs half of the set-up time; some are started by a shell."""
    script, out, spec = tmp_path / "heavy.py", tmp_path / "out", tmp_path / "cup.toml"
    script.write_text(HEAVY.format(seconds=0.8), encoding="utf-8")
    commands = {"a": [sys.executable, str(script)], "b": ["sh", "-c", f"{sys.executable} {script}; exit"]}
    bots = "".join(
        f'[[bots]]\nname = "{name}"\ncommand = {json.dumps(command)}\n' for name, command in commands.items()
    )
    spec.write_text(
        '[tournament]\nname = "cup"\nformat = "round_robin"\ndeals = 1\n'
        f"[clock]\nturn_ms = 60000\nsetup_ms = 1600\n[run]\nworkers = 1\n{bots}",
        encoding="utf-8",
    )
    command = [*ARENA, "tournament", "run", str(spec), "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    with Store.read(out) as store:
        assert [game.faults for game in store.games()] == [(0, 0)] * 2
        starts = [report.starts for unit in store.units() for report in unit.instances]
    assert sum(starts) == 8
