"""The referee as bots meet it: a process, a socket, the wire, and nothing of our own SDK."""

import json
import subprocess
from pathlib import Path

import grpc
import pytest
from aurum.cli.commands.referee import summary
from aurum.records.verify import differences
from aurum.referee.instance import STRAY_LIMIT
from aurum.v1 import game_pb2, play_pb2, record_pb2
from dialing import ARENA, PATIENCE, Autoplayers, RawBot, RefereeProcess
from google.protobuf import json_format
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc


def records(path: Path) -> list[record_pb2.GameRecord]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json_format.Parse(line, record_pb2.GameRecord()) for line in lines]


Misbehaved = tuple[RawBot, record_pb2.GameRecord]


def kinds(record: record_pb2.GameRecord) -> list[tuple[int, str]]:
    return [(f.seat, game_pb2.FaultKind.Name(f.kind).removeprefix("FAULT_KIND_")) for f in record.faults]


@pytest.mark.parametrize("players", [3, 4])
def test_bots_on_generated_code_play_games_to_the_goodbye(players: int, tmp_path: Path) -> None:
    """Dialing, Hello, answers: whole games, records that verify, a Goodbye for everyone, exit code 0."""
    out = tmp_path / "games.jsonl"
    options = ["--players", str(players), "--games", "3", "--games-in-flight", "2", "--seed", "x", "--out", str(out)]
    with RefereeProcess(*options, "--ruleset", "german", seats=players) as referee:
        reasons = Autoplayers(referee.seats).join()
        output = referee.finish()
    assert dict.fromkeys(range(players), "the games are over") == reasons
    assert 3 == len(output.splitlines())
    played = records(out)
    assert ["referee/1", "referee/2", "referee/3"] == sorted(record.id for record in played)
    for record in played:
        assert [] == differences(record)
        assert [] == kinds(record)
        assert ["none"] * players == [seat.language for seat in record.seats]


def test_a_unix_socket_serves_as_well(tmp_path: Path) -> None:
    """The same game over a Unix-domain socket."""
    with RefereeProcess("--listen", f"unix:{tmp_path}/referee.sock") as referee:
        assert {f"unix:{tmp_path}/referee.sock"} == {address for address, _ in referee.seats.values()}
        assert 4 == len(Autoplayers(referee.seats).join())
        referee.finish()


def test_the_welcome_says_seat_players_and_for_how_long_a_bot_may_come_back() -> None:
    """What a bot learns before the first game: one that dials in is waited for at the beginning of the next one."""
    with RefereeProcess("--players", "3", "--setup-ms", "40000", "--reconnect-grace-ms", "700", seats=3) as referee:
        welcome = RawBot(*referee.seats[2]).hello().welcome
    assert welcome is not None
    assert (1, 2, 3, 40_000) == (
        welcome.protocol_version,
        welcome.seat,
        welcome.players,
        welcome.reconnect_grace_ms,
    )


def test_another_protocol_version_is_refused_naming_both() -> None:
    """FAILED_PRECONDITION, with the bot's version and the referee's."""
    with RefereeProcess() as referee:
        bot = RawBot(*referee.seats[0])
        bot.send(play_pb2.PlayRequest(hello=play_pb2.Hello(protocol_version=7)))
        code, sentence = bot.ending()
    assert grpc.StatusCode.FAILED_PRECONDITION == code
    assert "the bot speaks protocol version 7, this referee version 1" == sentence


def test_an_unknown_token_is_refused() -> None:
    """UNAUTHENTICATED, saying what to send."""
    with RefereeProcess() as referee:
        code, sentence = RawBot(referee.seats[0][0], "guessed").ending()
    assert grpc.StatusCode.UNAUTHENTICATED == code
    assert "authorization: Bearer TOKEN" in sentence


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        (b"\xff\xff\xff", grpc.StatusCode.INVALID_ARGUMENT),
        (play_pb2.PlayRequest(), grpc.StatusCode.FAILED_PRECONDITION),
        (play_pb2.PlayRequest(actions=[play_pb2.Action()]), grpc.StatusCode.FAILED_PRECONDITION),
    ],
    ids=["garbage", "empty", "action"],
)
def test_the_first_message_must_be_a_hello(first: play_pb2.PlayRequest | bytes, expected: grpc.StatusCode) -> None:
    """Anything else ends the stream with a status that says why."""
    with RefereeProcess() as referee:
        bot = RawBot(*referee.seats[0])
        bot.send(first)
        code, _ = bot.ending()
    assert expected == code


def test_health_and_reflection_are_served() -> None:
    """What `grpcurl` and load balancers ask for."""
    with RefereeProcess() as referee, grpc.insecure_channel(referee.seats[0][0]) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        for service in ("", "aurum.v1.RefereeService"):
            answer = health.Check(health_pb2.HealthCheckRequest(service=service), timeout=PATIENCE, wait_for_ready=True)
            assert health_pb2.HealthCheckResponse.SERVING == answer.status
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        question = reflection_pb2.ServerReflectionRequest(list_services="")
        answers = list(stub.ServerReflectionInfo(iter([question]), timeout=PATIENCE))
    assert "aurum.v1.RefereeService" in {service.name for service in answers[0].list_services_response.service}


def test_stale_and_unknown_answers_are_dropped(tmp_path: Path) -> None:
    """An answer to a past turn, a turn to come or another game never counts for the open one."""
    out = tmp_path / "games.jsonl"
    with RefereeProcess("--out", str(out)) as referee:
        bot = RawBot(*referee.seats[0]).hello()
        others = Autoplayers({seat: place for seat, place in referee.seats.items() if seat != 0})
        turn = bot.turn()
        bot.answer(turn, number=turn.number + 1)
        bot.send(play_pb2.PlayRequest(actions=[play_pb2.Action(game=turn.game + 1, number=turn.number)]))
        bot.answer(turn)
        bot.answer(turn)
        bot.play_on()
        others.join()
        referee.finish()
    record = records(out)[0]
    assert [] == kinds(record)
    assert [] == differences(record)


def test_a_bot_that_comes_back_gets_its_turn_again(tmp_path: Path) -> None:
    """The same game and number, the clock running on; the game goes on without a fault."""
    out = tmp_path / "games.jsonl"
    with RefereeProcess("--out", str(out)) as referee:
        bot = RawBot(*referee.seats[0]).hello()
        others = Autoplayers({seat: place for seat, place in referee.seats.items() if seat != 0})
        for _ in range(3):
            bot.answer(bot.turn())
        before = bot.turn()
        bot.hang_up()
        back = RawBot(*referee.seats[0]).hello()
        start = back.next("game_start").game_start
        again = back.turn()
        assert (before.game, before.number) == (again.game, again.number)
        assert (before.game, 0) == (start.game, start.seat)
        assert again.time_left_ms <= before.time_left_ms
        again.time_left_ms = before.time_left_ms
        assert before == again
        back.answer(again)
        back.play_on()
        others.join()
        referee.finish()
    record = records(out)[0]
    assert [] == kinds(record)
    assert [] == differences(record)


def misbehaving(tmp_path: Path, misbehave: list[play_pb2.PlayRequest | bytes]) -> Misbehaved:
    """A game in which seat 0, on its third turn, sends these messages and then nothing."""
    out = tmp_path / "games.jsonl"
    with RefereeProcess("--out", str(out), "--turn-ms", "20000") as referee:
        bot = RawBot(*referee.seats[0]).hello()
        others = Autoplayers({seat: place for seat, place in referee.seats.items() if seat != 0})
        for _ in range(2):
            bot.answer(bot.turn())
        bot.turn()
        for message in misbehave:
            bot.send(message)
        bot.ending()
        assert 3 == len(others.join())
        referee.finish()
    record = records(out)[0]
    assert [] == differences(record)
    assert [0] == list(record.result.forfeited)
    return bot, record


def test_garbage_ends_the_stream_and_is_the_bots_fault(tmp_path: Path) -> None:
    """INVALID_ARGUMENT at once, not when the clock runs out; the others play on."""
    bot, record = misbehaving(tmp_path, [b"\xff\xff\xff"])
    assert grpc.StatusCode.INVALID_ARGUMENT == bot.ending()[0]
    assert [(0, "MALFORMED_MESSAGE")] == kinds(record)
    assert "sent 3 bytes that are no PlayRequest" in record.faults[0].detail


def test_a_flood_ends_the_stream_and_is_the_bots_fault(tmp_path: Path) -> None:
    """FAILED_PRECONDITION once far more has come than there were turns."""
    flood: list[play_pb2.PlayRequest | bytes] = [play_pb2.PlayRequest()] * (STRAY_LIMIT + 1)
    bot, record = misbehaving(tmp_path, flood)
    assert grpc.StatusCode.FAILED_PRECONDITION == bot.ending()[0]
    assert [(0, "FLOODED")] == kinds(record)
    assert f"sent {STRAY_LIMIT + 1} messages or answers that match no open turn" in record.faults[0].detail


def test_a_flood_within_one_message_is_noticed(tmp_path: Path) -> None:
    """Answers are counted, not only messages."""
    bot, record = misbehaving(tmp_path, [play_pb2.PlayRequest(actions=[play_pb2.Action()] * 2000)])
    assert grpc.StatusCode.FAILED_PRECONDITION == bot.ending()[0]
    assert [(0, "FLOODED")] == kinds(record)


def test_a_message_over_the_limit_costs_the_connection(tmp_path: Path) -> None:
    """More than 64 KiB is not even read; the bot is disconnected, and lost if it does not come back."""
    bot, record = misbehaving(tmp_path, [bytes(65 * 1024)])
    assert grpc.StatusCode.RESOURCE_EXHAUSTED == bot.ending()[0]
    assert [(0, "DISCONNECTED")] == kinds(record)
    assert "the connection was lost and not back within 5 s" in record.faults[0].detail


def test_an_empty_seat_forfeits(tmp_path: Path) -> None:
    """A seat that nobody takes within the set-up time loses; the others play."""
    out = tmp_path / "games.jsonl"
    with RefereeProcess("--out", str(out), "--setup-ms", "500") as referee:
        others = Autoplayers({seat: place for seat, place in referee.seats.items() if seat != 3})
        assert 3 == len(others.join())
        output = referee.finish()
    assert [(3, "START_FAILED")] == kinds(records(out)[0])
    assert "seat 3, start failed: said no Hello within the set-up time of 0.5 s" in output


def test_a_taken_port_is_one_clear_line() -> None:
    """A second referee on the same port does not start."""
    with RefereeProcess() as referee:
        address = referee.seats[0][0]
        second = subprocess.run(
            [*ARENA, "referee", "--listen", address], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    assert 2 == second.returncode
    assert f"arena: --listen {address}: cannot listen on {address}" in second.stderr
    assert 1 == len(second.stderr.splitlines())


@pytest.mark.parametrize("text", ["0", "0=", "9=true", "x=true", "0='"])
def test_a_bad_seat_is_one_clear_line(text: str) -> None:
    """SEAT=COMMAND or exit code 2."""
    done = subprocess.run(
        [*ARENA, "referee", "--seat", text], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert 2 == done.returncode
    assert "write SEAT=COMMAND with a seat from 0 to 3" in done.stderr


def test_records_are_one_json_object_a_line(tmp_path: Path) -> None:
    """As `arena export` writes them."""
    out = tmp_path / "games.jsonl"
    with RefereeProcess("--out", str(out)) as referee:
        Autoplayers(referee.seats).join()
        referee.finish()
    assert {"id", "ruleset", "deal_key", "rounds"} <= json.loads(out.read_text()).keys()


def test_a_bots_last_words_do_not_act_on_the_terminal() -> None:
    """What a bot wrote stands in a fault's sentence on one line, without control characters."""
    record = record_pb2.GameRecord(id="referee/1")
    record.faults.add(seat=2, kind=game_pb2.FAULT_KIND_CRASHED, detail="exited; the last it wrote: \x1b[2J\nboo")
    assert "  seat 2, crashed: exited; the last it wrote: ?[2J boo" == summary(record).splitlines()[-1]
