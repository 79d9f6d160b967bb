"""What goes wrong on a bot's JSON lines is the same fault, in the same words, as on gRPC."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from aurum.v1 import game_pb2, play_pb2, record_pb2
from dialing import ARENA, Autoplayers, RawBot, RefereeProcess
from scripted_referee import bot_process, ended
from test_faults import CASES, EXAMPLES, Case, left_behind, pairs, stored, tournament
from test_referee import records

BOT = """
import json, os, signal, sys, time

def say(message):
    print(json.dumps(message), flush=True)

def answer(turn):
    number = turn["number"]
    %s
    if turn["phase"] == "PHASE_EXCHANGE" or "legal_cards" not in turn:
        return {"pass": {}}
    return {"card": turn["legal_cards"][0]}

%s
say({"hello": {"protocol_version": 1, "bot": "Bad"}})
for line in sys.stdin:
    for update in json.loads(line).get("updates", []):
        if turn := update.get("turn"):
            say({"actions": [{"game": turn["game"], "number": turn["number"], **answer(turn)}]})
"""

IN_A_TURN = {
    "crash_mid_game": 'number < 4 or turn["hand"][11]',
    "exits_silently": "number < 4 or sys.exit()",
    "never_answers": "number < 4 or time.sleep(600)",
    "answers_late": 'number % 5 or time.sleep(turn["time_left_ms"] / 1000 + 0.1)',
    "illegal_card": """
    forbidden = [card for card in turn["hand"] if card not in turn.get("legal_cards", [])]
    if turn["phase"] == "PHASE_FOLLOW" and forbidden:
        return {"card": forbidden[0]}
""",
    "another_seats_card": """
    if turn["phase"] in ("PHASE_LEAD", "PHASE_FOLLOW"):
        return {"card": next(f"B{rank}" for rank in range(1, 11) if f"B{rank}" not in turn["hand"])}
""",
    "garbage_bytes": 'print("thinking about", turn["hand"])',
    "floods": """
    for stray in range(1_000_000):
        say({"actions": [{"game": "1", "number": stray}]})
""",
    "stderr_gigabyte": """
    for _ in range(1024 * (number >= 3)):
        sys.stderr.write("a line of a log\\\\n" * (1 << 16))
""",
}
BEFORE_HELLO = {
    "crash_at_start": 'open("weights-that-nobody-copied.bin")',
    "wrong_version": 'say({"hello": {"protocol_version": 99, "bot": "Bad"}})',
    "never_says_hello": "time.sleep(600)",
}


def source(case: str) -> str:
    """A bot that plays well but for that."""
    return BOT % (IN_A_TURN.get(case, "").strip(), BEFORE_HELLO.get(case, ""))


def test_every_misbehaving_example_is_tried_over_the_bridge() -> None:
    """A new one without a bot here fails."""
    assert {case.bot for case in CASES} == IN_A_TURN.keys() | BEFORE_HELLO.keys()


@pytest.mark.parametrize("pair", pairs(), ids=lambda pair: "-".join(case.bot for case in pair))
def test_a_bad_bot_is_at_fault_as_it_is_on_grpc(pair: tuple[Case, Case], tmp_path: Path) -> None:
    """The kind, the words and the last line of output are those of the example in example_bots/misbehaving."""
    turn_ms, setup_ms = min(case.turn_ms for case in pair), min(case.setup_ms for case in pair)
    found = faults_in_a_tournament({case.bot: source(case.bot) for case in pair}, tmp_path, setup_ms, turn_ms)
    for case in pair:
        faults = found[case.bot]
        assert any(case.words in fault.detail for fault in faults), [fault.detail for fault in faults]
        kinds = {game_pb2.FaultKind.Name(fault.kind).removeprefix("FAULT_KIND_") for fault in faults}
        assert case.kind in kinds
        assert kinds <= {case.kind, "START_FAILED"}


def test_a_signal_is_named_and_a_field_that_this_version_does_not_know_is_no_fault(tmp_path: Path) -> None:
    """The signal ended the bot, not its bridge; and a bot at the same table is newer than the bridge."""
    bad = BOT % ("number < 4 or os.kill(os.getpid(), signal.SIGSEGV)", "")
    newer = (BOT % ("", "")).replace('"number": turn["number"],', '"number": turn["number"], "confidence": 0.9,')
    assert json.dumps("confidence") in newer
    words = "was killed by SIGSEGV in the middle of its games; it wrote nothing"
    found = faults_in_a_tournament({"bad": bad, "newer": newer}, tmp_path)
    assert found["bad"]
    assert all(fault.detail.endswith(words) for fault in found["bad"])
    assert [] == found["newer"]


def test_what_a_bot_has_started_ends_with_it(tmp_path: Path) -> None:
    """Though it reads no input, and the bot is long gone when the games are over."""
    start = "__import__('subprocess').Popen([sys.executable, '-c', 'import time; time.sleep(600)', __file__])"
    assert {"bad": []} == faults_in_a_tournament({"bad": BOT % ("pass", start)}, tmp_path)


def faults_in_a_tournament(
    sources: dict[str, str], folder: Path, setup_ms: int = 60_000, turn_ms: int = 60_000
) -> dict[str, list[record_pb2.FaultRecord]]:
    """Of one or two bots that play against a good one, which has none; afterwards no process is left."""
    bots = {"good": f"python {EXAMPLES}/lowest_card.py"}
    for name, text in sources.items():
        script = folder / f"{name}.py"
        script.write_text(text, encoding="utf-8")
        bots[name] = f"arena bridge -- python {script}"
    done = tournament(folder, bots, 1, setup_ms, players=3 if len(bots) == 3 else 4, turn_ms=turn_ms)
    assert 0 == done.returncode, done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    faults: dict[str, list[record_pb2.FaultRecord]] = {name: [] for name in sources}
    for record in stored(folder):
        for fault in record.faults:
            name = record.seats[fault.seat].bot
            assert name in sources
            faults[name].append(fault)
    assert [] == left_behind(str(folder))
    return faults


@dataclass(frozen=True)
class Wrong:
    """What a bot prints in its first turn, instead of an answer; what it is as messages on gRPC; what the author reads.

    GAME stands for the game's number.
    """

    output: str
    messages: Callable[[int], list[play_pb2.PlayRequest | bytes]]
    note: str
    kind: str
    words: str
    """Of the fault, and what its sentence ends with; the number of bytes is not looked at."""


def action(game: int, **move: object) -> list[play_pb2.PlayRequest | bytes]:
    return [play_pb2.PlayRequest(actions=[play_pb2.Action(game=game, number=1, **move)])]  # type: ignore[arg-type]


def garbage(_game: int) -> list[play_pb2.PlayRequest | bytes]:
    return [b"\xff\xff\xff"]


NO_REQUEST = "aurum bridge: line 2 of the bot's output is no PlayRequest: "
LEFT_OUT = "aurum bridge: in line 2 of the bot's output this is left out: "
MALFORMED = ("MALFORMED_MESSAGE", "bytes that are no PlayRequest")
ACTION = '{"actions": [{"game": "GAME", "number": 1, %s}]}\n'
WRONG = {
    "text": Wrong("a good hand\n", garbage, f"{NO_REQUEST}it is no JSON (", *MALFORMED),
    "other JSON": Wrong("[1, 2]\n", garbage, f"{NO_REQUEST}it must be an object in braces, and is [1, 2]", *MALFORMED),
    "out of range": Wrong(
        ACTION % '"card": "B1", "number": -1',
        garbage,
        f"{NO_REQUEST}actions[0].number must be from 0 to 4294967295, and is -1",
        *MALFORMED,
    ),
    "two moves": Wrong(
        ACTION % '"card": "B1", "pass": {}', garbage, f"{NO_REQUEST}actions[0].pass and card cannot both", *MALFORMED
    ),
    "70 KiB of text": Wrong("x" * 70_000 + "\n", garbage, f"{NO_REQUEST}it is no JSON (", *MALFORMED),
    "a line without end": Wrong("x" * 2_000_000, garbage, f"{NO_REQUEST}it is longer than 1 MiB;", *MALFORMED),
    "no such card": Wrong(
        ACTION % '"card": "B11"',
        action,
        f'{LEFT_OUT}actions[0].card is "B11", and there is no Card of that name',
        "MALFORMED_MESSAGE",
        "the action holds no move (card, exchange or pass)",
    ),
    "no such number of a card": Wrong(
        ACTION % '"card": 255',
        lambda game: action(game, card=255),
        "",
        "MALFORMED_MESSAGE",
        "card is 255, which is no card",
    ),
    "empty messages": Wrong(
        "{}\n" * 101,
        lambda _game: [play_pb2.PlayRequest()] * 101,
        "",
        "FLOODED",
        "sent 101 messages or answers that match no open turn; answer each Turn once",
    ),
    "half a line": Wrong(
        (ACTION % '"card": "B1"').strip(), lambda _game: [], "", "TIMEOUT", "no answer within 3000 ms"
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_line_is_the_fault_that_wrong_bytes_are(name: str, tmp_path: Path) -> None:
    """Of a bot that plays seat 0 over the bridge, and of one that does the same on gRPC; the first is told more."""
    wrong = WRONG[name]
    bot = tmp_path / "bad.py"
    bot.write_text(
        'import json, sys\nprint(\'{"hello": {"protocol_version": 1, "bot": "Bad"}}\', flush=True)\n'
        'for line in sys.stdin:\n    for update in json.loads(line).get("updates", []):\n'
        '        if "turn" in update:\n'
        f'            sys.stdout.write({wrong.output!r}.replace("GAME", update["turn"]["game"]))\n'
        "            sys.stdout.flush()\n            sys.stdin.read()\n",
        encoding="utf-8",
    )

    def over_the_bridge(address: str, token: str) -> str:
        command = ["bridge", "--", sys.executable, str(bot)]
        with bot_process(Path(ARENA[0]), address, command, {"AURUM_TOKEN": token}) as process:
            return ended(process)[1]

    def on_grpc(address: str, token: str) -> str:
        raw = RawBot(address, token).hello()
        for message in wrong.messages(raw.turn().game):
            raw.send(message)
        raw.ending()
        return ""

    stderr, bridged = first_fault(over_the_bridge, tmp_path / "bridged.jsonl")
    _, raw = first_fault(on_grpc, tmp_path / "raw.jsonl")
    for fault in (bridged, raw):
        assert f"FAULT_KIND_{wrong.kind}" == game_pb2.FaultKind.Name(fault.kind)
        assert fault.detail.endswith(wrong.words)
    assert stderr.startswith(wrong.note)
    assert len(stderr) < 1000


def first_fault(play: Callable[[str, str], str], out: Path) -> tuple[str, record_pb2.FaultRecord]:
    """What `play`, which gets address and token of seat 0, returns; and the first fault of that seat."""
    with RefereeProcess("--turn-ms", "3000", "--out", str(out)) as referee:
        others = Autoplayers({seat: place for seat, place in referee.seats.items() if seat != 0})
        returned = play(*referee.seats[0])
        assert 3 == len(others.join())
        referee.finish()
    return returned, next(fault for fault in records(out)[0].faults if fault.seat == 0)
