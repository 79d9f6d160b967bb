"""The .proto files pass the lint and break no bot of the last release; the Python beside them is what they generate."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

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
def test_a_difference_is_named_and_mended(copy: Path, file: str, old: str, new: str) -> None:
    """A .proto that was changed alone, and generated code that was changed by hand."""
    change(copy / "aurum/v1" / file, old, new)
    code, error = regenerate(copy, "--check")
    assert 1 == code
    assert "not current: play_pb2" in error
    assert 0 == regenerate(copy)[0]
    assert 0 == regenerate(copy, "--check")[0]


def test_generated_code_of_a_proto_that_is_gone_is_noticed(copy: Path) -> None:
    """It would be imported for ever."""
    shutil.copy(copy / "aurum/v1/card_pb2.py", copy / "aurum/v1/old_pb2.py")
    code, error = regenerate(copy, "--check")
    assert 1 == code
    assert "not current: old_pb2.py" in error


def test_the_generated_code_loads_on_the_oldest_versions_that_are_declared() -> None:
    """It refuses to run on older libraries than those that it was generated for."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    declared = dict(line.split(">=") for line in pyproject["project"]["dependencies"])
    generated = ROOT / "proto/aurum/v1"
    grpc = re.search(r"GRPC_GENERATED_VERSION = '(.+)'", (generated / "play_pb2_grpc.py").read_text(encoding="utf-8"))
    protobuf = re.search(r"# Protobuf Python Version: (.+)", (generated / "play_pb2.py").read_text(encoding="utf-8"))
    assert grpc is not None
    assert protobuf is not None
    assert grpc[1].startswith(declared["grpcio"])
    assert declared["protobuf"] == protobuf[1]
