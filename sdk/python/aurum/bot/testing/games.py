"""Whole games between bots in this process: what the referee sends them, without a referee, a clock or a network."""

import asyncio
from collections.abc import Sequence
from time import monotonic
from typing import NamedTuple

from aurum.bot.base import Bot
from aurum.bot.session import Session
from aurum.bot.testing.turns import RULESET
from aurum.rules import Deal, Game, GameResult, Ruleset, deal_key, secret_of_seed
from aurum.v1 import play_pb2
from aurum.wire.game import write_game_result
from aurum.wire.moves import read_action
from aurum.wire.view import TableView, fill_game_start, fill_round_end, fill_turn

_NO_HURRY_MS = 3_600_000


class Score(NamedTuple):
    """How the games of the first of two bots ended."""

    won: int
    drawn: int
    lost: int


def play_games(first: type[Bot], second: type[Bot], *, deals: int = 10, ruleset: Ruleset = RULESET) -> Score:
    """Two bots play games of four players, each deal twice, with the teams exchanged; the score is the first one's."""
    ranks = []
    for deal in range(deals):
        ranks.append(play_game(first, second, deal=deal, ruleset=ruleset).rank)
        ranks.append(play_game(second, first, deal=deal, ruleset=ruleset).rank[::-1])
    return Score(
        sum(own < other for own, other in ranks),
        sum(own == other for own, other in ranks),
        sum(own > other for own, other in ranks),
    )


def play_game(*bots: type[Bot], deal: int = 0, seed: str = "test", ruleset: Ruleset = RULESET) -> GameResult:
    """A game between bots: two are teams of four players, three play alone, four have a seat each.

    Each seat gets a bot of its own, as in a tournament. Nobody is hurried. The deal is that of `deal` in a tournament
    with this seed, and the bots' chance (`turn.rng`) is the same as there.

    Raises ValueError for any other number of bots, and AuthorError if a bot's code fails or an answer is not legal.
    """
    if len(bots) not in (2, 3, 4):
        raise ValueError(f"two, three or four bots play a game, not {len(bots)}")
    if asyncio._get_running_loop() is not None:
        raise ValueError("a game runs on an event loop of its own: play it in a plain function, not in an async one")
    seats = bots * 2 if len(bots) == 2 else bots
    game = Game(ruleset, Deal(deal_key(secret_of_seed(seed), deal), len(seats)))
    asyncio.run(_Table(game).play([bot() for bot in seats]))
    return game.result()


class _Table:
    """Does for one game what a referee does: asks, applies the answers, and says what has happened."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._view = TableView(game)
        self._turns = [0] * game.deal.players
        self._sessions: list[Session] = []

    async def play(self, bots: Sequence[Bot]) -> None:
        """Play the game to its end."""
        for bot in bots:
            if (loading := bot.setup()) is not None:
                await loading
        self._sessions = [Session(bot) for bot in bots]
        game = self._game
        for seat in range(len(bots)):
            start = play_pb2.GameStart(game=1, clock=play_pb2.Clock(turn_ms=_NO_HURRY_MS))
            fill_game_start(start, game, seat)
            await self._tell(seat, play_pb2.Update(game_start=start))
        while not game.over:
            await self._ask(game.to_act)
        for seat in range(len(bots)):
            end = play_pb2.GameEnd(game=1)
            write_game_result(end.result, game.result())
            await self._tell(seat, play_pb2.Update(game_end=end))

    async def _ask(self, seat: int) -> None:
        """Have the seat to act answer, and play that."""
        game, current = self._game, self._game.round
        self._turns[seat] += 1
        turn = play_pb2.Turn(game=1, number=self._turns[seat], time_left_ms=_NO_HURRY_MS, table=self._view.message)
        fill_turn(turn, current)
        (answer,) = await self._tell(seat, play_pb2.Update(turn=turn))
        move = read_action(answer, current.phase)
        game.play(move)
        self._view.advance(current, seat, move)
        if game.finished is not None:
            update = play_pb2.Update(round_end=play_pb2.RoundEnd(game=1))
            fill_round_end(update.round_end, self._view.message, current, game.results[-1])
            for other in range(len(self._sessions)):
                await self._tell(other, update)
            if not game.over:
                self._view.deal(game)

    async def _tell(self, seat: int, update: play_pb2.Update) -> Sequence[play_pb2.Action]:
        """What the bot at a seat answers to an update."""
        request = play_pb2.PlayRequest()
        if (thinking := self._sessions[seat].take(update, monotonic(), request.actions)) is not None:
            await thinking
        return request.actions
