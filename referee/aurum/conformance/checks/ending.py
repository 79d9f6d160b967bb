"""Checks of how a bot ends: after a Goodbye, or because it cannot play."""

import asyncio

import grpc
from aurum.conformance.checks.registry import CheckRegistry
from aurum.conformance.scripted.referee import CheckedInstance, ScriptedReferee
from aurum.conformance.scripted.stream import CheckFailed

REGISTRY = CheckRegistry()

GIVE_UP_S = 15.0
"""How long a bot may take to exit when it cannot play."""
REFUSAL = "there is no seat for you at this table"


@REGISTRY.check("exits with code 0 after a Goodbye", needs="hello")
async def leave(referee: ScriptedReferee) -> None:
    async with referee.bot() as bot:
        await bot.dismiss(await bot.accept_and_welcome())


@REGISTRY.check("exits with code 0 after a Goodbye in the middle of a game", needs="leave four-players")
async def leave_mid_game(referee: ScriptedReferee) -> None:
    async with referee.bot() as bot:
        stream = await bot.accept_and_welcome()
        await stream.play_turns(referee.game(bot, 1))
        await bot.dismiss(stream, " after the first turn of a game")


@REGISTRY.should("exits with code 1 and a word about it if the referee speaks another protocol version", needs="hello")
async def other_version(referee: ScriptedReferee) -> None:
    async with referee.bot() as bot:
        stream = await bot.accept_hello()
        await stream.send_welcome(version=2)
        await _demand_failure(bot, "a Welcome of protocol version 2")


@REGISTRY.should("exits with code 1 and the referee's sentence if it is refused", needs="hello")
async def refusal(referee: ScriptedReferee) -> None:
    async with referee.bot() as bot:

        async def refuse(within: float | None = None) -> None:
            stream = await bot.accept_hello(within)
            stream.end(grpc.StatusCode.FAILED_PRECONDITION, REFUSAL)

        async def refuse_again() -> None:
            # A gRPC library that is just writing may learn of the end but not of the reason: then the bot dials again.
            while True:
                await refuse(GIVE_UP_S)

        await refuse()
        refusing = asyncio.create_task(refuse_again())
        try:
            await _demand_failure(bot, f"the end of the stream with FAILED_PRECONDITION: {REFUSAL}", REFUSAL)
        finally:
            refusing.cancel()
            await asyncio.gather(refusing, return_exceptions=True)


@REGISTRY.should("exits with code 1 and a word about it if the referee does not come back", needs="hello")
async def no_way_back(referee: ScriptedReferee) -> None:
    async with referee.bot() as bot:
        await bot.accept_and_welcome(grace_ms=500)
        bot.proxy.close()
        await _demand_failure(bot, "the end of the connection, with a grace of 0.5 s")


async def _demand_failure(bot: CheckedInstance, sent: str, words: str = "") -> None:
    """Demand that the bot exits with code 1, and that its output contains these words, or any if none are given."""
    await bot.exit(1, GIVE_UP_S, sent)
    if not bot.bot_process.tail or words not in bot.bot_process.tail:
        expected = f"the bot's output to hold {words!r}" if words else "the bot's output to say why"
        raise CheckFailed(sent=sent, came=f"it {bot.bot_process.exited.result()} without saying so", expected=expected)
