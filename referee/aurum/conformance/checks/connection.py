"""Checks of what a bot does when its connection is lost."""

import grpc
from aurum.conformance.checks.registry import Table
from aurum.conformance.scripted.game import StagedGame
from aurum.conformance.scripted.referee import Candidate, Stage
from aurum.conformance.scripted.stream import GRACE_MS, Stream

TABLE = Table()

TURNS = 3


@TABLE.check("dials again when the connection is lost before the Welcome", needs="four-players")
async def reconnect_early(stage: Stage) -> None:
    async with stage.bot() as bot:
        await bot.greeted()
        bot.line.cut()
        stream = await bot.welcomed(within=GRACE_MS / 1000)
        await stream.step(stage.game(bot, 1))


@TABLE.check("comes back when the connection is lost between two turns", needs="four-players")
async def reconnect_between_turns(stage: Stage) -> None:
    async with stage.bot() as bot:
        stream = await bot.welcomed()
        game = _patient_game(stage, bot)
        for _ in range(TURNS):
            await stream.step(game)
            bot.line.cut()
            stream = await _back(bot, game)
            await stream.answers(game)


@TABLE.check("answers again when the connection is lost in the middle of a turn", needs="four-players")
async def reconnect_in_a_turn(stage: Stage) -> None:
    async with stage.bot() as bot:
        stream = await bot.welcomed()
        game = _patient_game(stage, bot)
        for _ in range(TURNS):
            # Once before the bot has answered, and once after, as if the answer had been lost on its way.
            await stream.tell(game.news())
            bot.line.cut()
            stream = await _back(bot, game)
            assert game.turn is not None
            await stream.take((game, game.turn))
            bot.line.cut()
            stream = await _back(bot, game)
            await stream.answers(game)


@TABLE.check("comes back when the stream ends without a Goodbye", needs="four-players")
async def reconnect_stream(stage: Stage) -> None:
    async with stage.bot() as bot:
        stream = await bot.welcomed()
        game = _patient_game(stage, bot)
        for code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.OK):
            await stream.step(game)
            stream.end(code, "" if code is grpc.StatusCode.OK else "the referee has to go")
            stream = await _back(bot, game)
            await stream.answers(game)


async def _back(bot: Candidate, game: StagedGame) -> Stream:
    """The stream of a bot that has come back and was told again of its game."""
    stream = await bot.welcomed(within=GRACE_MS / 1000)
    await stream.tell(game.again())
    return stream


def _patient_game(stage: Stage, bot: Candidate) -> StagedGame:
    """A game whose clock leaves time to come back."""
    return stage.game(bot, 1, turn_ms=stage.subject.turn_ms + GRACE_MS)
