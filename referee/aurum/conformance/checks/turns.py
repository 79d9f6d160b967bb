"""Checks of turns that come again, and of many turns in one message."""

from aurum.conformance.checks.registry import CheckRegistry
from aurum.conformance.scripted.referee import ScriptedReferee

REGISTRY = CheckRegistry()

BATCH = 256
"""How many turns are sent in one message: a referee with so many games in flight may do so."""


@REGISTRY.should("is not confused by a turn that comes again", needs="four-players")
async def turn_twice(referee: ScriptedReferee) -> None:
    async with referee.bot() as bot:
        stream = await bot.accept_and_welcome()
        game = referee.game(bot, 1)
        for _ in range(3):
            turn = game.turn
            assert turn is not None
            await stream.play_turns(game)
            await stream.repeat_turn(game, turn)
        await stream.play_turns(game)


@REGISTRY.should("is not confused by an old turn that comes again", needs="four-players")
async def old_turn(referee: ScriptedReferee) -> None:
    async with referee.bot() as bot:
        stream = await bot.accept_and_welcome()
        game = referee.game(bot, 1)
        old = game.turn
        assert old is not None
        for _ in range(3):
            await stream.play_turns(game)
        await stream.repeat_turn(game, old)
        await stream.play_turns(game)


@REGISTRY.check(f"answers {BATCH} turns of as many games in one message", needs="four-players")
async def large_batch(referee: ScriptedReferee) -> None:
    async with referee.bot() as bot:
        stream = await bot.accept_and_welcome()
        # A slow bot takes its time for each of them.
        games = [referee.game(bot, deal, turn_ms=10 * referee.checked.turn_ms) for deal in range(BATCH)]
        await stream.play_turns(*games)
        await stream.play_turns(*games)
