"""Checks that a bot copes with what a newer referee of the same protocol version may send."""

from typing import Any

from aurum.conformance.checks.registry import CheckRegistry
from aurum.conformance.scripted.referee import ScriptedReferee
from aurum.v1 import game_pb2, play_pb2
from google.protobuf.message import Message

REGISTRY = CheckRegistry()

UNKNOWN = b"\xfa\x3f\x04more"
"""A serialized field with the number 1023, which no message has."""
UNKNOWN_KIND = 1023
"""A kind of fault that does not exist."""


@REGISTRY.check("ignores fields that it does not know", needs="four-players")
async def unknown_fields(referee: ScriptedReferee) -> None:
    async with referee.bot() as bot:
        stream = await bot.accept_and_welcome()
        game = referee.game(bot, 1)
        for _ in range(3):
            message = play_pb2.PlayResponse(updates=game.new_updates())
            _add_unknown(message)
            await stream.send(message, " with an unknown field, number 1023, in each of its messages")
            await stream.play_answers(game)


@REGISTRY.check("ignores kinds of update that it does not know", needs="four-players")
async def unknown_updates(referee: ScriptedReferee) -> None:
    async with referee.bot() as bot:
        stream = await bot.accept_and_welcome()
        game = referee.game(bot, 1)
        strange = play_pb2.Update.FromString(UNKNOWN)
        for _ in range(3):
            note = "; what is empty there holds an unknown kind, field 1023"
            await stream.send(play_pb2.PlayResponse(updates=[strange]), note)
            await stream.send(play_pb2.PlayResponse(updates=[strange, *game.new_updates(), strange]), note)
            await stream.play_answers(game)


@REGISTRY.check("plays on after a Fault, also of an unknown kind", needs="four-players")
async def faults(referee: ScriptedReferee) -> None:
    async with referee.bot() as bot:
        stream = await bot.accept_and_welcome()
        game = referee.game(bot, 1)
        await stream.play_turns(game)
        unknown: Any = UNKNOWN_KIND  # a field of an enum takes every number
        for kind in (game_pb2.FAULT_KIND_TIMEOUT, unknown):
            for game_id in (game.id, 0):
                fault = play_pb2.Fault(game=game_id, number=1, kind=kind, detail="a fault that arena check made up")
                await stream.send_updates([play_pb2.Update(fault=fault)])
            await stream.play_turns(game)


def _add_unknown(message: Message) -> None:
    """Add an unknown field to a message and to all messages in it."""
    for field, value in message.ListFields():
        if field.message_type is not None:
            for part in [value] if isinstance(value, Message) else value:
                _add_unknown(part)
    message.MergeFromString(UNKNOWN)
