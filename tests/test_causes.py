"""A fault names its first cause: what a bot did, and not what followed from it."""

import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from aurum.processes.launch import Launch, Limits
from aurum.referee import instance as instance_module
from aurum.referee.unit import (
    BETWEEN_GAMES,
    Clock,
    Entrant,
    GameSettings,
    GameTask,
    InstanceReport,
    Unit,
    UnitOutcome,
)
from aurum.results.played_unit import UnitReport
from aurum.results.process_health import ProcessHealth
from aurum.rules import PRESETS, deal_key, secret_of_seed
from aurum.v1 import game_pb2, record_pb2
from aurum.wire.view import game_number
from aurum.workers.worker import play_unit, start_worker
from dialing import ROOT

WILD = '''
"""Says Hello as it should, and at its second turn does what HOW says."""

import os, subprocess, sys, time
import grpc
from aurum.v1 import play_pb2, play_pb2_grpc
from aurum.wire.version import PROTOCOL_VERSION

HOW = sys.argv[1]
channel = grpc.insecure_channel(os.environ["AURUM_ADDRESS"])
token = [("authorization", "Bearer " + os.environ["AURUM_TOKEN"])]
stub = play_pb2_grpc.RefereeServiceStub(channel)
answers = []

def requests(first):
    yield first
    while True:
        while answers:
            yield play_pb2.PlayRequest(actions=[answers.pop()])
        time.sleep(0.001)

hello = play_pb2.PlayRequest(hello=play_pb2.Hello(protocol_version=PROTOCOL_VERSION))
turns = 0
for response in stub.Play(requests(hello), metadata=token):
    for update in response.updates:
        if update.WhichOneof("kind") != "turn":
            continue
        turns += 1
        if turns == 1:
            answers.append(play_pb2.Action(
                game=update.turn.game, number=update.turn.number, card=update.turn.legal_cards[0]))
        elif HOW == "eats memory":
            own = bytearray(b"x") * (600 << 20)
            time.sleep(60)
        elif HOW == "hangs up":
            subprocess.Popen(["sleep", "1000"], start_new_session=True)  # has the output, too
            channel.close()
            time.sleep(1.5 * float(os.environ["TURN_S"]))
            os._exit(5)
        else:
            action = play_pb2.PlayRequest(actions=[play_pb2.Action(game=1, number=1)])
            list(stub.Play(requests(action), metadata=token))
'''
TYPO = """
from aurum.bot import Bot, run

class Typo(Bot):
    def bid(self, turn):
        return turn.hand[0]

    def play(self, turn):
        return turn.nonsense

run(Typo)
"""
TURN_MS = 1000


def play_patiently(unit: Unit) -> UnitOutcome:
    """Play a unit where a machine that is busy costs no verdict."""
    instance_module.EXIT_S = 30.0
    return play_unit(unit)


def test_what_a_bot_did_is_told_from_what_followed(tmp_path: Path) -> None:
    """Who hangs up and then exits has crashed, in spite of no grace, of the deadline and of who holds its output.

    A second stream that begins wrongly is no failure to start. Who is ended by a limit is told which. A bot that is
    refused has that in its report, however its process ended.
    """
    (tmp_path / "wild.py").write_text(WILD, encoding="utf-8")
    commands = {
        "hangs up": (sys.executable, "wild.py", "hangs up"),
        "begins wrongly": (sys.executable, "wild.py", "begins wrongly"),
        "eats memory": (sys.executable, "wild.py", "eats memory"),
        "is refused": (sys.executable, str(ROOT / "example_bots/misbehaving/wrong_version.py")),
    }
    env = (("TURN_S", str(TURN_MS / 1000)),)
    entrants = tuple(Entrant(name, Launch(command, str(tmp_path), env)) for name, command in commands.items())
    clock = Clock(TURN_MS, setup_ms=60_000, reconnect_grace_ms=0)
    settings = GameSettings(PRESETS["german"], clock, tolerated_faults=1000)
    task = GameTask("causes/m/0/0", 0, deal_key(secret_of_seed("causes"), 0), (0, 1, 2, 3))
    unit = Unit(entrants, (task,), settings, limits=Limits(memory_mb=400))
    with ProcessPoolExecutor(1, get_context("spawn"), start_worker, (None,)) as worker:
        outcome = worker.submit(play_patiently, unit).result()
    (record,) = (record_pb2.GameRecord.FromString(data) for data in outcome.records)
    details = {
        (fault.seat, game_pb2.FaultKind.Name(fault.kind).removeprefix("FAULT_KIND_")): fault.detail
        for fault in record.faults
    }
    assert {0, 1, 2, 3} == {seat for seat, _ in details}
    assert "exited with code 5 in the middle of its games; it wrote nothing" in details[0, "CRASHED"]
    assert (0, "DISCONNECTED") not in details
    wrongly = "a new stream began wrongly: the first message must be a Hello alone"
    assert wrongly in details[1, "MALFORMED_MESSAGE"]
    assert "was ended for using" in details[2, "CRASHED"]
    assert "(memory_mb = 400) in the middle of its games" in details[2, "CRASHED"]
    refused = "the bot speaks protocol version 99, this referee version 1"
    assert refused in details[3, "START_FAILED"]
    assert [refused] == [report.exit for report in outcome.instances if report.bot == "is refused"]
    assert {key for key in details if key[1] == "START_FAILED"} == {(3, "START_FAILED")}


def test_a_crash_is_a_crash_however_short_the_clock(tmp_path: Path) -> None:
    """Its turn is over before its process is, and still it has not just lost its connection.

    What the process wrote is in the record of that very game.
    """
    (tmp_path / "typo.py").write_text(TYPO, encoding="utf-8")
    launch = Launch((sys.executable, "typo.py"), str(tmp_path))
    # A busy machine may cost a turn, and that may cost no more.
    settings = GameSettings(PRESETS["german"], Clock(100, setup_ms=60_000), tolerated_faults=1000)
    tasks = [
        GameTask(f"causes/m/{deal}/0", deal, deal_key(secret_of_seed("causes"), deal), (0, 0, 0, 0)) for deal in (0, 1)
    ]
    unit = Unit((Entrant("typo", launch),), tuple(tasks), settings)
    with ProcessPoolExecutor(1, get_context("spawn"), start_worker, (None,)) as worker:
        outcome = worker.submit(play_patiently, unit).result()
    for record, task in zip(map(record_pb2.GameRecord.FromString, outcome.records), tasks, strict=True):
        crashes = {fault.seat: fault for fault in record.faults if fault.kind == game_pb2.FAULT_KIND_CRASHED}
        assert {0, 1, 2, 3} == crashes.keys()
        assert not {fault.kind for fault in record.faults} - {game_pb2.FAULT_KIND_CRASHED, game_pb2.FAULT_KIND_TIMEOUT}
        for seat, fault in crashes.items():
            assert "the last it wrote: AttributeError: 'Turn' object has no attribute 'nonsense'" in fault.detail
            assert f" of game {game_number(task.deal_key, task.id)}: " in record.seats[seat].output
            assert record.seats[seat].output.splitlines()[-1].startswith("AttributeError: ")


def report(ending: str, tail: str, start_failures: int) -> UnitReport:
    """Of a unit with one instance."""
    instance = InstanceReport("X", 0, start_failures or 2, start_failures, 0, ending, tail, 0, 0.0, 0.0)
    return UnitReport(delayed=0, referee_delay_ms=0, instances=(instance,), versions=())


def test_notes_say_the_first_cause() -> None:
    """Not how the process of a refused bot ended; what it wrote last is said once."""
    refused = "the bot speaks protocol version 99, this referee version 1"
    wrote = "exited with code 1 before it said Hello; the last it wrote: no module named torch"
    notes = {
        (refused, ""): refused,
        (refused, "refused\nbye"): f"{refused}: bye",
        (wrote, "oh\nno module named torch"): wrote,
    }
    for (ending, tail), words in notes.items():
        found = ProcessHealth(1000, [report(ending, tail, 5)]).notes()
        assert f"X is benched: it failed to start 5 times in a row ({words}); " in found["benched", "X"]


def test_a_bot_that_ends_between_games_is_noted() -> None:
    """It is no fault, but its author should know."""
    ended = f"exited with code 0 {BETWEEN_GAMES}; it wrote nothing"
    found = ProcessHealth(1000, [report("plays on", "", 0), report(ended, "", 0)]).notes()
    assert [ended] == [note[note.index("(") + 1 : -1] for key, note in found.items() if key == ("ended idle", "X")]
    assert {} == ProcessHealth(1000, [report("plays on", "", 0)]).notes()
