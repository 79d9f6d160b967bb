"""Messages as lines: what protobuf's own JSON mapping makes of them, and a sentence for each line that is none."""

import json
import random
from typing import Any

import pytest
from aurum.bridge.mapping import LINE_LIMIT, NotARequest, line_of, read
from aurum.bridge.memory import Memory
from aurum.v1 import card_pb2, game_pb2, play_pb2
from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st

SCALARS: dict[int, list[Any]] = {
    FieldDescriptor.CPPTYPE_UINT32: [0, 1, 2**32 - 1],
    FieldDescriptor.CPPTYPE_UINT64: [0, 1, 2**53 - 1, 2**64 - 1],
    FieldDescriptor.CPPTYPE_BOOL: [False, True],
    FieldDescriptor.CPPTYPE_STRING: ["", "Ann", 'Ünal "the\\bot"\n\x7f\u2028😀'],
}


def fill(message: Message, rng: random.Random) -> None:
    """Set each field, or not, to values at the ends of its range, cards and kinds of a later protocol among them."""
    for field in message.DESCRIPTOR.fields:
        count = rng.choice((0, 1, 3) if field.is_repeated else (0, 1, 1))
        for _ in range(count):
            if field.message_type:
                part = getattr(message, field.name)
                part = part.add() if field.is_repeated else part
                part.SetInParent()
                fill(part, rng)
                continue
            values = [field.enum_type.values[-1].number, 1, 0, 999] if field.enum_type else SCALARS[field.cpp_type]
            if field.is_repeated:
                getattr(message, field.name).append(rng.choice(values))
            else:
                setattr(message, field.name, rng.choice(values))


@pytest.mark.parametrize("seed", range(100))
def test_what_the_referee_says_is_written_as_protobuf_writes_it(seed: int) -> None:
    """Every field, with every kind of value; on one line, in ASCII."""
    message = play_pb2.PlayResponse()
    fill(message, random.Random(seed))
    line = line_of(message)
    assert line.isascii()
    assert [len(line) - 1] == [index for index, byte in enumerate(line) if byte == ord("\n")]
    assert json_format.MessageToDict(message, preserving_proto_field_name=True) == json.loads(line)


@pytest.mark.parametrize("camel", [False, True], ids=["as in .proto", "camelCase"])
@pytest.mark.parametrize("numbers", [False, True], ids=["names", "numbers"])
@pytest.mark.parametrize("defaults", [False, True], ids=["short", "in full"])
def test_what_protobuf_writes_is_read(camel: bool, numbers: bool, defaults: bool) -> None:
    """Requests in all the ways that the mapping allows; nothing of them is left out."""
    for seed in range(50):
        request = play_pb2.PlayRequest()
        fill(request, random.Random(seed))
        text = json_format.MessageToJson(
            request,
            preserving_proto_field_name=not camel,
            use_integers_for_enums=numbers,
            always_print_fields_with_no_presence=defaults,
            indent=None,
        )
        assert (request, []) == read(text.encode())


def test_a_number_may_be_written_as_a_bot_likes() -> None:
    """A game's number is a text in JSON, and most libraries would write it as a number."""
    request, left_out = read(b'{"actions": [{"game": 3141592653, "number": "7", "card": 17.0, "pass": null}]}')
    assert play_pb2.PlayRequest(actions=[play_pb2.Action(game=3141592653, number=7, card=card_pb2.B1)]) == request
    assert [] == left_out


ACTION = '{"actions": [{"game": "3", "number": 1, %s}]}'


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "thinking",
            "it is no JSON (Expecting value at column 1): 'thinking'; output is for messages alone",
        ),
        ('{"actions": [{"game"', "it is no JSON (Expecting ':' delimiter at column 21): '{\"actions\": [{\"game\"'; "),
        ("9" * 5000, "it is no JSON (a number has too many digits): '9999"),
        ("[" * 100_000, "it is nested too deeply: '[[[["),
        ("x" * (LINE_LIMIT + 1), "it is longer than 1 MiB; each message ends with a newline"),
        ("[]", "it must be an object in braces, and is []"),
        ('{"actions": {}}', "actions must be a list in brackets, and is {}"),
        ('{"actions": ["P8"]}', 'actions[0] must be an object in braces, and is "P8"'),
        (ACTION % '"number": -1', "actions[0].number must be from 0 to 4294967295, and is -1"),
        (ACTION % '"number": 4294967296', "actions[0].number must be from 0 to 4294967295, and is 4294967296"),
        (ACTION % '"number": 1.5', "actions[0].number must be a whole number, and is 1.5"),
        (ACTION % '"number": true', "actions[0].number must be a whole number, and is true"),
        (ACTION % '"number": NaN', "actions[0].number must be a whole number, and is NaN"),
        (ACTION % '"game": "3 "', 'actions[0].game must be a whole number, and is "3 "'),
        (ACTION % '"game": "18446744073709551616"', "actions[0].game must be from 0 to 18446744073709551615, and is"),
        (ACTION % '"card": 2147483648', "actions[0].card must be from -2147483648 to 2147483647, and is 2147483648"),
        (ACTION % '"card": ["P8"]', 'actions[0].card must be a whole number, and is ["P8"]'),
        (ACTION % '"pass": true', "actions[0].pass must be an object in braces, and is true"),
        (ACTION % '"card": "P8", "pass": {}', "actions[0].pass and card cannot both be said: Action has one move"),
        ('{"hello": {"bot": 7}}', "hello.bot must be a text, and is 7"),
        ('{"hello": {"bot": "\\ud800"}}', 'hello.bot must be a text, and is "\\ud800"'),
    ],
)
def test_a_line_that_is_no_request_is_explained(line: str, sentence: str) -> None:
    """Where in the line, what should be there and what is."""
    with pytest.raises(NotARequest) as error:
        read(line.encode())
    assert str(error.value).startswith(sentence)
    assert len(str(error.value)) < 250


def test_bytes_that_are_no_text_are_explained() -> None:
    with pytest.raises(NotARequest, match=r"it is no JSON \(byte 2 is no UTF-8\): '\[\\ufffd'"):
        read(b"[\xff")


@pytest.mark.parametrize(
    ("line", "action", "left_out"),
    [
        (
            ACTION % '"card": "P8", "comment": [1, {}]',
            play_pb2.Action(game=3, number=1, card=card_pb2.P8),
            "actions[0].comment is no field of Action (which has: game, number, card, exchange, pass)",
        ),
        (
            ACTION % '"card": "X9"',
            play_pb2.Action(game=3, number=1),
            'actions[0].card is "X9", and there is no Card of that name',
        ),
        (
            ACTION % '"exchange": {"gold": "G0", "card": "b1"}',
            play_pb2.Action(game=3, number=1, exchange=game_pb2.Exchange(gold=card_pb2.G0)),
            'actions[0].exchange.card is "b1", and there is no Card of that name',
        ),
    ],
    ids=["field", "card", "part"],
)
def test_what_this_version_does_not_know_is_left_out_and_said(
    line: str, action: play_pb2.Action, left_out: str
) -> None:
    """As unknown fields are on gRPC; of the rest, the referee judges."""
    assert (play_pb2.PlayRequest(actions=[action]), [left_out]) == read(line.encode())


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda part: (
        st.lists(part, max_size=3)
        | st.dictionaries(
            st.sampled_from(["hello", "actions", "game", "number", "card", "exchange", "pass", "gold", "seat", "x"]),
            part,
            max_size=4,
        )
    ),
)


@given(st.one_of(st.binary(max_size=30), JSON.map(lambda value: json.dumps(value).encode())))
def test_no_line_does_more_than_be_wrong(line: bytes) -> None:
    """Whatever a bot prints is a request or is explained."""
    try:
        request, _ = read(line)
    except NotARequest as error:
        request, sentence = play_pb2.PlayRequest(), str(error)
    else:
        sentence = "fine"
    assert sentence.isprintable()
    assert request == play_pb2.PlayRequest.FromString(request.SerializeToString())


def update(**kind: Message) -> play_pb2.Update:
    return play_pb2.Update(**kind)  # type: ignore[arg-type]


def started(game: int) -> play_pb2.Update:
    return update(game_start=play_pb2.GameStart(game=game))


def turn(game: int, number: int) -> play_pb2.Update:
    return update(turn=play_pb2.Turn(game=game, number=number))


def stream(memory: Memory, *updates: play_pb2.Update) -> tuple[play_pb2.PlayResponse, list[play_pb2.Action]]:
    """The first message of a new stream: what of it is for the command, and what is answered at once."""
    message = play_pb2.PlayResponse(welcome=play_pb2.Welcome(seat=1), updates=updates)
    return message, memory.take(message)


def test_a_byte_order_mark_is_passed_over() -> None:
    """Windows' tools begin a text with one; that of UTF-16 is explained, since nothing after it can be read."""
    assert (
        play_pb2.PlayRequest(actions=[play_pb2.Action(game=7)]) == read(b'\xef\xbb\xbf{"actions":[{"game":7}]}').request
    )
    for mark in (b"\xff\xfe", b"\xfe\xff"):
        with pytest.raises(NotARequest, match="byte order mark of UTF-16: write UTF-8"):
            read(mark + '{"actions":[]}'.encode("utf-16-le"))


def test_another_stream_tells_the_command_only_what_is_new() -> None:
    """It has had its Welcome, knows its games, and thinks about its turns."""
    memory = Memory()
    message, again = stream(memory, started(1), turn(1, 1))
    assert (True, 2, []) == (message.HasField("welcome"), len(message.updates), again)
    message, again = stream(memory, started(1), started(2), turn(1, 1), turn(2, 1))
    assert (play_pb2.PlayResponse(updates=[started(2), turn(2, 1)]), []) == (message, again)


def test_a_turn_that_comes_again_gets_the_answer_that_was_sent() -> None:
    """It may have been lost; the first one counts. As long as there is none, the command is thinking."""
    memory, answer = Memory(), play_pb2.Action(game=1, number=1, card=card_pb2.B1)
    stream(memory, started(1), turn(1, 1))
    assert [] == stream(memory, started(1), turn(1, 1))[1]
    memory.answered(answer)
    memory.answered(play_pb2.Action(game=1, number=1, card=card_pb2.B2))
    memory.answered(play_pb2.Action(game=1, number=7, card=card_pb2.B3))
    assert (play_pb2.PlayResponse(updates=[started(2)]), [answer]) == stream(memory, started(1), started(2), turn(1, 1))


def test_a_turn_that_was_lost_with_the_stream_is_asked() -> None:
    """The referee has gone on meanwhile."""
    memory = Memory()
    stream(memory, started(1), turn(1, 1))
    memory.answered(play_pb2.Action(game=1, number=1, card=card_pb2.B1))
    assert (play_pb2.PlayResponse(updates=[turn(1, 2)]), []) == stream(memory, started(1), turn(1, 2))


def test_a_game_that_is_over_is_forgotten() -> None:
    """Nothing grows with the number of games."""
    memory = Memory()
    stream(memory, started(1), turn(1, 1))
    memory.answered(play_pb2.Action(game=1, number=1, card=card_pb2.B1))
    memory.take(play_pb2.PlayResponse(updates=[update(game_end=play_pb2.GameEnd(game=1))]))
    memory.answered(play_pb2.Action(game=1, number=1, card=card_pb2.B1))
    message, again = stream(memory, started(1), turn(1, 1))
    assert (2, []) == (len(message.updates), again)
