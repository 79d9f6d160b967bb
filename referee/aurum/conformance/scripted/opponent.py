"""Simulated opponents: they sit at the other seats, inside the referee's process, and play random legal moves."""

import time
from collections.abc import Callable
from random import Random

from aurum.referee.game import Loss, RunningGame
from aurum.rules import PASS, Phase
from aurum.v1 import play_pb2
from aurum.wire.moves import write_action

CallSoon = Callable[[Callable[[], None]], object]
"""Schedules a call for when the current one has returned, as an event loop's `call_soon` does."""


class SimulatedOpponent:
    """The player at `seat` (see `aurum.referee.game.Player`): passes about every second exchange window, else random.

    It answers through `call_soon`, since a game may not be answered while it is asking.
    """

    loss: Loss | None = None

    def __init__(self, seat: int, random: Random, call_soon: CallSoon) -> None:
        self.seat = seat
        self._random = random
        self._call_soon = call_soon

    def enter(self, game: RunningGame) -> None:
        """Do nothing: it reads the whole game at every turn."""

    def leave(self, game: RunningGame) -> None:
        """Do nothing: it keeps nothing of a game."""

    def ask(self, game: RunningGame, now: float) -> None:
        """Schedule an answer to the open turn; its message is not even made."""
        self._call_soon(lambda: game.answered(self._answer(game), time.monotonic()))

    def tell(self, news: bytes) -> None:
        """Do nothing: it needs no messages."""

    def _answer(self, game: RunningGame) -> play_pb2.Action:
        moves = game.game.legal_moves()
        passes = game.game.phase is Phase.EXCHANGE and self._random.random() < 0.5
        action = play_pb2.Action()
        write_action(action, PASS if passes else self._random.choice(moves))
        return action
