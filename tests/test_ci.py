"""CI: what `.ci/run` runs, as a whole and in parts, and that GitHub's workflow has a job for each part."""

import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOW: dict[str, Any] = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
CONSTRAINTS = ".ci/newest.txt"
INSTALL = ".venv/installed-dev PYTHON=python3"
"""The Python that CI has chosen, however many others are there."""


def ci(folder: Path, *arguments: str, make: str = "exit 0", **variables: str) -> "subprocess.CompletedProcess[str]":
    """Run `.ci/run` where `make` is a script that notes in `folder` how it was called, and nothing is installed."""
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    note = (
        f'#!/bin/sh\necho "$(basename "$0") $*" "${{PIP_CONSTRAINT-}} ${{PIP_BUILD_CONSTRAINT-}}" >> {folder}/calls\n'
    )
    for name, text in {"make": make, "apt-get": "exit 0", "sudo": "exit 0"}.items():
        (programs / name).write_text(f"{note}{text}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    environment = (
        {name: value for name, value in os.environ.items() if name != "CONSTRAINTS"} | {"PATH": path} | variables
    )
    command = [str(ROOT / ".ci/run"), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100, check=False)


def made(folder: Path) -> list[str]:
    """How make was called."""
    calls = (folder / "calls").read_text(encoding="utf-8").splitlines()
    return [line.removeprefix("make ").strip() for line in calls if line.startswith("make ")]


def parts(folder: Path) -> list[str]:
    """The parts that `.ci/run` says it has, when it is asked for another one."""
    done = ci(folder, "nonsense")
    assert (2, "") == (done.returncode, done.stdout)
    match = re.fullmatch(r"usage: \.ci/run \[([a-z|]+)\]\n", done.stderr)
    assert match is not None
    return match[1].split("|")


def recipe(*targets: str) -> list[str]:
    """What make would run for targets. Without what the make that runs these tests hands on to another."""
    command = ["make", "--dry-run", *targets]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.splitlines()


def test_without_a_part_everything_is_run(tmp_path: Path) -> None:
    """As `make test` does; and generated code is made again."""
    assert 0 == ci(tmp_path).returncode
    first, *both = made(tmp_path)
    assert f"{INSTALL} {CONSTRAINTS} {CONSTRAINTS}" == first
    assert ["lint generated", "tests"] == sorted(both)


def test_the_parts_are_the_whole(tmp_path: Path) -> None:
    """The lint and each kind of test, with the options that all of them have together."""
    lines = []
    for part in parts(tmp_path):
        (tmp_path / "calls").unlink(missing_ok=True)
        assert 0 == ci(tmp_path, part).returncode
        first, targets = made(tmp_path)
        assert f"{INSTALL} {CONSTRAINTS} {CONSTRAINTS}" == first
        lines += [line.removesuffix(f" -m {part}") for line in recipe(*targets.split())]
    assert set(recipe("test", "generated")) == set(lines)


def test_every_kind_of_test_is_a_part(tmp_path: Path) -> None:
    """By its mark, so no test is left out."""
    marks = [line.partition(":")[0] for line in PYPROJECT["tool"]["pytest"]["ini_options"]["markers"]]
    assert ["lint", *marks] == parts(tmp_path)


def test_the_newest_versions_are_installed_where_that_is_asked_for(tmp_path: Path) -> None:
    """By naming no file of versions."""
    assert 0 == ci(tmp_path, "lint", CONSTRAINTS="").returncode
    assert [INSTALL, "lint generated"] == made(tmp_path)


@pytest.mark.parametrize("fails", [".venv/installed-dev", "lint", "tests"])
def test_a_failure_is_one(tmp_path: Path, fails: str) -> None:
    """Wherever it is, and the last line is pytest's own. Where nothing is installed, nothing is run."""
    done = ci(
        tmp_path, make=f'[ "$1" != {fails} ] || {{ echo "1 failed, 2 passed in 3.45s"; echo "make: Error 1"; exit 2; }}'
    )
    assert 1 == done.returncode
    run = {call.split()[0] for call in made(tmp_path)}
    assert {".venv/installed-dev"} | ({"lint", "tests"} if fails != ".venv/installed-dev" else set()) == run
    assert "1 failed, 2 passed in 3.45s" == done.stdout.splitlines()[-1]


def test_every_part_is_a_job(tmp_path: Path) -> None:
    """With the oldest Python and the newest libraries; what the jobs run is there."""
    (job,) = WORKFLOW["jobs"].values()
    matrix = job["strategy"]["matrix"]
    assert parts(tmp_path) == matrix["part"]
    assert [PYPROJECT["project"]["requires-python"].removeprefix(">=")] == matrix["python"]
    assert ["newest"] == matrix["libraries"]
    assert {extra["part"] for extra in matrix["include"]} <= set(matrix["part"])
    *_, step = job["steps"]
    assert [step] == [other for other in job["steps"] if "run" in other]
    assert '.ci/run "$PART"' == step["run"]
    assert os.access(ROOT / ".ci/run", os.X_OK)
    assert "${{ matrix.part }}" == step["env"]["PART"]
    assert "format('.ci/{0}.txt', matrix.libraries)" in step["env"]["CONSTRAINTS"]


def jobs_beside() -> list[tuple[str, str, str]]:
    """The part, Python and libraries of the jobs that are there beside those of every part."""
    include = WORKFLOW["jobs"]["check"]["strategy"]["matrix"]["include"]
    return [(extra["part"], extra["python"], extra["libraries"]) for extra in include]


def test_the_newest_python_and_the_oldest_libraries_are_tried() -> None:
    """Those that the metadata name; where they may matter."""
    names = [line.rpartition(" :: ")[2] for line in PYPROJECT["project"]["classifiers"] if "Python :: 3." in line]
    oldest, *_, newest = sorted(names, key=lambda name: tuple(map(int, name.split("."))))
    parts = ("unit", "process")
    expected = {(part, newest, "newest") for part in parts} | {(part, oldest, "oldest") for part in parts}
    assert expected == set(jobs_beside())
    for libraries in ("newest", "oldest"):
        assert (ROOT / f".ci/{libraries}.txt").is_file()
