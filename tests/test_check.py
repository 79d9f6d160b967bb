"""`arena check` as its users run it: what it prints, what it exits with, and what it leaves behind."""

import os
import pty
import re
import signal
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from aurum.conformance.suite import with_needs
from aurum.sandbox.bubblewrap import bubblewrap
from dialing import ARENA, PATIENCE, ROOT
from test_faults import CASES as FAULTS
from test_faults import left_behind

EXAMPLES = ROOT / "example_bots"
PYTHON = "python"
GAMES = ("--games", "28")  # both player counts, every seat, every ruleset
LONG = ("--turn-ms", "60000", "--setup-ms", "60000")  # for good bots on a busy machine

HOW_IT_PLAYS = ("end-of-round", "exchange", "games-of-four", "games-of-three")
"""The checks that depend on which moves a bot chooses."""

FIRST_FAILURE = {
    "crash_at_start": ("hello", "FileNotFoundError"),
    "never_says_hello": ("hello", "nothing within 6 s"),
    "wrong_version": ("hello", '{"hello": {"protocol_version": 99, "bot": "WrongVersion"}}'),
    "floods": ("hello", "nothing, since no Turn has asked for it"),
    "garbage_bytes": ("bid", "ff ff ff ff (4 bytes that are no PlayRequest)"),
    "another_seats_card": ("lead", "is illegal: the card is not in the hand"),
    "illegal_card": ("follow", "is illegal: a card of that suit is in the trick already"),
    "crash_mid_game": ("four-players", "IndexError: tuple index out of range"),
    "exits_silently": ("four-players", "exited with code 0"),
    "never_answers": ("four-players", "nothing within 6 s"),
    "answers_late": ("four-players", "nothing within 6 s"),
    "stderr_gigabyte": ("four-players", "was killed, having written more than 64 MiB to its output and error"),
}
"""By misbehaving example: the check that catches it, and words of what it says."""


def check(*arguments: object, folder: Path = ROOT) -> "subprocess.CompletedProcess[str]":
    """Run `arena check`."""
    # Where there is no sandbox, `auto` says so on standard error, where tests want to see nothing.
    sandbox = ("--sandbox", "off") if bubblewrap().reason else ()
    command = [*ARENA, "check", *sandbox, *map(str, arguments)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=110, check=False)


def verdicts(output: str) -> dict[str, str]:
    """By name of the check: ok, FAIL or skip."""
    lines = re.findall(r"^(ok|FAIL|warn|skip) +([\w-]+) ", output, re.M)
    return {name: verdict for verdict, name in lines}


@pytest.mark.parametrize("bot", ["random_bot", "lowest_card", "heuristic"])
def test_the_good_examples_pass(bot: str, tmp_path: Path) -> None:
    """The checks of how they play, and those that these need, in the order of the registry; no process is left.

    The SDK's part is the same for all of them: a new bot on it takes every check (test_languages.py).
    """
    (tmp_path / "bots").symlink_to(EXAMPLES)
    (tmp_path / "empty").mkdir()
    expected = with_needs(HOW_IT_PLAYS)
    only = [f"--only={name}" for name in HOW_IT_PLAYS]
    done = check(*GAMES, *LONG, *only, "--folder", tmp_path / "empty", "--", PYTHON, f"{tmp_path}/bots/{bot}.py")
    assert (0, "") == (done.returncode, done.stderr), done.stdout
    assert [(check.name, "ok") for check in expected] == list(verdicts(done.stdout).items())
    assert re.fullmatch(
        rf"{len(expected)} checks: {len(expected)} passed, 0 failed \(\S+ s\)", done.stdout.splitlines()[-1]
    )
    assert [] == left_behind(str(tmp_path))


def test_every_misbehaving_example_is_tried() -> None:
    """A new example without a line here fails."""
    assert {case.bot for case in FAULTS} == set(FIRST_FAILURE)


@pytest.mark.parametrize("bot", FIRST_FAILURE)
def test_a_misbehaving_example_is_caught(bot: str, tmp_path: Path) -> None:
    """By a line of its own that says what was sent, what came, and what should have; what needs it is skipped."""
    (tmp_path / "bots").symlink_to(EXAMPLES)
    name, words = FIRST_FAILURE[bot]
    clock = ("--turn-ms", "6000", "--setup-ms", "6000" if bot == "never_says_hello" else "60000")
    done = check(*clock, "--only", "three-players", "--", PYTHON, f"{tmp_path}/bots/misbehaving/{bot}.py")
    assert (1, "") == (done.returncode, done.stderr)
    found = verdicts(done.stdout)
    assert name == next(check for check, verdict in found.items() if verdict == "FAIL")
    assert "skip" == found["three-players"]
    failure = re.search(rf"^FAIL  {name} .*\n((?:      .*\n)+)", done.stdout, re.M)
    assert failure is not None
    assert words in failure[1]
    assert ["sent", "came", "expected"] == re.findall(r"^      (sent|came|expected) ", failure[1], re.M)
    assert [] == left_behind(str(tmp_path))


def test_a_skipped_check_says_why() -> None:
    """It names what it needs, and whether that failed or was skipped itself."""
    done = check("--only", "lead", "--", "no-such-program")
    assert 1 == done.returncode
    assert "could not be started: there is no program no-such-program on the search path" in done.stdout
    assert re.search(r"^skip  bid +needs hello, which failed$", done.stdout, re.M)
    assert re.search(r"^skip  lead +needs bid, which was skipped$", done.stdout, re.M)
    assert done.stdout.splitlines()[-1].startswith("3 checks: 0 passed, 1 failed, 2 skipped (")


def test_junit_says_what_the_text_says(tmp_path: Path) -> None:
    """In a file while the checklist is printed, and alone on standard output."""
    report = tmp_path / "report.xml"
    bot = (PYTHON, "example_bots/misbehaving/garbage_bytes.py")
    only = ("--only", "bid", "--only", "lead")
    beside = check(*only, "--format", "junit", "--out", report, "--", *bot)
    alone = check(*only, "--format", "junit", "--", *bot)
    assert (1, 1) == (beside.returncode, alone.returncode)
    assert {"hello": "ok", "bid": "FAIL", "lead": "skip"} == verdicts(beside.stdout)
    for text in (report.read_text(encoding="utf-8"), alone.stdout):
        root = ElementTree.fromstring(text)
        (suite,) = root
        assert ("testsuites", "testsuite") == (root.tag, suite.tag)
        assert ("3", "1", "0", "1") == tuple(suite.get(name) for name in ("tests", "failures", "errors", "skipped"))
        cases = {case.get("name"): [child.tag for child in case] for case in suite}
        assert {"hello": [], "bid": ["failure"], "lead": ["skipped"]} == cases
        failure = suite.find("testcase/failure")
        assert failure is not None
        assert failure.text is not None
        for line in failure.text.splitlines():
            label, _, content = line.partition(" ")
            if label in ("came", "expected"):
                assert f"      {line}\n" in beside.stdout
                assert content.strip() in failure.get("message", "")


def test_the_text_report_is_what_was_printed(tmp_path: Path) -> None:
    report = tmp_path / "report.txt"
    done = check("--only", "hello", "--out", report, "--", "no-such-program")
    assert report.read_text(encoding="utf-8") == done.stdout


def test_what_a_bot_writes_does_not_reach_the_terminal_or_break_the_report(tmp_path: Path) -> None:
    """Escape sequences and other bytes that no XML may hold are replaced."""
    command = ("bash", "-c", r"printf 'red \033[31m and \001\377 \n'; exit 1")
    shown = check("--only", "hello", "--", *command)
    written = check("--only", "hello", "--format", "junit", "--", *command)
    assert "output    red ?[31m and ?\ufffd" in shown.stdout
    assert "output    red ?[31m and ?\ufffd" in (ElementTree.fromstring(written.stdout).findtext(".//failure") or "")


def test_one_word_may_be_a_whole_command_line() -> None:
    """As in a spec."""
    done = check(*LONG, "--only", "hello", "--", f"{PYTHON} example_bots/lowest_card.py")
    assert 0 == done.returncode, done.stdout


def test_a_bot_is_started_in_its_folder(tmp_path: Path) -> None:
    """Relative paths of a command lead from there."""
    done = check(*LONG, "--only", "hello", "--folder", EXAMPLES, "--", PYTHON, "lowest_card.py", folder=tmp_path)
    assert 0 == done.returncode, done.stdout


def test_temporary_folders_may_have_a_long_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Longer than a Unix socket's may be."""
    folder = tmp_path / ("x" * 100)
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    done = check(*LONG, "--only", "unix-socket", "--", PYTHON, "example_bots/lowest_card.py")
    assert 0 == done.returncode, done.stdout + done.stderr
    assert [] == list(folder.iterdir())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Missing argument 'COMMAND...'"),
        (("--",), "Missing argument 'COMMAND...'"),
        (("--", ""), "the command is empty: write arena check -- COMMAND"),
        (("--", "python 'bot.py"), '"python \'bot.py" is no command: No closing quotation'),
        (("--folder", "nowhere", "--", "x"), "Directory 'nowhere' does not exist"),
        (("--only", "helo", "--", "x"), "'helo' is not one of 'hello'"),
        (("--games", "1", "--", "x"), "1 is not in the range"),
        (("--out", "nowhere/report.xml", "--", "x"), "--out nowhere/report.xml: No such file or directory"),
    ],
)
def test_a_wrong_command_line_is_one_line(arguments: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    """On standard error, with exit code 2, before any bot is started."""
    done = check(*arguments, folder=tmp_path)
    assert (2, "") == (done.returncode, done.stdout)
    assert done.stderr.startswith("arena: ")
    assert sentence in done.stderr
    assert 1 == done.stderr.count("\n")


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_leaves_no_process(stop: signal.Signals, tmp_path: Path) -> None:
    """One line and 130. The bots go with it."""
    (tmp_path / "bots").symlink_to(EXAMPLES)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    bot = f"exec 3> {pipe}; echo started >&3; exec {PYTHON} {tmp_path}/bots/misbehaving/never_says_hello.py"
    command = [*ARENA, "check", *LONG, "--sandbox", "off", "--", "bash", "-c", bot]  # in one there is no pipe
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        with pipe.open(encoding="utf-8") as alive:
            assert "started\n" == alive.readline()
            process.send_signal(stop)
            assert "" == alive.read()  # until the bot has ended, who holds the other end
        output, errors = process.communicate(timeout=PATIENCE)
    assert (130, "", "arena: interrupted") == (process.returncode, output, errors.strip())
    assert [] == left_behind(str(tmp_path))


def test_on_a_terminal_it_shows_what_is_under_way(tmp_path: Path) -> None:
    """Names of the checks that run, wiped away before each line of the checklist."""
    main, terminal = pty.openpty()
    command = [*ARENA, "check", *LONG, "--only", "hello", "--", PYTHON, "example_bots/lowest_card.py"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=terminal, stderr=terminal)
    os.close(terminal)
    shown = b""
    try:
        while chunk := os.read(main, 4096):
            shown += chunk
    except OSError:  # how Linux says that the other end is closed
        pass
    finally:
        os.close(main)
    assert 0 == process.wait(PATIENCE)
    text = shown.decode()
    assert "\r\x1b[K0 of 1 checks done, now hello" in text
    assert "\r\x1b[K\x1b[32mok\x1b[0m    hello " in text
