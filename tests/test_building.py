"""The `build` of a bot: run once before the first game; when it fails, nothing is lost."""

import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from aurum.cli.main import main
from aurum.common.errors import UserError
from aurum.run.building import TAIL_LINES
from aurum.sandbox.bubblewrap import bubblewrap
from aurum.spec.spec import Spec
from aurum.spec.stored_form import dump_spec, load_spec_json
from aurum.store.store import Store
from test_faults import left_behind
from tournament_runs import Diary, make_spec, run

SPEC = """
[tournament]
name = "cup"
format = "round_robin"

[[bots]]
name = "ready"
command = "python ready.py"

[[bots]]
name = "built"
command = "bin/built"
build = {build}
"""


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", code)


def spec_with(folder: Path, *builds: tuple[str, ...]) -> Spec:
    """A small tournament of one bot for each build; an empty one is none."""
    spec = make_spec(folder, "abcd"[: len(builds)])
    entries = [replace(bot, build=build) for bot, build in zip(spec.bots, builds, strict=True)]
    return replace(spec, bots=tuple(entries))


NOTE = python("open('log', 'a').write('built ')")


def test_a_build_runs_once_in_the_bots_folder(tmp_path: Path) -> None:
    """Before the first game of a run, once for all bots that share it, and not at all when nothing is to be played."""
    diary = run(spec_with(tmp_path, NOTE, (), NOTE), tmp_path / "out")
    assert (tmp_path / "log").read_text() == "built "
    assert [line.split(":")[0] for line in diary.said] == ["building a"]
    assert sum(diary.advances) == 24
    run(spec_with(tmp_path, NOTE, (), NOTE), tmp_path / "out")
    assert (tmp_path / "log").read_text() == "built "


def test_a_build_has_the_organisers_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compilers need what bots must not have; standard input is empty."""
    monkeypatch.setenv("GOFLAGS", "-mod=vendor")
    code = "import os, sys; open('seen', 'w').write(os.environ['GOFLAGS'] + sys.stdin.read())"
    run(spec_with(tmp_path, python(code), ()), tmp_path / "out")
    assert (tmp_path / "seen").read_text() == "-mod=vendor"


@pytest.mark.parametrize(
    ("build", "failure"),
    [
        (python("raise SystemExit(3)"), "failed with exit code 3"),
        (python("import os; os.kill(os.getpid(), 9)"), "was ended by SIGKILL"),
        (("no-such-compiler",), "cannot be run: there is no program no-such-compiler on the search path"),
        (("./data",), "cannot be run: ./data is not executable: chmod +x ./data"),
    ],
    ids=["exit", "killed", "missing", "no-program"],
)
def test_a_build_that_fails_is_one_line(tmp_path: Path, build: tuple[str, ...], failure: str) -> None:
    """It names the spec, the key and the bot; nothing is played, and later builds are not begun."""
    (tmp_path / "data").touch()
    with pytest.raises(UserError) as raised:
        run(spec_with(tmp_path, (), build, NOTE), tmp_path / "out")
    assert str(raised.value).startswith(f"test: bots[2].build: {failure} (name 'b'): ")
    assert not (tmp_path / "log").exists()
    with Store.read(tmp_path / "out") as store:
        assert store.game_count() == 0


def test_the_end_of_a_failed_builds_output_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both streams, the last lines alone, and nothing that acts on a terminal."""
    code = "import sys; [print(n, flush=True) for n in range(9000)]; sys.exit('\\x1b[2Jx')"
    said: list[str] = []
    monkeypatch.setattr(Diary, "say", lambda self, line: said.append(line))
    with pytest.raises(UserError):
        run(spec_with(tmp_path, python(code), ()), tmp_path / "out")
    assert [f"  | {n}" for n in range(9001 - TAIL_LINES, 9000)] + ["  | ?[2Jx"] == said[1:]


def test_a_mended_build_goes_on(tmp_path: Path) -> None:
    """How a bot is built is no part of what the tournament is."""
    run(spec_with(tmp_path, (), ()), tmp_path / "out")
    with pytest.raises(UserError):
        run(spec_with(tmp_path, (), python("raise SystemExit(1)")), tmp_path / "more")
    run(spec_with(tmp_path, (), NOTE), tmp_path / "more")
    with Store.read(tmp_path / "more") as store:
        assert store.game_count() == 8


def test_a_build_is_kept_in_the_store(tmp_path: Path) -> None:
    spec = spec_with(tmp_path, (), NOTE)
    assert spec == load_spec_json(dump_spec(spec))


def test_the_command_line_says_what_is_built(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line before it begins, and the error as the last one; exit code 2."""
    path = tmp_path / "cup.toml"
    path.write_text(SPEC.format(build='["python3", "missing.py"]'), encoding="utf-8")
    assert main(["tournament", "run", str(path), "--out", str(tmp_path / "out")]) == 2
    lines = capsys.readouterr().err.splitlines()
    sandboxed = "; it had no network, in its sandbox: if it needs that, set run.build_network = true"
    no_network = "" if bubblewrap().reason else sandboxed
    assert "building built: python3 missing.py" in lines
    assert lines[-2].startswith("  | ")
    assert "missing.py" in lines[-2]
    assert lines[-1] == (
        f"arena: {path}: bots[2].build: failed with exit code 2 (name 'built'): "
        f"python3 missing.py, in {tmp_path}; no game was played{no_network}"
    )


def test_ctrl_c_ends_a_build_with_all_that_it_started(tmp_path: Path) -> None:
    """Exit code 130, and the same command goes on."""
    (tmp_path / "compiler.py").write_text("import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(600)\n")
    build = f"""["bash", "-c", "python3 {tmp_path}/compiler.py > pid; exit 1"]"""
    (tmp_path / "cup.toml").write_text(SPEC.format(build=build), encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "aurum.cli.main", "tournament", "run", "cup.toml"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    ) as process:
        pid = tmp_path / "pid"
        while not (pid.exists() and pid.read_text().endswith("\n")):
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        error = process.stderr.read()
    assert process.returncode == 130
    assert error.splitlines()[-1].startswith("arena: interrupted; finished games are stored in cup, go on with the")
    until = time.monotonic() + 30
    while left_behind(str(tmp_path)) and time.monotonic() < until:  # the system ends them, without waiting for it
        time.sleep(0.02)
    assert [] == left_behind(str(tmp_path))
