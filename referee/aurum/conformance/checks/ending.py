"""Checks of how a bot ends: in peace, or because there is nobody to play with."""

import asyncio

import grpc
from aurum.conformance.checks.registry import Table
from aurum.conformance.scripted.referee import Candidate, Stage
from aurum.conformance.scripted.stream import Failed

TABLE = Table()

GIVE_UP_S = 15.0
"""For a bot to exit when there is nobody to play with."""
REFUSAL = "there is no seat for you at this table"


@TABLE.check("exits with code 0 after a Goodbye", needs="hello")
async def leave(stage: Stage) -> None:
    async with stage.bot() as bot:
        await bot.dismiss(await bot.welcomed())


@TABLE.check("exits with code 0 after a Goodbye in the middle of a game", needs="leave four-players")
async def leave_mid_game(stage: Stage) -> None:
    async with stage.bot() as bot:
        stream = await bot.welcomed()
        await stream.step(stage.game(bot, 1))
        await bot.dismiss(stream, " after the first turn of a game")


@TABLE.check("exits with code 1 and a word about it if the referee speaks another protocol version", needs="hello")
async def other_version(stage: Stage) -> None:
    async with stage.bot() as bot:
        stream = await bot.greeted()
        await stream.welcome(version=2)
        await _fails(bot, "a Welcome of protocol version 2")


@TABLE.check("exits with code 1 and the referee's sentence if it is refused", needs="hello")
async def refusal(stage: Stage) -> None:
    async with stage.bot() as bot:

        async def refuse(within: float | None = None) -> None:
            stream = await bot.greeted(within)
            stream.end(grpc.StatusCode.FAILED_PRECONDITION, REFUSAL)

        async def refuse_again() -> None:
            # A gRPC library that is just writing may hear of the end and not why: then the bot asks again.
            while True:
                await refuse(GIVE_UP_S)

        await refuse()
        refusing = asyncio.create_task(refuse_again())
        try:
            await _fails(bot, f"the end of the stream with FAILED_PRECONDITION: {REFUSAL}", REFUSAL)
        finally:
            refusing.cancel()
            await asyncio.gather(refusing, return_exceptions=True)


@TABLE.check("exits with code 1 and a word about it if the referee does not come back", needs="hello")
async def no_way_back(stage: Stage) -> None:
    async with stage.bot() as bot:
        await bot.welcomed(grace_ms=500)
        bot.line.close()
        await _fails(bot, "the end of the connection, with a grace of 0.5 s")


async def _fails(bot: Candidate, sent: str, words: str = "") -> None:
    """See it end by itself, with exit code 1 and these words, or any, in its output."""
    await bot.exit(1, GIVE_UP_S, sent)
    if not bot.process.tail or words not in bot.process.tail:
        expected = f"the bot's output to hold {words!r}" if words else "the bot's output to say why"
        raise Failed(sent=sent, came=f"it {bot.process.exited.result()} without saying so", expected=expected)
