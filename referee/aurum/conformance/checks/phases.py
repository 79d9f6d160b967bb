"""Checks of every phase of the game, and of whole games."""

from collections.abc import Callable

from aurum.conformance.checks.registry import Table
from aurum.conformance.scripted.game import first_player
from aurum.conformance.scripted.referee import Stage
from aurum.conformance.scripted.stream import NotMet
from aurum.rules import PRESETS
from aurum.v1 import game_pb2, play_pb2

TABLE = Table()

GAMES = 40
"""After so many in which a phase did not come, it is not waited for any longer."""
_LIMITED = 3
"""A deal whose first trick, when it comes to the last player, has the suits of that player's first cards in it."""


@TABLE.check("lays a card of its hand as its bid", needs="hello")
async def bid(stage: Stage) -> None:
    async with stage.bot() as bot:
        stream = await bot.welcomed()
        await stream.step(stage.game(bot, 1))


@TABLE.check("leads a trick with a base card", needs="bid")
async def lead(stage: Stage) -> None:
    await _until(stage, lambda turn: turn.phase == game_pb2.PHASE_LEAD, "designer", seat=first_player(1))


@TABLE.check("follows with a suit that is not in the trick yet, or with gold", needs="bid")
async def follow(stage: Stage) -> None:
    def limited(turn: play_pb2.Turn) -> bool:
        # The first card of the hand is what a bot plays that does not look at the trick.
        return turn.phase == game_pb2.PHASE_FOLLOW and turn.hand[0] not in turn.legal_cards

    await _until(stage, limited, "designer", seat=(first_player(_LIMITED) + 3) % 4, deal=_LIMITED)


@TABLE.check("passes an exchange window, or swaps a bid card of its side for gold", needs="bid")
async def exchange(stage: Stage) -> None:
    await _until(stage, lambda turn: turn.phase == game_pb2.PHASE_EXCHANGE, "german")


@TABLE.check("plays a game of four under each ruleset", needs="lead follow exchange")
async def four_players(stage: Stage) -> None:
    await _whole_games(stage, 4)


@TABLE.check("plays a game of three under each ruleset", needs="four-players")
async def three_players(stage: Stage) -> None:
    await _whole_games(stage, 3)


@TABLE.check("plays gold or passes when it may end the round", needs="three-players")
async def end_of_round(stage: Stage) -> None:
    def may_end(turn: play_pb2.Turn) -> bool:
        return turn.phase == game_pb2.PHASE_FOLLOW and turn.may_pass

    await _until(stage, may_end, "german", players=3)


async def _until(
    stage: Stage,
    wanted: Callable[[play_pb2.Turn], bool],
    ruleset: str,
    *,
    players: int = 4,
    seat: int = 0,
    deal: int = 1,
) -> None:
    """Play games, from this deal on, until such a turn was answered."""
    async with stage.bot(players=players, seat=seat) as bot:
        stream = await bot.welcomed()
        for number in range(deal, deal + GAMES):
            game = stage.game(bot, number, ruleset=ruleset)
            while game.turn is not None:
                met = wanted(game.turn)
                await stream.step(game)
                if met:
                    return
        raise NotMet(f"it did not come to this in {GAMES} games")


async def _whole_games(stage: Stage, players: int) -> None:
    async with stage.bot(players=players, seat=1) as bot:
        stream = await bot.welcomed()
        for deal, ruleset in enumerate(PRESETS):
            game = stage.game(bot, deal, ruleset=ruleset)
            while not game.over:
                await stream.step(game)
            await stream.tell(game.news())
        await bot.dismiss(stream, " after whole games")
