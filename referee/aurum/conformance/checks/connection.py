"""Checks of what a bot does when it loses its connection."""

import grpc
from aurum.conformance.checks.registry import CheckRegistry
from aurum.conformance.scripted.game import ScriptedGame
from aurum.conformance.scripted.referee import CheckedInstance, ScriptedReferee
from aurum.conformance.scripted.stream import ScriptedStream

REGISTRY = CheckRegistry()

TURNS = 3


@REGISTRY.should("dials again when the connection is lost before the Welcome", needs="four-players")
async def reconnect_early(referee: ScriptedReferee) -> None:
    async with referee.bot() as bot:
        await bot.accept_hello()
        bot.proxy.cut()
        stream = await bot.accept_and_welcome(within=bot.grace_s)
        await stream.play_turns(referee.game(bot, 1))


@REGISTRY.should("comes back when the connection is lost between two turns", needs="four-players")
async def reconnect_between_turns(referee: ScriptedReferee) -> None:
    async with referee.bot() as bot:
        stream = await bot.accept_and_welcome()
        game = _game_with_grace(referee, bot)
        for _ in range(TURNS):
            await stream.play_turns(game)
            bot.proxy.cut()
            stream = await _reconnected(bot, game)
            await stream.play_answers(game)


@REGISTRY.should("answers again when the connection is lost in the middle of a turn", needs="four-players")
async def reconnect_in_a_turn(referee: ScriptedReferee) -> None:
    async with referee.bot() as bot:
        stream = await bot.accept_and_welcome()
        game = _game_with_grace(referee, bot)
        for _ in range(TURNS):
            # Cut once before the bot has answered, and once after, as if the answer had been lost on its way.
            await stream.send_updates(game.new_updates())
            bot.proxy.cut()
            stream = await _reconnected(bot, game)
            assert game.turn is not None
            await stream.take_answers((game, game.turn))
            bot.proxy.cut()
            stream = await _reconnected(bot, game)
            await stream.play_answers(game)


@REGISTRY.should("comes back when the stream ends without a Goodbye", needs="four-players")
async def reconnect_stream(referee: ScriptedReferee) -> None:
    async with referee.bot() as bot:
        stream = await bot.accept_and_welcome()
        game = _game_with_grace(referee, bot)
        for code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.OK):
            await stream.play_turns(game)
            stream.end(code, "" if code is grpc.StatusCode.OK else "the referee has to go")
            stream = await _reconnected(bot, game)
            await stream.play_answers(game)


async def _reconnected(bot: CheckedInstance, game: ScriptedGame) -> ScriptedStream:
    """Wait for the bot to come back and send it the updates with which its game goes on; returns its new stream."""
    stream = await bot.accept_and_welcome(within=bot.grace_s)
    await stream.send_updates(game.resumption_updates())
    return stream


def _game_with_grace(referee: ScriptedReferee, bot: CheckedInstance) -> ScriptedGame:
    """A game whose time for a turn is long enough to come back in it."""
    return referee.game(bot, 1, turn_ms=referee.checked.turn_ms + referee.checked.reconnect_grace_ms)
