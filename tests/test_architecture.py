"""The house of docs/architecture.md: who may import what, where things lie, how large they are."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROTOBUF, GRPC = "google.protobuf", "grpc"
RULES, WIRE = ("aurum.rules",), ("aurum.v1", PROTOBUF)
REFEREE = ("aurum.referee", *RULES, *WIRE)
NUMBERS = ("aurum.pairing", "aurum.statistics")
TOURNAMENTS = ("aurum.tournaments", *NUMBERS, *REFEREE)
CLI = ("aurum.cli", "aurum.bridge", "aurum.compare", "aurum.conformance", "aurum.languages")

MAY_IMPORT = {
    "referee/aurum/rules": RULES,
    "proto/aurum/v1": (*WIRE, GRPC),
    "referee/aurum/referee": (*REFEREE, GRPC, "grpc_health", "grpc_reflection"),
    "sdk/python/aurum/bot": ("aurum.bot", *RULES, *WIRE, GRPC),
    "sdk/python/aurum/bridge": ("aurum.bridge", "aurum.bot", *WIRE),
    "tournaments/aurum/pairing": ("aurum.pairing", "networkx", "numpy", "scipy"),
    "tournaments/aurum/statistics": ("aurum.statistics", "networkx", "numpy", "scipy"),
    "tournaments/aurum/tournaments": (*TOURNAMENTS, "distributed", "tabulate"),
    "tournaments/aurum/compare": ("aurum.compare", *TOURNAMENTS, "tabulate"),
    "tournaments/aurum/languages": ("aurum.languages", "aurum.tournaments"),
    "tournaments/aurum/conformance": ("aurum.conformance", *REFEREE, GRPC),
    "tournaments/aurum/cli": (*CLI, *TOURNAMENTS, "click"),
    "example_bots": ("aurum.bot", *RULES),
    "example_bots/bridge": (),
    "example_bots/misbehaving": ("aurum.bot", *RULES, *WIRE, GRPC),
}
"""By folder, what its modules may import besides the standard library; the nearest folder counts."""


def imports(source: str) -> Iterator[str]:
    """Every module, or name out of one, that a source imports, wherever it does so; `.` stands before relative ones."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names)


def violations(root: Path) -> list[str]:
    """`file: import` for each import under `root` that breaks an arrow."""
    found = []
    for path in sorted({path for folder in MAY_IMPORT for path in (root / folder).rglob("*.py")}):
        file = path.relative_to(root)
        folder = next(str(parent) for parent in file.parents if str(parent) in MAY_IMPORT)
        for name in imports(path.read_text(encoding="utf-8")):
            inside = any(f"{name}.".startswith(f"{allowed}.") for allowed in MAY_IMPORT[folder])
            if not inside and name.split(".")[0] not in sys.stdlib_module_names:
                found.append(f"{file}: {name}")
    return found


def test_nothing_is_imported_against_the_arrows() -> None:
    """Those of docs/architecture.md."""
    for folder in MAY_IMPORT:
        assert list((ROOT / folder).glob("*.py")), f"{folder} has moved"
    assert [] == violations(ROOT)


@pytest.mark.parametrize(
    ("folder", "planted"),
    [
        ("referee/aurum/rules", "import grpc"),
        ("referee/aurum/rules", "from aurum.v1 import card_pb2"),
        ("referee/aurum/rules", "from google.protobuf import json_format"),
        ("referee/aurum/referee", "from aurum import bot"),
        ("referee/aurum/referee", "import aurum.tournaments.spec as spec"),
        ("sdk/python/aurum/bot", "def later() -> None:\n    from aurum.referee.unit import Clock"),
        ("sdk/python/aurum/bot", "from ..referee import unit"),
        ("sdk/python/aurum/bot", "from aurum.bridge import run"),
        ("sdk/python/aurum/bridge", "from aurum.rules import Card"),
        ("tournaments/aurum/tournaments", "import click"),
        ("tournaments/aurum/tournaments", "import grpc.aio"),
        ("tournaments/aurum/tournaments", "from aurum.cli import main"),
        ("tournaments/aurum/conformance", "from aurum.bot import Bot"),
        ("tournaments/aurum/conformance", "from aurum.tournaments.store import Store"),
        ("tournaments/aurum/tournaments", "from aurum.languages import find"),
        ("tournaments/aurum/tournaments", "from aurum.compare import run"),
        ("tournaments/aurum/pairing", "from aurum.tournaments.rounds import Match"),
        ("tournaments/aurum/statistics", "from aurum.tournaments.results import GameRow"),
        ("tournaments/aurum/compare", "import click"),
        ("tournaments/aurum/languages", "from aurum.rules import Card"),
        ("tournaments/aurum/cli", "from aurum.bot import Bot"),
        ("example_bots", "from aurum.v1 import play_pb2"),
        ("example_bots/bridge", "from aurum.bot import Bot"),
        ("example_bots/misbehaving", "from aurum.referee import server"),
    ],
)
def test_a_broken_arrow_is_noticed(tmp_path: Path, folder: str, planted: str) -> None:
    """At the top of a file or inside a function, whole or in part."""
    file = tmp_path / folder / "planted.py"
    file.parent.mkdir(parents=True)
    file.write_text(f"import json\nfrom pathlib import Path\n\n{planted}\n", encoding="utf-8")
    assert 1 == len(violations(tmp_path))


def packages() -> list[Path]:
    """The folders of the packages, of all source roots."""
    return [ROOT / folder for folder in MAY_IMPORT if "aurum" in folder]


def test_the_namespace_has_no_module_of_its_own() -> None:
    """An `aurum/__init__.py` in one source root would hide the packages of the others."""
    assert [] == [str(path) for package in packages() for path in package.parent.glob("__init__.py*")]


def test_every_package_is_typed() -> None:
    """Type checkers read annotations of packages with a py.typed alone."""
    assert [] == [str(package) for package in packages() if not (package / "py.typed").is_file()]


def test_modules_are_small() -> None:
    """One idea each, at most 350 lines that are not blank; generated code is nobody's to read."""
    modules = [path for folder in MAY_IMPORT for path in (ROOT / folder).glob("*.py") if "_pb2" not in path.name]
    sizes = {path.name: sum(map(bool, path.read_text(encoding="utf-8").split("\n"))) for path in modules}
    assert set() == {name for name, size in sizes.items() if size > 350}


def test_the_top_level_is_as_laid_out() -> None:
    """Whatever is new belongs into one of these."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    tracked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    top = {name.split("/")[0] for name in tracked if name}
    layout = {"pyproject.toml", "README.md", "proto", "referee", "sdk", "example_bots", "tournaments", "tests"}
    beside = {"Makefile", "docs", "benchmarks"}
    assert set() == {name for name in top - layout - beside if not name.startswith(".")}
