"""Writes and reads protobuf's JSON mapping, one message a line, with the field names of the .proto files.

What `google.protobuf.json_format` does too, but that takes three times as long for a Turn, and what it says of a
wrong line is no sentence for the line's author.
"""

import json
import re
from collections.abc import Callable, Iterator
from json.encoder import encode_basestring_ascii
from typing import Any, NamedTuple

from aurum.v1 import play_pb2
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

LINE_LIMIT = 1 << 20
"""Bytes of a line: more than the JSON of any message that a referee takes."""


class NotARequest(ValueError):  # noqa: N818 - it names the line
    """A line is no PlayRequest; the message says why, to its author."""


# Writing


def line_of(message: play_pb2.PlayResponse) -> bytes:
    """A message as a line: ASCII, without spaces, as `json_format` would have it."""
    return f"{_text(message)}\n".encode("ascii")


def _text(message: Message) -> str:
    return "{" + ",".join([_WRITERS[field](value) for field, value in message.ListFields()]) + "}"


_SCALARS: dict[int, Callable[[Any], str]] = {
    FieldDescriptor.CPPTYPE_UINT32: str,
    FieldDescriptor.CPPTYPE_UINT64: '"{}"'.format,
    FieldDescriptor.CPPTYPE_BOOL: lambda value: "true" if value else "false",
    FieldDescriptor.CPPTYPE_STRING: encode_basestring_ascii,
    FieldDescriptor.CPPTYPE_MESSAGE: _text,
}


class _Names(dict[int, str]):
    """Of an enum's numbers; one that a later protocol has added stays a number."""

    def __missing__(self, number: int) -> str:
        return str(number)


def _enum_text(enum: EnumDescriptor) -> Callable[[int], str]:
    return _Names({value.number: f'"{value.name}"' for value in enum.values}).__getitem__


def _writer(field: FieldDescriptor) -> Callable[[Any], str]:
    text = _enum_text(field.enum_type) if field.enum_type else _SCALARS[field.cpp_type]
    name = f'"{field.name}":'
    if field.is_repeated:
        return lambda values: f"{name}[{','.join(map(text, values))}]"
    return lambda value: name + text(value)


def _fields(message: Descriptor) -> Iterator[FieldDescriptor]:
    for field in message.fields:
        yield field
        if field.message_type:
            yield from _fields(field.message_type)


_WRITERS = {field: _writer(field) for field in _fields(play_pb2.PlayResponse.DESCRIPTOR)}


# Reading


class Reading(NamedTuple):
    """A line that was read."""

    request: play_pb2.PlayRequest
    left_out: list[str]
    """What of it this version of the protocol does not know, a phrase each."""


def read(line: bytes) -> Reading:
    """The message of a line; raises NotARequest.

    Names that this version does not know are left out, as gRPC leaves out their numbers: a field, or a card, of which
    nothing is known then.
    """
    if len(line) > LINE_LIMIT:
        raise NotARequest(f"it is longer than {LINE_LIMIT >> 20} MiB; each message ends with a newline")
    reading = Reading(play_pb2.PlayRequest(), [])
    try:
        _read(_value(line), reading.request, "", reading.left_out)
    except RecursionError:
        raise NotARequest(f"it is nested too deeply: {_shown(line)}") from None
    return reading


_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def _value(line: bytes) -> object:
    if line.startswith(_UTF_16):
        raise NotARequest("it begins with the byte order mark of UTF-16: write UTF-8")
    try:
        return json.loads(line.decode("utf-8-sig"))  # Windows' tools put a byte order mark before the first line
    except json.JSONDecodeError as error:
        why = f"{error.msg} at column {error.colno}"
    except UnicodeDecodeError as error:
        why = f"byte {error.start + 1} is no UTF-8"
    except ValueError:  # int() has a limit of its own
        why = "a number has too many digits"
    raise NotARequest(f"it is no JSON ({why}): {_shown(line)}; output is for messages alone, print the rest to stderr")


def _read(value: object, message: Message, path: str, left_out: list[str]) -> None:
    """Fill a message; `path` is where in the line it stands, as `actions[2].card`."""
    if not isinstance(value, dict):
        raise NotARequest(f"{path or 'it'} must be an object in braces, and is {_shown(value)}")
    for key, item in value.items():
        here = f"{path}.{key}" if path else key
        field = _KEYS[message.DESCRIPTOR].get(key)
        if field is None:
            known = ", ".join(field.name for field in message.DESCRIPTOR.fields)
            left_out.append(f"{here} is no field of {message.DESCRIPTOR.name} (which has: {known or 'none'})")
        elif item is None:
            pass  # null is the same as left out
        elif field.is_repeated:
            if not isinstance(item, list):
                raise NotARequest(f"{here} must be a list in brackets, and is {_shown(item)}")
            for index, element in enumerate(item):
                _read(element, getattr(message, field.name).add(), f"{here}[{index}]", left_out)
        else:
            _set(item, message, field, here, left_out)


def _set(item: object, message: Message, field: FieldDescriptor, path: str, left_out: list[str]) -> None:
    if (one_of := field.containing_oneof) and (other := message.WhichOneof(one_of.name)):
        raise NotARequest(f"{path} and {other} cannot both be said: {message.DESCRIPTOR.name} has one {one_of.name}")
    if field.message_type:
        part = getattr(message, field.name)
        part.SetInParent()
        _read(item, part, path, left_out)
    elif field.enum_type and isinstance(item, str):
        named = field.enum_type.values_by_name.get(item)
        if named is None:
            left_out.append(f"{path} is {_shown(item)}, and there is no {field.enum_type.name} of that name")
        else:
            setattr(message, field.name, named.number)
    elif field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        if not isinstance(item, str) or _HALF_CHARACTER.search(item):
            raise NotARequest(f"{path} must be a text, and is {_shown(item)}")
        setattr(message, field.name, item)
    else:
        setattr(message, field.name, _whole(item, _LIMITS[field.cpp_type], path))


_HALF_CHARACTER = re.compile("[\ud800-\udfff]")

_LIMITS = {
    FieldDescriptor.CPPTYPE_UINT32: range(1 << 32),
    FieldDescriptor.CPPTYPE_UINT64: range(1 << 64),
    FieldDescriptor.CPPTYPE_ENUM: range(-1 << 31, 1 << 31),
}


def _whole(value: object, allowed: range, path: str) -> int:
    """A number, which may be written as 7, 7.0 or "7"."""
    if (isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,20}", value)) or (
        isinstance(value, float) and value.is_integer()
    ):
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotARequest(f"{path} must be a whole number, and is {_shown(value)}")
    if value not in allowed:
        raise NotARequest(f"{path} must be from {allowed.start} to {allowed.stop - 1}, and is {_shown(value)}")
    return value


_KEYS: dict[Any, dict[str, FieldDescriptor]] = {
    message: {key: field for field in message.fields for key in (field.json_name, field.name)}
    for message in (
        play_pb2.PlayRequest.DESCRIPTOR,
        *(field.message_type for field in _fields(play_pb2.PlayRequest.DESCRIPTOR) if field.message_type),
    )
}
"""Of each message in a request: its fields, by the names that they may have in JSON."""


def _shown(value: object) -> str:
    """The beginning of a value or a line, safe to print."""
    text = ascii(value.decode(errors="replace").strip()) if isinstance(value, bytes) else json.dumps(value)
    return text if len(text) <= 60 else f"{text[:60]}..."
