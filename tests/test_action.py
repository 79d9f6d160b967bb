"""The action for GitHub, action.yml: its steps, run as GitHub would, with real bots in a real repository."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml
from bot_repository import begin, git
from docs_blocks import ROOT, blocks, code, rows, sections

pytestmark = pytest.mark.timeout(300)

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
PAGE = ROOT / "docs/ci.md"
BASE = "${{ github.event.pull_request.base.sha }}"
QUICKLY = "--seed action --workers 1 --unit-deals 40 --turn-ms 60000"
"""Options: one launch of the bots will do."""

PLANTED = "main$(touch planted)"
"""What would leave a file behind if a shell read it."""

UNDECIDED = {"games-in-flight": "16", "turn-ms": "60000", "args": "--workers 1 --max-deals 1"}
"""Inputs of a comparison that is over soon."""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A bot, and a change of it that makes it stronger."""
    return begin(tmp_path / "club")


class Ran:
    """What came of the action: its exit code, output, outputs and summary."""

    def __init__(self, folder: Path, inputs: Mapping[str, str], path: str = "") -> None:
        """Run its steps in a repository; `path` stands before the search path."""
        self._files = {name: folder.parent / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in self._files.values():
            file.write_text("", encoding="utf-8")
        values = {
            f"inputs.{name}": inputs.get(name, given.get("default", "")) for name, given in ACTION["inputs"].items()
        }
        base = git(folder, "rev-parse", "HEAD^")
        values["inputs.old"] = values["inputs.old"].replace(BASE, base)
        programs = os.pathsep.join(filter(None, [path, str(Path(sys.executable).parent), os.environ["PATH"]]))
        github = {"PATH": programs, "GITHUB_ACTION_PATH": str(ROOT)} | {n: str(f) for n, f in self._files.items()}
        self.output = ""
        for step in ACTION["runs"]["steps"]:
            assert "bash" == step["shell"]
            env = {name: values[value[4:-3]] for name, value in step.get("env", {}).items()}
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
                cwd=folder,
                env=os.environ | github | env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=250,
                check=False,
            )
            self.code = done.returncode
            self.output += done.stdout
            if self.code != 0:
                break

    @property
    def outputs(self) -> dict[str, str]:
        """What later steps would get."""
        lines = self._files["GITHUB_OUTPUT"].read_text(encoding="utf-8").splitlines()
        given = dict(line.split("=", 1) for line in lines)
        found = {}
        for name, output in ACTION["outputs"].items():
            match = re.fullmatch(r"\$\{\{ steps\.compare\.outputs\.([\w-]+) \}\}", output["value"])
            assert match is not None
            found[name] = given.get(match[1], "")
        return found

    @property
    def summary(self) -> str:
        """What would stand on the page of the run."""
        return self._files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")


def documented() -> dict[str, Any]:
    """The job of docs/ci.md that uses the action."""
    (block,) = (block for block in blocks(PAGE) if block.noted("workflow") == "action")
    job: dict[str, Any] = yaml.safe_load(block.text)["jobs"]["compare"]
    return job


def test_the_workflow_of_the_page(repository: Path) -> None:
    """Accepted: the job passes, and the report is where later steps and people look for it."""
    job = documented()
    assert 0 == job["steps"][0]["with"]["fetch-depth"]
    (step,) = (step for step in job["steps"] if "aurum-arena" in step.get("uses", ""))
    inputs = {name: str(value) for name, value in step["with"].items()}
    assert inputs.keys() <= ACTION["inputs"].keys()
    ran = Ran(repository, inputs | {"args": QUICKLY})
    assert 0 == ran.code, ran.output
    assert ran.summary.startswith("## arena compare: accepted\n")
    report, junit = (repository / name for name in job["steps"][-1]["with"]["path"].split())
    written = json.loads(report.read_text())
    expected = {"verdict": "accepted", "exit-code": "0", "line": written["line"], "elo": f"{written['elo']:+.1f}"}
    assert expected == ran.outputs
    assert "0" == ElementTree.parse(junit).getroot().get("failures")


@pytest.mark.parametrize(
    ("pass_on", "expected"), [(f"accepted {PLANTED}", 3), ("accepted\n  inconclusive\n", 0)], ids=["fails", "passes"]
)
def test_the_verdicts_that_pass_are_an_input(repository: Path, pass_on: str, expected: int) -> None:
    """The outputs are the same."""
    inputs = {"run": "python my_bot.py", "build": "true", "json": "a report.json", "pass-on": pass_on}
    ran = Ran(repository, UNDECIDED | inputs)
    assert expected == ran.code, ran.output
    assert ("inconclusive", "3") == (ran.outputs["verdict"], ran.outputs["exit-code"])
    assert "inconclusive" == json.loads((repository / "a report.json").read_text())["verdict"]
    assert not (repository / "planted").exists()


def test_three_at_a_table(repository: Path) -> None:
    """All inputs that are options of the command reach it."""
    third = f"python {ROOT / 'example_bots/random_bot.py'}"
    inputs = {"run": "python my_bot.py", "players": "3", "third": third, "preset": "gain"}
    inputs |= {"old": "HEAD", "new": "HEAD^"}
    ran = Ran(repository, UNDECIDED | inputs)
    assert 3 == ran.code, ran.output
    report = json.loads((repository / "comparison.json").read_text())
    assert (3, "gain", third) == (report["players"], report["preset"], report["bots"][2]["command"])
    assert "" == ran.outputs["elo"] or ran.outputs["elo"][0] in "+-"


def test_how_long_processes_play_reaches_the_command(repository: Path) -> None:
    """It is the command that knows what there is."""
    ran = Ran(repository, {"run": "python my_bot.py", "relaunch": "never"})
    assert (2, True) == (ran.code, "Invalid value for '--relaunch': 'never'" in ran.output), ran.output


def test_what_comes_to_no_verdict_always_fails(repository: Path) -> None:
    """And an old report is not taken for this one's."""
    (repository / "comparison.json").write_text('{"verdict": "accepted", "elo": 99}', encoding="utf-8")
    passes = "accepted rejected inconclusive faulted error interrupted"
    ran = Ran(repository, {"run": "python my_bot.py", "preset": "nonsense", "pass-on": passes})
    assert 2 == ran.code
    assert {"verdict": "", "exit-code": "2", "line": "", "elo": ""} == ran.outputs


def test_it_is_said_what_lacks_where_there_is_no_pull_request(repository: Path) -> None:
    """An annotation of the run."""
    ran = Ran(repository, {"run": "python my_bot.py", "old": ""})
    assert (2, {"verdict": "", "exit-code": "", "line": "", "elo": ""}) == (ran.code, ran.outputs)
    assert "::error::this is no pull request" in ran.output


def test_an_input_is_never_run(repository: Path) -> None:
    """Whatever a branch is called."""
    ran = Ran(repository, dict.fromkeys(ACTION["inputs"], PLANTED))
    assert 2 == ran.code, ran.output
    assert not (repository / "planted").exists()


def test_scripts_are_fixed_texts() -> None:
    """GitHub would put the value of an expression into the text, where it is part of the script."""
    assert [] == [step["name"] for step in ACTION["runs"]["steps"] if "${{" in step["run"]]


def test_the_arena_is_installed_where_there_is_none(repository: Path, tmp_path: Path) -> None:
    """The action's own; one that is there is left alone."""
    step = ACTION["runs"]["steps"][0]
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "python").write_text('#!/bin/sh\necho "python $*"\n', encoding="utf-8")
    (programs / "python").chmod(0o755)
    command = [shutil.which("bash") or "bash", "-e", "-c", step["run"]]
    environment = {"PATH": str(programs), "GITHUB_ACTION_PATH": "/a folder"}
    said = [subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout]
    (programs / "arena").write_text("#!/bin/sh\n", encoding="utf-8")
    (programs / "arena").chmod(0o755)
    said += [subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout]
    assert ["python -m pip install --quiet /a folder\n", f"{programs / 'arena'}\n"] == said


def test_every_input_and_output_is_documented() -> None:
    """In the tables of docs/ci.md, these and no others, with their defaults."""
    page = sections(PAGE)
    inputs = {code(row[0])[0]: row[1] for row in rows(page["Inputs"])}
    defaults = {}
    for name, given in ACTION["inputs"].items():
        default = given.get("default", "")
        required = "required" if given.get("required") else f"`{default}`" if default else ""
        defaults[name] = "the base of the pull request" if default == BASE else required
    assert defaults == inputs
    assert list(ACTION["outputs"]) == [code(row[0])[0] for row in rows(page["Outputs"])]
