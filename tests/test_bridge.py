"""`arena bridge` over real sockets and pipes: a scripted referee on one side, a command on the other."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import grpc
import pytest
from aurum.rules import PRESETS, Deal, Game, deal_key
from aurum.v1 import play_pb2
from dialing import ARENA
from google.protobuf import json_format
from inprocess import start_message, turn_message
from scripted_referee import LIMIT, TOKEN, ScriptedReferee, Stream, bot_process, ended, goodbye, welcome

Responses = Iterator[play_pb2.PlayResponse]

BOT = """
import json, os, signal, sys, time

def say(*actions):
    print(json.dumps({"actions": actions}), flush=True)

def first(turn):
    return {"game": turn["game"], "number": turn["number"], "card": turn["legal_cards"][0]}

def note(text):
    print(text, file=sys.stderr, flush=True)

print('{"hello": {"protocol_version": 1, "bot": "Lines", "version": "7", "language": "none"}}', flush=True)
for line in sys.stdin:
    updates = json.loads(line).get("updates", [])
    turns = [update["turn"] for update in updates if "turn" in update]
    %s
"""
ANSWER = BOT % "if turns: say(*map(first, turns))"


def bridge(folder: Path, source: str, address: str | None) -> AbstractContextManager[subprocess.Popen[str]]:
    """The bridge's process, with a Python script as the bot."""
    bot = folder / "a_bot.py"
    bot.write_text(source)
    return bridge_to([sys.executable, str(bot)], address)


def bridge_to(command: Sequence[str], address: str | None) -> AbstractContextManager[subprocess.Popen[str]]:
    return bot_process(Path(ARENA[0]), address, ["bridge", "--", *command])


def bids(*games: int, started: bool = False) -> play_pb2.PlayResponse:
    """One message with games and the bid that each asks of its first player."""
    response = play_pb2.PlayResponse()
    for number in games:
        game = Game(PRESETS["designer"], Deal(deal_key(b"bridge", number), 4))
        if not started:
            response.updates.add(game_start=start_message(game, game.to_act, number))
        response.updates.add(turn=turn_message(game, 1, number))
    return response


def first_cards(message: play_pb2.PlayResponse) -> list[tuple[int, int]]:
    """By game, the answer of a bot that takes the first card."""
    turns = [update.turn for update in message.updates if update.HasField("turn")]
    return [(turn.game, turn.legal_cards[0]) for turn in turns]


def one_bid(stream: Stream) -> Responses:
    stream.hello()
    yield welcome()
    yield bids(1)
    stream.answers(1)
    yield goodbye()


def ask_and_listen(stream: Stream) -> Responses:
    """A turn to a bot that will not answer it."""
    stream.hello()
    yield welcome()
    yield bids(1)
    while stream.read():
        pass


@pytest.mark.parametrize("socket", ["tcp", "unix"])
def test_the_bot_reads_and_writes_the_messages_of_the_referee(tmp_path: Path, socket: str) -> None:
    """A message a line, from the Welcome to the Goodbye, then the end of its input; its Hello goes out as it is."""
    source = BOT % "note(line.strip()); turns and say(first(turns[0]))" + "note('the end')\n"
    listen = "127.0.0.1:0" if socket == "tcp" else f"unix:{tmp_path}/referee.sock"
    with ScriptedReferee(one_bid, listen=listen) as referee, bridge(tmp_path, source, referee.address) as process:
        code, stderr = ended(process)
    *lines, end = stderr.splitlines()
    sent = [welcome(), bids(1), goodbye()]
    assert [json_format.MessageToDict(message, preserving_proto_field_name=True) for message in sent] == [
        json.loads(line) for line in lines
    ]
    assert (0, "the end") == (code, end)
    hello, answer = referee.streams[0].received
    expected = play_pb2.Hello(protocol_version=1, bot="Lines", version="7", language="none", sdk=hello.hello.sdk)
    assert play_pb2.PlayRequest(hello=expected) == hello
    assert hello.hello.sdk.startswith("aurum-bridge/")
    assert first_cards(bids(1)) == [(action.game, action.card) for action in answer.actions]
    assert f"Bearer {TOKEN}" == referee.streams[0].authorization


def test_the_answers_that_are_ready_go_out_together(tmp_path: Path) -> None:
    """Fifty lines that a bot writes at once are one message, as fifty answers in a line are."""
    at_once = 'turns and print("\\n".join(json.dumps({"actions": [first(turn)]}) for turn in turns), flush=True)'
    batch = bids(*range(1, 51))

    def script(stream: Stream) -> Responses:
        stream.hello()
        yield welcome()
        yield batch
        assert first_cards(batch) == [(action.game, action.card) for action in stream.answers(50)]
        yield goodbye()

    for rule in (at_once, "if turns: say(*map(first, turns))"):
        with ScriptedReferee(script) as referee, bridge(tmp_path, BOT % rule, referee.address) as process:
            assert (0, "") == ended(process)
        assert 2 == len(referee.streams[0].received)


def test_no_message_outgrows_what_a_referee_takes(tmp_path: Path) -> None:
    """5,000 answers in a line of 300 KB are sent in messages of at most 64 KiB."""
    source = BOT % "turns and say(*[first(turns[0]) | {'game': str(2**53 - 1)}] * 5000)"

    def script(stream: Stream) -> Responses:
        stream.hello()
        yield welcome()
        yield bids(1)
        stream.answers(5000)
        yield goodbye()

    with ScriptedReferee(script) as referee, bridge(tmp_path, source, referee.address) as process:
        assert (0, "") == ended(process)
    sizes = [message.ByteSize() for message in referee.streams[0].received]
    assert sum(sizes) > 64 * 1024
    assert max(sizes) <= 64 * 1024


def test_neither_direction_waits_for_the_other(tmp_path: Path) -> None:
    """A bot writes 6 MB before it reads on, while the referee has sent as much: no pipe is full for ever."""
    source = (BOT % "if turns and not updates[0].get('turn'): [say(first(turns[0])) for _ in range(100)]").replace(
        'json.dumps({"actions": actions})', 'json.dumps({"actions": actions}) + " " * 60_000'
    )
    more = bids(*range(2, 102), started=True)

    def script(stream: Stream) -> Responses:
        stream.hello()
        yield welcome()
        yield bids(1)
        reader = threading.Thread(target=stream.answers, args=(100,))
        reader.start()
        for number in range(100):
            for update in more.updates:
                update.turn.number = number + 1
            yield more
        reader.join()
        yield goodbye()

    with ScriptedReferee(script) as referee, bridge(tmp_path, source, referee.address) as process:
        assert (0, "") == ended(process)
    assert 100 == sum(len(message.actions) for message in referee.streams[0].received)


def lose(stream: Stream) -> Responses:
    """Ask, take the answer, and be gone."""
    stream.hello()
    yield welcome()
    yield bids(1)
    stream.answers(1)
    stream.end(grpc.StatusCode.UNAVAILABLE, "the line went dead")


def test_the_bot_never_hears_of_a_lost_connection(tmp_path: Path) -> None:
    """The bridge says the same Hello and the same answer again; the bot is welcomed once, and asked once."""
    source = BOT % "note([*json.loads(line), *map(list, updates)]); turns and say(*map(first, turns))"
    answers = []

    def go_on(stream: Stream) -> Responses:
        stream.hello()
        first = welcome()
        first.MergeFrom(bids(1))
        yield first
        answers.extend(stream.answers(1))
        yield bids(2)
        answers.extend(stream.answers(1))
        yield goodbye()

    with ScriptedReferee(lose, lose, go_on) as referee, bridge(tmp_path, source, referee.address) as process:
        code, stderr = ended(process)
    told = ["['welcome']", *["['updates', ['game_start'], ['turn']]"] * 2, "['updates', ['goodbye']]"]
    assert (0, told) == (code, stderr.splitlines())
    assert first_cards(bids(1, 2)) == [(action.game, action.card) for action in answers]
    hellos = [stream.received[0] for stream in referee.streams]
    assert [hellos[0]] * 3 == hellos


def test_a_bot_goes_on_thinking_while_the_connection_is_lost(tmp_path: Path) -> None:
    """It is not asked again; its answer goes out on the stream that there is then, once."""
    source = BOT % "seen = [] if 'welcome' in line else seen + turns; len(seen) == 2 and say(*map(first, seen))"

    def leave(stream: Stream) -> Responses:
        stream.hello()
        yield welcome()
        yield bids(1)
        stream.end(grpc.StatusCode.UNAVAILABLE, "the line went dead")

    def come_back(stream: Stream) -> Responses:
        stream.hello()
        yield welcome()
        yield bids(1, 2)
        assert first_cards(bids(1, 2)) == [(action.game, action.card) for action in stream.answers(2)]
        yield goodbye()

    with ScriptedReferee(leave, come_back) as referee, bridge(tmp_path, source, referee.address) as process:
        assert (0, "") == ended(process)
    assert 2 == len(referee.streams[1].received)


def test_an_answer_that_finds_no_stream_waits_for_the_next(tmp_path: Path) -> None:
    """The bot answers while the bridge is away, or is not welcome yet."""
    go, said = tmp_path / "go", tmp_path / "said"
    source = BOT % f"if turns: open({str(go)!r}).read(); say(*map(first, turns)); open({str(said)!r}, 'w').close()"
    os.mkfifo(go)
    os.mkfifo(said)

    def leave(stream: Stream) -> Responses:
        stream.hello()
        yield welcome()
        yield bids(1)
        stream.end(grpc.StatusCode.UNAVAILABLE, "the line went dead")

    def leave_again(stream: Stream) -> Responses:
        stream.hello()
        go.write_text("")
        said.read_text()
        stream.end(grpc.StatusCode.UNAVAILABLE, "the line went dead")
        yield from ()

    def come_back(stream: Stream) -> Responses:
        stream.hello()
        first = welcome()
        first.MergeFrom(bids(1))
        yield first
        assert first_cards(bids(1)) == [(action.game, action.card) for action in stream.answers(1)]
        yield bids(1)
        assert first_cards(bids(1)) == [(action.game, action.card) for action in stream.answers(1)]
        yield goodbye()

    scripts = (leave, leave_again, come_back)
    with ScriptedReferee(*scripts) as referee, bridge(tmp_path, source, referee.address) as process:
        assert (0, "") == ended(process)
    assert [1, 1, 3] == [len(stream.received) for stream in referee.streams]


def test_the_bridge_gives_up_as_a_bot_does(tmp_path: Path) -> None:
    """If the referee ends every stream, for longer than its grace, or refuses: one sentence, exit code 1."""

    def end(stream: Stream) -> Responses:
        stream.hello()
        yield welcome(grace_ms=300)
        stream.end(grpc.StatusCode.UNAVAILABLE, "")

    def refuse(stream: Stream) -> Responses:
        stream.end(grpc.StatusCode.UNAUTHENTICATED, "no seat for this token")
        yield from ()

    def later(stream: Stream) -> Responses:
        stream.hello()
        yield welcome(version=2)
        stream.read()

    for script, sentence in (
        (end, "no referee at {} within 0.3 s: the stream ended with UNAVAILABLE"),
        (refuse, "the referee refused: no seat for this token"),
        (later, "the referee speaks protocol version 2, this bot version 1: install the aurum-arena of the tournament"),
    ):
        with ScriptedReferee(*[script] * 50) as referee, bridge(tmp_path, ANSWER, referee.address) as process:
            assert (1, f"aurum bridge: {sentence.format(referee.address)}\n") == ended(process)


def test_a_refusal_is_said_first_with_what_led_to_it(tmp_path: Path) -> None:
    """Before the bot is ended, which has much to say about that."""
    source = "import sys\nprint('hello')\nsys.stdout.flush()\nsys.stdin.read()\nraise EOFError('the input is closed')"

    def refuse(stream: Stream) -> Responses:
        stream.end(grpc.StatusCode.INVALID_ARGUMENT, "the first message is no PlayRequest")
        yield from ()

    with ScriptedReferee(*[refuse] * 20) as referee, bridge(tmp_path, source, referee.address) as process:
        code, stderr = ended(process)
    note, refusal, *others = stderr.splitlines()
    cause = "line 1 of the bot's output is no PlayRequest: it is no JSON (Expecting value at column 1): 'hello'; "
    assert 1 == code
    assert note.startswith(f"aurum bridge: {cause}")
    assert refusal.startswith(f"aurum bridge: the referee refused: the first message is no PlayRequest ({cause}")
    assert "EOFError: the input is closed" == others[-1]


ENDINGS = {
    "exit code 0": ("sys.exit()", 0),
    "exit code 3": ("sys.exit(3)", 3),
    "SIGKILL": ("os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL),
    "SIGSEGV": ("os.kill(os.getpid(), signal.SIGSEGV)", -signal.SIGSEGV),
    "SIGTERM": ("os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM),
    "while a child of it goes on": ("os.fork() and sys.exit(4); os.close(2); time.sleep(60)", 4),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_bridge_ends_as_the_bot_does_without_a_word(tmp_path: Path, ending: str) -> None:
    """What it has answered just before is passed on."""
    statement, code = ENDINGS[ending]
    source = BOT % f"if turns: say(*map(first, turns)); {statement}"
    with ScriptedReferee(ask_and_listen) as referee, bridge(tmp_path, source, referee.address) as process:
        assert (code, "") == ended(process)
    assert 2 == len(referee.streams[0].received)


def test_a_bot_that_ends_before_its_hello_takes_the_bridge_along(tmp_path: Path) -> None:
    """With its own last words as the last ones; the referee hears of no stream."""
    with ScriptedReferee() as referee, bridge(tmp_path, "import nothing_of_that_name", referee.address) as process:
        code, stderr = ended(process)
    assert 1 == code
    assert "ModuleNotFoundError: No module named 'nothing_of_that_name'" == stderr.splitlines()[-1]
    assert [] == referee.streams


def test_a_bot_that_stays_after_the_goodbye_is_killed(tmp_path: Path) -> None:
    """Whatever it waits for: nothing is left of it, as the end of its stderr shows."""
    source = BOT % "if turns: say(*map(first, turns))" + "print('x' * 1_000_000); time.sleep(60)\n"
    with ScriptedReferee(one_bid) as referee, bridge(tmp_path, source, referee.address) as process:
        assert (-signal.SIGKILL, "") == ended(process)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_bridge_without_a_word(tmp_path: Path, number: signal.Signals, code: int) -> None:
    """The bot finds its input closed."""
    source = BOT % "turns and note('asked')" + "note('the end')\n"
    with ScriptedReferee(ask_and_listen) as referee, bridge(tmp_path, source, referee.address) as process:
        assert process.stderr is not None
        assert "asked\n" == process.stderr.readline()
        process.send_signal(number)
        assert (code, "the end\n") == ended(process)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the bot only finds its input closed")
def test_a_bridge_that_is_killed_takes_the_bot_along(tmp_path: Path) -> None:
    """Though it does not read: its stderr, which it holds open, comes to an end."""
    source = BOT % "if turns: note('asked'); time.sleep(60)"
    with ScriptedReferee(ask_and_listen) as referee, bridge(tmp_path, source, referee.address) as process:
        assert process.stderr is not None
        assert "asked\n" == process.stderr.readline()
        process.kill()
        assert (-signal.SIGKILL, "") == ended(process)


@pytest.mark.parametrize("output", ["''", '\'{"hello": {"protocol_version": 1}}\''], ids=["nothing", "half a line"])
def test_a_bot_that_is_not_heard_is_reminded_to_flush(tmp_path: Path, output: str) -> None:
    """Before the set-up time is over, whose fault quotes the last line."""
    source = f"import sys\nprint({output}, end='', flush=True)\nsys.stdin.read()"
    with ScriptedReferee() as referee, bridge(tmp_path, source, referee.address) as process:
        assert process.stderr is not None
        hint = "waiting for the bot's Hello: the first line of its output, ended by a newline, and flushed"
        assert f"aurum bridge: {hint}\n" == process.stderr.readline()
        process.terminate()
        assert (143, "") == ended(process)


def test_notes_come_to_an_end(tmp_path: Path) -> None:
    """A bot that is wrong in each line does not fill the disk, nor is it at fault for that."""
    source = (
        BOT % "turns and [print('{\"action\": 1}', flush=True) for _ in range(100)]; turns and say(first(turns[0]))"
    )
    with ScriptedReferee(one_bid) as referee, bridge(tmp_path, source, referee.address) as process:
        code, stderr = ended(process)
    *notes, last = stderr.splitlines()
    note = (
        "in line {} of the bot's output this is left out: action is no field of PlayRequest (which has: hello, actions)"
    )
    assert [f"aurum bridge: {note.format(line)}" for line in range(2, 22)] == notes
    assert (0, "aurum bridge: what else is wrong with the bot's output is not told any more") == (code, last)
    assert 102 == len(referee.streams[0].received)


def test_the_bots_environment_is_the_bridges() -> None:
    """Nothing comes on top of what the referee gives every bot."""
    env = {"PATH": os.defpath, "AURUM_ADDRESS": "127.0.0.1:1", "AURUM_TOKEN": "t", "AURUM_SEAT": "2", "LANG": "C.UTF-8"}
    done = subprocess.run(
        [*ARENA, "bridge", sys.executable, "-c", "import os, sys; sys.exit(' '.join(sorted(os.environ)))"],
        env=env,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert (1, " ".join(sorted(env))) == (done.returncode, done.stderr.strip())


@pytest.mark.parametrize(
    ("arguments", "env", "code", "sentence"),
    [
        (["--"], {}, 2, "arena: Missing argument 'COMMAND...'. (`arena bridge --help` tells more)"),
        (["--", "true"], {}, 2, "arena: AURUM_ADDRESS is not set: the arena starts bridges, as in arena play"),
        (["--", "true"], {"AURUM_ADDRESS": "127.0.0.1:1"}, 2, "arena: AURUM_TOKEN is not set: "),
        (["--", "true"], {"AURUM_ADDRESS": "x", "AURUM_TOKEN": "t"}, 2, "arena: 'x' is no address: host:port or "),
        (
            ["--", "no-such-program", "--fast"],
            {"AURUM_ADDRESS": "127.0.0.1:1", "AURUM_TOKEN": "t"},
            127,
            "aurum bridge: cannot run 'no-such-program': No such file or directory",
        ),
    ],
)
def test_a_bridge_that_cannot_start_says_why(
    arguments: list[str], env: dict[str, str], code: int, sentence: str
) -> None:
    """In one line."""
    done = subprocess.run(
        [*ARENA, "bridge", *arguments],
        env={"PATH": os.defpath, **env},
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert code == done.returncode
    assert done.stderr.startswith(sentence)
    assert 1 == done.stderr.count("\n")
