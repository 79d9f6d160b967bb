"""A bot may fork while it plays: to search on several cores, or to run a helper."""

import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from aurum.processes.launch import Launch
from aurum.referee.unit import Clock, Entrant, GameSettings, GameTask, Unit
from aurum.rules import PRESETS, deal_key, secret_of_seed
from aurum.v1 import record_pb2
from aurum.workers.worker import play_unit, start_worker
from dialing import ROOT

FORKING = """
import multiprocessing, os
from concurrent.futures import ProcessPoolExecutor
from aurum.bot import Bot, run
import grpc  # for itself


def job(number=0):
    return number


def how_forked():
    if (pid := os.fork()) == 0:
        sum(range(1000))
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def how_started():
    child = multiprocessing.get_context("fork").Process(target=job)
    child.start()
    child.join()
    return child.exitcode


class Forking(Bot):
    codes = None

    def bid(self, turn):
        return turn.hand[0]

    def play(self, turn):
        if self.codes is None:
            self.codes = [how() for how in (how_forked, how_started) for _ in range(20)]
            with ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as pool:
                self.codes += [result - number for number, result in enumerate(pool.map(job, range(20)))]
            print("codes of children:", sorted(set(self.codes)), flush=True)
        return turn.cards[0]


if __name__ == "__main__":
    run(Forking)
"""


def test_children_that_a_bot_forks_end_well(tmp_path: Path) -> None:
    """However it makes them, while gRPC's threads run; also if it uses gRPC itself."""
    (tmp_path / "forking.py").write_text(FORKING, encoding="utf-8")
    scripts = [str(tmp_path / "forking.py"), *2 * [str(ROOT / "example_bots/lowest_card.py")]]
    entrants = tuple(
        Entrant(f"bot{number}", Launch((sys.executable, script), str(tmp_path)))
        for number, script in enumerate(scripts)
    )
    settings = GameSettings(PRESETS["german"], Clock(60_000, setup_ms=60_000))
    task = GameTask("forks/m/0/0", 0, deal_key(secret_of_seed("forks"), 0), (0, 1, 2))
    with ProcessPoolExecutor(1, get_context("spawn"), start_worker, (None,)) as worker:
        outcome = worker.submit(play_unit, Unit(entrants, (task,), settings)).result()
    assert [] == list(record_pb2.GameRecord.FromString(outcome.records[0]).faults)
    assert "codes of children: [0]" == outcome.instances[0].stderr_tail
