"""Scripted games: real games whose messages to the bot are kept for the script to send, when and how it likes."""

import time
from collections import deque
from collections.abc import Callable
from random import Random

from aurum.conformance.scripted.opponent import SimulatedOpponent
from aurum.referee.game import Loss, RunningGame
from aurum.referee.unit import Clock, GameSettings, GameTask
from aurum.rules import PRESETS, Deal, IllegalMove, Round, deal_key, secret_of_seed
from aurum.v1 import play_pb2
from aurum.wire.cards import MalformedError
from aurum.wire.moves import read_action

SECRET = secret_of_seed("arena check")
"""The deals are the same in every check of every bot."""


def first_player(deal: int) -> int:
    """The seat that bids and leads first in deal number `deal` with four players."""
    return Deal(deal_key(SECRET, deal), 4).first_player


def parsed_updates(updates: bytes) -> list[play_pb2.Update]:
    """Parse the serialized updates that a game has for a player."""
    return [*play_pb2.PlayResponse.FromString(updates).updates]


class _BotPlayer:
    """The player at the bot's seat (see `aurum.referee.game.Player`): keeps the updates that the game sends it."""

    loss: Loss | None = None

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.updates: list[play_pb2.Update] = []

    def enter(self, game: RunningGame) -> None:
        """Do nothing: it plays one game only."""

    def leave(self, game: RunningGame) -> None:
        """Do nothing: it plays one game only."""

    def ask(self, game: RunningGame, now: float) -> None:
        """Keep a turn."""
        self.tell(game.turn(now))

    def tell(self, news: bytes) -> None:
        """Keep other updates."""
        self.updates += parsed_updates(news)


class ScriptedGame:
    """A game of deal number `deal` between the bot at `seat` and simulated opponents at the other seats.

    `turn` is the one that the bot has to answer, None once the game is over. The caller sends what `new_updates`
    returns and passes each answer to `play`.
    """

    def __init__(self, deal: int, *, players: int = 4, seat: int = 0, ruleset: str = "german", turn_ms: int) -> None:
        key = deal_key(SECRET, deal)
        self.turn: play_pb2.Turn | None = None
        self._bot = _BotPlayer(seat)
        self._positions: dict[int, Round] = {}
        self._scheduled: deque[Callable[[], None]] = deque()
        random = Random(key)
        self._running = RunningGame(
            GameTask(f"check/{deal}", deal, key, (0,) * players),
            GameSettings(PRESETS[ruleset], Clock(turn_ms)),
            [
                self._bot if seat == other else SimulatedOpponent(other, random, self._scheduled.append)
                for other in range(players)
            ],
        )
        self.id = self._running.id
        self._running.begin(time.monotonic())
        self._advance()

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.turn is None

    def new_updates(self) -> list[play_pb2.Update]:
        """The updates since the last call, in order."""
        updates, self._bot.updates = self._bot.updates, []
        return updates

    def resumption_updates(self) -> list[play_pb2.Update]:
        """The updates for a bot that has lost its connection: the start, the rounds' ends it missed, the open turn."""
        missed = [update for update in self.new_updates() if update.WhichOneof("kind") == "round_end"]
        start, turn = self._running.start(self._bot.seat), self._running.turn(time.monotonic())
        return [*parsed_updates(start), *missed, *parsed_updates(turn)]

    def problem(self, action: play_pb2.Action) -> str:
        """What is wrong with an answer to any turn so far, as a sentence; empty if it is legal."""
        position = self._positions.get(action.number)
        if position is None:
            return f"game {self.id} had no turn {action.number}"
        try:
            position.copy().play(read_action(action, position.phase))
        except MalformedError as error:
            return str(error)
        except IllegalMove as error:
            return f"{error.move} is illegal: {error.reason.value}"
        return ""

    def play(self, action: play_pb2.Action) -> None:
        """Play an answer to the open turn, in which `problem` finds nothing, and go on to the bot's next turn."""
        self._running.answered(action, min(time.monotonic(), self._running.deadline))  # whoever waited kept the time
        self._advance()

    def _advance(self) -> None:
        """Let the opponents play until it is the bot's turn or the game is over."""
        while self._scheduled:
            self._scheduled.popleft()()
        game = self._running.game
        self.turn = None
        if not game.over:
            self._positions[self._running.turn_number] = game.round.copy()
            self.turn = self._bot.updates[-1].turn
