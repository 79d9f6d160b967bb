"""The players at the other seats: they answer inside the referee's process, with any legal move."""

import time
from collections.abc import Callable
from random import Random

from aurum.referee.game import Loss, RunningGame
from aurum.rules import PASS, Phase
from aurum.v1 import play_pb2
from aurum.wire.moves import write_action

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
        passes = game.game.phase is Phase.EXCHANGE and self._random.random() < 0.5
        action = play_pb2.Action()
        write_action(action, PASS if passes else self._random.choice(moves))
        return action
