"""What an installed wheel holds, and that it works far from the checkout that it was built in."""

import ast
import importlib.metadata
import os
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import aurum.bot
import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PACKAGES = {
    "aurum.v1": "proto/aurum/v1",
    "aurum.common": "referee/aurum/common",
    "aurum.rules": "referee/aurum/rules",
    "aurum.wire": "referee/aurum/wire",
    "aurum.records": "referee/aurum/records",
    "aurum.processes": "referee/aurum/processes",
    "aurum.referee": "referee/aurum/referee",
    "aurum.conformance": "referee/aurum/conformance",
    "aurum.conformance.checks": "referee/aurum/conformance/checks",
    "aurum.conformance.scripted": "referee/aurum/conformance/scripted",
    "aurum.bot": "sdk/python/aurum/bot",
    "aurum.bridge": "sdk/python/aurum/bridge",
    "aurum.languages": "sdk/python/aurum/languages",
    "aurum.pairing": "tournaments/aurum/pairing",
    "aurum.statistics": "tournaments/aurum/statistics",
    "aurum.results": "tournaments/aurum/results",
    "aurum.formats": "tournaments/aurum/formats",
    "aurum.spec": "tournaments/aurum/spec",
    "aurum.schedule": "tournaments/aurum/schedule",
    "aurum.store": "tournaments/aurum/store",
    "aurum.run": "tournaments/aurum/run",
    "aurum.standings": "tournaments/aurum/standings",
    "aurum.archive": "tournaments/aurum/archive",
    "aurum.compare": "tournaments/aurum/compare",
    "aurum.cli": "tournaments/aurum/cli",
    "aurum.cli.commands": "tournaments/aurum/cli/commands",
    "aurum.cli.tournament": "tournaments/aurum/cli/tournament",
}
BOT = """
from aurum.bot import Bot, run

class Tiny(Bot):
    def bid(self, turn):
        return turn.hand[{index}]

    def play(self, turn):
        return turn.cards[{index}] if turn.cards else turn.legal[0]

run(Tiny)
"""


def run(*command: object, folder: Path, **variables: str) -> str:
    """What a command prints, run in `folder`, with nothing of this environment but what every machine has."""
    env = {"PATH": os.defpath, "HOME": str(folder), "LANG": "C.UTF-8", **variables}
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, timeout=100, check=False)
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel built from it and not from the checkout."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, ROOT, folder=out)
    return out


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    (found,) = dist.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a new environment that holds the wheel; the libraries it needs are lent by this one."""
    venv = tmp_path_factory.mktemp("installed") / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", venv, folder=wheel.parent)
    pip = (sys.executable, "-m", "pip", "--python", venv, "--disable-pip-version-check")
    run(*pip, "install", "--no-index", "--no-deps", wheel, folder=wheel.parent)
    (site,) = venv.glob("lib/python3.*/site-packages")
    # A folder named in a .pth file is searched, but its own .pth files, such as the editable install's, are not read.
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return venv / "bin"


def files(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def sources() -> Iterator[tuple[str, Path]]:
    """Every file of the packages: its name in the wheel, and where it is here."""
    for package, folder in PACKAGES.items():
        for path in (ROOT / folder).iterdir():
            if path.is_file():
                yield f"{package.replace('.', '/')}/{path.name}", path


def test_the_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    """Generated code, .proto files, py.typed and the scripts that are run by path, too."""
    expected = {name for name, _ in sources()}
    for name in (
        "v1/play_pb2.py",
        "v1/play_pb2.pyi",
        "v1/play.proto",
        "processes/launcher.py",
        "processes/guardian.py",
    ):
        assert f"aurum/{name}" in expected
    assert {f"{package.replace('.', '/')}/py.typed" for package in PACKAGES} <= expected
    data = "aurum/languages/data/"
    assert expected == {name for name in files(wheel) if name.startswith("aurum/") and not name.startswith(data)}


def test_the_wheel_holds_what_new_bots_are_made_of(wheel: Path) -> None:
    """The SDKs of all languages and the examples they begin with: all that git keeps, nothing that a build left."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others"]
    command += ["--exclude-standard", "sdk", "example_bots"]
    tracked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    names = {path.name for path in (ROOT / "sdk").iterdir()} - {"vectors"}
    expected = {
        path
        for path in filter(None, tracked)
        if path.split("/")[1] in names and not path.startswith("sdk/python/aurum/")
    }
    data = "aurum/languages/data/"
    assert expected == {name.removeprefix(data) for name in files(wheel) if name.startswith(data)}


@pytest.mark.parametrize("language", sorted(path.parent.name for path in ROOT.glob("sdk/*/language.toml")))
def test_an_installed_arena_begins_the_same_bots(programs: Path, tmp_path: Path, language: str) -> None:
    """As the one of the checkout, whatever was built there."""
    begin = ("new", "--language", language, "my_bot", "--dir")
    run(programs / "arena", *begin, "installed", folder=tmp_path)
    run(sys.executable, "-m", "aurum.cli.main", *begin, "checkout", folder=tmp_path)
    installed, checkout = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (tmp_path / "installed", tmp_path / "checkout")
    )
    assert checkout.keys() == installed.keys()
    assert [] == [path for path in checkout if checkout[path] != installed[path]]


def test_the_wheel_has_one_folder_at_the_top(wheel: Path) -> None:
    """No tests, no examples, and above all no package named proto, which would overwrite another project's."""
    assert {"aurum", f"aurum_arena-{PROJECT['version']}.dist-info"} == {name.split("/")[0] for name in files(wheel)}


def test_the_sdist_holds_what_it_takes_to_work_on_it(dist: Path) -> None:
    """Sources, tests, examples, documents."""
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        top = {name.split("/")[1] for name in archive.getnames() if "/" in name}
    wanted = {"pyproject.toml", "README.md", "proto", "referee", "sdk", "example_bots", "tournaments", "tests", "docs"}
    assert wanted <= top
    assert not any(name.startswith(".venv") for name in top)


def test_the_packages_come_from_the_wheel(programs: Path, tmp_path: Path) -> None:
    """Not one of them from the checkout, whose editable install lies on this environment's path."""
    code = f"import importlib\nfor name in {list(PACKAGES)}: print(list(importlib.import_module(name).__path__))"
    lines = run(programs / "python", "-c", code, folder=tmp_path).splitlines()
    site = next(programs.parent.glob("lib/python3.*/site-packages"))
    assert [str([str(site / package.replace(".", "/"))]) for package in PACKAGES] == lines


def test_the_version_is_the_same_everywhere(programs: Path, tmp_path: Path) -> None:
    """In pyproject.toml, in the command, and in what the SDK says of itself."""
    assert f"arena {PROJECT['version']}\n" == run(programs / "arena", "--version", folder=tmp_path)
    assert PROJECT["version"] == aurum.bot.__version__


def test_an_installed_arena_plays(programs: Path, tmp_path: Path) -> None:
    """Two bots in a folder of their own, by name of the interpreter alone; the table shows both."""
    for index in (0, -1):
        (tmp_path / f"bot{index}.py").write_text(BOT.format(index=index), encoding="utf-8")
    bots = ("--bot", "low=python bot0.py", "--bot", "high=python bot-1.py")
    options = ("--games", 2, "--seed", "wheel", "--turn-ms", 30_000, "--workers", 1)
    run(programs / "arena", "play", *bots, *options, "--out", "results", folder=tmp_path)
    table = run(programs / "arena", "tournament", "standings", "results", "--format", "csv", folder=tmp_path)
    header, *rows = (line.split(",") for line in table.splitlines())
    assert {("low", "2", "0"), ("high", "2", "0")} == {
        tuple(row[header.index(name)] for name in ("bot", "games", "faults")) for row in rows
    }
    assert "2 games played again, no difference" in run(programs / "arena", "verify", "results", folder=tmp_path)


def test_the_declared_dependencies_are_those_that_are_imported() -> None:
    """Neither one that is missing on a fresh machine nor one that nobody needs."""
    modules = set()
    for _, path in sources():
        if path.suffix == ".py":
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    modules |= {alias.name for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module:
                    modules.add(node.module)
    top = {name.split(".")[0] for name in modules} - sys.stdlib_module_names - {"aurum"}
    distributions = importlib.metadata.packages_distributions()
    imported = {distributions[name][0] for name in top - {"google"}}
    if "google" in top:  # a namespace of several distributions
        imported.add("protobuf")
    declared = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["cluster"]]
    assert {line.split(">")[0] for line in declared} == imported
