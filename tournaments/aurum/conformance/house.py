"""The players at the other seats: they answer inside the referee's process, with any legal move."""

import time
from collections.abc import Callable
from random import Random

from aurum.referee.game import Loss, RunningGame
from aurum.referee.projection import wire
from aurum.rules import PASS, Bid, Exchange, Move, Phase, Play
from aurum.v1 import play_pb2

Later = Callable[[Callable[[], None]], object]
"""Has something done after what is being done now."""


class House:
    """The player at `seat` (see `aurum.referee.game.Player`): a random move, half of the exchange windows passed.

    It answers through `later`, since a game may not be answered while it asks.
    """

    loss: Loss | None = None

    def __init__(self, seat: int, random: Random, later: Later) -> None:
        self.seat = seat
        self._random = random
        self._later = later

    def enter(self, game: RunningGame) -> None:
        """Nothing to note: a game is all there at every turn."""

    def leave(self, game: RunningGame) -> None:
        """Nothing to forget."""

    def ask(self, game: RunningGame, deadline: float, turn: bytes) -> None:
        """Have the turn answered soon; the message is for bots alone."""
        self._later(lambda: game.answered(self._answer(game), time.monotonic()))

    def tell(self, news: bytes) -> None:
        """News are for bots alone."""

    def _answer(self, game: RunningGame) -> play_pb2.Action:
        moves = game.game.legal_moves()
        if game.game.phase is Phase.EXCHANGE and self._random.random() < 0.5:
            return action_of(PASS)
        return action_of(self._random.choice(moves))


def action_of(move: Move) -> play_pb2.Action:
    """What says a move, but for its game and number."""
    action = play_pb2.Action()
    if isinstance(move, Bid | Play):
        action.card = wire(move.card)
    elif isinstance(move, Exchange):
        action.exchange.gold, action.exchange.card = wire(move.gold), wire(move.card)
        action.exchange.seat = move.seat
    else:
        getattr(action, "pass").SetInParent()  # a keyword of Python, so no attribute one can write
    return action
