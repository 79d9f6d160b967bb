"""Records as JSON Lines: one game a line, protobuf's JSON mapping of aurum.v1.GameRecord.

Names are those of record.proto (`deal_key`, not `dealKey`), enums their names, bytes base64, 64-bit numbers texts, as
the mapping has it. A field that is zero, false or empty is left out, so `{"bid": "B7"}` is a move of seat 0.
"""

import json
from base64 import b64decode
from typing import Any

from aurum.v1.record_pb2 import GameRecord
from google.protobuf import json_format


def to_line(record: GameRecord) -> str:
    """The record as one line of JSON, without a line break."""
    fields = json_format.MessageToDict(record, preserving_proto_field_name=True)
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def from_line(line: str) -> GameRecord:
    """The record that a line holds, written by `to_line` or by any other protobuf.

    Raises:
        ValueError: it holds none; the message says why.
    """
    try:
        return _quick(line)
    except Exception:  # not as we write it: protobuf's own reader, ten times slower, knows all that is allowed
        try:
            return json_format.Parse(line, GameRecord())
        except json_format.ParseError as error:
            raise ValueError(" ".join(str(error).split())) from None


def _quick(line: str) -> GameRecord:
    fields: dict[str, Any] = json.loads(line)
    started, elapsed = fields.pop("started", None), fields.pop("elapsed", None)
    fields["deal_key"] = b64decode(fields["deal_key"], validate=True)
    for seat in fields["seats"]:
        for name in ("time_us", "cpu_us"):
            if name in seat:
                seat[name] = int(seat[name])
    record = GameRecord(**fields)
    if started is not None:
        record.started.FromJsonString(started)
    if elapsed is not None:
        record.elapsed.FromJsonString(elapsed)
    return record
