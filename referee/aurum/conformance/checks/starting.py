"""Checks of how a bot begins, wherever and whenever the referee is there."""

import asyncio

from aurum.conformance.checks.registry import Table
from aurum.conformance.scripted.referee import Stage

TABLE = Table()

LINGER_S = 1.0
"""For words after the last one."""
LATE_S = 2.0
"""For which a referee that comes late cannot be reached."""
QUIET_S = 11.0
"""Before a game in which nothing happens: longer than a referee goes without a ping."""


@TABLE.check("says Hello first and alone, with its token, and then waits to be asked")
async def hello(stage: Stage) -> None:
    async with stage.bot() as bot:
        stream = await bot.welcomed()
        await stream.goodbye()
        await stream.silence(LINGER_S, may_end=True)


@TABLE.check("plays over a Unix-domain socket as over TCP", needs="four-players")
async def unix_socket(stage: Stage) -> None:
    async with stage.bot(unix=True) as bot:
        stream = await bot.welcomed()
        await stream.step(stage.game(bot, 1))


@TABLE.check("dials again until the referee is there", needs="hello")
async def late_referee(stage: Stage) -> None:
    async with stage.bot(listening=False) as bot:
        await asyncio.sleep(LATE_S)
        await bot.line.open()
        await bot.welcomed()


@TABLE.check(f"waits {QUIET_S:g} quiet seconds for its first game", needs="bid")
async def slow_start(stage: Stage) -> None:
    async with stage.bot() as bot:
        stream = await bot.welcomed()
        await stream.silence(QUIET_S)
        await stream.step(stage.game(bot, 1))
