"""The sandbox: what a bot cannot do in it, that it can do without; and that bots are served in it as they were."""

import asyncio
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from aurum.common.errors import UserError
from aurum.processes.launch import Launch, Limits
from aurum.processes.process import BotProcess
from aurum.processes.scratch import scratch_folder
from aurum.sandbox.bubblewrap import bubblewrap
from aurum.sandbox.sandbox import Sandbox, SandboxMode
from dialing import ARENA
from test_faults import left_behind
from tournament_runs import make_spec, run

HERE = Path(__file__).parent
needs_bubblewrap = pytest.mark.skipif(bool(bubblewrap().reason), reason=bubblewrap().reason or "-")

KEY = 0x41524E41 + os.getpid() % 4096 * 4
"""Of shared memory that nobody else has."""


@contextmanager
def listeners(mark: str) -> Iterator[int]:
    """What the network of the machine has to offer: a port, and an abstract socket of this name."""
    with socket.create_server(("127.0.0.1", 0)) as port, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind("\0" + mark)
        abstract.listen()
        yield port.getsockname()[1]


def reports(folder: Path, mode: str) -> dict[tuple[str, int], dict[str, list[str]]]:
    """What each instance of two hostile bots got, by bot and seat, with what none gets without a sandbox left out.

    The folder of the one is that of the spec, and the home of whoever runs it; the other's lies in it.
    """
    mark = f"aurum-mark-{os.getpid()}-{mode}"
    (folder / "bo").mkdir(parents=True)
    (folder / ".ssh").mkdir()
    for secret in (folder / ".ssh/id", folder / "bo/secret"):
        secret.write_text("a secret")
    for place in (folder, folder / "bo"):
        shutil.copy(HERE / "hostile.py", place)
    with listeners(mark) as port:
        known = {
            "mark": mark,
            "port": port,
            "abstract": mark,
            "spec": str(folder / "spec.toml"),
            "store": str(folder / "out"),
            "secret": str(folder / ".ssh/id"),
            "key": KEY,
        }
        env = f"env = {{ KNOWN = '{json.dumps(known)}' }}"
        bots = "".join(
            f"[[bots]]\nname = '{name}'\ncommand = 'python hostile.py'\n{where}{env}\n"
            for name, where in (("ann", ""), ("bo", "folder = 'bo'\n"))
        )
        (folder / "spec.toml").write_text(
            "[tournament]\nname = 'hostile'\nformat = 'round_robin'\ndeals = 1\nseed = 'sesame'\n"
            f"[clock]\nturn_ms = 60_000\n[run]\nworkers = 1\nsandbox = '{mode}'\n{bots}",
            encoding="utf-8",
        )
        done = subprocess.run(
            [*ARENA, "tournament", "run", "spec.toml", "--out", "out"],
            cwd=folder,
            env=os.environ | {"HOME": str(folder)},
            capture_output=True,
            text=True,
            timeout=110,
            check=False,
        )
    assert 0 == done.returncode, done.stderr
    assert [] == left_behind(mark)
    with sqlite3.connect(folder / "out/tournament.sqlite") as store:
        rows = store.execute("SELECT bot, seat, stderr_tail, exit FROM instances").fetchall()
    assert 4 <= len(rows), done.stderr
    return {(bot, seat): json.loads(tail) for bot, seat, tail, _ in rows if tail}


@needs_bubblewrap
def test_a_hostile_bot_gets_nothing(tmp_path: Path) -> None:
    """No network, no other process, no spec, store or secret, no partner, no writable place, no privilege."""
    for where, found in reports(tmp_path, "on").items():
        if "--disable-userns" not in bubblewrap().options:
            found.pop("user_namespace", None)
        assert {} == found, where


@pytest.mark.skipif(sys.platform != "linux", reason="what it tries is of Linux")
def test_without_a_sandbox_it_gets_all_of_it(tmp_path: Path) -> None:
    """So the bot tries the right things."""
    found = reports(tmp_path, "off")
    assert found
    for got in found.values():
        assert {"network", "tokens", "signals", "files", "partner_files", "partner_sockets", "shared_memory"} <= {*got}
        assert {"writable", "privileges"} <= {*got}
        assert 2 == len(got["network"])


def in_sandbox(
    command: tuple[str, ...],
    folder: Path,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    sandbox: Sandbox = Sandbox(required=True),  # noqa: B008 - immutable
    see: Callable[[BotProcess], object] = lambda _process: None,
) -> tuple[str, str]:
    """How a command ended in a sandbox, and what it wrote; `see` is shown the process as soon as it has written."""

    async def use(scratch: Path) -> tuple[str, str]:
        launch = Launch(command, str(folder), sandbox=sandbox)
        process = BotProcess.start(launch, {}, Path(tempfile.mkdtemp(dir=scratch)), limits)
        while not process.written and not process.exited.done():
            await asyncio.sleep(0.01)
        see(process)
        sentence = await asyncio.wait_for(process.exited, 60)
        await process.stop(0)
        assert process.trouble is None
        assert [] == list(scratch.iterdir())
        return sentence, process.tail

    with scratch_folder() as scratch:
        return asyncio.run(use(scratch))


def python(source: str) -> tuple[str, ...]:
    return (sys.executable, "-c", source)


@needs_bubblewrap
@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("raise SystemExit(3)", "exited with code 3"),
        ("import os; os.abort()", "was killed by SIGABRT"),
        ("import os; os.kill(os.getpid(), 9)", "was killed by SIGKILL"),
    ],
)
def test_how_a_bot_ends_is_known(source: str, sentence: str, tmp_path: Path) -> None:
    """Its exit code, or the signal, though bubblewrap stands between."""
    assert sentence == in_sandbox(python(source), tmp_path)[0]


@needs_bubblewrap
@pytest.mark.parametrize("place", ["/tmp", "/var/tmp", "/dev/shm", "~"])
def test_a_bot_cannot_fill_the_disk(place: str, tmp_path: Path) -> None:
    """Wherever it may write, that counts as its own, and is gone with it."""
    source = f"import os, time\nopen(os.path.expanduser('{place}/x'), 'wb').write(bytes(60 << 20))\ntime.sleep(60)"
    assert (
        "was ended for using more than 20 MiB for files in its HOME (disk_mb = 20)"
        == in_sandbox(python(source), tmp_path, Limits(disk_mb=20))[0]
    )


@needs_bubblewrap
def test_what_a_bot_takes_is_seen_from_outside(tmp_path: Path) -> None:
    """Its processor time, its memory with that of its children, and its cores, as without a sandbox."""
    times = []
    source = (
        "import os, subprocess, sys, time\n"
        "until = time.process_time() + 0.2\n"
        "while time.process_time() < until: pass\n"
        "print(sorted(os.sched_getaffinity(0)), flush=True)\n"
        "subprocess.run([sys.executable, '-c', 'import time; x = bytearray(300 << 20); time.sleep(60)'])\n"
    )
    sentence, tail = in_sandbox(
        python(source), tmp_path, Limits(memory_mb=150), see=lambda process: times.append(process.cpu())
    )
    assert times[0] >= 0.2
    assert str(sorted(os.sched_getaffinity(0))) == tail
    assert sentence.startswith("was ended for using ")
    assert sentence.endswith(" MiB of memory with all that it started (memory_mb = 150)")


@needs_bubblewrap
def test_why_a_bot_cannot_start_is_said(tmp_path: Path) -> None:
    """As without a sandbox; and what is there outside but not inside can be shown to it."""
    bot, tools = tmp_path / "bot", tmp_path / "tools"
    bot.mkdir()
    tools.mkdir()
    (tools / "interpreter").symlink_to("/bin/cat")
    (bot / "script").write_text(f"#!{tools}/interpreter\nplayed\n")
    (bot / "script").chmod(0o755)
    (bot / "closed").touch()

    def ending(*command: str, reads: tuple[str, ...] = ()) -> str:
        return in_sandbox(command, bot, sandbox=Sandbox(required=True, reads=reads))[0]

    assert f"could not be started: there is no ./ghost in {bot}" == ending("./ghost")
    assert "could not be started: ./closed is not executable: chmod +x ./closed" == ending("./closed")
    assert "could not be started: ./script, or what it is run by, is not there in its sandbox" in ending("./script")
    assert "exited with code 0" == ending("./script", reads=(str(tools),))


@needs_bubblewrap
def test_a_build_may_write_to_its_folder_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It sees no network unless the spec allows it, no secret of the environment, and no other bot."""
    monkeypatch.setenv("DEPLOY_TOKEN", "secret")
    monkeypatch.setenv("GOFLAGS", "-mod=vendor")
    (tmp_path / "b").mkdir()
    (tmp_path / "b/secret").write_text("b's")
    source = (
        "import os, pathlib, socket\n"
        "found = {name: os.environ.get(name) for name in ('DEPLOY_TOKEN', 'GOFLAGS')}\n"
        "found['other'] = pathlib.Path('b/secret').exists()\n"
        "found['home'] = os.listdir(pathlib.Path.home())\n"
        "try: found['port'] = bool(socket.create_connection(('127.0.0.1', PORT), 5))\n"
        "except OSError: found['port'] = False\n"
        "print(found, file=open('found', 'w'))\n"
    )
    with listeners(f"aurum-build-{os.getpid()}") as port:
        for network in (False, True):
            spec = make_spec(tmp_path, "ab", run={"sandbox": "on", "build_network": network})
            a, b = spec.bots
            build = python(source.replace("PORT", str(port)))
            bots = (replace(a, build=build), replace(b, folder=tmp_path / "b"))
            run(replace(spec, bots=bots), tmp_path / f"out-{network}")
            expected = "{'DEPLOY_TOKEN': None, 'GOFLAGS': '-mod=vendor', 'other': False, 'home': [], 'port': %s}\n"
            assert expected % network == (tmp_path / "found").read_text()


def arena(*arguments: str, path: str) -> subprocess.CompletedProcess[str]:
    """Run arena with this search path."""
    env = os.environ | {"PATH": path}
    return subprocess.run([*ARENA, *arguments], env=env, capture_output=True, text=True, timeout=60, check=False)


def test_where_there_is_no_bubblewrap_that_is_said(tmp_path: Path) -> None:
    """In one line that names the package; where a sandbox is required, nothing is played."""
    play = ["play", "--games", "2", "--workers", "1", "--seed", "s"]
    play += [f"--bot={name}={sys.executable} {HERE.parent}/example_bots/random_bot.py" for name in "ab"]
    why = "bubblewrap is not installed (Debian: apt-get install bubblewrap)"
    if sys.platform != "linux":
        why = "sandboxes are for Linux alone"
    done = arena(*play, path=str(tmp_path))
    assert (0, 1) == (done.returncode, done.stderr.count(f"note: bots run without a sandbox, as you: {why}\n"))
    done = arena(*play, "--sandbox", "on", path=str(tmp_path))
    sentence = f'no bot is started without a sandbox (sandbox = "on"): {why}'
    assert (2, "", True) == (done.returncode, done.stdout, sentence in done.stderr)
    done = arena(*play, "--sandbox", "off", path=str(tmp_path))
    assert (0, False) == (done.returncode, "sandbox" in done.stderr)


@needs_bubblewrap
def test_a_bots_folder_is_no_place_for_results(tmp_path: Path) -> None:
    """They would be read."""
    with pytest.raises(UserError, match="is the folder of a, which must not read the results"):
        run(make_spec(tmp_path, "ab", run={"sandbox": str(SandboxMode.AUTO)}), tmp_path)
    run(make_spec(tmp_path, "ab", run={"sandbox": str(SandboxMode.OFF)}), tmp_path)
