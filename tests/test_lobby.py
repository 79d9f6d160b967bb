"""Seats that outlive units: who plays on, who does not, and that no instance sees a deal from two seats or twice."""

import asyncio
import os
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from aurum.processes.launch import Launch
from aurum.records.verify import differences
from aurum.referee import lobby as lobby_module
from aurum.referee.game import RunningGame
from aurum.referee.lobby import Invitation, Lobby
from aurum.referee.unit import Clock, Entrant, GameSettings, GameTask, RefereeError, Unit, UnitOutcome
from aurum.rules import PRESETS, deal_key, secret_of_seed
from aurum.v1 import record_pb2
from aurum.wire.view import game_number
from aurum.workers.worker import play_unit, start_worker
from dialing import Autoplayers
from test_faults import left_behind

DIARIST = '''
import os

from aurum.bot import Bot, run


class Diarist(Bot):
    """Plays the first legal card, and writes down which games it was in."""

    def note(self, word, game):
        with open(os.environ["DIARY"], "a") as diary:
            diary.write(f"{word} {os.getpid()} {os.environ['AURUM_SEAT']} {game.id}\\n")

    def game_start(self, game):
        self.note("begun", game)

    def game_end(self, end):
        self.note("ended", end.game)

    def bid(self, turn):
        return turn.hand[0]

    def play(self, turn):
        return turn.cards[0] if turn.cards else turn.legal[0]


run(Diarist)
'''
SECRET = secret_of_seed("lobby")


class Note(NamedTuple):
    """A line of a diary: `word` is begun or ended."""

    word: str
    pid: int
    seat: int
    game: int


@dataclass(frozen=True)
class Diary:
    """What the bots of a test, `a` and `b`, write down."""

    folder: Path

    def entrant(self, name: str) -> Entrant:
        """A bot that writes a diary of its own."""
        script = self.folder / "diarist.py"
        script.write_text(DIARIST, encoding="utf-8")
        return Entrant(name, Launch((sys.executable, str(script)), str(self.folder), (("DIARY", name),)))

    def notes(self, name: str) -> list[Note]:
        """What a bot has written."""
        lines = (self.folder / name).read_text(encoding="utf-8").splitlines()
        return [Note(word, *map(int, rest)) for word, *rest in map(str.split, lines)]

    def pids(self, name: str, unit: Unit) -> dict[int, set[int]]:
        """By seat: the processes of a bot that were in a unit's games."""
        games = {game_number(task.deal_key, task.id) for task in unit.games}
        found: defaultdict[int, set[int]] = defaultdict(set)
        for note in self.notes(name):
            if note.game in games:
                found[note.seat].add(note.pid)
        return dict(found)


def every(pids: dict[int, set[int]]) -> set[int]:
    """The processes at any seat."""
    return {pid for some in pids.values() for pid in some}


def unit(diary: Diary, deals: Sequence[int], match: str = "m1", seatings: int = 1, **changes: Any) -> Unit:
    """Some deals between `a` and `b`, in one seating, for which four instances are launched, or in both, for eight."""
    games = tuple(
        GameTask(f"lobby/{match}/{deal}/{s}", deal, deal_key(SECRET, deal), (s, 1 - s, s, 1 - s))
        for deal in deals
        for s in range(seatings)
    )
    settings = GameSettings(PRESETS["german"], Clock(60_000, setup_ms=60_000))
    unit = Unit((diary.entrant("a"), diary.entrant("b")), games, settings, games_in_flight=4)
    return replace(unit, **{"launched_for": "all", **changes})


@pytest.fixture
def diary(tmp_path: Path) -> Diary:
    return Diary(tmp_path)


@pytest.fixture
def process() -> Iterator[ProcessPoolExecutor]:
    """Where a scenario runs: grpc.aio does not survive the end of the event loop that it was first used on."""
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        yield executor


def play_all(units: Sequence[Unit]) -> list[UnitOutcome]:
    """Play units in one lobby."""

    async def scenario() -> list[UnitOutcome]:
        async with Lobby() as lobby:
            return [await lobby.play(unit) for unit in units]

    return asyncio.run(scenario())


def read(outcome: UnitOutcome) -> list[record_pb2.GameRecord]:
    records = [record_pb2.GameRecord.FromString(record) for record in outcome.records]
    assert [[] for _ in records] == [[*differences(record), *record.faults] for record in records]
    return records


def test_an_instance_plays_on_in_the_next_unit(diary: Diary, process: ProcessPoolExecutor) -> None:
    """The same process at the same seat; reports are of their own unit; no deal is seen by a process at two seats."""
    units = [unit(diary, deals, seatings=2) for deals in (range(2), range(2, 4))]
    outcomes = process.submit(play_all, units).result()
    for name in ("a", "b"):
        first, second = (diary.pids(name, played) for played in units)
        assert first == second
        assert [1] * 4 == [len(pids) for pids in first.values()]
        assert 4 == len(every(first))
        assert all(note.seat == seat for seat, pids in first.items() for note in diary.notes(name) if note.pid in pids)
    for outcome in outcomes:
        decisions: dict[tuple[str, int], int] = {}
        for record in read(outcome):
            for seat, player in enumerate(record.seats):
                place = player.bot, seat
                decisions[place] = decisions.get(place, 0) + player.decisions
                assert "python" == player.language
        assert decisions == {(report.bot, report.seat): report.decisions for report in outcome.instances}
        assert {"plays on"} == {report.exit for report in outcome.instances}
        assert all(0 < report.cpu_s < 60 for report in outcome.instances)
    assert [{1}, {0}] == [{report.starts for report in outcome.instances} for outcome in outcomes]
    assert [] == left_behind(str(diary.folder))


def play_in_parts(unit: Unit) -> list[UnitOutcome]:
    """Play a unit in one game after another, and hand over after each."""

    async def scenario() -> list[UnitOutcome]:
        parts: list[UnitOutcome] = []
        async with Lobby() as lobby:
            last = await lobby.play(unit, on_part=parts.append)
        return [*parts, last]

    lobby_module.HAND_OVER_S = 0.0
    return asyncio.run(scenario())


def test_finished_deal_groups_are_handed_over_while_others_are_played(
    diary: Diary, process: ProcessPoolExecutor
) -> None:
    """Each once and whole, with what its instances did meanwhile; a game that waits for others is counted."""
    played = unit(diary, range(3), seatings=2, games_in_flight=1)
    parts = process.submit(play_in_parts, played).result()
    assert [task.id for task in played.games] == [record.id for part in parts for record in read(part)]
    assert {0, 2} == {len(part.records) for part in parts}
    assert [1, 0] == [part.waiting for part in parts[:2]]
    decisions: Counter[tuple[str, int]] = Counter()
    starts: Counter[tuple[str, int]] = Counter()
    for report in (report for part in parts for report in part.instances):
        decisions[report.bot, report.seat] += report.decisions
        starts[report.bot, report.seat] += report.starts
    recorded: Counter[tuple[str, int]] = Counter()
    for record in (record for part in parts for record in read(part)):
        recorded.update({(player.bot, seat): player.decisions for seat, player in enumerate(record.seats)})
    assert decisions == recorded
    assert {1} == set(starts.values())
    assert len(starts) == 8


def fail_to_take(_part: UnitOutcome) -> None:
    raise BrokenPipeError("the run is gone")


def play_for_nobody(unit: Unit) -> None:
    """Play a unit whose parts cannot be handed over."""

    async def scenario() -> None:
        async with Lobby() as lobby:
            await lobby.play(unit, on_part=fail_to_take)

    lobby_module.HAND_OVER_S = 0.0
    asyncio.run(scenario())


def test_a_part_that_nobody_takes_ends_the_unit(diary: Diary, process: ProcessPoolExecutor) -> None:
    """By an error of ours, which no bot is blamed for; no process is left."""
    with pytest.raises(RefereeError, match="the run is gone"):
        process.submit(play_for_nobody, unit(diary, range(20))).result()
    assert [] == left_behind(str(diary.folder))


def test_what_is_launched_for_one_unit_alone_ends_with_it(diary: Diary, process: ProcessPoolExecutor) -> None:
    """Each unit's processes are launched for it, get their Goodbye after it, and have ended before the next."""
    units = [unit(diary, deals, launched_for="") for deals in (range(1), range(1, 2))]
    outcomes = process.submit(play_all, units).result()
    for name in ("a", "b"):
        first, second = (diary.pids(name, played) for played in units)
        assert every(first).isdisjoint(every(second))
    for outcome in outcomes:
        assert {1} == {report.starts for report in outcome.instances}
        assert "plays on" not in {report.exit for report in outcome.instances}


def test_an_instance_plays_what_it_is_launched_for(diary: Diary, process: ProcessPoolExecutor) -> None:
    """In one lobby: two units of a match, then one of another match, then one that nothing outlives."""
    units = [unit(diary, [deal], launched_for=match) for deal, match in enumerate(["m1", "m1", "m2", "", "m2"])]
    outcomes = process.submit(play_all, units).result()
    for name in ("a", "b"):
        pids = [every(diary.pids(name, played)) for played in units]
        assert pids[0] == pids[1]
        assert 8 == len(set().union(*pids)), "two processes for the first match, and for each unit after it"
    assert [1, 0, 1, 1, 1] == [outcome.instances[0].starts for outcome in outcomes]
    assert [] == left_behind(str(diary.folder))


def play_with_a_crash_between(units: Sequence[Unit], name: str, diary: Diary) -> list[UnitOutcome]:
    """Play two units in one lobby; between them an instance of this bot, at seat 0, is killed."""

    async def scenario() -> list[UnitOutcome]:
        async with Lobby() as lobby:
            outcomes = [await lobby.play(units[0])]
            (pid,) = diary.pids(name, units[0])[0]
            os.kill(pid, signal.SIGKILL)
            while all(seat.can_play_on for seat in lobby._free.values()):  # until it is noticed
                await asyncio.sleep(0.01)
            return [*outcomes, await lobby.play(units[1])]

    return asyncio.run(scenario())


def test_a_crash_between_two_units_is_no_fault(diary: Diary, process: ProcessPoolExecutor) -> None:
    """No game is blamed; a new instance plays at that seat, and the others play on."""
    units = [unit(diary, [deal]) for deal in range(2)]
    outcomes = process.submit(play_with_a_crash_between, units, "a", diary).result()
    for outcome in outcomes:
        read(outcome)
    first, second = (diary.pids("a", played) for played in units)
    assert [0] == [seat for seat in first if first[seat] != second[seat]]
    assert diary.pids("b", units[0]) == diary.pids("b", units[1])
    starts = {(report.bot, report.seat): report.starts for report in outcomes[1].instances}
    assert {("a", 0): 1} == {place: count for place, count in starts.items() if count}
    endings = {(report.bot, report.seat): report.exit for report in outcomes[1].instances}
    assert "was killed by SIGKILL between two games; it wrote nothing" == endings.pop(("a", 0))
    assert {"plays on"} == set(endings.values())


@pytest.mark.parametrize("change", ["deals", "settings", "entrants"])
def test_a_kept_instance_is_not_used_where_it_must_not_be(
    change: str, diary: Diary, process: ProcessPoolExecutor
) -> None:
    """It has seen a deal of the unit, or the bot or anything that it was launched or welcomed with is another."""
    first = unit(diary, range(1))
    second = unit(diary, range(1, 2), "m2")
    if change == "deals":
        second = unit(diary, range(1), "m2")
    elif change == "entrants":
        other = diary.entrant("a")
        assert other.launch is not None
        second = replace(
            second,
            entrants=(
                replace(other, launch=replace(other.launch, env=(*other.launch.env, ("X", "1")))),
                second.entrants[1],
            ),
        )
    else:
        clock = replace(second.settings.clock, reconnect_grace_ms=4_000)
        second = replace(second, settings=replace(second.settings, clock=clock))
    for outcome in process.submit(play_all, [first, second]).result():
        read(outcome)
    assert every(diary.pids("a", first)).isdisjoint(every(diary.pids("a", second)))
    kept = diary.pids("b", first) == diary.pids("b", second)
    assert kept == (change == "entrants")
    assert [] == left_behind(str(diary.folder))


def test_a_benched_bot_does_not_play_on(diary: Diary, process: ProcessPoolExecutor) -> None:
    """Its instances are ended, and it forfeits with the sentence that says why; the other plays on."""
    first, second = unit(diary, range(1)), unit(diary, range(1, 2), benched={"a": "it is benched"})
    outcomes = process.submit(play_all, [first, second]).result()
    assert {} == diary.pids("a", second)
    assert diary.pids("b", first) == diary.pids("b", second)
    for record in [record_pb2.GameRecord.FromString(data) for data in outcomes[1].records]:
        assert {"it is benched"} == {fault.detail for fault in record.faults}
        assert {"a"} == {record.seats[fault.seat].bot for fault in record.faults}


def play_with_a_bug(before: Unit, broken: Unit, *after: Unit) -> str:
    """Play units in one lobby, the second of them with a bug in the referee; returns its error."""

    async def scenario() -> str:
        async with Lobby() as lobby:
            await lobby.play(before)
            honest = RunningGame.answered
            steps = 0

            def answered(self: RunningGame, action: Any, now: float) -> None:
                nonlocal steps
                steps += 1
                if steps > 100:
                    raise ZeroDivisionError("planted")
                honest(self, action, now)

            RunningGame.answered = answered  # type: ignore[method-assign]
            try:
                await lobby.play(broken)
            except RefereeError as error:
                message = str(error)
            RunningGame.answered = honest  # type: ignore[method-assign]
            for unit in after:
                await lobby.play(unit)
            return message

    return asyncio.run(scenario())


def test_a_void_unit_takes_its_instances_along(diary: Diary, process: ProcessPoolExecutor) -> None:
    """Nobody who has begun it plays in another, so a deal that is played again meets no process that has seen it."""
    before, void, other = unit(diary, range(1)), unit(diary, range(1, 3)), unit(diary, range(3, 4))
    error = process.submit(play_with_a_bug, before, void, other, void).result()
    assert "the referee failed: ZeroDivisionError: planted" == error
    for name in ("a", "b"):
        began, others = every(diary.pids(name, before)), every(diary.pids(name, other))
        assert began.isdisjoint(others)
        assert began | others == every(diary.pids(name, void))
        for pids in diary.pids(name, void).values():
            assert (1, 1) == (len(pids & began), len(pids & others))
    assert [] == left_behind(str(diary.folder))


def play_dialing_in(units: Sequence[Unit]) -> tuple[list[UnitOutcome], list[int], dict[int, str]]:
    """Play units between bots that dial in, in one lobby; returns also how many were invited for each."""
    invited: list[int] = []
    players: list[Autoplayers] = []

    def invite(invitations: Sequence[Invitation]) -> None:
        invited.append(len(invitations))
        players.append(Autoplayers({each.seat: (each.address, each.token) for each in invitations}))

    async def scenario() -> list[UnitOutcome]:
        async with Lobby(invite=invite) as lobby:
            return [await lobby.play(unit) for unit in units]

    outcomes = asyncio.run(scenario())
    return outcomes, invited, {seat: reason for each in players for seat, reason in each.join().items()}


def test_bots_that_dial_in_stay_over_units(diary: Diary, process: ProcessPoolExecutor) -> None:
    """They are invited once, wait while others play, and get their Goodbye when the lobby closes."""
    entrants = tuple(Entrant(f"remote{seat}", None) for seat in range(4))

    def of_them(deal: int) -> Unit:
        task = GameTask(f"lobby/remote/{deal}", deal, deal_key(SECRET, deal), (0, 1, 2, 3))
        return replace(unit(diary, ()), entrants=entrants, games=(task,))

    units = [of_them(0), unit(diary, range(1, 2)), of_them(2)]
    outcomes, invited, reasons = process.submit(play_dialing_in, units).result()
    assert [1, 1, 1] == [len(read(outcome)) for outcome in outcomes]
    assert [4] == invited
    assert dict.fromkeys(range(4), "the games are over") == reasons
    assert {"was not started"} == {report.exit for report in outcomes[0].instances}


@pytest.mark.parametrize("units_of", [1, 3])
def test_a_worker_can_keep_its_processes(units_of: int, diary: Diary) -> None:
    """One set of processes for all of its units, which hear of the end of every game and are gone with the worker."""
    units = [unit(diary, [deal]) for deal in range(units_of)]
    with ProcessPoolExecutor(1, get_context("spawn"), start_worker, (None,)) as worker:
        for played in units:
            assert 1 == len(read(worker.submit(play_unit, played).result()))
        # The worker has nothing to do now, and yet everyone hears of the end.
        patience = time.monotonic() + 30
        while time.monotonic() < patience and ends(diary) < 4 * units_of:
            time.sleep(0.01)
        assert 4 * units_of == ends(diary)
        assert 4 == len({note.pid for name in ("a", "b") for note in diary.notes(name)})
    assert [] == left_behind(str(diary.folder))


def ends(diary: Diary) -> int:
    """How many ends of games the bots have written down."""
    return sum(note.word == "ended" for name in ("a", "b") for note in diary.notes(name))
