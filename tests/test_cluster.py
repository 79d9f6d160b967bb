"""A Dask cluster plays what a machine plays: whatever dies in between, everything once; and it says what it lacks."""

import os
import signal
import socket
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import fake_unit
import pytest
from aurum.cli.main import main
from aurum.common.errors import Interrupted, UserError
from aurum.records.events import Event, MoveMade
from aurum.referee.game import RunningGame
from aurum.referee.unit import Unit, UnitOutcome
from aurum.run.runner import LOG, run_tournament
from aurum.spec.loading import spec_from
from aurum.spec.spec import Spec
from aurum.store.store import Store
from aurum.workers import cluster
from aurum.workers.cluster import address_of, connected, lacking, needs_of
from aurum.workers.worker import Message, play_unit
from dialing import ROOT
from local_cluster import LocalCluster, local_cluster
from test_kill import left_behind
from tournament_runs import Diary, content, make_spec, run

Wanted = Callable[[], bool]


def spec_of(folder: Path, sections: dict[str, Any]) -> Spec:
    """A round robin with these sections."""
    tournament = {"name": "cup", "format": "round_robin", "seed": "test"} | sections["tournament"]
    return spec_from(sections | {"tournament": tournament}, "test", folder)


def play_fake(unit: Unit, _wanted: Wanted) -> UnitOutcome:
    """Without bots."""
    return fake_unit.play(unit)


def play_and_die_twice(unit: Unit, wanted: Wanted) -> UnitOutcome:
    """Be killed in the middle of the second deal, the first two times it is played."""
    deaths = Path(fake_unit.launch_of(unit, 0).folder, "deaths")

    def answered(self: RunningGame, action: object, now: float) -> None:
        with deaths.open("a") as file:
            file.write("x")
        os.kill(os.getpid(), signal.SIGKILL)

    if unit.games[0].deal == 1 and (not deaths.exists() or len(deaths.read_text()) < 2):
        RunningGame.answered = answered  # type: ignore[method-assign]
    return play_unit(unit, wanted)


@pytest.mark.timeout(600)
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_killed_workers_cost_nothing(tmp_path: Path) -> None:
    """Two of three workers are killed in mid-unit: Dask gives the unit to the second, the run once more to the third.

    The store is that of a run here that nobody disturbed, and the bots of the dead are gone.
    """
    mark = f"AURUM_TEST_{uuid.uuid4().hex}"
    sections: dict[str, Any] = {
        "tournament": {"deals": 2},
        "ruleset": {"preset": "german"},
        "clock": {"turn_ms": 60_000, "setup_ms": 600_000},
        "run": {"unit_deals": 1, "games_in_flight": 2},
        "bots": [
            {"name": bot, "command": [sys.executable, f"{ROOT}/example_bots/{bot}.py"], "env": {mark: "1"}}
            for bot in ("lowest_card", "random_bot")
        ],
    }
    spec = spec_of(tmp_path, sections)
    with local_cluster(tmp_path, workers=3, allowed_failures=1) as machines, connected(machines.url) as there:
        diary = run(spec, tmp_path / "out", play=play_and_die_twice, site=there.site)
        assert machines.dead == 2
        assert left_behind(mark, 20) == []
    assert sum(diary.advances) == 4
    assert "KilledWorker" in (tmp_path / "out" / LOG).read_text()
    run(spec, tmp_path / "whole", play=play_unit)
    assert content(tmp_path / "out") == content(tmp_path / "whole")
    assert main(["verify", str(tmp_path / "out")]) == 0
    with Store.read(tmp_path / "out") as store:
        assert len(store.units()) == 2


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    """Two workers."""
    with local_cluster(tmp_path_factory.mktemp("cluster"), workers=2) as found:
        yield found


def play_until_unwanted(unit: Unit, wanted: Wanted) -> UnitOutcome:
    """Write when it begins, and when nobody wants it any more."""
    with Path(fake_unit.launch_of(unit, 0).folder, "told").open("w") as told:
        print("begun", file=told, flush=True)
        while wanted():
            time.sleep(0.01)
        print("ended", file=told, flush=True)
    return fake_unit.play(unit)


def test_ctrl_c_calls_off_what_is_being_played(tmp_path: Path, machines: LocalCluster) -> None:
    """Both workers are told; nothing of it is stored, and the same workers play it afterwards."""
    os.mkfifo(tmp_path / "told")
    told = os.open(tmp_path / "told", os.O_RDWR)  # a reader that the writers do not have to wait for

    def listen(words: list[str]) -> None:
        with os.fdopen(told) as lines:
            for line in lines:
                words.append(line.strip())
                if words == ["begun"] * 2:
                    os.kill(os.getpid(), signal.SIGINT)
                if len(words) == 4:
                    return

    words: list[str] = []
    listener = threading.Thread(target=listen, args=[words])
    listener.start()
    spec = make_spec(tmp_path)
    with connected(machines.url) as there, pytest.raises(Interrupted):
        run(spec, tmp_path / "out", play=play_until_unwanted, site=there.site)
    listener.join(60)
    assert words == ["begun", "begun", "ended", "ended"]
    with connected(machines.url) as there:
        diary = run(spec, tmp_path / "out", play=play_fake, site=there.site)
    assert (diary.begun[0][1:], sum(diary.advances)) == ((0, 8), 8)


def play_and_kill_scheduler(unit: Unit, _wanted: Wanted) -> UnitOutcome:
    """Kill the scheduler before the third deal."""
    if unit.games[0].deal == 2:
        os.kill(int(Path(fake_unit.launch_of(unit, 0).folder, "scheduler").read_text()), signal.SIGKILL)
    return fake_unit.play(unit)


def test_a_scheduler_that_dies_ends_the_run(tmp_path: Path) -> None:
    """In one line, with everything stored that was finished; the same tournament goes on elsewhere."""
    spec = make_spec(tmp_path, run={"unit_deals": 1})
    lost = pytest.raises(UserError, match="connection to the scheduler is lost; finished games are stored")
    with local_cluster(tmp_path, workers=1) as machines, connected(machines.url) as there, lost:
        (tmp_path / "scheduler").write_text(str(machines.processes[0].pid))
        run(spec, tmp_path / "out", play=play_and_kill_scheduler, site=there.site)
    with Store.read(tmp_path / "out") as store:
        assert set(store.groups()) == {("r1m1", 0), ("r1m1", 1)}
    run(spec, tmp_path / "out")
    run(spec, tmp_path / "whole")
    assert content(tmp_path / "out") == content(tmp_path / "whole")


def test_workers_that_cannot_play(tmp_path: Path, machines: LocalCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """One with threads of its own is named, and nothing is played; so is a cluster of none."""
    monkeypatch.setattr(cluster, "_WORKER_S", 0.1)
    with local_cluster(tmp_path, workers=0) as empty, connected(empty.url) as there:
        with pytest.raises(UserError, match=r"has no workers: start some with `dask worker --nthreads 1`"):
            there.workers(make_spec(tmp_path))
        assert there.worker_count(make_spec(tmp_path)) == 1
        empty.add_worker(threads=2)
        monkeypatch.undo()
        with pytest.raises(UserError, match=r"the worker tcp://\S+ has 2 threads, and a referee wants a process"):
            there.workers(make_spec(tmp_path))
    with connected(machines.url) as there:
        assert there.worker_count(make_spec(tmp_path)) == 2


def test_another_version_of_dask(machines: LocalCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are named."""
    monkeypatch.setattr(cluster, "_versions", lambda: (("python", "3"), ("distributed", "1.0"), ("aurum-arena", "0")))
    with (
        pytest.raises(UserError, match=r"the scheduler has distributed [\d.]+, this arena 1.0: install the same"),
        connected(machines.url),
    ):
        pytest.fail("is no use")


def worker(threads: int = 1) -> Any:
    """What a Dask worker says of itself."""
    return SimpleNamespace(address="tcp://far:1", state=SimpleNamespace(nthreads=threads))


def test_what_a_worker_lacks_is_not_its_bots_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that is not shared, a program that is here and not there, another version: each is named."""
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "mine").touch(0o755)
    sections = {
        "tournament": {"deals": 1},
        "bots": [
            {"name": "a", "command": "./mine", "folder": "bots"},
            {"name": "b", "command": "no-such-program"},  # nowhere: that is b's own fault
            {"name": "c", "command": "python c.py"},
        ],
    }
    needs = needs_of(spec_of(tmp_path, sections))
    assert lacking(needs, worker()) == ""
    (tmp_path / "bots" / "mine").unlink()
    assert lacking(needs, worker()) == "has no program ./mine (bot a): install it there too"
    (tmp_path / "bots").rmdir()
    assert lacking(needs, worker()).startswith(f"has no folder {tmp_path}/bots (bot a): the bots' folders must be")
    monkeypatch.setattr(cluster, "_versions", lambda: (*needs.versions[:2], ("aurum-arena", "9")))
    assert lacking(needs, worker()) == f"has aurum-arena 9, this arena {needs.versions[2][1]}: install the same version"


@pytest.mark.parametrize("url", ["dask://node1:8786", "dask://node1:8786/", "dask://[::1]:8786"])
def test_what_is_an_address(url: str) -> None:
    """A host, by name or number, and a port."""
    assert address_of(url) == url.removeprefix("dask://").removesuffix("/")


@pytest.mark.parametrize(
    "url",
    ["tcp://h:1", "dask://h", "dask://:1", "h:1", "dask://h:x", "dask://h:1/x", "dask://h:0", "dask://me@h:1", ""],
)
def test_what_is_no_address(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Is refused in one line, before anything is played."""
    with pytest.raises(ValueError, match="is not dask://HOST:PORT"):
        address_of(url)
    assert main(["play", "--bot", "a=x", "--bot", "b=y", "--executor", url]) == 2
    error = capsys.readouterr().err
    assert "dask://HOST:PORT" in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("says", [b"", b"SSH-2.0-OpenSSH_9.9\r\n"], ids=["waits", "speaks"])
def test_something_else_listens(says: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a dashboard, which waits to be asked, or any other server: it is said, instead of waiting for ever."""
    monkeypatch.setattr(cluster, "_CONNECT_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"dask://127.0.0.1:{server.getsockname()[1]}"
        held: list[socket.socket] = []

        def accept() -> None:
            held.append(server.accept()[0])
            held[0].sendall(says)

        accepting = threading.Thread(target=accept)
        accepting.start()
        with pytest.raises(UserError, match=r"what listens there is no Dask scheduler"), connected(url):
            pytest.fail("is no use")
        accepting.join()
        held[0].close()


def test_no_scheduler_and_no_extra(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are told in one line with what to do; no folder is made."""
    monkeypatch.setattr(cluster, "_CONNECT_S", 0.2)
    out = tmp_path / "out"
    command = ["play", "--bot", "a=x", "--bot", "b=y", "--out", str(out), "--executor", "dask://127.0.0.1:1"]
    assert main([*command, "--workers", "2"]) == 2
    assert "--workers is for this machine" in capsys.readouterr().err
    assert main(command) == 2
    assert capsys.readouterr().err == (
        "arena: dask://127.0.0.1:1: no Dask scheduler answers there: start one with `dask scheduler`, or correct the "
        "address\n"
    )
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(command) == 2
    assert capsys.readouterr().err == (
        "arena: dask://127.0.0.1:1: playing on a cluster needs the extra `cluster`: "
        "pip install 'aurum-arena[cluster]'\n"
    )
    assert not out.exists()


def play_and_send(
    unit: Unit, _wanted: Wanted, send: Callable[[Message], None], with_events: bool = False
) -> UnitOutcome:
    """Without bots, and with events that only have an order."""
    for task in unit.games:
        for number in range(4):
            send(MoveMade(task.id, number, None, 0, False))
    return fake_unit.play(unit)


def test_events_of_both_workers_reach_the_run(tmp_path: Path, machines: LocalCluster) -> None:
    """Those of each game in order, all of them, and before its unit is stored."""
    log: list[Event | int] = []
    progress = Diary(on_advance=log.append)
    with connected(machines.url) as there:
        spec, out = make_spec(tmp_path, run={"unit_deals": 1}), tmp_path / "out"
        run_tournament(
            spec,
            out,
            progress=progress,
            play=play_and_send,
            site=there.site,
            listener=log.append,
            try_out=fake_unit.try_out,
        )
    with Store.read(out) as store:
        games = [id_ for id_, _ in store.records()]
    heard = [entry for entry in log if not isinstance(entry, int)]
    assert len(heard) == 4 * len(games) == 32
    for game in games:
        assert [event for event in heard if event.game == game] == [
            MoveMade(game, number, None, 0, False) for number in range(4)
        ]
    sent = stored = 0
    for entry in log:
        sent += not isinstance(entry, int)
        stored += entry if isinstance(entry, int) else 0
        assert 4 * stored <= sent
