"""Checks of turns that come in other ways than one by one."""

from aurum.conformance.stage import Stage
from aurum.conformance.table import Table
from aurum.v1 import play_pb2

TABLE = Table()

BATCH = 256
"""Turns in one message: as many as a referee sends that has so many games in flight."""


@TABLE.check("answers a turn that comes twice, each time by its game and number", needs="four-players")
async def turn_twice(stage: Stage) -> None:
    async with stage.bot() as bot:
        stream = await bot.welcomed()
        game = stage.game(bot, 1)
        for _ in range(3):
            turn = game.turn
            assert turn is not None
            await stream.tell(game.news())
            await stream.tell([play_pb2.Update(turn=turn)])
            first, _ = await stream.take(game, turn, turn)
            game.answer(first)
        await stream.step(game)


@TABLE.check("answers an old turn that comes again by the old number, and plays on", needs="four-players")
async def old_turn(stage: Stage) -> None:
    async with stage.bot() as bot:
        stream = await bot.welcomed()
        game = stage.game(bot, 1)
        old = game.turn
        assert old is not None
        await stream.step(game)
        await stream.step(game)
        await stream.tell([play_pb2.Update(turn=old)])
        await stream.take(game, old)
        await stream.step(game)


@TABLE.check(f"answers {BATCH} turns of as many games that come in one message", needs="four-players")
async def large_batch(stage: Stage) -> None:
    async with stage.bot() as bot:
        stream = await bot.welcomed()
        # A bot that takes its time takes it for each of them.
        games = [stage.game(bot, deal, turn_ms=10 * stage.subject.turn_ms) for deal in range(BATCH)]
        await stream.step(*games)
        await stream.step(*games)
