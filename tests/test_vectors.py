"""The cases that every SDK runs (sdk/vectors): they are current and well-formed, and the Python SDK passes them."""

import json
import re
from base64 import b64decode
from collections.abc import Iterable
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from aurum.bot import PASS, Bot, Card, Exchange, Fault, IllegalAnswer, Move, Pass, Phase, Turn
from aurum.bot.errors import AuthorError, ProtocolError
from aurum.bot.session import Session
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


# The Python SDK ------------------------------------------------------------------------------------------------------


class FirstCard(Bot):
    """The bot of sessions.json."""

    def __init__(self) -> None:
        self.asked = 0
        self.faults: list[str] = []

    def choose(self, turn: Turn) -> Card | Pass:
        self.asked += 1
        return turn.cards[0] if turn.cards and turn.phase is not Phase.EXCHANGE else PASS

    def fault(self, fault: Fault) -> None:
        self.faults.append(fault.kind)


class Saying(Bot):
    """Answers everything with one move, and keeps the turn."""

    def __init__(self, move: Move | Card = PASS) -> None:
        self.move = move
        self.turn: Turn | None = None

    def choose(self, turn: Turn) -> Move | Card:
        self.turn = turn
        return self.move


def move_of(move: Json) -> Move | Card:
    match move:
        case {"card": name}:
            return Card.parse(name)
        case {"exchange": {"gold": gold, "card": card, "seat": seat}}:
            return Exchange(Card.parse(gold), Card.parse(card), seat)
        case _:
            return PASS


def ask(case: Json, bot: Bot) -> list[str]:
    """What a bot sends for the turn of a case, as it travels."""
    session, answers = Session(bot), play_pb2.PlayRequest()
    start = play_pb2.GameStart.FromString(b64decode(case["game_start_wire"]))
    turn = play_pb2.Turn.FromString(b64decode(case["turn_wire"]))
    for update in (play_pb2.Update(game_start=start), play_pb2.Update(turn=turn)):
        session.take(update, monotonic(), answers.actions)
    return [wire(action) for action in answers.actions]


def read(turn: Turn) -> Json:
    """A turn as turns.json writes it down."""
    table = turn.table
    return {
        "game": str(turn.game.id),
        "number": turn.number,
        "phase": turn.phase.name,
        "seat": turn.seat,
        "players": turn.players,
        "partner": turn.partner,
        "hand": names(turn.hand),
        "own_bid": name(turn.own_bid),
        "legal_cards": names(turn.cards),
        "may_pass": turn.may_pass,
        "time_left_ms": turn.message.time_left_ms,
        "round": table.round,
        "first_player": table.first_player,
        "leader": table.leader,
        "to_act": table.to_act,
        "leftover": names(table.leftover),
        "supply": names(table.supply),
        "seats": [
            {
                "collection": names(table.collections[seat]),
                "bid": name(table.bids[seat]),
                "tricks_taken": table.tricks_taken[seat],
                "hand_size": table.hand_sizes[seat],
                "nuggets": table.nuggets[seat],
                "points": list(table.points[seat]),
            }
            for seat in range(turn.players)
        ],
        "trick": {"leader": table.trick[0][0], "cards": names(card for _, card in table.trick)}
        if table.trick
        else None,
        "tricks": [
            {**trick._asdict(), "cards": names(trick.cards), "collected": name(trick.collected)}
            for trick in table.tricks
        ],
        "exchanges": [
            {**change._asdict(), "gold": name(change.gold), "laid": name(change.laid), "taken": name(change.taken)}
            for change in table.exchanges
        ],
    }


def name(card: Card | None) -> str | None:
    return None if card is None else str(card)


def names(cards: Iterable[Card]) -> list[str]:
    return [str(card) for card in cards]


def test_every_card_is_read_and_written() -> None:
    cards = CONTENTS["cards"]["cards"]
    assert cards == [
        {
            "name": str(card),
            "value": int(card),
            "suit": int(card.suit),
            "rank": card.rank,
            "gold": card.is_gold,
        }
        for card in (Card.parse(entry["name"]) for entry in cards)
    ]


@pytest.mark.parametrize("text", CONTENTS["cards"]["not_cards"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"{text!r} is no card")):
        Card.parse(text)


@named(TURNS)
def test_a_turn_is_read(case: Json) -> None:
    bot = Saying(move_of(case["answers"][0]["move"]))
    ask(case, bot)
    assert bot.turn is not None
    assert case["reading"] == read(bot.turn)


@named(TURNS)
def test_a_turn_is_answered(case: Json) -> None:
    for answer in case["answers"]:
        assert [answer["action_wire"]] == ask(case, Saying(move_of(answer["move"])))


@named(TURNS)
def test_a_move_that_is_not_legal_is_not_sent(case: Json) -> None:
    for refused in case["refused"]:
        with pytest.raises(AuthorError) as raised:
            ask(case, Saying(move_of(refused["move"])))
        assert isinstance(raised.value.__cause__, IllegalAnswer)


@named(SESSIONS)
def test_a_conversation_goes_as_it_should(case: Json) -> None:
    bot = FirstCard()
    session = Session(bot)
    error = None
    for stream in case["streams"]:
        for number, message in enumerate(stream):
            answers = play_pb2.PlayRequest()
            try:
                said = session.read(b64decode(message["receive_wire"]))
                if number == 0:
                    session.begin(said)
                for update in said.updates:
                    session.take(update, monotonic(), answers.actions)
                    if session.goodbye is not None:
                        break
            except ProtocolError as raised:
                error = raised.kind
            assert message["send_wire"] == [wire(action) for action in answers.actions]
    assert (case["asked"], case["faults"]) == (bot.asked, bot.faults)
    assert (case["goodbye"], case["error"]) == (session.goodbye, error)
