"""What is there in a sandbox, as options of bubblewrap say it: the places themselves, and what programs need."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from aurum.sandbox import bubblewrap, toolchains
from aurum.sandbox.inside import Private, options
from aurum.sandbox.mounts import Mounts, followed
from aurum.sandbox.sandbox import Sandbox
from hypothesis import given
from hypothesis import strategies as st

SCRATCH = "/scratch"
"""Of what is private, /tmp among it: nothing is seen there."""
TREE = ["a", "a/b", "a/b/c", "a/b/c/d", "a/e", "f", "f/g"]


def at(options: Sequence[str], path: str) -> str:
    """What is at a path by these options: `r` or `w` and what is seen there, or nothing."""
    found = ""
    words = iter(options)
    for word in words:
        if word in ("--bind", "--ro-bind"):
            source, place = next(words), next(words)
        elif word == "--tmpfs":
            source, place = "", next(words)
        else:
            continue
        if path == place or path.startswith(place.rstrip("/") + "/"):
            shown = source and source != os.devnull
            found = ("w" if word == "--bind" else "r") + " " + source + path[len(place) :] if shown else ""
    return "" if found.startswith(f"w {SCRATCH}/") else found


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders in folders."""
    root = tmp_path_factory.mktemp("tree").resolve()
    for name in TREE:
        (root / name).mkdir()
    return root


@given(st.lists(st.tuples(st.sampled_from(["show", "give", "hide"]), st.sampled_from(TREE))))
def test_the_nearest_word_counts(tree: Path, words: list[tuple[str, str]]) -> None:
    """What was said last of a place holds for it and for all in it of which nothing was said; what is not named is not
    there.
    """
    mounts = Mounts()
    for method, name in words:
        getattr(mounts, method)(str(tree / name))
    said = {str(tree / name): method for method, name in words}
    for path in (tree / name for name in TREE):
        nearest = next((said[str(each)] for each in (path, *path.parents) if str(each) in said), "hide")
        letter = {"show": "r ", "give": "w ", "hide": ""}[nearest]
        assert (letter and f"{letter}{path}") == at(mounts.options(), str(path))


def test_links_on_the_way_are_there(tmp_path: Path) -> None:
    """A path works as it was written, and as where it leads."""
    root = tmp_path.resolve()
    (root / "real/deep").mkdir(parents=True)
    (root / "one").symlink_to("two")
    (root / "two").symlink_to(root / "real")
    assert (f"{root}/real/deep", {f"{root}/one": "two", f"{root}/two": f"{root}/real"}) == followed(f"{root}/one/deep")
    mounts = Mounts()
    mounts.show(f"{root}/one/deep")
    found = mounts.options()
    assert f"r {root}/real/deep" == at(found, f"{root}/real/deep")
    assert ["--symlink", "two", f"{root}/one"] == found[found.index("--symlink") :][:3]
    (root / "loop").symlink_to("loop")
    assert len(followed(f"{root}/loop/x")[1]) == 1


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with toolchains and secrets, in which the bots lie."""
    home = tmp_path.resolve() / "home"
    monkeypatch.setenv("HOME", str(home))
    for name in (".ssh/id", ".cargo/credentials.toml", ".cargo/bin/cargo", ".local/share/keyrings/login"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).touch()
    for name in (".local/bin", "bots/a", "bots/b", "out", "models"):
        (home / name).mkdir(parents=True)
    return home


def python_installation(prefix: Path, version: str = "3.12") -> Path:
    """What looks like a Python; returns its program."""
    (prefix / f"lib/python{version}").mkdir(parents=True)
    (prefix / f"lib/python{version}/os.py").touch()
    (prefix / "bin").mkdir()
    (prefix / f"bin/python{version}").touch()
    (prefix / "bin/python3").symlink_to(f"python{version}")
    return prefix / f"bin/python{version}"


def environment_at(venv: Path, python: Path) -> Path:
    """A virtual environment of a Python; returns its site-packages."""
    packages = venv / "lib/python3.12/site-packages"
    packages.mkdir(parents=True)
    (venv / "bin").mkdir()
    (venv / "bin/python").symlink_to(python)
    (venv / "pyvenv.cfg").write_text(f"home = {python.parent}\n")
    return packages


def view(folder: Path, *command: str, path: str = "", sandbox: Sandbox = Sandbox()) -> list[str]:  # noqa: B008
    """The options for a bot."""
    private = Private(*(f"{SCRATCH}/{name}" for name in ("home", "tmp", "shm")))
    return options(sandbox, command or ("x",), str(folder), {"PATH": path}, private)


def test_a_bot_sees_its_folder_and_no_other(home: Path) -> None:
    """Nor anything of the home that it lies in."""
    found = view(home / "bots/a")
    assert at(found, f"{home}/bots/a/bot.py").startswith("r ")
    for other in ("bots/b", "models", ".ssh/id", "out"):
        assert "" == at(found, f"{home}/{other}")
    assert at(view(home / "bots/a", sandbox=Sandbox(reads=(f"{home}/models",))), f"{home}/models")


def test_what_is_hidden_is_hidden_in_its_own_folder_too(home: Path) -> None:
    """The spec, the store and other bots, and the hidden files of a home, where the whole home is the bot's folder."""
    (home / "spec.toml").touch()
    hidden = (f"{home}/spec.toml", f"{home}/out", f"{home}/bots/b")
    found = view(home, path=f"{home}/.cargo/bin", sandbox=Sandbox(hidden=hidden))
    for name in ("spec.toml", "out/tournament.sqlite", "bots/b/x", ".ssh/id", ".cargo/credentials.toml"):
        assert "" == at(found, f"{home}/{name}"), name
    for name in ("bots/a/x", ".cargo/bin/cargo", "models"):
        assert at(found, f"{home}/{name}").startswith("r "), name


def test_installations_on_the_search_path_are_there(home: Path) -> None:
    """Whole, without a secret, and not a folder that is everybody's."""
    python = python_installation(home / ".local/share/uv/python/cpython-3.12")
    (home / ".local/bin/python3.12").symlink_to(python)
    (home / "bin").mkdir()
    found = view(home / "bots/a", path=f"{home}/.local/bin:{home}/.cargo/bin:{home}/bin:{home}:relative:")
    for name in (
        ".cargo/bin/cargo",
        ".local/bin/x",
        "bin/x",
        ".local/share/uv/python/cpython-3.12/lib/python3.12/os.py",
    ):
        assert at(found, f"{home}/{name}").startswith("r "), name
    for name in (".cargo/credentials.toml", ".local/share/keyrings/login", "models"):
        assert "" == at(found, f"{home}/{name}"), name


@pytest.mark.parametrize("where", ["bots/a/.venv", "venvs/torch"])
def test_a_virtual_environment_works(home: Path, where: str) -> None:
    """In the bot's folder, or where the command or the first line of a script says."""
    python = python_installation(home / "pythons/3.12")
    environment_at(home / where, python)
    (home / "bots/a/run").write_text(f"#!{home}/{where}/bin/python\n")
    for command in (f"{home}/{where}/bin/python", "./run"):
        found = view(home / "bots/a", command, "bot.py")
        for path in (f"{where}/pyvenv.cfg", "pythons/3.12/lib/python3.12/os.py"):
            assert at(found, f"{home}/{path}").startswith("r "), (command, path)
        assert "" == at(found, f"{home}/models")


def test_what_a_search_paths_environment_has_from_elsewhere_is_there(home: Path) -> None:
    """A project that is installed in it as it lies."""
    packages = environment_at(home / "venv", python_installation(home / "pythons/3.12"))
    (packages / "project.pth").write_text(f"{home}/models\nimport site\n{home}\n/nowhere\n")
    found = view(home / "bots/a", path=f"{home}/venv/bin")
    assert at(found, f"{home}/models").startswith("r ")
    assert "" == at(found, f"{home}/out")


def test_an_author_cannot_have_more_shown(home: Path) -> None:
    """By links in the bot's folder, by a script's first line, or by an environment there: only a Python is shown."""
    bot = home / "bots/a"
    (home / "tools/bin").mkdir(parents=True)
    (home / "tools/bin/tool").touch()
    (bot / "run").symlink_to(home / "tools/bin/tool")
    (bot / "script").write_text(f"#!{home}/tools/bin/tool\n")
    (bot / "model").symlink_to(home / "models")
    python = python_installation(home / "pythons/3.12")
    packages = environment_at(bot / "venv", python)
    (packages / "more.pth").write_text(f"{home}/models\n")
    for command in ("./run", "./script", "venv/bin/python"):
        found = view(bot, command, "model")
        assert ["", ""] == [at(found, f"{home}/{name}") for name in ("tools/bin/tool", "models")], command


def test_a_word_of_the_command_is_the_organisers(home: Path) -> None:
    """What it names is shown, with the folder around a file, but never a whole home."""
    (home / "shared").mkdir()
    (home / "shared/bot.py").touch()
    (home / "jar.jar").touch()
    found = view(home / "bots/a", "java", "-cp", f"x:{home}/jar.jar", f"--model={home}/models", "../../shared/bot.py")
    for name in ("shared/helper.py", "models/x", "jar.jar"):
        assert at(found, f"{home}/{name}").startswith("r "), name
    assert ["", ""] == [at(found, f"{home}/{name}") for name in ("out", "bots/b")]
    assert toolchains.too_wide(str(home))
    assert toolchains.too_wide("/srv")


@pytest.mark.parametrize(
    ("switch", "value", "words"),
    [
        ("kernel/unprivileged_userns_clone", "0", "sysctl kernel.unprivileged_userns_clone=1"),
        ("user/max_user_namespaces", "0", "sysctl user.max_user_namespaces="),
        ("kernel/apparmor_restrict_unprivileged_userns", "1", "an AppArmor profile"),
        ("kernel/other", "1", "bwrap: no; in a container"),
    ],
)
def test_what_the_system_forbids_is_named(tmp_path: Path, switch: str, value: str, words: str) -> None:
    """And what allows it."""
    (tmp_path / switch).parent.mkdir()
    (tmp_path / switch).write_text(f"{value}\n")
    assert words in bubblewrap._why("bwrap: no\n", tmp_path)
