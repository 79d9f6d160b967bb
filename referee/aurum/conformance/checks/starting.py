"""Checks of how a bot connects and waits for its first game."""

import asyncio

from aurum.conformance.checks.registry import CheckRegistry
from aurum.conformance.scripted.referee import ScriptedReferee

REGISTRY = CheckRegistry()

LINGER_S = 1.0
"""How long the check listens for messages after the Goodbye."""
LATE_S = 2.0
"""How long a late referee cannot be reached."""
QUIET_S = 11.0
"""How long nothing is sent before the first game: longer than a referee goes without a ping."""


@REGISTRY.check("says Hello first and alone, with its token, and then waits to be asked")
async def hello(referee: ScriptedReferee) -> None:
    async with referee.bot() as bot:
        stream = await bot.accept_and_welcome()
        await stream.send_goodbye()
        await stream.expect_silence(LINGER_S, may_end=True)


@REGISTRY.check("plays over a Unix-domain socket as over TCP", needs="four-players")
async def unix_socket(referee: ScriptedReferee) -> None:
    async with referee.bot(unix=True) as bot:
        stream = await bot.accept_and_welcome()
        await stream.play_turns(referee.game(bot, 1))


@REGISTRY.should("dials again until the referee is there", needs="hello")
async def late_referee(referee: ScriptedReferee) -> None:
    async with referee.bot(reachable=False) as bot:
        await asyncio.sleep(LATE_S)
        await bot.proxy.open()
        await bot.accept_and_welcome()


@REGISTRY.check(f"waits {QUIET_S:g} quiet seconds for its first game", needs="bid")
async def slow_start(referee: ScriptedReferee) -> None:
    async with referee.bot() as bot:
        stream = await bot.accept_and_welcome()
        await stream.expect_silence(QUIET_S)
        await stream.play_turns(referee.game(bot, 1))
