"""Plays units without bots or wire: tests of the runner need games, not players.

Every move follows from the deal alone, so a game comes out the same whenever it is played; with arguments in the
bot's command, from these too, so bots then differ. A bot whose command is `missing`, or that is benched, never starts:
the stand-in plays its seats and its side forfeits.
"""

import time
from collections.abc import Iterator, Sequence
from hashlib import sha256

from aurum.processes.launch import Launch
from aurum.records.listener import Hidden, announce_deal, announce_round_end
from aurum.records.recorder import Recorder
from aurum.records.stand_in import stand_in
from aurum.referee.unit import GameTask, InstanceReport, TrialOutcome, Unit, UnitOutcome
from aurum.rules import Deal, Game, Move, side_of
from aurum.v1.game_pb2 import FAULT_KIND_START_FAILED
from aurum.v1.record_pb2 import GameRecord

NO_FILE = "no such file: missing"


def play(unit: Unit, send: object = None) -> UnitOutcome:
    """Every game of the unit, played on the rules engine; nothing is sent before its end."""
    return UnitOutcome(
        records=tuple(record_of(unit, task).SerializeToString() for task in unit.games),
        instances=tuple(reports(unit)),
        referee_delay_ms=0,
    )


def try_out(unit: Unit, *_arguments: object) -> TrialOutcome:
    """Every bot can play, as far as a trial tells."""
    return TrialOutcome()


def launch_of(unit: Unit, bot: int) -> Launch:
    """How this bot would be launched."""
    launch = unit.entrants[bot].launch
    assert launch is not None
    return launch


def starts(unit: Unit, bot: int) -> bool:
    """Whether this bot can be launched."""
    return launch_of(unit, bot).command[0] != "missing" and unit.entrants[bot].name not in unit.benched


def reports(unit: Unit) -> Iterator[InstanceReport]:
    """One for each bot and seat that the unit's seatings bring together."""
    for bot, seat in sorted({(bot, seat) for task in unit.games for seat, bot in enumerate(task.seating)}):
        name = unit.entrants[bot].name
        well, benched = starts(unit, bot), name in unit.benched
        yield InstanceReport(
            bot=name,
            seat=seat,
            starts=0 if benched else 1,
            start_failures=0 if well or benched else 1,
            unsolicited=0,
            exit="exited with code 0" if well else unit.benched.get(name, "exited with code 127"),
            stderr_tail="" if well or benched else NO_FILE,
            decisions=10 if well else 0,
            cpu_s=0.01 if well else 0.0,
            wait_s=0.0,
        )


def record_of(unit: Unit, task: GameTask) -> GameRecord:
    """One game, from its deal to its result."""
    begun = time.perf_counter_ns()
    game = Game(unit.settings.ruleset, Deal(task.deal_key, len(task.seating)))
    recorder = Recorder(game, task.id, task.deal)
    announce_deal(game, (recorder,))
    record = recorder.record
    record.started.GetCurrentTime()
    absent = {seat for seat, bot in enumerate(task.seating) if not starts(unit, bot)}
    for seat, bot in enumerate(task.seating):
        here = seat not in absent
        record.seats.add(bot=unit.entrants[bot].name, version="1.0" if here else "", language="none" if here else "")
    blamed: set[int] = set()
    for step in range(10_000):
        if game.over:
            break
        seat = game.to_act
        if seat in absent - blamed:
            blamed.add(seat)
            sentence = unit.benched.get(unit.entrants[task.seating[seat]].name, NO_FILE)
            recorder.fault(seat, FAULT_KIND_START_FAILED, Hidden(sentence), 0)
            record.seats[seat].output = f"looking for it\n{NO_FILE}"
        move = (
            stand_in(game.round)
            if seat in absent
            else choice(game, step, launch_of(unit, task.seating[seat]).command[1:])
        )
        game.play(move)
        recorder.moved(seat, move, by_referee=seat in absent)
        if seat not in absent:
            record.seats[seat].decisions += 1
            record.seats[seat].time_us += 1 + time.perf_counter_ns() % 1000
        if game.finished:
            announce_round_end(game, (recorder,))
    recorder.game_over(game.result(), sorted({side_of(seat, len(task.seating)) for seat in absent}))
    record.elapsed.FromNanoseconds(time.perf_counter_ns() - begun)
    return record


def choice(game: Game, step: int, arguments: Sequence[str] = ()) -> Move:
    """Some legal move, the same for the same deal, step and arguments."""
    moves = game.legal_moves()
    chance = sha256(game.deal.key + step.to_bytes(4, "big") + "".join(arguments).encode())
    return moves[chance.digest()[0] % len(moves)]
