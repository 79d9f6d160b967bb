"""Checks that a bot lives with what a later referee of the same protocol version may say."""

from typing import Any

from aurum.conformance.checks.registry import Table
from aurum.conformance.scripted.referee import Stage
from aurum.v1 import game_pb2, play_pb2
from google.protobuf.message import Message

TABLE = Table()

UNKNOWN = b"\xfa\x3f\x04more"
"""A field with the number 1023, which no message has."""
UNKNOWN_KIND = 1023


@TABLE.check("ignores fields that it does not know", needs="four-players")
async def unknown_fields(stage: Stage) -> None:
    async with stage.bot() as bot:
        stream = await bot.welcomed()
        game = stage.game(bot, 1)
        for _ in range(3):
            message = play_pb2.PlayResponse(updates=game.news())
            _add_unknown(message)
            await stream.send(message, " with an unknown field, number 1023, in each of its messages")
            await stream.answers(game)


@TABLE.check("ignores kinds of update that it does not know", needs="four-players")
async def unknown_updates(stage: Stage) -> None:
    async with stage.bot() as bot:
        stream = await bot.welcomed()
        game = stage.game(bot, 1)
        strange = play_pb2.Update.FromString(UNKNOWN)
        for _ in range(3):
            note = "; what is empty there holds an unknown kind, field 1023"
            await stream.send(play_pb2.PlayResponse(updates=[strange]), note)
            await stream.send(play_pb2.PlayResponse(updates=[strange, *game.news(), strange]), note)
            await stream.answers(game)


@TABLE.check("plays on after a Fault, also of an unknown kind", needs="four-players")
async def faults(stage: Stage) -> None:
    async with stage.bot() as bot:
        stream = await bot.welcomed()
        game = stage.game(bot, 1)
        await stream.step(game)
        unknown: Any = UNKNOWN_KIND  # an enum's field takes every number
        for kind in (game_pb2.FAULT_KIND_TIMEOUT, unknown):
            for game_id in (game.id, 0):
                fault = play_pb2.Fault(game=game_id, number=1, kind=kind, detail="a fault that arena check made up")
                await stream.tell([play_pb2.Update(fault=fault)])
            await stream.step(game)


def _add_unknown(message: Message) -> None:
    """Add an unknown field to a message and to all that are in it."""
    for field, value in message.ListFields():
        if field.message_type is not None:
            for part in [value] if isinstance(value, Message) else value:
                _add_unknown(part)
    message.MergeFromString(UNKNOWN)
