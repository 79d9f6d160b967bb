"""The Python SDK over real sockets: bots are processes, the referee says what each test needs."""

import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import aurum.bot
import grpc
import pytest
from aurum.rules import PRESETS, Deal, Game, deal_key
from aurum.v1 import card_pb2, game_pb2, play_pb2
from inprocess import start_message, turn_message
from scripted_referee import LIMIT, TOKEN, Script, ScriptedReferee, Stream, bot_process, ended, goodbye, welcome

Responses = Iterator[play_pb2.PlayResponse]

FIRST = """
from aurum.bot import Bot, run

class First(Bot):
    version = "7"

    def bid(self, turn):
        return turn.cards[0]

    def play(self, turn):
        return turn.cards[0]

run(First)
"""


def bot_file(folder: Path, source: str) -> Path:
    path = folder / "a_bot.py"
    path.write_text(source)
    return path


def game_of(game_id: int) -> Game:
    return Game(PRESETS["designer"], Deal(deal_key(b"sdk", game_id), 4))


def bid_turns(*game_ids: int, started: bool = False) -> play_pb2.PlayResponse:
    """One message with games and the bid that each asks of its first player."""
    response = play_pb2.PlayResponse()
    for game_id in game_ids:
        game = game_of(game_id)
        if not started:
            response.updates.add(game_start=start_message(game, game.to_act, game_id))
        response.updates.add(turn=turn_message(game, 1, game_id))
    return response


def one_bid(stream: Stream) -> Responses:
    stream.hello()
    yield welcome()
    yield bid_turns(1)
    stream.answers(1)
    yield goodbye()


def ask_and_listen(stream: Stream) -> Responses:
    """A turn to a bot that will not answer it."""
    stream.hello()
    yield welcome()
    yield bid_turns(1)
    while stream.read():
        pass


@pytest.mark.parametrize("socket", ["tcp", "unix"])
def test_hello_says_who_the_bot_is_and_the_token_comes_with_the_call(tmp_path: Path, socket: str) -> None:
    """Over TCP and over a Unix socket."""
    listen = "127.0.0.1:0" if socket == "tcp" else f"unix:{tmp_path}/referee.sock"
    with (
        ScriptedReferee(one_bid, listen=listen) as referee,
        bot_process(bot_file(tmp_path, FIRST), referee.address) as process,
    ):
        assert ended(process) == (0, "")
    expected = play_pb2.Hello(
        protocol_version=1, bot="First", version="7", language="python", sdk=f"aurum-python/{version('aurum-arena')}"
    )
    assert referee.streams[0].received[0] == play_pb2.PlayRequest(hello=expected)
    assert referee.streams[0].authorization == f"Bearer {TOKEN}"


def test_flags_stand_in_for_the_environment(tmp_path: Path) -> None:
    """An author can dial a referee by hand."""
    with ScriptedReferee(one_bid) as referee:
        flags = ["--address", referee.address, "--token", "by hand"]
        with bot_process(bot_file(tmp_path, FIRST), None, flags) as process:
            assert ended(process) == (0, "")
    assert referee.streams[0].authorization == "Bearer by hand"


@pytest.mark.parametrize(
    ("env", "sentence"),
    [
        ({}, "AURUM_ADDRESS is not set"),
        ({"AURUM_ADDRESS": "127.0.0.1:1"}, "AURUM_TOKEN is not set"),
        ({"AURUM_ADDRESS": "somewhere", "AURUM_TOKEN": "t"}, "'somewhere' is no address"),
    ],
)
def test_a_bot_started_by_hand_says_how_it_is_started(tmp_path: Path, env: dict[str, str], sentence: str) -> None:
    """One line, exit code 2."""
    with bot_process(bot_file(tmp_path, FIRST), None, env=env) as process:
        code, stderr = ended(process)
    assert code == 2
    assert stderr.startswith(f"aurum: {sentence}")
    assert stderr.count("\n") == 1


def test_a_class_that_overrides_too_little_is_told_so(tmp_path: Path) -> None:
    source = (
        "from aurum.bot import Bot, run\n\nclass Half(Bot):\n    def bid(self, turn):\n        return turn.hand[0]\n"
    )
    with bot_process(bot_file(tmp_path, f"{source}\nrun(Half)\n"), "127.0.0.1:1") as process:
        assert ended(process) == (2, "aurum: Half has no play: override bid and play, or choose\n")


def test_the_turns_of_one_message_are_answered_in_one_message(tmp_path: Path) -> None:
    """Fifty games in flight: fifty answers, each naming its game and turn."""
    games = list(range(1, 51))
    patient = "from aurum.bot import connection\n\nconnection.FLUSH_AFTER = 60.0\n"  # however busy the machine is

    def script(stream: Stream) -> Responses:
        stream.hello()
        yield welcome()
        yield bid_turns(*games)
        answers = stream.answers(50)
        assert [(answer.game, answer.number) for answer in answers] == [(game, 1) for game in games]
        firsts = [game_of(game).round for game in games]
        assert [int(answer.card) for answer in answers] == [int(first.hand(first.to_act)[0]) for first in firsts]
        yield goodbye()

    with (
        ScriptedReferee(script) as referee,
        bot_process(bot_file(tmp_path, patient + FIRST), referee.address) as process,
    ):
        assert ended(process) == (0, "")
    assert len(referee.streams[0].received) == 2


def test_no_message_outgrows_what_a_referee_takes(tmp_path: Path) -> None:
    """5,000 turns at once are answered in messages of at most 64 KiB."""
    far = 2**53 - 1

    def script(stream: Stream) -> Responses:
        stream.hello()
        yield welcome()
        batch = bid_turns(far)
        again = batch.updates[1]
        for _ in range(4999):
            batch.updates.append(again)
        yield batch
        stream.answers(5000)
        yield goodbye()

    with ScriptedReferee(script) as referee, bot_process(bot_file(tmp_path, FIRST), referee.address) as process:
        assert ended(process) == (0, "")
    sizes = [message.ByteSize() for message in referee.streams[0].received]
    assert sum(sizes) > 64 * 1024
    assert max(sizes) <= 64 * 1024


def test_a_slow_bot_does_not_hold_back_the_answers_it_has(tmp_path: Path) -> None:
    """Each answer of a bot that thinks for 20 ms is sent before it thinks about the next turn."""
    source = FIRST.replace("def bid(self, turn):", "def bid(self, turn):\n        time.sleep(0.02)")

    def script(stream: Stream) -> Responses:
        stream.hello()
        yield welcome()
        yield bid_turns(1, 2, 3, 4)
        stream.answers(4)
        yield goodbye()

    with (
        ScriptedReferee(script) as referee,
        bot_process(bot_file(tmp_path, "import time\n" + source), referee.address) as process,
    ):
        assert ended(process) == (0, "")
    assert [len(message.actions) for message in referee.streams[0].received[1:]] == [1, 1, 1, 1]


LOST = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.INTERNAL,
)
"""What the libraries make of connections that were cut: among others by ENHANCE_YOUR_CALM, and by RST."""


def test_a_lost_stream_is_taken_up_again_and_a_turn_gets_the_same_answer(tmp_path: Path) -> None:
    """After another Hello the pending turn comes again; the bot itself is not asked twice, the game goes on."""
    source = """
from aurum.bot import Bot, run

class Counting(Bot):
    asked = 0

    def game_start(self, game):
        print("game", game.id, flush=True)

    def choose(self, turn):
        Counting.asked += 1
        return turn.cards[Counting.asked]

run(Counting)
"""
    answers: list[play_pb2.Action] = []

    def lose(code: grpc.StatusCode) -> Script:
        def script(stream: Stream) -> Responses:
            stream.hello()
            yield welcome()
            yield bid_turns(1)
            answers.extend(stream.answers(1))
            stream.end(code, "the line went dead")

        return script

    def go_on(stream: Stream) -> Responses:
        stream.hello()
        yield welcome()
        yield bid_turns(1)
        answers.extend(stream.answers(1))
        yield bid_turns(2)
        answers.extend(stream.answers(1))
        yield goodbye()

    with (
        ScriptedReferee(*map(lose, LOST), go_on) as referee,
        bot_process(bot_file(tmp_path, source), referee.address) as process,
    ):
        stdout, stderr = process.communicate(timeout=LIMIT)
    assert (process.returncode, stderr) == (0, "")
    assert stdout.split("\n") == ["game 1", "game 2", ""]
    hand, other = (game_of(game_id).round for game_id in (1, 2))
    first, second = int(hand.hand(hand.to_act)[1]), int(other.hand(other.to_act)[2])
    assert [(answer.game, int(answer.card)) for answer in answers] == [(1, first)] * (len(LOST) + 1) + [(2, second)]


def test_a_bot_gives_up_when_there_is_no_referee(tmp_path: Path) -> None:
    """After some patience, since bots may be started first."""
    impatient = "from aurum.bot import dialing\n\ndialing.FIRST_PATIENCE = 0.3\n"
    nobody = f"unix:{tmp_path}/nobody.sock"
    with bot_process(bot_file(tmp_path, impatient + FIRST), nobody) as process:
        assert ended(process) == (1, f"aurum: no referee at {nobody} within 0.3 s: no answer\n")


def test_a_bot_gives_up_when_the_referee_stays_away_longer_than_its_grace(tmp_path: Path) -> None:
    def script(stream: Stream) -> Responses:
        stream.hello()
        yield welcome(grace_ms=300)
        stream.end(grpc.StatusCode.UNAVAILABLE, "")

    with ScriptedReferee(script) as referee, bot_process(bot_file(tmp_path, FIRST), referee.address) as process:
        while not referee.streams or not referee.streams[0].received:
            time.sleep(0.01)
        referee.stop()
        code, stderr = ended(process)
    assert code == 1
    assert stderr.startswith(f"aurum: no referee at {referee.address} within 0.3 s: the stream ended with ")


def test_a_referee_that_ends_every_stream_is_not_dialled_for_ever(tmp_path: Path) -> None:
    def script(stream: Stream) -> Responses:
        stream.hello()
        yield welcome(grace_ms=300)
        stream.end(grpc.StatusCode.UNAVAILABLE, "")

    with ScriptedReferee(*[script] * 50) as referee, bot_process(bot_file(tmp_path, FIRST), referee.address) as process:
        code, stderr = ended(process)
    assert code == 1
    assert stderr == f"aurum: no referee at {referee.address} within 0.3 s: the stream ended with UNAVAILABLE\n"
    assert 2 <= len(referee.streams) < 20


@pytest.mark.parametrize("code", [grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.FAILED_PRECONDITION])
def test_a_refusal_is_final_and_said_in_the_referees_words(tmp_path: Path, code: grpc.StatusCode) -> None:
    """Exit code 1 as soon as it is heard; a refusal that crosses the Hello can be lost and is asked for again."""

    def script(stream: Stream) -> Responses:
        stream.end(code, "this seat is taken by another token")
        yield from ()

    with ScriptedReferee(*[script] * 20) as referee, bot_process(bot_file(tmp_path, FIRST), referee.address) as process:
        assert ended(process) == (1, "aurum: the referee refused: this seat is taken by another token\n")
    assert len(referee.streams) < 5


def test_a_referee_of_another_protocol_version_is_left(tmp_path: Path) -> None:
    def script(stream: Stream) -> Responses:
        stream.hello()
        yield welcome(version=2)
        stream.read()

    with ScriptedReferee(script) as referee, bot_process(bot_file(tmp_path, FIRST), referee.address) as process:
        code, stderr = ended(process)
    assert code == 1
    assert stderr.startswith("aurum: the referee speaks protocol version 2, this bot version 1")
    assert stderr.count("\n") == 1


def test_a_turn_of_a_game_that_was_not_started_is_the_referees_mistake(tmp_path: Path) -> None:
    def script(stream: Stream) -> Responses:
        stream.hello()
        yield welcome()
        yield bid_turns(9, started=True)
        stream.read()

    with ScriptedReferee(script) as referee, bot_process(bot_file(tmp_path, FIRST), referee.address) as process:
        assert ended(process) == (1, "aurum: the referee speaks of game 9, which it has not started\n")


def test_an_exception_in_the_authors_code_is_shown_with_its_place(tmp_path: Path) -> None:
    """The first line names the game and the turn, the traceback begins in the author's file; exit code 1."""
    source = FIRST.replace("return turn.cards[0]", "return turn.cards[99]", 1)
    with (
        ScriptedReferee(ask_and_listen) as referee,
        bot_process(bot_file(tmp_path, source), referee.address) as process,
    ):
        code, stderr = process_end = ended(process)
        referee_saw = referee.streams[0].received
    assert code == 1, process_end
    lines = stderr.splitlines()
    assert re.match(r"aurum: First\.bid failed at <Turn 1 of game 1: BID of seat \d, hand ", lines[0])
    assert lines[1] == "Traceback (most recent call last):"
    assert "a_bot.py" in lines[2]
    assert lines[-1] == "IndexError: tuple index out of range"
    assert len(referee_saw) == 1


def test_an_answer_that_is_not_legal_is_the_authors_error(tmp_path: Path) -> None:
    """It is not sent; the line names the turn, the answer and what is legal."""
    source = FIRST.replace("return turn.cards[0]", "return Card.G8", 1).replace("import Bot", "import Bot, Card")
    with (
        ScriptedReferee(ask_and_listen) as referee,
        bot_process(bot_file(tmp_path, source), referee.address) as process,
    ):
        code, stderr = ended(process)
        referee_saw = referee.streams[0].received
    first, error = stderr.splitlines()
    round_ = game_of(1).round
    legal = ", ".join(f"bid {card}" for card in round_.hand(round_.to_act))
    assert code == 1
    assert first.startswith("aurum: First.bid failed at <Turn 1 of game 1: BID of seat ")
    sentence = f"First.bid ({tmp_path}/a_bot.py, line 8) returned G8, which is illegal: gold cannot be a bid card"
    assert error == f"aurum.bot.errors.IllegalAnswer: {sentence}; legal are: {legal}"
    assert len(referee_saw) == 1


def test_a_bot_that_is_not_strict_may_say_what_is_not_legal(tmp_path: Path) -> None:
    """For bots that are to be caught by the referee."""
    source = FIRST.replace("return turn.cards[0]", "return Card.G8", 1).replace("import Bot", "import Bot, Card")
    source = source.replace('version = "7"', "strict = False")

    def script(stream: Stream) -> Responses:
        stream.hello()
        yield welcome()
        yield bid_turns(1)
        assert [action.card for action in stream.answers(1)] == [104]
        yield goodbye()

    with ScriptedReferee(script) as referee, bot_process(bot_file(tmp_path, source), referee.address) as process:
        assert ended(process) == (0, "")


MOMENTS = {
    "waiting": FIRST,
    "thinking": FIRST.replace("return turn.cards[0]", "print('here', flush=True); time.sleep(60)", 1),
    "setting up": FIRST.replace(
        "def bid(self, turn):",
        "def setup(self):\n        print('here', flush=True); time.sleep(60)\n\n    def bid(self, turn):",
    ),
}


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_signal_ends_a_bot_without_a_word(tmp_path: Path, moment: str, number: signal.Signals, code: int) -> None:
    """Ctrl-C and SIGTERM, whatever the bot is doing."""

    source = "import time\n" + MOMENTS[moment]
    with (
        ScriptedReferee(ask_and_listen) as referee,
        bot_process(bot_file(tmp_path, source), referee.address) as process,
    ):
        if moment == "waiting":
            while not referee.streams or len(referee.streams[0].received) < 2:
                time.sleep(0.01)
        else:
            assert process.stdout is not None
            assert process.stdout.readline() == "here\n"
        process.send_signal(number)
        assert ended(process) == (code, "")


def test_setup_comes_before_hello(tmp_path: Path) -> None:
    """Loading belongs into the set-up time: the referee hears nothing before it is done."""
    setup = "def setup(self):\n        input()\n\n    def bid(self, turn):"
    source = FIRST.replace("def bid(self, turn):", setup)
    with ScriptedReferee(one_bid) as referee, bot_process(bot_file(tmp_path, source), referee.address) as process:
        code, stderr = ended(process)
    assert code == 1
    assert stderr.startswith("aurum: First failed before its first game\nTraceback")
    assert stderr.endswith("EOFError: EOF when reading a line\n")
    assert referee.streams == []


def test_hooks_are_told_what_happened(tmp_path: Path) -> None:
    """Each with the game it concerns and values of `aurum.rules`, not the protocol's numbers."""
    source = """
from aurum.bot import Bot, run

class Hearing(Bot):
    def choose(self, turn):
        return turn.cards[0]

    def game_start(self, game):
        print("start", game.id, game.ruleset.preset, game.clock, game.names)

    def round_end(self, end):
        print("round", end.game.id, end.result.points, end.shown_hand, end.unfinished_trick, end.table.round)

    def game_end(self, end):
        print("game", end.game.id, end.result.rank, end.forfeited, end.placing)

    def fault(self, fault):
        print("fault", fault.game and fault.game.id, fault.number, fault.kind, fault.detail)

run(Hearing)
"""

    def script(stream: Stream) -> Responses:
        stream.hello()
        yield welcome()
        told = bid_turns(5)
        told.updates.add(
            fault=play_pb2.Fault(game=5, number=1, kind=game_pb2.FAULT_KIND_TIMEOUT, detail="too late by 5 ms")
        )
        told.updates.add(fault=play_pb2.Fault(kind=game_pb2.FAULT_KIND_FLOODED, detail="far too much"))
        round_end = told.updates.add().round_end
        round_end.game = 5
        round_end.table.round = 1
        round_end.result.points.extend([8, 3])
        round_end.shown_hand.extend([card_pb2.B1, card_pb2.Z10])
        round_end.unfinished_trick.append(card_pb2.G0)
        game_end = told.updates.add().game_end
        game_end.game = 5
        game_end.result.rank.extend([1, 2])
        game_end.result.forfeited.append(1)
        game_end.result.placing.extend([1, 2])
        yield told
        yield goodbye()

    with ScriptedReferee(script) as referee, bot_process(bot_file(tmp_path, source), referee.address) as process:
        stdout, stderr = process.communicate(timeout=LIMIT)
    assert (process.returncode, stderr) == (0, "")
    assert stdout.splitlines() == [
        "start 5 designer Clock(turn=1.0, bank=0.0, increment=0.0) ()",
        "fault 5 1 timeout too late by 5 ms",
        "fault None 0 flooded far too much",
        "round 5 (8, 3) (Card.B1, Card.Z10) (Card.G0,) 1",
        "game 5 (1, 2) (1,) (1, 2)",
    ]


def test_a_fault_is_said_on_stderr_unless_the_bot_hears_it_itself(tmp_path: Path) -> None:
    """So that the author of a bot that loses by faults finds out why."""

    def script(stream: Stream) -> Responses:
        stream.hello()
        yield welcome()
        told = bid_turns(5)
        told.updates.add(fault=play_pb2.Fault(game=5, number=1, kind=game_pb2.FAULT_KIND_TIMEOUT, detail="too late"))
        yield told
        yield goodbye()

    with ScriptedReferee(script) as referee, bot_process(bot_file(tmp_path, FIRST), referee.address) as process:
        assert ended(process) == (0, "aurum: timeout in game 5, turn 1: too late\n")


def test_the_smallest_bot_has_at_most_ten_lines_and_plays(tmp_path: Path) -> None:
    """The one in the package's docstring."""
    docstring = aurum.bot.__doc__
    assert docstring is not None
    source = "\n".join(line[4:] for line in docstring.splitlines() if line.startswith("    "))
    assert len([line for line in source.splitlines() if line]) <= 10
    with ScriptedReferee(one_bid) as referee, bot_process(bot_file(tmp_path, source), referee.address) as process:
        assert ended(process) == (0, "")


def test_importing_the_sdk_loads_nothing_heavy() -> None:
    """A bot is started many times in a tournament: numpy and its like stay out; and gRPC until it is needed."""
    heavy = {"click", "dataclasses", "numpy", "rustworkx"}
    for_talking = {"argparse", "asyncio", "grpc"}
    code = "import sys, aurum.bot; print(*sys.modules); import aurum.bot.connection; print(*sys.modules)"
    output = subprocess.check_output([sys.executable, "-c", code], text=True, timeout=LIMIT)
    at_first, at_last = [{*line.split()} for line in output.splitlines()]
    assert set() == (heavy | for_talking) & at_first
    assert set() == heavy & at_last
    assert "grpc" in at_last
