"""The example bots on JSON lines: in Python, in Bash and in C, at a table with bots on the SDK."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from aurum.store.store import Store
from aurum.v1 import record_pb2
from dialing import ARENA
from languages import lack, need, required
from test_faults import EXAMPLES, left_behind

FOLDER = EXAMPLES / "bridge"
LANGUAGES = {"python": ("minimal.py", "python"), "bash": ("minimal.sh", "bash"), "c": ("minimal.c", "")}
"""By language: its file, and what the file is started with."""


def command_of(language: str, folder: Path) -> str:
    """How the example in this language is started; a compiled one is put into `folder`, without a warning."""
    file, interpreter = LANGUAGES[language]
    if language != "python":
        need(language)
    if language != "c":
        return f"arena bridge -- {interpreter} {FOLDER / file}"
    program = folder / "minimal"
    build = ["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", str(program), str(FOLDER / file), "-lcjson"]
    subprocess.run(build, timeout=100, check=True)
    return f"arena bridge -- {program}"


def play(folder: Path, players: int, entries: Sequence[tuple[str, str]]) -> list[record_pb2.GameRecord]:
    """The games of a round robin, several of them in flight."""
    spec = folder / "spec.toml"
    bots = "".join(f"[[bots]]\nname = '{name}'\ncommand = '{command}'\n" for name, command in entries)
    spec.write_text(
        f"[tournament]\nname = 'bridged'\nformat = 'round_robin'\ndeals = 4\nseed = 'bridge'\nplayers = {players}\n"
        f"[clock]\nturn_ms = 30000\nsetup_ms = 60000\n[run]\nworkers = 1\ngames_in_flight = 8\n{bots}",
        encoding="utf-8",
    )
    command = [*ARENA, "tournament", "run", str(spec), "--out", str(folder / "out")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=110, check=False)
    assert 0 == done.returncode, done.stderr
    with Store.read(folder / "out") as store:
        return [record_pb2.GameRecord.FromString(record) for _, record in store.records()]


def test_every_example_is_played() -> None:
    """A new one without a language here fails."""
    assert {file for file, _ in LANGUAGES.values()} == {path.name for path in FOLDER.glob("minimal.*")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_example_plays_without_a_fault(language: str, tmp_path: Path) -> None:
    """Whole games of four, several at a time, with a bot on the SDK; it says who it is, and nothing is left of it."""
    faultless(tmp_path, 4, {language: bridged(language, tmp_path), "low": f"python {EXAMPLES / 'lowest_card.py'}"})


def test_the_examples_play_each_other_without_a_fault(tmp_path: Path) -> None:
    """Whole games of three, between those whose toolchains are here, and bots on the SDK if these are too few."""
    here = [language for language in LANGUAGES if language == "python" or required(language) or not lack(language)]
    bots = {language: bridged(language, tmp_path) for language in here}
    for name in ("lowest_card", "random_bot")[: 3 - len(bots)]:
        bots[name] = f"python {EXAMPLES / name}.py"
    faultless(tmp_path, 3, bots)


def bridged(language: str, folder: Path) -> str:
    """Its command. A folder of the test's own makes the process unlike any other test's."""
    return f"{command_of(language, folder)} {folder}"


def faultless(folder: Path, players: int, bots: dict[str, str]) -> None:
    """The bots play each other: no fault, examples say what they are written in, and no process is left."""
    records = play(folder, players, list(bots.items()))
    assert records
    assert [] == [fault.detail for record in records for fault in record.faults]
    seats = [seat for record in records for seat in record.seats]
    assert set(bots) == {seat.bot for seat in seats}
    assert {(name, name) for name in bots if name in LANGUAGES} == {
        (seat.bot, seat.language) for seat in seats if seat.bot in LANGUAGES
    }
    assert [] == left_behind(str(folder))


def test_the_examples_are_short() -> None:
    """Each is read in a minute, and shows a whole bot."""
    assert [] == [path.name for path in FOLDER.glob("minimal.*") if len(path.read_text().splitlines()) > 50]


def test_the_one_in_python_needs_no_package(tmp_path: Path) -> None:
    """It runs on an interpreter that has nothing but its own library."""
    source = shutil.copy(FOLDER / "minimal.py", tmp_path)
    done = subprocess.run(
        [sys.executable, "-I", "-S", source],
        input='{"welcome": {}}\n{"updates": [{"turn": {"game": "9", "number": 1, "phase": "PHASE_BID", '
        '"legal_cards": ["P8", "B1"]}}, {"turn": {"game": "8", "number": 3, "phase": "PHASE_FOLLOW"}}]}\n',
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert [
        '{"hello": {"protocol_version": 1, "bot": "Minimal", "version": "1", "language": "python"}}',
        '{"actions": [{"game": "9", "number": 1, "card": "P8"}, {"game": "8", "number": 3, "pass": {}}]}',
    ] == done.stdout.splitlines()
