"""What a repository holds beside its code: the licence, the changelog, CI's versions of libraries, the hooks of git."""

import hashlib
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT: dict[str, Any] = PYPROJECT["project"]
CONSTRAINTS = {
    name: (ROOT / f".ci/{name}.txt").read_text(encoding="utf-8").splitlines() for name in ("newest", "oldest")
}
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]


def test_the_licence_is_apache_2() -> None:
    """The text of the Apache Software Foundation, letter for letter; the metadata name it."""
    text = (ROOT / "LICENSE").read_bytes()
    assert "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30" == hashlib.sha256(text).hexdigest()
    assert ("Apache-2.0", ["LICENSE"]) == (PROJECT["license"], PROJECT["license-files"])


def test_every_sdk_whose_manifest_can_name_a_licence_does() -> None:
    """The same; those of C++ and Go have no place for it."""
    sdk = ROOT / "sdk"
    assert "Apache-2.0" == tomllib.loads((sdk / "rust/Cargo.toml").read_text(encoding="utf-8"))["package"]["license"]
    assert "Apache-2.0" == json.loads((sdk / "javascript/package.json").read_text(encoding="utf-8"))["license"]
    pom = ElementTree.parse(sdk / "java/pom.xml")
    assert "Apache-2.0" == pom.findtext("{*}licenses/{*}license/{*}name")


def test_the_changelog_has_the_version() -> None:
    """As the newest one, which is out on a day or unreleased; each change is of a kind that Keep a Changelog knows."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version, day = re.findall(r"^## (\S+) - (.+)$", changelog, flags=re.M)[0]
    assert PROJECT["version"] == version
    assert re.fullmatch(r"unreleased|\d{4}-\d\d-\d\d", day)
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.+)$", changelog, flags=re.M)) <= kinds


def versions(name: str) -> dict[str, str]:
    """By library, those of one of CI's two files."""
    pinned = dict(line.split("==") for line in CONSTRAINTS[name] if not line.startswith("#"))
    return {canonicalize_name(library): version for library, version in pinned.items()}


def declared() -> list[Requirement]:
    """What pyproject.toml asks for, the arena's own parts aside."""
    extras = PROJECT["optional-dependencies"]
    requirements = [Requirement(line) for line in (*PROJECT["dependencies"], *extras["cluster"], *extras["dev"])]
    return [requirement for requirement in requirements if not requirement.name.startswith("aurum-")]


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_the_versions_of_ci_are_nothing_but_versions(name: str) -> None:
    """One of each library, in order; no place of this machine, no index, no hash."""
    lines = [line for line in CONSTRAINTS[name] if not line.startswith("#")]
    assert [] == [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line)]
    names = [canonicalize_name(line.partition("==")[0]) for line in lines]
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_the_versions_of_ci_are_of_the_oldest_python(name: str) -> None:
    """A library that has left that Python is not among them."""
    assert f"The {name} versions" in CONSTRAINTS[name][0]
    assert f"Python {PROJECT['requires-python'].removeprefix('>=')} " in CONSTRAINTS[name][0]


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_every_library_has_a_version_in_ci(name: str) -> None:
    """One that pyproject.toml allows: whoever changes the dependencies has to run `make constraints`."""
    pinned = versions(name)
    assert [] == [str(r) for r in declared() if pinned.get(canonicalize_name(r.name), "0") not in r.specifier]


def test_the_oldest_versions_are_those_that_users_may_have() -> None:
    """The lower bounds of what is declared; of the tools of our own work there is nothing old."""
    pinned, extras = versions("oldest"), PROJECT["optional-dependencies"]
    tools = {Requirement(line).name for line in extras["dev"]}
    bounds = {r.name: re.findall(r">=([\d.]+)", str(r.specifier)) for r in declared() if r.name not in tools}
    assert bounds.keys() >= {"grpcio", "protobuf", "numpy", "distributed"}
    assert [] == [name for name, (bound,) in bounds.items() if Version(bound) != Version(pinned[name])]


def test_git_runs_the_checks_of_make_lint() -> None:
    """All of them, and none that has to be fetched."""
    assert ["local"] == [repository["repo"] for repository in HOOKS]
    hooks = HOOKS[0]["hooks"]
    assert {"system"} == {hook["language"] for hook in hooks}
    command = ["make", "--dry-run", "lint"]
    lines = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    ).stdout.splitlines()
    checks = [line.removesuffix(" .") for line in lines if line.startswith(".venv/bin/") and " -m pip " not in line]
    assert checks == [hook["entry"].removesuffix(" --force-exclude") for hook in hooks]


@pytest.mark.parametrize(("text", "code"), [('"""Fair."""\n', 0), ("import os\n", 1)])
def test_a_commit_is_checked(tmp_path: Path, text: str, code: int) -> None:
    """With the programs of .venv and the settings of pyproject.toml, which leave generated code alone."""
    for name in (".pre-commit-config.yaml", "pyproject.toml"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / ".venv").symlink_to(sys.prefix)
    (tmp_path / "planted.py").write_text(text, encoding="utf-8")
    (tmp_path / "planted_pb2.py").write_text("import os\n", encoding="utf-8")
    environment = os.environ | {"PRE_COMMIT_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    for command in (["git", "init", "--quiet"], ["git", "add", "planted.py", "planted_pb2.py"]):
        subprocess.run(command, cwd=tmp_path, env=environment, check=True, timeout=60)
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", "ruff-check"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert code == done.returncode, done.stdout + done.stderr
    assert (code != 0) == ("planted.py:1:8" in done.stdout)
    assert "planted_pb2" not in done.stdout
