"""The cases that every SDK runs (sdk/vectors): they are current and well-formed, and the Python SDK passes them."""

import json
from pathlib import Path
from typing import Any

import pytest
from aurum.v1 import play_pb2
from google.protobuf.json_format import ParseDict
from google.protobuf.message import Message
from jsonschema import Draft202012Validator
from make_vectors import FOLDER, main
from vector_turns import wire

Json = dict[str, Any]

FILES = ("cards", "turns", "sessions")
CONTENTS: dict[str, Json] = {name: json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")) for name in FILES}
TURNS: list[Json] = CONTENTS["turns"]["turns"]
SESSIONS: list[Json] = CONTENTS["sessions"]["sessions"]


def named(cases: list[Json]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=[case["name"] for case in cases])


def test_the_script_makes_the_files_that_are_committed(tmp_path: Path) -> None:
    """Whoever changes the protocol runs it again and looks at the difference."""
    main(tmp_path)
    for name in FILES:
        assert (FOLDER / f"{name}.json").read_text(encoding="utf-8") == (tmp_path / f"{name}.json").read_text("utf-8")


@pytest.mark.parametrize("name", FILES)
def test_the_files_agree_with_their_schemas(name: str) -> None:
    schema = json.loads((FOLDER / "schema" / f"{name}.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    assert [] == [error.message for error in Draft202012Validator(schema).iter_errors(CONTENTS[name])]


def test_every_case_has_a_name_of_its_own() -> None:
    for cases in (TURNS, SESSIONS):
        assert len(cases) == len({case["name"] for case in cases})


def test_the_turns_are_of_every_kind() -> None:
    """Both player counts, every ruleset, every phase, every kind of answer; at least thirty."""
    assert len(TURNS) >= 30
    starts = [case["game_start"]["ruleset"] for case in TURNS]
    assert {"designer", "pandasaurus", "gigamic", "german"} == {rules["preset"] for rules in starts}
    assert 3 == len({rules["game_end"] for rules in starts})
    readings = [case["reading"] for case in TURNS]
    assert {(3, phase) for phase in ("BID", "EXCHANGE", "LEAD", "FOLLOW")} | {
        (4, phase) for phase in ("BID", "EXCHANGE", "LEAD", "FOLLOW")
    } == {(reading["players"], reading["phase"]) for reading in readings}
    moves = [answer["move"] for case in TURNS for answer in case["answers"]]
    assert {"card", "pass", "exchange"} == {kind for move in moves for kind in move}
    assert {0, 1, 2, 3} == {move["exchange"]["seat"] for move in moves if "exchange" in move}


@named(TURNS)
def test_what_people_read_of_a_turn_is_what_travels(case: Json) -> None:
    pairs: list[tuple[Message, Json, str]] = [
        (play_pb2.GameStart(), case["game_start"], case["game_start_wire"]),
        (play_pb2.Turn(), case["turn"], case["turn_wire"]),
        *[(play_pb2.Action(), answer["action"], answer["action_wire"]) for answer in case["answers"]],
    ]
    for message, mapping, expected in pairs:
        assert expected == wire(ParseDict(mapping, message))
