"""What the two distributions hold, and that they work far from the checkout that they were built in."""

import ast
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from email import message_from_bytes
from email.message import Message
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

import aurum.bot
import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECTS = {
    name: tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for name, folder in {"aurum-arena": "", "aurum-bot": "sdk/python"}.items()
}
PROJECT = PROJECTS["aurum-arena"]
VERSION = PROJECT["version"]
ROOTS = ("proto", "referee", "sdk/python", "tournaments")
PACKAGES = {
    str(folder.relative_to(ROOT / root)).replace("/", "."): str(folder.relative_to(ROOT))
    for root in ROOTS
    for folder in sorted({file.parent for file in (ROOT / root / "aurum").rglob("*.py")})
}
"""By name, where each lies."""

BOTS = {name for name in PACKAGES if f"{name}.".startswith(("aurum.bot.", "aurum.rules.", "aurum.v1.", "aurum.wire."))}
PARTS = {"aurum-bot": BOTS, "aurum-arena": PACKAGES.keys() - BOTS}
"""By distribution, its packages."""
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


def built(checkout: Path, out: Path) -> None:
    """Of both distributions the sdist, and the wheel built from it and not from the checkout."""
    for project in (checkout, checkout / "sdk/python"):
        run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, project, folder=checkout.parent)


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what is published."""
    out = tmp_path_factory.mktemp("dist")
    built(ROOT, out)
    return out


def archive_of(dist: Path, name: str, ending: str) -> Path:
    """The sdist (`.tar.gz`) or the wheel (`.whl`) of a distribution."""
    (found,) = dist.glob(f"{name.replace('-', '_')}-{VERSION}*{ending}")
    return found


@pytest.fixture(scope="module")
def wheels(dist: Path) -> dict[str, Path]:
    """By distribution."""
    return {name: archive_of(dist, name, ".whl") for name in PROJECTS}


def environment(folder: Path, *wheels: Path) -> Path:
    """The programs of a new environment that holds the wheels; the libraries they need are lent by this one."""
    venv = folder / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", venv, folder=folder)
    pip = (sys.executable, "-m", "pip", "--python", venv, "--disable-pip-version-check")
    run(*pip, "install", "--no-index", "--no-deps", *wheels, folder=folder)
    (site,) = venv.glob("lib/python3.*/site-packages")
    # A folder named in a .pth file is searched, but its own .pth files, such as the editable install's, are not read.
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return venv / "bin"


@pytest.fixture(scope="module")
def programs(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of an environment with the arena."""
    return environment(tmp_path_factory.mktemp("arena"), *wheels.values())


@pytest.fixture(scope="module")
def bot_programs(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of an environment of a bot's author, with aurum-bot alone; libraries that it does not need cannot be loaded."""
    programs = environment(tmp_path_factory.mktemp("bot"), wheels["aurum-bot"])
    (site,) = programs.parent.glob("lib/python3.*/site-packages")
    needed = {"grpcio", "protobuf", "typing_extensions"}
    for name, distributions in importlib.metadata.packages_distributions().items():
        if not needed & set(distributions) and name.isidentifier() and not (site / name).exists():
            (site / f"{name}.py").write_text(f"raise ImportError('{name} is not there')\n", encoding="utf-8")
    return programs


def files(archive: Path) -> set[str]:
    """The names in a wheel or an sdist."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return set(wheel.namelist())
    with tarfile.open(archive) as sdist:
        return set(sdist.getnames())


def metadata_of(wheel: Path) -> "Message[str, str]":
    """What an index would show."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return message_from_bytes(archive.read(name))


def sources(packages: Iterable[str]) -> Iterator[tuple[str, Path]]:
    """Every file of the packages: its name in the wheel, and where it is here."""
    for package in packages:
        for path in (ROOT / PACKAGES[package]).iterdir():
            if path.is_file():
                yield f"{package.replace('.', '/')}/{path.name}", path


@pytest.mark.parametrize("name", PROJECTS)
def test_a_wheel_holds_every_file_of_its_packages(wheels: dict[str, Path], name: str) -> None:
    """Generated code, .proto files, py.typed and what is run as a program of its own, too; and none of the other's."""
    expected = {file for file, _ in sources(PARTS[name])}
    assert {f"{package.replace('.', '/')}/py.typed" for package in PARTS[name]} <= expected
    more = ("aurum/languages/data/", f"{name.replace('-', '_')}-{VERSION}.dist-info/")
    assert expected == {file for file in files(wheels[name]) if not file.startswith(more)}
    some = {
        "aurum-bot": {"aurum/v1/play_pb2.py", "aurum/v1/play_pb2.pyi", "aurum/v1/play.proto"},
        "aurum-arena": {"aurum/processes/supervisor.py", "aurum/processes/scratch.py"},
    }
    assert some[name] <= expected


def test_the_wheel_holds_what_new_bots_are_made_of(wheels: dict[str, Path]) -> None:
    """The SDKs of all languages and the examples they begin with: all that git keeps, nothing that a build left."""
    names = {path.name for path in (ROOT / "sdk").iterdir()} - {"vectors"}
    begun = ("sdk/python/language.toml", "sdk/python/starter/")
    expected = {
        path
        for path in kept()
        if path.split("/")[0] in ("sdk", "example_bots")
        and path.split("/")[1] in names
        and (not path.startswith("sdk/python/") or path.startswith(begun))
    }
    data = "aurum/languages/data/"
    held = files(wheels["aurum-arena"])
    assert expected == {name.removeprefix(data) for name in held if name.startswith(data)}


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


@pytest.mark.parametrize("name", PROJECTS)
def test_a_wheel_says_whose_it_is_and_where_it_is_from(wheels: dict[str, Path], name: str) -> None:
    """The licence with its text, and the pages of the project."""
    project, metadata = PROJECTS[name], metadata_of(wheels[name])
    with zipfile.ZipFile(wheels[name]) as archive:
        folder = f"{name.replace('-', '_')}-{VERSION}.dist-info"
        assert (ROOT / "LICENSE").read_bytes() == archive.read(f"{folder}/licenses/LICENSE")
    assert "Apache-2.0" == metadata["License-Expression"]
    assert {f"{label}, {url}" for label, url in project["urls"].items()} == set(metadata.get_all("Project-URL", []))
    assert project["classifiers"] == metadata.get_all("Classifier")


def test_an_arena_has_the_bots_of_its_own_release(wheels: dict[str, Path]) -> None:
    """By a version, and no place of the machine that it was built on."""
    requirements = metadata_of(wheels["aurum-arena"]).get_all("Requires-Dist", [])
    assert f"aurum-bot=={VERSION}" in requirements
    assert [] == [line for line in requirements if "@" in line]
    assert VERSION == metadata_of(wheels["aurum-bot"])["Version"]


def test_a_clone_brings_both(tmp_path: Path) -> None:
    """What pip builds of one asks for the aurum-bot of the same clone, and an editable install for none."""
    code = f"import sys; sys.path.insert(0, 'tournaments'); import arena_backend as it; it.{{}}('{tmp_path}')"
    asked = {}
    for kind in ("build_wheel", "build_editable"):
        run(sys.executable, "-c", code.format(kind), folder=ROOT)
        (wheel,) = tmp_path.glob("*.whl")
        requirements = metadata_of(wheel).get_all("Requires-Dist", [])
        asked[kind] = [line for line in requirements if line.startswith("aurum-bot")]
        assert {line.partition(">")[0] for line in PROJECT["dependencies"][1:]} <= set(
            re.findall(r"^[\w-]+", "\n".join(requirements), re.M)
        )
        wheel.unlink()
    assert {"build_wheel": [f"aurum-bot @ {(ROOT / 'sdk/python').as_uri()}"], "build_editable": []} == asked


def test_the_sdist_holds_what_it_takes_to_work_on_it(dist: Path) -> None:
    """Sources, tests, examples, documents."""
    top = {name.split("/")[1] for name in files(archive_of(dist, "aurum-arena", ".tar.gz")) if "/" in name}
    wanted = {"pyproject.toml", "README.md", "proto", "referee", "sdk", "example_bots", "tournaments", "tests", "docs"}
    wanted |= {"LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Makefile", "benchmarks", "action.yml"}
    assert wanted <= top
    assert not any(name.startswith(".venv") for name in top)


def archived(dist: Path) -> list[list[str]]:
    """The files of each sdist and each wheel, by their names in it."""
    return [sorted(files(archive_of(dist, name, ending))) for name in PROJECTS for ending in (".tar.gz", ".whl")]


def test_nothing_is_kept_that_a_crash_or_a_build_left(dist: Path) -> None:
    """Neither in git nor in what is published: logs of a crash say how a machine is set up, core dumps what it knew."""
    assert [] == leftovers(in_git())
    assert [[]] * 4 == [leftovers(names) for names in archived(dist)]


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
    built(checkout, tmp_path / "dist")
    arena = archived(tmp_path / "dist")[:2]
    assert [] == [name for names in (tracked, *archived(tmp_path / "dist")) for name in leftovers(names)]
    assert all(any(name.endswith(planted) for name in names) for planted in fair for names in (tracked, *arena))


def test_the_packages_come_from_the_wheels(programs: Path, tmp_path: Path) -> None:
    """Not one of them from the checkout, whose editable install lies on this environment's path."""
    code = f"import importlib\nfor name in {list(PACKAGES)}: print(list(importlib.import_module(name).__path__))"
    lines = run(programs / "python", "-c", code, folder=tmp_path).splitlines()
    site = next(programs.parent.glob("lib/python3.*/site-packages"))
    assert [str([str(site / package.replace(".", "/"))]) for package in PACKAGES] == lines


def test_the_version_is_the_same_everywhere(programs: Path, tmp_path: Path) -> None:
    """In pyproject.toml, in the command, and in what the SDK says of itself."""
    assert f"arena {VERSION}\n" == run(programs / "arena", "--version", folder=tmp_path)
    assert VERSION == aurum.bot.__version__


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


def test_a_bot_plays_with_aurum_bot_alone(programs: Path, bot_programs: Path, tmp_path: Path) -> None:
    """Against one that has the arena; nothing else is needed beside gRPC and protobuf, nor is it loaded."""
    (tmp_path / "alone.py").write_text(BOT.format(index=0), encoding="utf-8")
    broken = "import importlib.util as it; print(*map(it.find_spec, ('aurum.cli', 'aurum.referee', 'aurum.common')))"
    assert "None None None\n" == run(bot_programs / "python", "-c", broken, folder=tmp_path)
    for name in ("numpy", "click", "rustworkx", "scipy"):
        code = f"try:\n import {name}\nexcept ImportError as e:\n print(e)"
        assert f"{name} is not there\n" == run(bot_programs / "python", "-c", code, folder=tmp_path)
    bots = (f"--bot=alone={bot_programs}/python alone.py", f"--bot=other={programs}/python alone.py")
    options = ("--games", 2, "--seed", "alone", "--turn-ms", 30_000, "--workers", 1)
    run(programs / "arena", "play", *bots, *options, "--out", "results", folder=tmp_path)
    table = run(programs / "arena", "tournament", "standings", "results", "--format", "csv", folder=tmp_path)
    header, *rows = (line.split(",") for line in table.splitlines())
    assert ["0", "0"] == [row[header.index("faults")] for row in rows]


def test_libraries_that_do_not_fit_together_are_named(programs: Path, tmp_path: Path) -> None:
    """Exit code 2 and a sentence: here a library's generated code is newer than protobuf."""
    library = tmp_path / "site-packages/grpc_health/v1"
    library.mkdir(parents=True)
    for folder in (library.parent, library):
        (folder / "__init__.py").touch()
    (library / "health.py").write_text("from grpc_health.v1 import health_pb2", encoding="utf-8")
    (library / "health_pb2.py").write_text(
        "from google.protobuf import runtime_version as it\n"
        "it.ValidateProtobufRuntimeVersion(it.Domain.PUBLIC, 99, 35, 1, '', 'grpc_health/v1/health.proto')\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [programs / "arena", "play", "--bot", "a=true", "--bot", "b=true"],
        cwd=tmp_path,
        env={"PATH": os.defpath, "PYTHONPATH": str(library.parents[1])},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert (2, "") == (done.returncode, done.stdout)
    (line,) = done.stderr.splitlines()
    assert line.startswith("arena: the libraries of this environment do not fit together: ")
    assert "runtime_version" in line or "grpc_health/v1/health.proto: gencode 99.35.1" in line
    assert "-m pip check` names those that do not" in line


@pytest.mark.parametrize("name", PROJECTS)
def test_the_declared_dependencies_are_those_that_are_imported(name: str) -> None:
    """Neither one that is missing on a fresh machine nor one that nobody needs."""
    modules = set()
    for _, path in sources(PARTS[name]):
        if path.suffix == ".py":
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    modules |= {alias.name for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module:
                    modules.add(node.module)
    ours = {package for package in PACKAGES if any(f"{module}.".startswith(f"{package}.") for module in modules)}
    top = {module.split(".")[0] for module in modules} - sys.stdlib_module_names - {"aurum"}
    distributions = importlib.metadata.packages_distributions()
    imported = {distributions[module][0] for module in top - {"google"}}
    if "google" in top:  # a namespace of several distributions
        imported.add("protobuf")
    if ours - PARTS[name]:
        imported.add("aurum-bot")
    cluster = PROJECTS[name].get("optional-dependencies", {}).get("cluster", [])
    assert {re.split("[>=]", line)[0] for line in (*PROJECTS[name]["dependencies"], *cluster)} == imported
    assert name == "aurum-arena" or ours <= PARTS[name]
