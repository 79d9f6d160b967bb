"""Checks of turns that come in other ways than one by one."""

from aurum.conformance.checks.registry import Table
from aurum.conformance.scripted.referee import Stage

TABLE = Table()

BATCH = 256
"""Turns in one message: as many as a referee sends that has so many games in flight."""


@TABLE.check("is not confused by a turn that comes again", needs="four-players")
async def turn_twice(stage: Stage) -> None:
    async with stage.bot() as bot:
        stream = await bot.welcomed()
        game = stage.game(bot, 1)
        for _ in range(3):
            turn = game.turn
            assert turn is not None
            await stream.step(game)
            await stream.repeat(game, turn)
        await stream.step(game)


@TABLE.check("is not confused by an old turn that comes again", needs="four-players")
async def old_turn(stage: Stage) -> None:
    async with stage.bot() as bot:
        stream = await bot.welcomed()
        game = stage.game(bot, 1)
        old = game.turn
        assert old is not None
        for _ in range(3):
            await stream.step(game)
        await stream.repeat(game, old)
        await stream.step(game)


@TABLE.check(f"answers {BATCH} turns of as many games in one message", needs="four-players")
async def large_batch(stage: Stage) -> None:
    async with stage.bot() as bot:
        stream = await bot.welcomed()
        # A bot that takes its time takes it for each of them.
        games = [stage.game(bot, deal, turn_ms=10 * stage.subject.turn_ms) for deal in range(BATCH)]
        await stream.step(*games)
        await stream.step(*games)
