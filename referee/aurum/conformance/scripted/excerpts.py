"""Excerpts of messages for people: protobuf's JSON mapping on one line, with `...` for what is left out."""

import json
from typing import Any

from aurum.v1 import card_pb2, game_pb2, play_pb2
from google.protobuf import json_format
from google.protobuf.message import Message

_LISTED = 3
"""How many updates or actions of one message are shown."""
_TABLE = ("round", "to_act", "trick")
"""The fields of a table that are shown: the rest is long, and seldom what matters."""
_BYTES = 32


def message_excerpt(message: Message) -> str:
    """A message on one line."""
    fields = json_format.MessageToDict(message, preserving_proto_field_name=True)
    for name in ("updates", "actions"):
        if name in fields:
            fields[name] = _shortened_list(fields[name])
    for update in fields.get("updates", ()):
        _shorten_table(update)
    return json.dumps(fields, ensure_ascii=False).replace('"...": "..."', "...").replace('"..."', "...")


def bytes_excerpt(data: bytes) -> str:
    """Bytes that are not a message."""
    return f"{data[:_BYTES].hex(' ')}{' ...' if len(data) > _BYTES else ''} ({len(data)} bytes that are no PlayRequest)"


def turn_excerpt(turn: play_pb2.Turn) -> str:
    """A turn, in the message in which it was sent to the bot."""
    return message_excerpt(play_pb2.PlayResponse(updates=[play_pb2.Update(turn=turn)]))


def expected_answer(turn: play_pb2.Turn) -> str:
    """Which answers to a turn are legal."""
    cards = " ".join(map(card_pb2.Card.Name, turn.legal_cards))
    if turn.phase == game_pb2.PHASE_EXCHANGE:
        return f"pass, or an exchange of gold for one of {cards}"
    return f"a card of {cards}{', or pass' if turn.may_pass else ''}"


def _shortened_list(items: list[Any]) -> list[Any]:
    return items if len(items) <= _LISTED else [*items[: _LISTED - 1], "...", items[-1]]


def _shorten_table(update: Any) -> None:
    if not isinstance(update, dict):
        return
    for kind in update.values():
        if isinstance(kind, dict) and isinstance(kind.get("table"), dict):
            table = kind["table"]
            kind["table"] = {name: table[name] for name in _TABLE if name in table} | {"...": "..."}
