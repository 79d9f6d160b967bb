"""Checks of every phase of the game, and of whole games."""

from collections.abc import Callable

from aurum.conformance.checks.registry import CheckRegistry
from aurum.conformance.scripted.game import first_player
from aurum.conformance.scripted.referee import ScriptedReferee
from aurum.conformance.scripted.stream import CheckSkipped
from aurum.rules import PRESETS
from aurum.v1 import game_pb2, play_pb2

REGISTRY = CheckRegistry()

GAMES = 40
"""How many games are played, at most, until the situation of a check arises."""
_LIMITED = 3
"""The number of a deal in whose first trick the last player may not play the first cards of its hand."""


@REGISTRY.check("lays a card of its hand as its bid", needs="hello")
async def bid(referee: ScriptedReferee) -> None:
    async with referee.bot() as bot:
        stream = await bot.accept_and_welcome()
        await stream.play_turns(referee.game(bot, 1))


@REGISTRY.check("leads a trick with a base card", needs="bid")
async def lead(referee: ScriptedReferee) -> None:
    await _play_until(referee, lambda turn: turn.phase == game_pb2.PHASE_LEAD, "designer", seat=first_player(1))


@REGISTRY.check("follows with a suit that is not in the trick yet, or with gold", needs="bid")
async def follow(referee: ScriptedReferee) -> None:
    def limited(turn: play_pb2.Turn) -> bool:
        # A bot that does not look at the trick plays the first card of its hand.
        return turn.phase == game_pb2.PHASE_FOLLOW and turn.hand[0] not in turn.legal_cards

    await _play_until(referee, limited, "designer", seat=(first_player(_LIMITED) + 3) % 4, deal=_LIMITED)


@REGISTRY.check("passes an exchange window, or swaps a bid card of its side for gold", needs="bid")
async def exchange(referee: ScriptedReferee) -> None:
    await _play_until(referee, lambda turn: turn.phase == game_pb2.PHASE_EXCHANGE, "german")


@REGISTRY.check("plays a game of four under each ruleset", needs="lead follow exchange")
async def four_players(referee: ScriptedReferee) -> None:
    await _play_whole_games(referee, 4)


@REGISTRY.check("plays a game of three under each ruleset", needs="four-players")
async def three_players(referee: ScriptedReferee) -> None:
    await _play_whole_games(referee, 3)


@REGISTRY.check("plays gold or passes when it may end the round", needs="three-players")
async def end_of_round(referee: ScriptedReferee) -> None:
    def may_end(turn: play_pb2.Turn) -> bool:
        return turn.phase == game_pb2.PHASE_FOLLOW and turn.may_pass

    await _play_until(referee, may_end, "german", players=3)


async def _play_until(
    referee: ScriptedReferee,
    is_wanted: Callable[[play_pb2.Turn], bool],
    ruleset: str,
    *,
    players: int = 4,
    seat: int = 0,
    deal: int = 1,
) -> None:
    """Play games, from this deal on, until a turn of the wanted kind was answered."""
    async with referee.bot(players=players, seat=seat) as bot:
        stream = await bot.accept_and_welcome()
        for number in range(deal, deal + GAMES):
            game = referee.game(bot, number, ruleset=ruleset)
            while game.turn is not None:
                met = is_wanted(game.turn)
                await stream.play_turns(game)
                if met:
                    return
        raise CheckSkipped(f"it did not come to this in {GAMES} games")


async def _play_whole_games(referee: ScriptedReferee, players: int) -> None:
    async with referee.bot(players=players, seat=1) as bot:
        stream = await bot.accept_and_welcome()
        for deal, ruleset in enumerate(PRESETS):
            game = referee.game(bot, deal, ruleset=ruleset)
            while not game.over:
                await stream.play_turns(game)
            await stream.send_updates(game.new_updates())
        await bot.dismiss(stream, " after whole games")
