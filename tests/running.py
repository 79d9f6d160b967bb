"""A running game without sockets: players that keep their updates, and a clock that the test sets."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from aurum.records.listener import GameListener
from aurum.referee.game import Loss, RunningGame
from aurum.referee.unit import Clock, GameSettings, GameTask
from aurum.rules import Bid, Exchange, GameResult, Move, Play, Ruleset
from aurum.v1 import play_pb2

KEY = bytes(range(32))


@dataclass
class FakePlayer:
    """A player (see `aurum.referee.game.Player`) that answers nothing by itself."""

    seat: int
    loss: Loss | None = None
    updates: list[play_pb2.Update] = field(default_factory=list)
    open: RunningGame | None = None
    games: list[RunningGame] = field(default_factory=list)

    def enter(self, game: RunningGame) -> None:
        self.games.append(game)

    def leave(self, game: RunningGame) -> None:
        self.games.remove(game)

    def ask(self, game: RunningGame, now: float) -> None:
        self.open = game
        self.tell(game.turn(now))

    def tell(self, news: bytes) -> None:
        self.updates.extend(play_pb2.PlayResponse.FromString(news).updates)

    def updates_of(self, kind: str) -> list[play_pb2.Update]:
        """The updates of one kind, in order."""
        return [update for update in self.updates if update.WhichOneof("kind") == kind]


def action_of(move: Move, turn: play_pb2.Turn) -> play_pb2.Action:
    """The action that says a move."""
    action = play_pb2.Action(game=turn.game, number=turn.number)
    if isinstance(move, Bid | Play):
        action.card = int(move.card)  # type: ignore[assignment]
    elif isinstance(move, Exchange):
        action.exchange.gold = int(move.gold)  # type: ignore[assignment]
        action.exchange.card = int(move.card)  # type: ignore[assignment]
        action.exchange.seat = move.seat
    else:
        getattr(action, "pass").SetInParent()
    return action


class _Ends(GameListener):
    """Counts how often a game was over."""

    def __init__(self, sitting: "Sitting") -> None:
        self._sitting = sitting

    def game_over(
        self, result: GameResult, forfeited: Sequence[int], decisions: Sequence[int], seconds: Sequence[float]
    ) -> None:
        self._sitting.ended += 1


class Sitting:
    """A running game between fake players; `now` is its time."""

    def __init__(
        self,
        ruleset: Ruleset,
        players: int = 4,
        *,
        key: bytes = KEY,
        clock: Clock = Clock(1000),  # noqa: B008 - immutable
        tolerated_faults: int = 0,
        names: Sequence[str] | None = None,
        losses: dict[int, Loss] | None = None,
        listeners: Sequence[GameListener] = (),
    ) -> None:
        self.now = 100.0
        self.ended = 0
        self.players = [FakePlayer(seat, (losses or {}).get(seat)) for seat in range(players)]
        task = GameTask("test/r1m1/0/0", 0, key, tuple(seat % 2 for seat in range(players)))
        game_settings = GameSettings(ruleset, clock, tolerated_faults, names is not None)
        bots = [f"bot{seat % 2}" for seat in range(players)] if names is None else names
        self.running = RunningGame(task, game_settings, self.players, bots)
        self.running.listen(_Ends(self), *listeners)
        self.game = self.running.game

    def begin(self) -> "Sitting":
        self.running.begin(self.now)
        return self

    @property
    def turn(self) -> play_pb2.Turn:
        """The open turn."""
        return self.players[self.game.to_act].updates[-1].turn

    def answer(self, move: Move) -> None:
        """The seat to act answers with a move."""
        self.running.answered(action_of(move, self.turn), self.now)

    def play_on(self, choose: Callable[[tuple[Move, ...]], Move], turns: int = 10_000) -> None:
        """Answer up to `turns` turns, until the game is over."""
        while turns and not self.game.over:
            self.answer(choose(self.game.legal_moves()))
            turns -= 1
