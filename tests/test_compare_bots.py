"""`arena compare` with real bots, and with revisions of a real repository."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import fake_unit
import pytest
import yaml
from aurum.cli.main import main
from aurum.referee.unit import Unit, UnitOutcome
from bot_repository import begin, git
from compare_runs import Decided, run
from docs_blocks import ROOT, blocks
from docs_running import Workspace
from test_faults import left_behind

pytestmark = pytest.mark.timeout(300)

EXAMPLES = ROOT / "example_bots"
FAST = ("--turn-ms", "60000", "--games-in-flight", "16", "--unit-deals", "8")


@pytest.fixture(autouse=True)
def outside_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own CI has a step summary of its own."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


def bot(name: str) -> str:
    """The command of an example bot."""
    return f"{sys.executable} {EXAMPLES / name}"


def compared(folder: Path, *arguments: object) -> tuple[int, dict[str, Any]]:
    """Exit code and JSON report."""
    report = folder / "report.json"
    code = main(["compare", "--json", str(report), "--seed", "bots", *FAST, *map(str, arguments)])
    return code, json.loads(report.read_text())


def test_the_number_of_workers_does_not_matter(tmp_path: Path) -> None:
    """A bot is not stronger than itself; one worker or two, all but the time is the same."""
    old, new = bot("lowest_card.py"), bot("random_bot.py")
    test = ("--elo0", 0, "--elo1", 300, old, new)
    one, two = (compared(tmp_path, "--workers", workers, *test) for workers in (1, 2))
    assert (1, "rejected") == (one[0], one[1]["verdict"])
    assert one[1] | {"seconds": 0} == two[1] | {"seconds": 0}


def test_a_misbehaving_bot_is_explained(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Which bot, what kind, at which turn, and its traceback as it was written."""
    code, report = compared(tmp_path, bot("lowest_card.py"), bot("misbehaving/crash_mid_game.py"), "--workers", 1)
    assert (4, "NEW", "crashed") == (code, report["fault"]["bot"], report["fault"]["kind"])
    assert re.match(r"turn \d+ \(\w+, round 1\): exited with code 1 .* IndexError", report["fault"]["detail"])
    output = capfd.readouterr().out
    assert output.startswith("faulted: NEW was at fault in game compare/r1m1/0/0: crashed: turn ")
    assert re.search(r"^  \| Traceback \(most recent call last\):\n  \|   File ", output, re.M)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two commits of a bot, and a change that is not committed."""
    folder = begin(tmp_path / "club")
    (folder / "my_bot.py").write_text("not committed")
    return folder


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary folders: one that no other test uses."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_each_revision_has_a_folder_of_its_own(
    tmp_path: Path, temporary: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its files, built there; afterwards it is gone, and the repository is as it was."""
    seen: dict[str, str] = {}

    def play(unit: Unit) -> UnitOutcome:
        for number, entrant in enumerate(unit.entrants):
            launch = fake_unit.launch_of(unit, number)
            folder = Path(launch.folder)
            seen[entrant.name] = (folder / "my_bot.py").read_text() + (folder / "built").read_text()
            assert launch.command == ("run", "it")
        return Decided(lambda deal, seating: 2)(unit)

    build = f"{sys.executable} -c \"open('built', 'w').write('!')\""
    status = git(repository, "status", "--porcelain")
    options = ("--repo", repository, "--build", build, "--run", "run it")
    code, report = run(monkeypatch, tmp_path, play, *options, bots=("main~1", "main"))
    assert 0 == code
    old, new = ((EXAMPLES / name).read_text() + "!" for name in ("lowest_card.py", "heuristic.py"))
    assert {"OLD": old, "NEW": new} == seen
    commits = git(repository, "log", "--format=%H", "--reverse").splitlines()
    assert [("main~1", commits[0]), ("main", commits[1])] == [(b["revision"], b["commit"]) for b in report["bots"]]
    assert ([], status) == (list(temporary.iterdir()), git(repository, "status", "--porcelain"))
    assert 1 == len(git(repository, "worktree", "list").splitlines())


def test_revisions_go_on_too(
    tmp_path: Path, temporary: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In other temporary folders, by other names of the same commits; other commits begin anew, elsewhere."""
    options = ("--repo", repository, "--run", "run it", "--out", tmp_path / "out", "--unit-deals", 2)
    stop = Decided(lambda deal, seating: 2, None, lambda: os.kill(os.getpid(), signal.SIGINT))
    assert 130 == run(monkeypatch, tmp_path, stop, *options, bots=("main~1", "main"))[0]
    play = Decided(lambda deal, seating: 2)
    assert 0 == run(monkeypatch, tmp_path, play, *options, bots=("HEAD^", "HEAD"))[0]
    assert 0 not in {task.deal for unit in play.units for task in unit.games}
    before, other = len(play.units), Decided(lambda deal, seating: 2)
    assert 0 == run(monkeypatch, tmp_path, other, *options, bots=("HEAD", "HEAD^"))[0]
    assert other.units[0].games[0].deal == 0
    old, new = (git(repository, "rev-parse", "--short=12", name) for name in ("HEAD^", "HEAD"))
    assert {f"{old}-{new}", f"{new}-{old}"} == {path.name for path in (tmp_path / "out").iterdir()}
    assert 0 == run(monkeypatch, tmp_path, play, *options, bots=("HEAD^", "HEAD"))[0]
    assert before == len(play.units)
    assert [] == list(temporary.iterdir())


def test_the_same_files_need_no_game(
    tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two commits with the same files play alike: that is known at once, and is no rejection."""
    git(repository, "commit", "--quiet", "--allow-empty", "-m", "Say more")
    options = ("--repo", repository, "--run", "run it", "--junit", tmp_path / "junit.xml")
    code, report = run(monkeypatch, tmp_path, lambda _unit: pytest.fail("played"), *options, bots=("HEAD^", "HEAD"))
    assert (0, "same", 0) == (code, report["verdict"], report["games"])
    assert "same: OLD and NEW are the same files, so nothing was played\n" == capsys.readouterr().out
    assert report["line"] == "same: OLD and NEW are the same files, so nothing was played"
    case = ElementTree.parse(tmp_path / "junit.xml").find(".//testcase")
    assert case is not None
    assert {"system-out"} == {child.tag for child in case}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_checkouts_do_not_outlive_an_interruption(tmp_path: Path, repository: Path, number: signal.Signals) -> None:
    """In the middle of a build: exit code 130, one line, no folder left, no process."""
    build = f"{sys.executable} -c \"import time; open('begun', 'w').close(); time.sleep(600)\" {tmp_path}"
    arguments = ["compare", "main~1", "main", "--repo", str(repository), "--run", "x", "--build", build]
    with subprocess.Popen(
        [sys.executable, "-m", "aurum.cli.main", *arguments],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        assert any(line.startswith("building OLD: ") for line in iter(process.stderr.readline, ""))
        while not list(tmp_path.glob("arena-compare-*/**/begun")):
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(number)
        error = process.stderr.read()
    assert (130, "arena: interrupted; nothing is kept without --out\n") == (process.returncode, error)
    assert [] == list(tmp_path.glob("arena-compare-*"))
    until = time.monotonic() + 30
    while left_behind(str(tmp_path)) and time.monotonic() < until:  # the system ends them, without waiting for it
        time.sleep(0.02)
    assert [] == left_behind(str(tmp_path))


@pytest.mark.parametrize(
    ("bots", "options", "sentence"),
    [
        (("main", "mian"), (), "club: no such revision: 'mian'"),
        (("main", "--upload-pack=x"), (), "club: no such revision: '--upload-pack=x'"),
        (("main", "main:my_bot.py"), (), "club: no such revision: 'main:my_bot.py'"),
        (("main", "main"), ("--repo", "nowhere"), "--repo nowhere: no such folder"),
        (("main", "main"), ("--repo", "/"), "--repo /: not usable as a git repository: fatal: "),
        (("main~1", "main"), ("--build", "false"), "bots[1].build: failed with exit code 1 (name 'OLD')"),
    ],
)
def test_revisions_that_cannot_be_played(
    temporary: Path,
    repository: Path,
    capsys: pytest.CaptureFixture[str],
    bots: tuple[str, str],
    options: tuple[str, ...],
    sentence: str,
) -> None:
    """Exit code 2 and a line that says what is wrong; nothing is left behind."""
    assert 2 == main(["compare", "--repo", str(repository), "--run", "x", *options, "--", *bots])
    assert sentence in capsys.readouterr().err.splitlines()[-1]
    assert [] == list(temporary.iterdir())


def test_without_git(repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said that it is missing."""
    monkeypatch.setenv("PATH", "/nowhere")
    assert 2 == main(["compare", "--repo", str(repository), "--run", "x", "main~1", "main"])
    assert "arena: --repo needs git, which cannot be run: No such file or directory\n" == capsys.readouterr().err


def test_a_history_that_was_cut_short(tmp_path: Path, repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As CI services do: the line says what to do about it."""
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{repository}", "shallow")
    assert 2 == main(["compare", "--repo", str(tmp_path / "shallow"), "--run", "x", "HEAD~1", "HEAD"])
    assert "no such revision: 'HEAD~1'; its history is cut short: fetch all of it" in capsys.readouterr().err


def test_a_hook_may_compare(tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variables that git sets for its hooks do not turn our commands to another repository."""
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "elsewhere" / "index"))
    options = ("--repo", repository, "--run", "run it", "--max-deals", 1)
    assert 3 == run(monkeypatch, tmp_path, fake_unit.play, *options, bots=("main~1", "main"))[0]


def workflow(name: str) -> dict[Any, Any]:
    """A workflow of docs/ci.md."""
    (block,) = (block for block in blocks(ROOT / "docs/ci.md") if block.noted("workflow") == name)
    content: dict[Any, Any] = yaml.safe_load(block.text)
    return content


def test_the_workflow_of_the_page(tmp_path: Path, repository: Path) -> None:
    """Its command, as GitHub would run it on a pull request: accepted, and all files are there."""
    job = workflow("github")["jobs"]["compare"]
    assert 0 == job["steps"][0]["with"]["fetch-depth"]
    (step,) = (step for step in job["steps"] if "arena compare" in step.get("run", ""))
    assert {"BASE": "${{ github.event.pull_request.base.sha }}"} == step["env"]
    git(repository, "checkout", "--quiet", ".")
    summary = tmp_path / "summary.md"
    with Workspace(repository) as workspace:
        place = f"BASE={git(repository, 'rev-parse', 'main~1')} GITHUB_STEP_SUMMARY={summary}"
        # One launch of the bots will do.
        output = workspace.run(f"export {place}\n{step['run'].strip()} --workers 1 --unit-deals 40")
    assert output.startswith("accepted: NEW is stronger than OLD ")
    assert summary.read_text().startswith("## arena compare: accepted\n")
    uploaded = job["steps"][-1]["with"]["path"].split()
    report, junit = (repository / name for name in uploaded)
    assert 0 == json.loads(report.read_text())["exit_code"]
    assert "0" == ElementTree.parse(junit).getroot().get("failures")


def test_gitlab_does_what_github_does() -> None:
    """The same command, and its files are those that are kept."""
    (step,) = (
        step
        for step in workflow("github")["jobs"]["compare"]["steps"]
        if "arena" in step.get("run", "") and "env" in step
    )
    job = workflow("gitlab")["compare"]
    assert step["run"] == job["script"][-1]
    assert job["artifacts"]["reports"]["junit"] in step["run"]
    assert 0 == job["variables"]["GIT_DEPTH"]
