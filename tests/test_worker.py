"""A referee as a worker process: what it returns, what it admits, and what it leaves behind."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest
from aurum.processes.launch import Launch
from aurum.processes.process import describe_exit
from aurum.records.verify import differences
from aurum.referee import seat
from aurum.referee.delay import DelayMonitor
from aurum.referee.game import RunningGame
from aurum.referee.unit import Clock, Entrant, GameSettings, GameTask, RefereeError, Unit, UnitOutcome
from aurum.rules import PRESETS, deal_key, secret_of_seed
from aurum.v1 import record_pb2
from aurum.workers.worker import play_unit, start_worker
from dialing import ROOT
from test_faults import left_behind


@pytest.fixture
def worker() -> Iterator[ProcessPoolExecutor]:
    """One worker, as the tournament's runner starts it."""
    with ProcessPoolExecutor(1, get_context("spawn"), start_worker, (None,)) as executor:
        yield executor


def unit(tmp_path: Path, *names: str, deals: int = 1, seatings: int = 1, in_flight: int = 4) -> Unit:
    """Some deals between two example bots, in one seating or both; their command lines are this test's own."""
    link = tmp_path / "bots"
    link.symlink_to(ROOT / "example_bots")
    bots = tuple(Entrant(name, Launch((sys.executable, f"{link}/{name}.py"), str(tmp_path))) for name in names)
    secret = secret_of_seed("worker")
    games = tuple(
        GameTask(f"worker/m/{d}/{s}", d, deal_key(secret, d), (s, 1 - s, s, 1 - s))
        for d in range(deals)
        for s in range(seatings)
    )
    settings = GameSettings(PRESETS["german"], Clock(60_000, setup_ms=60_000))
    return Unit(bots, games, settings, games_in_flight=in_flight)


def read(outcome: UnitOutcome) -> list[record_pb2.GameRecord]:
    return [record_pb2.GameRecord.FromString(record) for record in outcome.records]


def test_records_come_in_the_order_of_the_tasks(tmp_path: Path, worker: ProcessPoolExecutor) -> None:
    """However games finish; and a second unit in the same worker plays as the first did."""
    work = unit(tmp_path, "random_bot", "lowest_card", deals=3, seatings=2)
    outcomes = [worker.submit(play_unit, work).result() for _ in range(2)]
    for outcome in outcomes:
        records = read(outcome)
        assert [task.id for task in work.games] == [record.id for record in records]
        for record, task in zip(records, work.games, strict=True):
            assert [] == differences(record)
            assert [work.entrants[bot].name for bot in task.seating] == [seat.bot for seat in record.seats]
            assert {"python"} == {seat.language for seat in record.seats}
    first, second = ([[entries.moves for entries in record.rounds] for record in read(outcome)] for outcome in outcomes)
    for games in (first, second):
        for rounds in games:
            for moves in rounds:
                for move in moves:
                    move.ms = 0
    assert first == second, "the bots' seeds are the same, so are their moves"


def not_wanted() -> bool:
    """Nobody waits for the unit."""
    return False


def test_a_unit_that_nobody_wants_is_called_off(tmp_path: Path, worker: ProcessPoolExecutor) -> None:
    """It is void, its bots are gone, and the worker plays the next one."""
    work = unit(tmp_path, "random_bot", "lowest_card", deals=200, in_flight=1)
    with pytest.raises(RefereeError, match="the unit was called off"):
        worker.submit(play_unit, work, not_wanted).result()
    assert [] == left_behind(str(tmp_path))
    assert 2 == len(worker.submit(play_unit, replace(work, games=work.games[:2])).result().records)


def play_patiently(work: Unit) -> UnitOutcome:
    """Play a unit, and wait for its bots to leave however long a busy machine makes them take."""
    seat.PATIENCE = 60.0  # type: ignore[attr-defined]
    return play_unit(work)


def test_every_seat_of_every_bot_is_reported(tmp_path: Path, worker: ProcessPoolExecutor) -> None:
    """One instance for each bot and seat: they never change seats."""
    outcome = worker.submit(play_patiently, unit(tmp_path, "random_bot", "lowest_card", seatings=2)).result()
    assert [(bot, number) for bot in ("random_bot", "lowest_card") for number in range(4)] == [
        (r.bot, r.seat) for r in outcome.instances
    ]
    for report in outcome.instances:
        assert (1, 0, 0, "exited with code 0") == (
            report.starts,
            report.start_failures,
            report.unsolicited,
            report.exit,
        )
        assert report.cpu_s > 0
    played = sum(seat.decisions for record in read(outcome) for seat in record.seats)
    assert played == sum(report.decisions for report in outcome.instances)
    assert [] == left_behind(str(tmp_path))


def test_cpu_time_is_recorded_where_one_game_is_played_at_a_time(tmp_path: Path, worker: ProcessPoolExecutor) -> None:
    """Beside the wall time, and only where it belongs to one game alone."""
    alone = worker.submit(play_unit, unit(tmp_path, "random_bot", "lowest_card", deals=2, in_flight=1)).result()
    assert all(seat.cpu_us > 0 and seat.time_us > 0 for record in read(alone) for seat in record.seats)
    (tmp_path / "many").mkdir()
    many = worker.submit(play_unit, unit(tmp_path / "many", "random_bot", "lowest_card", deals=2, in_flight=2)).result()
    assert {0} == {seat.cpu_us for record in read(many) for seat in record.seats}


def play_late(work: Unit) -> UnitOutcome:
    """Play a unit as if the referee had been late by 150 ms in every game."""
    DelayMonitor.since = lambda self, start: 0.15  # type: ignore[method-assign]
    return play_unit(work)


@pytest.mark.parametrize(("turn_ms", "delayed"), [(1_400, True), (60_000, False)])
def test_a_game_in_which_the_referee_was_late_is_marked(
    turn_ms: int, delayed: bool, tmp_path: Path, worker: ProcessPoolExecutor
) -> None:
    """Late by more than a tenth of the turn's limit: the record says so, and by how much."""
    work = replace(
        unit(tmp_path, "random_bot", "lowest_card"),
        settings=GameSettings(PRESETS["german"], Clock(turn_ms, setup_ms=60_000)),
    )
    for record in read(worker.submit(play_late, work).result()):
        assert (delayed, 150) == (record.delayed, record.referee_delay_ms)


def test_the_monitor_notices_a_blocked_loop() -> None:
    """A step that holds the event loop is seen, also while it lasts, and only by what ran at that time."""

    excused: list[float] = []

    async def block() -> tuple[float, float, float, float]:
        monitor = DelayMonitor(0.05, excused.append)
        loop = asyncio.get_running_loop()
        start = loop.time()
        time.sleep(0.1)
        during = monitor.since(start)
        while not (worst := monitor.take_worst()):
            await asyncio.sleep(0)
        later = monitor.since(loop.time())
        monitor.stop()
        return during, worst, monitor.take_worst(), later

    during, worst, taken, later = asyncio.run(block())
    assert during > 0.05
    assert worst > 0.05
    assert max(later, taken) < worst
    assert excused == [worst]


def play_broken(work: Unit) -> UnitOutcome:
    """Play a unit with a bug in the referee."""

    def answered(self: RunningGame, action: object, now: float) -> None:
        raise ZeroDivisionError("planted")

    RunningGame.answered = answered  # type: ignore[method-assign]
    return play_unit(work)


def test_a_bug_of_ours_voids_the_unit_and_blames_nobody(tmp_path: Path, worker: ProcessPoolExecutor) -> None:
    """It is loud, its cause is named, and the bots are gone all the same."""
    work = unit(tmp_path, "random_bot", "lowest_card")
    with pytest.raises(RefereeError, match="the referee failed: ZeroDivisionError: planted"):
        worker.submit(play_broken, work).result()
    assert [] == left_behind(str(tmp_path))


def play_and_die(work: Unit) -> UnitOutcome:
    """Play a unit and be killed at its first answer."""

    def answered(self: RunningGame, action: object, now: float) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    RunningGame.answered = answered  # type: ignore[method-assign]
    return play_unit(work)


def test_a_killed_worker_takes_its_bots_along(tmp_path: Path, worker: ProcessPoolExecutor) -> None:
    """Even a SIGKILL leaves no bot and no scratch folder: they are cleared up by those who outlive it."""
    with pytest.raises(BrokenProcessPool):
        worker.submit(play_and_die, unit(tmp_path, "random_bot", "lowest_card")).result()
    patience = time.monotonic() + 30
    while left_behind(str(tmp_path)) and time.monotonic() < patience:
        os.sched_yield()
    assert [] == left_behind(str(tmp_path))


def test_an_exit_is_described_in_words() -> None:
    """What people read in a fault's sentence."""
    assert "exited with code 3" == describe_exit(3)
    assert "was killed by SIGSEGV" == describe_exit(-11)
    assert "was killed by signal 200" == describe_exit(-200)
