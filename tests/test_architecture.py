"""The house of docs/architecture.md: who may import what, where things lie, how large they are."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def package_of(folder: str) -> str:
    """The package that lies in a folder of a source root."""
    return folder[folder.index("aurum") :].replace("/", ".")


ROOM_SIZES = range(2, 13)
"""How many modules a package has, `__init__.py` not counted."""

ROOMS = {
    "proto/aurum/v1": "google.protobuf grpc",
    "referee/aurum/common": "",
    "referee/aurum/rules": "",
    "referee/aurum/wire": "aurum.rules aurum.v1",
    "referee/aurum/records": "aurum.rules aurum.v1 aurum.wire google.protobuf",
    "referee/aurum/sandbox": "aurum.common",
    "referee/aurum/processes": "aurum.common aurum.sandbox",
    "referee/aurum/serving": "aurum.processes aurum.v1 grpc grpc_health grpc_reflection",
    "referee/aurum/referee": "aurum.common aurum.processes aurum.records aurum.rules aurum.sandbox aurum.serving "
    "aurum.v1 aurum.wire google.protobuf grpc",
    "referee/aurum/conformance": "aurum.common aurum.processes aurum.referee aurum.serving",
    "referee/aurum/conformance/checks": "aurum.common aurum.conformance.scripted aurum.processes aurum.records "
    "aurum.referee aurum.rules aurum.serving aurum.v1 aurum.wire google.protobuf grpc",
    "referee/aurum/conformance/scripted": "aurum.processes aurum.referee aurum.rules aurum.sandbox aurum.serving "
    "aurum.v1 aurum.wire google.protobuf grpc",
    "sdk/python/aurum/bot": "aurum.bot.advice aurum.rules aurum.v1 aurum.wire google.protobuf grpc",
    "sdk/python/aurum/bot/advice": "aurum.rules",
    "sdk/python/aurum/bot/testing": "aurum.bot aurum.rules aurum.v1 aurum.wire google.protobuf",
    "sdk/python/aurum/bridge": "aurum.bot aurum.v1 google.protobuf",
    "sdk/python/aurum/languages": "aurum.common",
    "tournaments/aurum/pairing": "numpy rustworkx scipy",
    "tournaments/aurum/statistics": "numpy scipy",
    "tournaments/aurum/rating": "aurum.statistics numpy rustworkx",
    "tournaments/aurum/results": "aurum.common aurum.referee aurum.rules aurum.v1 numpy",
    "tournaments/aurum/formats": "aurum.common aurum.pairing aurum.results",
    "tournaments/aurum/spec": "aurum.common aurum.formats aurum.referee aurum.rules aurum.sandbox",
    "tournaments/aurum/schedule": "aurum.common aurum.formats aurum.processes aurum.referee aurum.results "
    "aurum.rules aurum.sandbox aurum.spec aurum.statistics",
    "tournaments/aurum/store": "aurum.common aurum.formats aurum.referee aurum.results aurum.rules aurum.schedule "
    "aurum.spec numpy",
    "tournaments/aurum/workers": "aurum.common aurum.processes aurum.records aurum.referee aurum.sandbox aurum.spec "
    "distributed",
    "tournaments/aurum/run": "aurum.common aurum.formats aurum.processes aurum.records aurum.referee aurum.results "
    "aurum.rules aurum.sandbox aurum.schedule aurum.spec aurum.store aurum.v1 aurum.workers",
    "tournaments/aurum/layout": "tabulate wcwidth",
    "tournaments/aurum/standings": "aurum.common aurum.formats aurum.layout aurum.rating aurum.results aurum.schedule "
    "aurum.spec aurum.statistics aurum.store numpy",
    "tournaments/aurum/archive": "aurum.common aurum.formats aurum.layout aurum.records aurum.results aurum.rules "
    "aurum.schedule aurum.spec aurum.standings aurum.store aurum.v1 aurum.wire google.protobuf",
    "tournaments/aurum/compare": "aurum.common aurum.formats aurum.results aurum.spec aurum.statistics aurum.store "
    "aurum.v1 aurum.wire tabulate",
    "tournaments/aurum/cli": "aurum.archive aurum.common aurum.compare aurum.formats aurum.referee aurum.run "
    "aurum.sandbox aurum.schedule aurum.spec aurum.standings aurum.store aurum.workers click",
    "tournaments/aurum/cli/commands": "aurum.archive aurum.bridge aurum.cli aurum.common aurum.compare "
    "aurum.conformance aurum.formats aurum.languages aurum.processes aurum.records aurum.referee aurum.rules aurum.run "
    "aurum.sandbox aurum.schedule aurum.spec aurum.standings aurum.statistics aurum.store aurum.v1 aurum.wire "
    "aurum.workers click",
    "tournaments/aurum/cli/tournament": "aurum.archive aurum.cli aurum.common aurum.layout aurum.referee aurum.run "
    "aurum.schedule aurum.spec aurum.standings aurum.store click",
}
"""By folder of a package: the other packages, and libraries, that its modules may import; and those below itself."""

MAY_IMPORT = {folder: (package_of(folder), *names.split()) for folder, names in ROOMS.items()} | {
    "example_bots": ("aurum.bot", "aurum.rules"),
    "example_bots/bridge": (),
    "example_bots/misbehaving": ("aurum.bot", "aurum.rules", "aurum.v1", "google.protobuf", "grpc"),
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
        ("referee/aurum/wire", "from aurum.records.verify import differences"),
        ("referee/aurum/records", "from aurum.referee.game import RunningGame"),
        ("referee/aurum/sandbox", "from aurum.processes.launch import Launch"),
        ("referee/aurum/processes", "from aurum.referee.unit import Unit"),
        ("referee/aurum/serving", "from aurum.referee.instance import Instance"),
        ("referee/aurum/referee", "from aurum import bot"),
        ("referee/aurum/referee", "import aurum.spec.spec as spec"),
        ("referee/aurum/conformance", "from aurum.bot import Bot"),
        ("referee/aurum/conformance", "from aurum.store.store import Store"),
        ("referee/aurum/conformance/scripted", "from aurum.conformance.checks import registry"),
        ("sdk/python/aurum/bot", "def later() -> None:\n    from aurum.referee.unit import Clock"),
        ("sdk/python/aurum/bot", "from ..referee import unit"),
        ("sdk/python/aurum/bot", "from aurum.bridge import run"),
        ("sdk/python/aurum/bot/testing", "from aurum.referee.game import RunningGame"),
        ("sdk/python/aurum/bot/advice", "from aurum.bot.turn import Turn"),
        ("sdk/python/aurum/bridge", "from aurum.rules import Card"),
        ("sdk/python/aurum/languages", "from aurum.rules import Card"),
        ("tournaments/aurum/pairing", "from aurum.formats.rounds import Match"),
        ("tournaments/aurum/statistics", "from aurum.rating.models import rate"),
        ("tournaments/aurum/rating", "from aurum.results.game_row import GameRow"),
        ("tournaments/aurum/results", "from aurum.formats.rounds import Match"),
        ("tournaments/aurum/schedule", "from aurum.store.store import Store"),
        ("tournaments/aurum/store", "from aurum.run.runner import run_tournament"),
        ("tournaments/aurum/run", "import click"),
        ("tournaments/aurum/run", "from aurum.cli import main"),
        ("tournaments/aurum/run", "from aurum.languages import find"),
        ("tournaments/aurum/standings", "from aurum.run.runner import run_tournament"),
        ("tournaments/aurum/compare", "import click"),
        ("tournaments/aurum/cli/commands", "from aurum.bot import Bot"),
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
    return [ROOT / folder for folder in ROOMS]


def modules() -> list[Path]:
    """Every module of the packages and of the examples; generated code is nobody's to read."""
    return [path for folder in MAY_IMPORT for path in (ROOT / folder).glob("*.py") if "_pb2" not in path.name]


def test_every_package_is_listed() -> None:
    """A new one has its arrows here."""
    roots = ("proto", "referee", "sdk/python", "tournaments")
    found = {path.parent for root in roots for path in (ROOT / root / "aurum").rglob("*.py")}
    assert set(packages()) == found


@pytest.mark.parametrize("folder", [folder for folder in ROOMS if folder != "proto/aurum/v1"])
def test_a_package_has_neither_one_module_nor_very_many(folder: str) -> None:
    """A stranger can look round in it."""
    assert len({path.name for path in (ROOT / folder).glob("*.py")} - {"__init__.py"}) in ROOM_SIZES


def test_the_namespace_has_no_module_of_its_own() -> None:
    """An `aurum/__init__.py` in one source root would hide the packages of the others."""
    assert [] == [
        str(path)
        for package in packages()
        if package.parent.name == "aurum"
        for path in package.parent.glob("__init__.py*")
    ]


def test_every_package_is_typed() -> None:
    """Type checkers read annotations of packages with a py.typed alone."""
    assert [] == [str(package) for package in packages() if not (package / "py.typed").is_file()]


LEFT_OUT = {"common", "rules", "v1"}
"""Rooms that every room may use: no picture shows them."""


def arrows() -> dict[str, set[str]]:
    """By room, those that it may import, without those that every room may use."""
    rooms = {package_of(folder).removeprefix("aurum."): names.split() for folder, names in ROOMS.items()}
    return {
        room: {name.removeprefix("aurum.") for name in names if name.startswith("aurum.")} - LEFT_OUT
        for room, names in rooms.items()
        if room not in LEFT_OUT
    }


def beyond(room: str, arrows: dict[str, set[str]]) -> set[str]:
    """All rooms that arrows lead to from a room, over however many others."""
    found: set[str] = set()
    waiting = [room]
    while waiting:
        new = arrows[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def test_no_arrow_leads_back() -> None:
    """What a room imports never imports it, over however many others."""
    assert [] == [room for room in arrows() if room in beyond(room, arrows())]


def test_the_picture_shows_the_arrows() -> None:
    """Those that no other arrows imply, and no others."""
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    picture: dict[str, set[str]] = {}
    for room, others in re.findall(r"^    ([\w.]+) --> ([\w. &]+)$", page, re.M):
        picture[room] = set(others.split(" & "))
    allowed = arrows()
    implied = {room: set[str]().union(*(beyond(other, allowed) for other in allowed[room])) for room in allowed}
    assert {room: allowed[room] - implied[room] for room in allowed if allowed[room]} == picture


def test_the_walks_have_no_step_back() -> None:
    """No step of a walk is in a module that an earlier step has left."""
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    walks = re.findall(r"^## The walk of .*?(?=^[A-Z#])", page, re.M | re.S)
    assert len(walks) >= 4
    for walk in walks:
        steps = [cells.split("|")[-2] for cells in walk.splitlines() if cells.startswith("| ")][2:]
        files = [re.findall(r"[\w/]+\.py", step)[0] for step in steps]
        visits = [file for file, before in zip(files, [None, *files], strict=False) if file != before]
        assert sorted(set(visits)) == sorted(visits), visits


def test_modules_are_small() -> None:
    """One idea each, at most 350 lines that are not blank."""
    sizes = {path: sum(map(bool, path.read_text(encoding="utf-8").split("\n"))) for path in modules()}
    assert set() == {str(path.relative_to(ROOT)) for path, size in sizes.items() if size > 350}


@pytest.mark.process
def test_the_top_level_is_as_laid_out() -> None:
    """Whatever is new belongs into one of these."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    tracked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    top = {name.split("/")[0] for name in tracked if name}
    layout = {"pyproject.toml", "README.md", "proto", "referee", "sdk", "example_bots", "tournaments", "tests"}
    beside = {"Makefile", "docs", "benchmarks", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"}
    beside.add("action.yml")  # where GitHub looks for it
    assert set() == {name for name in top - layout - beside if not name.startswith(".")}
