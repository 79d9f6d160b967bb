"""Every SDK by its own checks, and by what its example bots do as real processes; languages.py says what is skipped."""

import os
import pickle
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from aurum.conformance.suite import CHECKS
from aurum.languages import begin, languages
from aurum.run.runner import run_tournament
from aurum.spec.loading import spec_from
from aurum.store.store import Store
from aurum.v1.record_pb2 import GameRecord
from languages import (
    BUILD_LIMIT,
    EXAMPLES,
    LANGUAGES,
    ROOT,
    WITHOUT_SDK,
    alone,
    build_another,
    built,
    lack,
    need,
    required,
    run,
)
from test_faults import left_behind
from tournament_runs import Diary, timeless

pytestmark = pytest.mark.timeout(2 * BUILD_LIMIT)

GAMES = 28
"""For `arena check`, which plays a thousand unless it is told otherwise: both player counts, every seat and ruleset."""

FAILED = -1

CHECK_LIMIT = 300
"""Seconds for `arena check`, which takes about fifteen."""

ARENA = (sys.executable, "-m", "aurum.cli.main")

every = pytest.mark.parametrize("name", LANGUAGES)


@every
def test_the_sdk_passes_its_own_checks(name: str, shared: Path) -> None:
    """Format, linter, generated code, unit tests with all vectors: as its language.toml says."""
    for check in need(name).checks:
        run(["bash", "-c", check], ROOT / "sdk" / name, BUILD_LIMIT, shared)


@every
@pytest.mark.parametrize("players", [4, 3])
def test_lowest_card_plays_as_pythons_does(name: str, players: int, shared: Path, tmp_path: Path) -> None:
    """Byte for byte the same records, with many games in flight: what `arena check` says of one holds for the other."""
    folder = built(name, shared)
    lowest = entry("lowest", sooner(name, LANGUAGES[name].run("lowest_card"), folder, shared), folder)
    assert as_python_plays(players, shared) == against_chance(lowest, players, tmp_path)


@every
def test_a_new_bot_builds_and_passes_every_check(name: str, shared: Path, tmp_path: Path) -> None:
    """As `arena new` writes it, far from the checkout, without a word of its own added."""
    language = need(name)
    folder = tmp_path / "night_owl"
    begin(language, "night_owl", folder)
    build_another(language, folder, shared)
    all_is_well(folder, sooner(name, language.run("night_owl"), folder, shared))


def test_a_new_bot_in_python_passes_every_check(tmp_path: Path) -> None:
    """There is nothing to build. No process is left of all that the checks have started."""
    language = languages()["python"]
    begin(language, "night_owl", tmp_path / "owl")
    *python, script = language.run("night_owl")
    # Its whole path on its command line makes its process unlike any other test's.
    all_is_well(tmp_path / "owl", (*python, str(tmp_path / "owl" / script)))
    assert [] == left_behind(str(tmp_path))


def test_a_bot_without_an_sdk_passes_every_check() -> None:
    """In Ruby, from the protocol's page and files alone; its messages are made as its first lines say."""
    need("ruby")
    head = (EXAMPLES / "ruby" / "first_card.rb").read_text(encoding="utf-8").partition("\n\n")[0]
    make = head[head.index("grpc_tools_ruby_protoc") : head.index("arena check")].replace("#", "").replace("\\\n", "")
    run(shlex.split(make), ROOT, BUILD_LIMIT)
    all_is_well(ROOT, ("ruby", "example_bots/ruby/first_card.rb"))


@pytest.mark.parametrize("players", [4, 3])
def test_all_languages_play_each_other_without_a_fault(players: int, shared: Path, tmp_path: Path) -> None:
    """One round of those whose toolchains are here, and of Python: each meets others. No bot is sent who these are."""
    for name in LANGUAGES:
        if lack(name) and required(name):
            need(name)
    here = [name for name in LANGUAGES if not lack(name)]
    if not here:
        pytest.skip("no toolchain of another language is here")
    folders = {name: built(name, shared) for name in here}
    bots = [
        entry(name, sooner(name, LANGUAGES[name].run("lowest_card"), folder, shared), folder)
        for name, folder in folders.items()
    ]
    bots.append(python_bot("python", "lowest_card.py"))
    at_a_table = 3 if players == 3 else 2
    missing = -len(bots) % at_a_table  # nobody sits out
    bots += [python_bot(name, "random_bot.py") for name in ("random", "dice")[:missing]]
    records = played(bots, players, 1, tmp_path, rounds=1)
    assert {bot["name"] for bot in bots} == {seat.bot for record in records for seat in record.seats}
    assert [] == [f"{record.id}: {fault.detail}" for record in records for fault in record.faults]
    said = {(seat.bot, seat.language) for record in records for seat in record.seats}
    assert {(name, name) for name in [*here, "python"]} == {
        (bot, language) for bot, language in said if bot not in ("random", "dice")
    }


@pytest.mark.parametrize(
    ("asked", "outcome"),
    [
        ("", pytest.skip.Exception),
        ("go,rust", pytest.skip.Exception),
        ("go,cobol", pytest.fail.Exception),
        ("all", pytest.fail.Exception),
    ],
)
def test_a_language_that_lacks_is_named(
    monkeypatch: pytest.MonkeyPatch, asked: str, outcome: type[BaseException]
) -> None:
    """It is skipped, or failed where it is required, with what lacks and what would bring it."""
    cobol = replace(WITHOUT_SDK["ruby"], name="cobol", title="COBOL", needs=("no-cobc",), packages=("gnucobol",))
    monkeypatch.setitem(WITHOUT_SDK, "cobol", cobol)
    monkeypatch.setenv("ARENA_REQUIRE_LANGUAGES", asked)
    with pytest.raises(outcome, match=r"COBOL: no-cobc is not on the search path \(Debian: apt-get install gnucobol\)"):
        need("cobol")


def test_an_object_is_taken_only_for_the_same_text_options_and_warnings(tmp_path: Path) -> None:
    """Wherever the headers lie; whoever asks for a warning that nobody has asked for yet gets it."""
    need("cpp")
    store = tmp_path / "compiled"

    def compiled(headers: str, *options: str, number: int = 4) -> int:
        """How many objects there are afterwards; FAILED if there is none of this text."""
        folder = tmp_path / headers
        folder.mkdir(exist_ok=True)
        (folder / "number.h").write_text(f"// at {headers}\nstatic int number() {{ return {number}; }}\n")
        source = tmp_path / "number.cpp"
        source.write_text('#include "number.h"\nconst char* place() { return __FILE__; }\n')
        command = [sys.executable, str(ROOT / "tests/compile_once.py"), "g++", "-I", str(folder), *options]
        command += ["-MD", "-MF", str(tmp_path / "number.d"), "-o", str(tmp_path / "number.o"), "-c", str(source)]
        (tmp_path / "number.o").unlink(missing_ok=True)
        done = subprocess.run(command, env=os.environ | {"COMPILED": str(store)}, capture_output=True, check=False)
        assert (done.returncode == 0) == (tmp_path / "number.o").is_file()
        assert str(folder / "number.h") in (tmp_path / "number.d").read_text()
        return len(list(store.glob("*.o"))) if done.returncode == 0 else FAILED

    assert 1 == compiled("here") == compiled("there")
    assert 2 == compiled("here", number=5)
    assert 3 == compiled("here", "-O1", number=5)
    assert FAILED == compiled("here", "-Werror", "-Wunused-function")
    assert 3 == compiled("here", "-Wextra") == compiled("there")


def sooner(name: str, command: Sequence[str], folder: Path, shared: Path) -> Sequence[str]:
    """The command of a built bot that takes less to start, since dozens of instances are: a JVM reads and verifies
    thousands of classes each time, unless it has them in an archive. It is made of those that one game has needed."""
    if name != "java":
        return command
    java, *rest = command
    classes, archive = shared / "java.classes", shared / f"{Path(rest[-1]).stem}.jsa"
    with alone(shared / "java.archive.lock"):
        if not classes.exists():
            others = shlex.join(["python", str(EXAMPLES / "lowest_card.py")])
            seats = [shlex.join([java, f"-XX:DumpLoadedClassList={classes}", *rest]), others, others]
            words = [word for seat, bot in enumerate(seats) for word in ("--seat", f"{seat}={bot}")]
            run(
                [*ARENA, "referee", "--sandbox", "off", "--players", "3", "--games", "1", "--turn-ms", "60000", *words],
                folder,
                CHECK_LIMIT,
            )
        if not archive.exists():
            where = [f"-XX:SharedClassListFile={classes}", f"-XX:SharedArchiveFile={archive}"]
            run([java, "-Xshare:dump", *where, *rest], folder, CHECK_LIMIT)
    return java, f"-XX:SharedArchiveFile={archive}", *rest


def entry(name: str, command: Sequence[str], folder: Path) -> dict[str, Any]:
    return {"name": name, "command": list(command), "folder": str(folder)}


def python_bot(name: str, script: str) -> dict[str, Any]:
    return entry(name, ["python", script], EXAMPLES)


def played(
    bots: list[dict[str, Any]], players: int, deals: int, folder: Path, rounds: int | None = None
) -> list[GameRecord]:
    """The records of a round robin, or of a Swiss of so many rounds, by deal and seating."""
    form: dict[str, Any] = {"format": "swiss", "rounds": rounds} if rounds else {"format": "round_robin"}
    if players == 3 and not rounds:
        form["tables"] = "pairs"
    sections = {
        "tournament": {"name": "languages", "players": players, "deals": deals, "seed": "tea", **form},
        "clock": {"turn_ms": 60_000, "setup_ms": 300_000},
        "run": {"sandbox": "off", "workers": 1, "games_in_flight": 32},
        "bots": bots,
    }
    run_tournament(spec_from(sections, "test", EXAMPLES), folder / "out", progress=Diary())
    with Store.read(folder / "out") as store:
        return [GameRecord.FromString(record) for _, record in store.records()]


def against_chance(lowest: dict[str, Any], players: int, folder: Path) -> list[bytes]:
    """The games of a bot against one, or at tables of three two, that play at random; without times and versions."""
    random = [python_bot(name, "random_bot.py") for name in (["random"] if players == 4 else ["random", "dice"])]
    records = played([lowest, *random], players, 12, folder)
    for record in map(timeless, records):
        for seat in record.seats:
            seat.ClearField("version")
            seat.ClearField("language")
    return [record.SerializeToString(deterministic=True) for record in records]


def as_python_plays(players: int, shared: Path) -> list[bytes]:
    """The same games of Python's bot, which are played once in a run of the tests."""
    file = shared / f"lowest_card.{players}"
    with alone(file.with_suffix(".lock")):
        if not file.exists():
            with TemporaryDirectory() as folder:
                file.write_bytes(
                    pickle.dumps(against_chance(python_bot("lowest", "lowest_card.py"), players, Path(folder)))
                )
        games: list[bytes] = pickle.loads(file.read_bytes())
    return games


def all_is_well(folder: Path, command: Sequence[str]) -> None:
    """Every check passes of a bot in its folder."""
    options = ["--games", str(GAMES), "--turn-ms", "30000", "--folder", str(folder)]
    output = run([*ARENA, "check", "--sandbox", "off", *options, "--", *command], folder, CHECK_LIMIT)
    assert [f"ok    {check.name}" for check in CHECKS] == re.findall(r"^(?:ok|FAIL|skip) +[\w-]+", output, re.M)
