"""What the listener of a run gets: everything that happens in its games, in order, while they are played."""

import os
import pickle
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import fake_unit
import pytest
from aurum.records.events import Event, GameBegun, GameOver, MoveMade
from aurum.referee.unit import Unit, UnitOutcome
from aurum.run.runner import run_tournament
from aurum.spec.loading import spec_from
from aurum.store.store import Store
from aurum.v1.record_pb2 import GameRecord
from aurum.workers.channel import Channel, SocketChannel, local_channel
from aurum.workers.site import THIS_MACHINE, Site
from aurum.workers.worker import Heartbeat, Message, UnitPart
from dialing import ROOT
from test_runner import two_processes
from tournament_runs import HERE, Diary, content, make_spec, run

Send = Callable[[Message], None]


def move(game: str, number: int) -> Event:
    """An event of a game; the seat tells it from others."""
    return MoveMade(game, number, None, 0, False)


def moves_of(game: str) -> list[Event]:
    """What the players of these tests send of each game."""
    return [move(game, number) for number in range(4)]


def play_and_send(unit: Unit, send: Send, with_events: bool = True) -> UnitOutcome:
    """Without bots, and with events that the games do not have."""
    for task in unit.games:
        for event in moves_of(task.id):
            send(event)
    return fake_unit.play(unit)


def by_game(events: Sequence[Message]) -> dict[str, list[Event]]:
    """The events of each game, in order."""
    found: dict[str, list[Event]] = {}
    for event in events:
        assert not isinstance(event, UnitPart | Heartbeat)
        found.setdefault(event.game, []).append(event)
    return found


@pytest.mark.timeout(600)
def test_the_listener_follows_games_of_real_bots(tmp_path: Path) -> None:
    """Each begins and ends once, with the moves of its record in between, all of them before its unit is stored."""
    sections: dict[str, Any] = {
        "tournament": {"name": "cup", "format": "round_robin", "deals": 2, "seed": "test"},
        "ruleset": {"preset": "german"},
        "clock": {"turn_ms": 60_000, "setup_ms": 600_000},
        "run": {"workers": 2, "unit_deals": 1, "games_in_flight": 2},
        "bots": [
            {"name": bot, "command": [sys.executable, f"{ROOT}/example_bots/{bot}.py"]}
            for bot in ("lowest_card", "random_bot")
        ],
    }
    log: list[Event | int] = []
    threads: set[int] = set()

    def listen(event: Event) -> None:
        log.append(event)
        threads.add(threading.get_ident())

    out = tmp_path / "out"
    run_tournament(spec_from(sections, "test", tmp_path), out, progress=Diary(log.append), listener=listen)
    assert threads == {threading.get_ident()}
    with Store.read(out) as store:
        records = {id_: GameRecord.FromString(record) for id_, record in store.records()}
    events = by_game([entry for entry in log if not isinstance(entry, int)])
    assert events.keys() == records.keys()
    for game, heard in events.items():
        assert [type(event) for event in (heard[0], heard[-1])] == [GameBegun, GameOver]
        assert sum(isinstance(event, GameBegun | GameOver) for event in heard) == 2
        seats = [event.seat for event in heard if isinstance(event, MoveMade)]
        # The pass by which the rules end a round is in its record, but is no move to the listener.
        recorded = [entry.moves for entry in records[game].rounds]
        assert len(seats) <= sum(map(len, recorded)) <= len(seats) + len(recorded)
        assert seats[0] == recorded[0][0].seat
    ended = stored = 0
    for entry in log:
        ended += isinstance(entry, GameOver)
        stored += entry if isinstance(entry, int) else 0
        assert stored <= ended
    first = next(index for index, entry in enumerate(log) if isinstance(entry, int))
    assert any(isinstance(entry, MoveMade) for entry in log[:first])
    assert stored == len(records) == 4


def die_once(unit: Unit, send: Send, with_events: bool = True) -> UnitOutcome:
    """Kill the worker in the middle of deal 2, the first time that it is played."""
    note = Path(fake_unit.launch_of(unit, 0).folder) / "died"
    for task in unit.games:
        if task.deal == 2 and not note.exists():
            note.touch()
            for event in moves_of(task.id)[:2]:
                send(event)
            os.kill(os.getpid(), signal.SIGKILL)
    return play_and_send(unit, send)


def test_a_game_that_is_played_again_begins_anew(tmp_path: Path) -> None:
    """Its events of the first attempt come before those of the second, and none of any game is missing."""
    spec, log = make_spec(tmp_path, run={"workers": 2, "unit_deals": 1}), list[Event]()
    out = tmp_path / "out"
    run(spec, out, play=die_once, site=Site(two_processes), listener=log.append)
    events = by_game(log)
    with Store.read(out) as store:
        assert events.keys() == {id_ for id_, _ in store.records()}
    for game, heard in events.items():
        assert heard[-4:] == moves_of(game)
        starts = [index for index, event in enumerate(heard) if event == move(game, 0)] + [len(heard)]
        for start, end in pairwise(starts):
            assert heard[start:end] == moves_of(game)[: end - start]
    assert events["cup/r1m1/2/0"][:2] == moves_of("cup/r1m1/2/0")[:2]
    assert len(events["cup/r1m1/2/0"]) > 4


@pytest.mark.parametrize("site", [HERE, Site(two_processes)], ids=["thread", "processes"])
def test_a_listener_that_raises_ends_the_run(tmp_path: Path, site: Site) -> None:
    """Loudly, by its own exception; what was stored stays, and the run goes on another time."""

    def fail(event: Event) -> None:
        if event.game.startswith("cup/r1m1/3/"):
            raise LookupError("a bug of the listener")

    spec, out = make_spec(tmp_path, run={"unit_deals": 1}), tmp_path / "out"
    with pytest.raises(LookupError, match="a bug of the listener"):
        run(spec, out, play=play_and_send, site=site, listener=fail)
    with Store.read(out) as store:
        assert store.finished is None
        assert store.game_count() < 8
    run(spec, out)
    run(spec, tmp_path / "whole")
    assert content(out) == content(tmp_path / "whole")


def test_without_a_listener_no_events_are_made(tmp_path: Path) -> None:
    """What plays a unit is not asked for them."""

    def play(unit: Unit, send: Send, with_events: bool = False) -> UnitOutcome:
        assert not with_events
        return fake_unit.play(unit)

    assert sum(run(make_spec(tmp_path), tmp_path / "out", play=play).advances) == 8


def send_all(channel: Channel, game: str) -> None:
    """What a worker does for a unit."""
    with channel.open() as send:
        for event in moves_of(game):
            send(event)


def test_all_is_received_when_a_worker_closes_its_channel() -> None:
    """From many at once: each one's events in order."""
    received: list[Message] = []
    games = [str(number) for number in range(40)]
    with local_channel(received.append) as channel, ThreadPoolExecutor(8) as workers:
        for game in games:
            done = workers.submit(send_all, channel, game)
            done.result()
            assert [event for event in received if by_game([event]).keys() == {game}] == moves_of(game)
        list(workers.map(send_all, [channel] * 40, [f"{game}, with others" for game in games]))
    assert all(heard == moves_of(game) for game, heard in by_game(received).items())
    assert len(received) == 2 * 40 * 4


def test_what_a_dying_worker_leaves_half_sent_is_lost_alone() -> None:
    """Whole events of it have arrived, and others are not disturbed."""
    received: list[Message] = []
    with local_channel(received.append) as channel:
        assert isinstance(channel, SocketChannel)
        with socket.socket(socket.AF_UNIX) as dying:
            dying.connect(channel.path)
            dying.sendall(pickle.dumps(move("dying", 0)) + pickle.dumps(move("dying", 1))[:-5])
        send_all(channel, "living")
    assert by_game(received) == {"dying": [move("dying", 0)], "living": moves_of("living")}


@pytest.mark.parametrize("length", [63, 64, 200])
def test_a_channel_needs_no_short_temporary_folder(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The path of a Unix socket has a limit, and that of temporary folders has none; nothing is left in either."""
    with tempfile.TemporaryDirectory(prefix="", dir="/tmp") as root:
        folder = Path(root, "x" * (length - len(root) - 1))
        folder.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(folder))
        received: list[Message] = []
        with local_channel(received.append) as channel:
            assert isinstance(channel, SocketChannel)
            own = Path(channel.path).parent
            assert (folder if length <= 63 else Path("/tmp")) == own.parent
            assert 0o700 == own.stat().st_mode & 0o777
            send_all(channel, "game")
        assert moves_of("game") == received
        assert not own.exists()


def test_the_channel_of_this_machine_is_the_local_one() -> None:
    """Pickled, it is as good."""
    received: list[Message] = []
    with THIS_MACHINE.channel(received.append) as channel:
        send_all(pickle.loads(pickle.dumps(channel)), "game")
    assert received == moves_of("game")
