"""Exit codes: each of the table in docs/running-a-tournament.md, and that nothing but an answer ends with 1."""

import errno
import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
from aurum.cli.commands import check, verify
from aurum.cli.entry import INTERRUPTED
from aurum.cli.main import RUN_ERROR, USER_ERROR, main
from aurum.cli.own_errors import ISSUES
from aurum.cli.tournament import standings
from aurum.common.errors import Interrupted
from aurum.compare.report import Ending
from aurum.conformance.scripted.stream import CheckFailed
from aurum.conformance.suite import CHECKS
from aurum.conformance.suite import Result as CheckResult
from aurum.records.json_lines import from_line, to_line
from aurum.store.store import Store
from compare_runs import Decided, run
from docs_blocks import ROOT, rows, sections
from test_cli import played as played  # a fixture

ARENA = shlex.join([sys.executable, "-m", "aurum.cli.main"])
OTHERS = "all others"

Patch = pytest.MonkeyPatch
Scenario = Callable[[Path, Path, Patch], int]
"""Runs a command in a folder of its own, with the folder of a finished tournament; returns its exit code."""


def raising(error: BaseException) -> Callable[..., NoReturn]:
    """A function that raises this."""

    def function(*_: object, **__: object) -> NoReturn:
        raise error

    return function


def comparison(
    result: Callable[[int, int], int], *options: object, bots: tuple[str, str] = ("here", "here")
) -> Scenario:
    """A comparison whose games come out as `result` says."""
    return lambda folder, _played, patch: run(patch, folder, Decided(result), *options, bots=bots)[0]


def interrupted_comparison() -> Scenario:
    """A comparison that is interrupted in its first unit."""
    play = Decided(lambda *_: 1, lambda: os.kill(os.getpid(), signal.SIGINT))
    return lambda folder, _played, patch: run(patch, folder, play)[0]


def checked(failure: CheckFailed | None) -> Scenario:
    """A check whose result is this, or which was never made."""

    def scenario(_folder: Path, _played: Path, patch: Patch) -> int:
        async def results(*_: object) -> list[CheckResult]:
            return [CheckResult(CHECKS[0], 1.0, failure=failure)]

        patch.setattr(check, "run", results)
        return main(["check", "--sandbox", "off", "bot"])

    return scenario


def failing(command: tuple[str, ...], module: object, name: str, error: BaseException) -> Scenario:
    """A command in which a function raises this."""

    def scenario(_folder: Path, played: Path, patch: Patch) -> int:
        patch.setattr(module, name, raising(error))
        return main([argument.replace("DIR", str(played / "out")) for argument in command])

    return scenario


def verified(change: Callable[[str], str]) -> Scenario:
    """An exported tournament is verified after this change of its first line."""

    def scenario(folder: Path, played: Path, _patch: Patch) -> int:
        first, *others = (played / "games.jsonl").read_text().splitlines()
        (folder / "games.jsonl").write_text("\n".join([change(first), *others]))
        return main(["verify", str(folder / "games.jsonl")])

    return scenario


def more_points(line: str) -> str:
    """The record with another result."""
    record = from_line(line)
    record.result.points[0] += 1
    return to_line(record)


VERIFY, STANDINGS = ("verify", "DIR"), ("tournament", "standings", "DIR")
BUG = KeyError("nobody expects this")

SCENARIOS: dict[tuple[str, int], Scenario] = {
    ("arena compare", 0): comparison(lambda deal, seating: 2, "--elo0", 0, "--elo1", 200),
    ("arena compare", 1): comparison(lambda deal, seating: 0, "--elo0", 0, "--elo1", 200),
    ("arena compare", 2): lambda *_: main(["compare", "a", "b", "--json", "/nowhere/report.json"]),
    ("arena compare", 3): comparison(lambda deal, seating: 1, "--max-deals", 2),
    ("arena compare", 4): comparison(lambda deal, seating: 1, bots=("here", "missing")),
    ("arena compare", 5): comparison(raising(BUG)),
    ("arena compare", 130): interrupted_comparison(),
    ("arena check", 0): checked(None),
    ("arena check", 1): checked(CheckFailed(sent="a turn", came="nothing", expected="an action")),
    ("arena check", 2): lambda *_: main(["check", "--sandbox", "off", "bot", "--out", "/nowhere/report"]),
    ("arena check", 5): failing(("check", "--sandbox", "off", "bot"), check, "run", BUG),
    ("arena check", 130): failing(("check", "--sandbox", "off", "bot"), check, "run", KeyboardInterrupt()),
    ("arena verify", 0): verified(str),
    ("arena verify", 1): verified(more_points),
    ("arena verify", 2): lambda folder, *_: main(["verify", str(folder / "nothing")]),
    ("arena verify", 5): failing(VERIFY, verify, "Audit", BUG),
    ("arena verify", 130): failing(VERIFY, verify, "Audit", KeyboardInterrupt()),
    (OTHERS, 0): lambda _folder, played, _patch: main(["tournament", "standings", str(played / "out")]),
    (OTHERS, 2): lambda folder, *_: main(["tournament", "standings", str(folder)]),
    (OTHERS, 5): failing(STANDINGS, standings, "render", BUG),
    (OTHERS, 130): failing(STANDINGS, standings, "render", Interrupted("interrupted")),
}


def documented() -> set[tuple[str, int]]:
    """The cells of the table that say something, by command and code."""
    text = sections(ROOT / "docs/running-a-tournament.md")["Exit codes"]
    head = next(line for line in text.splitlines() if line.startswith("| code |"))
    columns = [cell.strip(" `") for cell in head.strip("|").split("|")][1:]
    return {
        (column, int(code)) for code, *cells in rows(text) for column, cell in zip(columns, cells, strict=True) if cell
    }


def test_the_table_is_complete() -> None:
    """Every code that the program knows is in it, and for every cell there is a scenario."""
    codes = {0, USER_ERROR, RUN_ERROR, INTERRUPTED} | {ending.code for ending in Ending}
    assert codes == {code for _, code in documented()}
    assert SCENARIOS.keys() == documented()


@pytest.mark.parametrize(("command", "code"), SCENARIOS, ids=lambda value: str(value).replace(" ", "-"))
def test_each_code_of_the_table(
    command: str, code: int, played: Path, tmp_path: Path, monkeypatch: Patch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As it says; and whatever is no answer is explained in one last line."""
    assert code == SCENARIOS[command, code](tmp_path, played, monkeypatch)
    lines = capsys.readouterr().err.splitlines()
    explained = [line for line in lines if line.startswith("arena: ")]
    assert (lines[-1:] if code in (2, 5, 130) else []) == explained


@pytest.mark.parametrize(
    "error", [BUG, BrokenPipeError(errno.EPIPE, "Broken pipe"), RecursionError("deep"), OSError("x")]
)
def test_an_error_of_our_own_is_one_line(
    error: Exception, played: Path, monkeypatch: Patch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says what, where, and what to do; the traceback comes if it is asked for."""
    monkeypatch.setattr(verify, "Audit", raising(error))
    assert 5 == main(["verify", str(played / "out")])
    line = capsys.readouterr().err
    assert re.fullmatch(rf"arena: an error of our own: \w+: .* \(.*\.py:\d+\); please report it .*: {ISSUES}\n", line)
    monkeypatch.setenv("AURUM_TRACEBACK", "1")
    assert 5 == main(["verify", str(played / "out")])
    assert capsys.readouterr().err.startswith("Traceback (most recent call last):\n")


def test_what_the_machine_refuses_is_no_error_of_ours(
    played: Path, monkeypatch: Patch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The user can mend it: code 2, and a line that says what was refused."""
    for error, sentence in (
        (OSError(errno.ENOSPC, "No space left on device", "/tmp/x"), "/tmp/x: No space left on device"),
        (OSError(errno.EMFILE, "Too many open files"), "this machine refuses what is needed here: Too many open files"),
    ):
        monkeypatch.setattr(verify, "Audit", raising(error))
        assert 2 == main(["verify", str(played / "out")])
        assert f"arena: {sentence}\n" == capsys.readouterr().err


def test_reports_go_to_where_issues_are_read() -> None:
    """The address is that of the distribution."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert ISSUES == project["urls"]["Issues"]


def test_a_report_that_cannot_be_written_is_one_code_whatever_the_verdict(
    tmp_path: Path, monkeypatch: Patch, capsys: pytest.CaptureFixture[str]
) -> None:
    """2, with the verdict in the line; the other files are written all the same. An error of our own stays one."""
    xml = tmp_path / "report.xml"
    files = ("--json", "/dev/full", "--junit", xml)
    for halves, code, ending in ((2, 0, "accepted"), (0, 1, "rejected")):
        xml.unlink(missing_ok=True)
        bounds = ("--elo0", 0, "--elo1", 200)
        assert 2 == run(monkeypatch, tmp_path, Decided(lambda *_, halves=halves: halves), *bounds, *files)[0]
        output = capsys.readouterr()
        words = f"arena: --json /dev/full: No space left on device (the exit code would have been {code}, {ending}); "
        assert output.err.splitlines()[-1].startswith(words)
        assert output.out.startswith(f"{ending}: ")
        assert xml.read_text().startswith("<?xml")
    assert 5 == run(monkeypatch, tmp_path, Decided(raising(BUG)), *files)[0]
    assert "--json /dev/full: No space left on device" in capsys.readouterr().err.splitlines()[-1]


def test_no_report_is_left_where_nothing_was_compared(tmp_path: Path, monkeypatch: Patch) -> None:
    """Neither an empty one nor that of an earlier comparison."""
    names = ("report.json", "report.xml")
    for name in names:
        (tmp_path / name).write_text("old")
    options = ("--repo", tmp_path / "nowhere", "--run", "x", "--junit", tmp_path / "report.xml")
    assert 2 == run(monkeypatch, tmp_path, Decided(lambda *_: 1), *options)[0]
    assert [] == [name for name in names if (tmp_path / name).exists()]


LOWEST = f"{sys.executable} {ROOT / 'example_bots/lowest_card.py'}"
COMPARE = f"compare missing '{LOWEST}' --seed s --turn-ms 60000 --unit-deals 1 --workers 1"


@pytest.mark.process
@pytest.mark.parametrize(
    ("command", "expected", "streams"),
    [
        (COMPARE, 4, "<&- >&- 2>&-"),
        (COMPARE, 4, ">&$NOBODY"),
        (COMPARE, 4, "2>&$NOBODY"),
        ("verify games.jsonl", 1, ">&-"),
        ("verify games.jsonl", 1, ">&$NOBODY"),
        ("verify games.jsonl", 1, "> output"),
        ("verify nowhere.jsonl", 2, "2>&$NOBODY"),
        ("verify nowhere.jsonl", 2, "2>/dev/full"),
    ],
)
def test_the_streams_do_not_change_the_answer(
    command: str, expected: int, streams: str, played: Path, tmp_path: Path
) -> None:
    """Whatever they lack: they are closed, full, ASCII alone, or nobody reads them."""
    Path(tmp_path / "games.jsonl").write_text(more_points((played / "games.jsonl").read_text().splitlines()[0]))
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            ["bash", "-c", f"NOBODY={write}; {ARENA} {command} {streams}"],
            cwd=tmp_path,
            env=os.environ | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            pass_fds=[write],
            text=True,
            timeout=100,
            check=False,
        )
    finally:
        os.close(write)
    assert expected == done.returncode, done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.process
def test_an_answer_that_is_lost_on_a_full_disk_is_no_answer(played: Path) -> None:
    """2, and the line says what the answer was."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*shlex.split(ARENA), "verify", str(played / "out")],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=100,
            check=False,
        )
    words = "arena: standard output cannot be written: No space left on device (the exit code would have been 0)\n"
    assert (2, words) == (done.returncode, done.stderr)


@pytest.mark.process
@pytest.mark.parametrize("command", ["export", "tournament standings"])
def test_a_reader_who_leaves_is_no_error(played: Path, command: str) -> None:
    """`arena export | head`: nothing on standard error, be the output long or short."""
    script = f"set -o pipefail; {ARENA} {command} {shlex.quote(str(played / 'out'))} | head -c 1"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=100, check=False)
    assert (0, "") == (done.returncode, done.stderr)


@pytest.mark.process
def test_a_run_goes_on_when_nobody_looks_on(tmp_path: Path) -> None:
    """Whoever read its progress has left after the first line: all games are played and stored."""
    bots = f"--bot 'a={LOWEST}' --bot 'b={LOWEST}'"
    options = "--games 8 --seed s --turn-ms 60000 --games-in-flight 8 --workers 1 --out out"
    script = f"{ARENA} play {bots} {options} 2>&1 >table | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False
    )
    assert (0, "play: round robin, 2 bots (a, b), 8 games\n", "") == (done.returncode, done.stdout, done.stderr)
    with Store.read(tmp_path / "out") as store:
        assert 8 == store.game_count()
    assert (tmp_path / "table").read_text()


@pytest.mark.process
def test_closed_descriptors_are_taken_by_nobody(tmp_path: Path) -> None:
    """A file or a socket of ours with the number of standard error would get what libraries and bots write there."""
    script = "import os; from aurum.cli.streams import guarded_streams\nwith guarded_streams(): print(os.open('f', 65))"
    done = subprocess.run(
        ["bash", "-c", f"{shlex.quote(sys.executable)} -c {shlex.quote(script)} <&- 2>&-"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert (0, "3\n") == (done.returncode, done.stdout)


def test_standard_input_that_is_closed(monkeypatch: Patch, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing was verified, which is not the same as finding no difference."""
    monkeypatch.setattr(sys, "stdin", None)
    assert 2 == main(["verify", "-"])
    assert "arena: standard input is closed: there is nothing to read\n" == capsys.readouterr().err


SIGNALLED = """
import os, signal, sys
from aurum.cli.entry import arena

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), {number})

sys.meta_path.insert(0, Finder())
sys.exit(arena())
"""


@pytest.mark.process
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("module", ["click", "aurum.cli.commands.compare", "aurum.run.runner"])
def test_a_signal_while_it_loads(module: str, number: signal.Signals) -> None:
    """130 and one line, as at any later moment."""
    program = SIGNALLED.format(module=module, number=int(number))
    command = [sys.executable, "-c", program, "compare", "old", "new"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (130, "", "arena: interrupted\n") == (done.returncode, done.stdout, done.stderr.lstrip())
