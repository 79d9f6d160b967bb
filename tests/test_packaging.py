"""What an installed wheel holds, and that it works far from the checkout that it was built in."""

import ast
import importlib.metadata
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from email import message_from_bytes
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

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
    "aurum.workers": "tournaments/aurum/workers",
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


CRASHES = ("hs_err_pid*.log", "replay_pid*.log", "*.hprof", "core", "core.[0-9]*", "vgcore.[0-9]*")
"""Files that a crash leaves behind: logs and heap dumps of the JVM, core dumps."""

BUILT = ("*.py[co]", "*.class", "*.jar", "*.o", "*.a", "*.so", "*.dylib", "*.dll", "*.exe")
"""Files that a build leaves behind; none of ours is kept."""

BUILDS = ("__pycache__", "*.egg-info", "node_modules", "target", "build", "dist", "bin", ".venv", ".*_cache")
"""Folders that a build or a check leaves behind; `bin` is one of the sources if it lies in `src`, as Cargo wants it."""

PLANTED = (
    "example_bots/java/hs_err_pid20447.log",
    "sdk/java/replay_pid20447.log",
    "example_bots/java/java_pid20447.hprof",
    "sdk/cpp/core",
    "example_bots/rust/core.4711",
    "referee/aurum/rules/vgcore.4711",
    "sdk/python/aurum/bot/__pycache__/bot.cpython-311.pyc",
    "sdk/java/target/classes/aurum/Bot.class",
    "sdk/rust/target/release/libaurum.rlib",
    "sdk/cpp/build/release/CMakeCache.txt",
    "sdk/javascript/node_modules/long/index.js",
    "example_bots/go/bin/minimal",
    "build/lib/aurum/rules/game.py",
)


def run(*command: object, folder: Path, **variables: str) -> str:
    """What a command prints, run in `folder`, with nothing of this environment but what every machine has."""
    env = {"PATH": os.defpath, "HOME": str(folder), "LANG": "C.UTF-8", **variables}
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, timeout=100, check=False)
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


def in_git(*options: str) -> list[str]:
    """What `git ls-files` lists."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", *options]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return [name for name in names if name]


def kept() -> list[str]:
    """The files that git keeps, or would if they were added."""
    return in_git("--cached", "--others", "--exclude-standard")


def leftovers(names: Iterable[str]) -> list[str]:
    """Those of the files that a crash, a build or a check has left behind."""

    def left(path: PurePosixPath) -> bool:
        folders = [folder for folder in path.parents if not folder.match("src/bin")]
        return any(fnmatchcase(path.name, pattern) for pattern in CRASHES + BUILT) or any(
            fnmatchcase(folder.name, pattern) for folder in folders for pattern in BUILDS
        )

    return [name for name in names if left(PurePosixPath(name))]


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
    """Generated code, .proto files, py.typed and what is run as a program of its own, too."""
    expected = {name for name, _ in sources()}
    for name in (
        "v1/play_pb2.py",
        "v1/play_pb2.pyi",
        "v1/play.proto",
        "processes/supervisor.py",
        "processes/scratch.py",
    ):
        assert f"aurum/{name}" in expected
    assert {f"{package.replace('.', '/')}/py.typed" for package in PACKAGES} <= expected
    data = "aurum/languages/data/"
    assert expected == {name for name in files(wheel) if name.startswith("aurum/") and not name.startswith(data)}


def test_the_wheel_holds_what_new_bots_are_made_of(wheel: Path) -> None:
    """The SDKs of all languages and the examples they begin with: all that git keeps, nothing that a build left."""
    names = {path.name for path in (ROOT / "sdk").iterdir()} - {"vectors"}
    expected = {
        path
        for path in kept()
        if path.split("/")[0] in ("sdk", "example_bots")
        and path.split("/")[1] in names
        and not path.startswith("sdk/python/aurum/")
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


def test_the_wheel_says_whose_it_is_and_where_it_is_from(wheel: Path) -> None:
    """The licence with its text, and the pages of the project."""
    with zipfile.ZipFile(wheel) as archive:
        folder = f"aurum_arena-{PROJECT['version']}.dist-info"
        assert (ROOT / "LICENSE").read_bytes() == archive.read(f"{folder}/licenses/LICENSE")
        metadata = message_from_bytes(archive.read(f"{folder}/METADATA"))
    assert "Apache-2.0" == metadata["License-Expression"]
    assert {f"{name}, {url}" for name, url in PROJECT["urls"].items()} == set(metadata.get_all("Project-URL", []))
    assert PROJECT["classifiers"] == metadata.get_all("Classifier")


def test_the_sdist_holds_what_it_takes_to_work_on_it(dist: Path) -> None:
    """Sources, tests, examples, documents."""
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        top = {name.split("/")[1] for name in archive.getnames() if "/" in name}
    wanted = {"pyproject.toml", "README.md", "proto", "referee", "sdk", "example_bots", "tournaments", "tests", "docs"}
    wanted |= {"LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Makefile", "benchmarks", "action.yml"}
    assert wanted <= top
    assert not any(name.startswith(".venv") for name in top)


def archived(dist: Path) -> dict[str, list[str]]:
    """The files of the sdist and of the wheel, each by its name in it."""
    (sdist,) = dist.glob("*.tar.gz")
    (wheel,) = dist.glob("*.whl")
    with tarfile.open(sdist) as archive:
        return {"sdist": archive.getnames(), "wheel": sorted(files(wheel))}


def test_nothing_is_kept_that_a_crash_or_a_build_left(dist: Path) -> None:
    """Neither in git nor in what is published: logs of a crash say how a machine is set up, core dumps what it knew."""
    assert [] == leftovers(in_git())
    assert {"sdist": [], "wheel": []} == {name: leftovers(names) for name, names in archived(dist).items()}


def test_what_a_crash_or_a_build_leaves_is_ignored(tmp_path: Path) -> None:
    """By git and by the builds of sdist and wheel, wherever it lies; the same files by other names are not."""
    checkout = tmp_path / "checkout"
    fair = ["sdk/cpp/src/core.cpp", "sdk/rust/src/bin/core.rs", "sdk/java/src/main/java/core/Core.java"]
    for name in filter(lambda name: (ROOT / name).is_file(), kept()):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, checkout / name)
    for name in (*PLANTED, *fair):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_bytes(b"left")
    assert sorted(PLANTED) == sorted(leftovers((*PLANTED, *fair)))
    run("git", "init", "--quiet", folder=checkout)
    run("git", "add", "--all", folder=checkout)
    tracked = run("git", "ls-files", folder=checkout).splitlines()
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", tmp_path / "dist", checkout, folder=tmp_path)
    for names in (tracked, *archived(tmp_path / "dist").values()):
        assert [] == leftovers(names)
        assert all(any(name.endswith(planted) for name in names) for planted in fair)


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
