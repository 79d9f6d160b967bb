"""A real game that waits for its script: one seat is the bot's, what it is told is handed out to be sent by hand."""

import time
from collections import deque
from collections.abc import Callable
from random import Random

from aurum.conformance.scripted.opponent import House
from aurum.referee.game import Loss, RunningGame
from aurum.referee.unit import Clock, GameTask
from aurum.rules import PRESETS, Deal, IllegalMove, Round, deal_key, secret_of_seed
from aurum.v1 import play_pb2
from aurum.wire.cards import MalformedError
from aurum.wire.moves import read_action

SECRET = secret_of_seed("arena check")
"""The deals are the same in every check of every bot."""


def first_player(deal: int) -> int:
    """Who bids and leads first at a table of four."""
    return Deal(deal_key(SECRET, deal), 4).first_player


def updates_of(news: bytes) -> list[play_pb2.Update]:
    """The updates that a game has for a player."""
    return [*play_pb2.PlayResponse.FromString(news).updates]


class _Seat:
    """The bot's seat: it keeps what it is told."""

    loss: Loss | None = None

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.updates: list[play_pb2.Update] = []

    def enter(self, game: RunningGame) -> None:
        """Nothing to note."""

    def leave(self, game: RunningGame) -> None:
        """Nothing to forget."""

    def ask(self, game: RunningGame, deadline: float, turn: bytes) -> None:
        """Keep the turn."""
        self.tell(turn)

    def tell(self, news: bytes) -> None:
        """Keep the news."""
        self.updates += updates_of(news)


class StagedGame:
    """Deal number `deal`, played by the bot at `seat` and random players at the others.

    `turn` is the one that the bot has to answer, None once the game is over. The caller sends what `news`
    returns and hands in answers, in any order and number.
    """

    def __init__(self, deal: int, *, players: int = 4, seat: int = 0, ruleset: str = "german", turn_ms: int) -> None:
        key = deal_key(SECRET, deal)
        self.id = int.from_bytes(key[:6], "big")
        self.turn: play_pb2.Turn | None = None
        self._seat = _Seat(seat)
        self._positions: dict[int, Round] = {}
        self._steps: deque[Callable[[], None]] = deque()
        random = Random(key)
        self._running = RunningGame(
            self.id,
            GameTask(f"check/{deal}", deal, key, (0,) * players),
            PRESETS[ruleset],
            Clock(turn_ms),
            0,
            [self._seat if seat == other else House(other, random, self._steps.append) for other in range(players)],
            [int.from_bytes(key[6:12], "big")] * players,
            (),
            lambda: None,
        )
        self._running.begin(time.monotonic())
        self._go_on()

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.turn is None

    def news(self) -> list[play_pb2.Update]:
        """What the bot has to be told and was not yet."""
        updates, self._seat.updates = self._seat.updates, []
        return updates

    def again(self) -> list[play_pb2.Update]:
        """What a bot is told that has lost its connection: the start, what it missed, and the open turn."""
        missed = [update for update in self.news() if update.WhichOneof("kind") == "round_end"]
        start, turn = self._running.start(self._seat.seat), self._running.turn(time.monotonic())
        return [*updates_of(start), *missed, *updates_of(turn)]

    def problem(self, action: play_pb2.Action) -> str:
        """What is wrong with an answer to any turn that was asked, as a sentence; empty if nothing is."""
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

    def answer(self, action: play_pb2.Action) -> None:
        """Play an answer without a problem to the open turn, and go on to the next."""
        self._running.answered(action, min(time.monotonic(), self._running.deadline))  # whoever waited kept the time
        self._go_on()

    def _go_on(self) -> None:
        """Let the others play until the bot is asked or the game is over."""
        while self._steps:
            self._steps.popleft()()
        game = self._running.game
        self.turn = None
        if not game.over:
            self._positions[self._running.turn_number] = game.round.copy()
            self.turn = self._seat.updates[-1].turn
