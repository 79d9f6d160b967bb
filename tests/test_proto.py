"""The .proto files pass the lint and break no bot of the last release; the Python beside them is what they generate."""

import importlib.util
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
BUF = Path(sys.executable).parent / "buf"


def buf(*arguments: object) -> list[str]:
    """What buf complains of."""
    command = [str(BUF), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode == 0) == (done.stdout == ""), done.stderr
    return done.stdout.splitlines()


def lint(proto: Path) -> list[str]:
    """What `buf lint` complains of."""
    return buf("lint", proto)


def breaking(proto: Path) -> list[str]:
    """What `buf breaking` complains of, against the protocol of the last release."""
    return buf("breaking", proto, "--against", proto / "released.yaml")


def regenerate(proto: Path, *options: str) -> tuple[int, str]:
    """Exit code and error of proto/regenerate.py."""
    command = [sys.executable, str(proto / "regenerate.py"), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stderr


def script(proto: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> ModuleType:
    """proto/regenerate.py as a module, to be run with these options; what its tools make is what is checked in here.

    CI has the tools themselves make it, by `make generated`: they are not in the environment of the tests.
    """
    spec = importlib.util.spec_from_file_location("regenerate", proto / "regenerate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made = shutil.ignore_patterns("*.proto", "__pycache__", "py.typed")
    monkeypatch.setattr(
        module,
        "generate",
        lambda out: shutil.copytree(ROOT / "proto/aurum", out / "aurum", ignore=made),
    )
    monkeypatch.setattr(sys, "argv", ["regenerate.py", *options])
    return module


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The folder proto, to be changed."""
    return Path(shutil.copytree(ROOT / "proto", tmp_path / "proto", ignore=shutil.ignore_patterns("__pycache__")))


def change(file: Path, old: str, new: str) -> None:
    """Replace a text that is there once."""
    text = file.read_text(encoding="utf-8")
    assert 1 == text.count(old)
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_the_protocol_passes_the_lint() -> None:
    """buf's standard rules, but for the short names of the cards."""
    assert [] == lint(ROOT / "proto")


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        ("game.proto", "PHASE_BID = 1", "BID = 1", "PHASE_"),
        ("card.proto", "CARD_UNSPECIFIED", "CARD_NONE", "_UNSPECIFIED"),
        ("play.proto", "uint32 time_left_ms", "uint32 timeLeftMs", "time_left_ms"),
    ],
)
def test_the_lint_notices(copy: Path, file: str, old: str, new: str, complaint: str) -> None:
    """The exception for card names is for their prefix alone, and for no other enum."""
    change(copy / "aurum/v1" / file, old, new)
    complaints = lint(copy)
    assert complaints
    assert complaint in complaints[0]


def test_the_protocol_breaks_no_bot_of_the_last_release() -> None:
    """What is released is there as it was."""
    assert [] == breaking(ROOT / "proto")


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        ("play.proto", "uint32 time_left_ms = 9;", "", "deleted"),
        ("play.proto", "uint32 time_left_ms = 9;", "uint32 time_left_ms = 10;", "deleted"),
        ("play.proto", "uint32 time_left_ms = 9;", "uint32 millis_left = 9;", "json_name"),
        ("play.proto", "uint32 time_left_ms = 9;", "sint32 time_left_ms = 9;", "changed type"),
        ("play.proto", "uint32 time_left_ms = 9;", "optional uint32 time_left_ms = 9;", "changed cardinality"),
        ("game.proto", "PHASE_BID = 1;", "PHASE_BIDDING = 1;", "changed name"),
        ("play.proto", "rpc Play(stream PlayRequest)", "rpc Play(PlayRequest)", "client"),
        ("play.proto", "rpc Play(", "rpc Converse(", "deleted"),
    ],
)
def test_a_change_that_breaks_bots_is_refused(copy: Path, file: str, old: str, new: str, complaint: str) -> None:
    """On the wire, in JSON, or in the code that bots are written against."""
    change(copy / "aurum/v1" / file, old, new)
    complaints = breaking(copy)
    assert complaints
    assert complaint in complaints[0]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("play.proto", "uint32 time_left_ms = 9;", "uint32 time_left_ms = 9;\n  uint32 planted = 99;"),
        ("game.proto", "PHASE_BID = 1;", "PHASE_BID = 1;\n  PHASE_PLANTED = 99;"),
        ("play.proto", "rpc Play(", "rpc Planted(stream PlayRequest) returns (stream PlayResponse);\n  rpc Play("),
        ("play.proto", 'syntax = "proto3";', '// Planted.\nsyntax = "proto3";'),
    ],
)
def test_an_addition_is_no_break(copy: Path, file: str, old: str, new: str) -> None:
    """Fields, values and methods may come, as docs/protocol.md says, and comments may be anything."""
    change(copy / "aurum/v1" / file, old, new)
    assert [] == breaking(copy)


def test_the_generated_code_is_current() -> None:
    """`python proto/regenerate.py` would change nothing."""
    assert 0 == regenerate(ROOT / "proto", "--check")[0]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("play.proto", "uint32 time_left_ms = 9;", "uint32 time_left_ms = 10;"),
        ("play_pb2_grpc.py", "class RefereeServiceStub(object):", "class RefereeServiceStub:"),
        ("play_pb2.pyi", "class Goodbye(", "class Farewell("),
    ],
)
def test_a_difference_is_named(copy: Path, file: str, old: str, new: str) -> None:
    """A .proto that was changed alone, and generated code that was changed by hand: by digests, without any tools."""
    change(copy / "aurum/v1" / file, old, new)
    assert (1, f"not current: {file}; run: python proto/regenerate.py\n") == regenerate(copy, "--check")
    assert not (copy.parent / "build").exists()


def test_a_difference_is_mended(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By what the tools make, code without a .proto is removed, and the digests are those of what is there now."""
    change(copy / "aurum/v1/play_pb2.pyi", "class Goodbye(", "class Farewell(")
    shutil.copy(copy / "aurum/v1/card_pb2.py", copy / "aurum/v1/old_pb2.py")
    script(copy, monkeypatch).main()
    assert (0, "") == regenerate(copy, "--check")
    names = {path.name for path in (copy / "aurum/v1").iterdir()} - {"__pycache__"}
    assert {path.name for path in (ROOT / "proto/aurum/v1").iterdir()} - {"__pycache__"} == names


def test_digests_hide_nothing_from_the_tools(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Code that was changed together with its digest."""
    change(copy / "aurum/v1/play_pb2.py", "Generated protocol buffer code", "Code by hand")
    module = script(copy, monkeypatch, "--verify")
    lines = [f"{digest}  aurum/v1/{name}\n" for name, digest in module._digests().items()]
    (copy / "digests.txt").write_text("".join(lines), encoding="utf-8")
    assert (0, "") == regenerate(copy, "--check")
    with pytest.raises(SystemExit, match=r"^not current: play_pb2\.py; run: python proto/regenerate\.py$"):
        module.main()


def test_generated_code_of_a_proto_that_is_gone_is_noticed(copy: Path) -> None:
    """It would be imported for ever."""
    shutil.copy(copy / "aurum/v1/card_pb2.py", copy / "aurum/v1/old_pb2.py")
    code, error = regenerate(copy, "--check")
    assert 1 == code
    assert "not current: old_pb2.py" in error


@pytest.mark.parametrize(("folder", "all_versions"), [(".", False), ("sdk/python", True)])
def test_the_generated_code_loads_on_the_versions_that_are_declared(folder: str, all_versions: bool) -> None:
    """It refuses to run on older libraries than those that it was generated for, and 8 is the last protobuf that is
    promised to load it."""
    pyproject = tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))
    declared = {Requirement(line).name: Requirement(line).specifier for line in pyproject["project"]["dependencies"]}
    generated = ROOT / "proto/aurum/v1"
    protobuf = re.search(r"# Protobuf Python Version: (.+)", (generated / "play_pb2.py").read_text(encoding="utf-8"))
    tools = re.search(r'COMPILER = "grpcio-tools==(.+)"', (ROOT / "proto/regenerate.py").read_text(encoding="utf-8"))
    assert protobuf is not None
    assert tools is not None
    for name, oldest in (("protobuf", protobuf[1]), ("grpcio", tools[1])):
        (lowest,) = (Version(bound.version) for bound in declared[name] if bound.operator == ">=")
        assert lowest == Version(oldest) if all_versions else lowest >= Version(oldest)
    assert "9" not in declared["protobuf"]
    assert "8" in declared["protobuf"]
