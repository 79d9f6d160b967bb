"""A game that is being played: who is asked, what an answer does, what a fault costs.

Pure: no socket and no clock in here. Instances call `answered`, `timed_out` and `lost` with the time it
is; the game calls `ask` and `tell` of its players, and its listeners (the recorder is the first). The walk of one
action:

    answered -> judged and applied by the rules -> listeners -> shown on the public table -> the next turn asked
"""

from collections.abc import Sequence
from typing import Protocol

from aurum.records.listener import GameListener, Hidden, announce_deal, announce_round_end
from aurum.records.recorder import Recorder
from aurum.records.stand_in import stand_in
from aurum.referee.unit import GameSettings, GameTask
from aurum.rules import Bid, Deal, Game, IllegalMove, Move, side_of
from aurum.v1 import game_pb2, play_pb2
from aurum.wire.cards import MalformedError
from aurum.wire.moves import read_action
from aurum.wire.view import TableView, fill_game_start, fill_round_end, fill_turn, game_number

Loss = tuple[game_pb2.FaultKind.ValueType, str]
"""Why a player can answer no more: the fault, and a sentence for its author."""


def as_bytes(update: play_pb2.Update) -> bytes:
    """A `PlayResponse` with one update; such bytes one after the other are a `PlayResponse` with all the updates."""
    return play_pb2.PlayResponse(updates=[update]).SerializeToString()


class Player(Protocol):
    """Who plays at one of a game's seats: an instance of a bot, or a simulated opponent."""

    seat: int

    @property
    def loss(self) -> Loss | None:
        """Set once the instance can answer no more."""

    def enter(self, game: "RunningGame") -> None:
        """The game begins."""

    def leave(self, game: "RunningGame") -> None:
        """The game is over, and its last updates may go out."""

    def ask(self, game: "RunningGame", now: float) -> None:
        """Open the turn that is due in `game`, and have it answered until its `deadline`.

        `game.turn(now)` are the bytes to send. The player calls `answered`, `timed_out` or `lost`, after this returns.
        """

    def tell(self, news: bytes) -> None:
        """Have an update, as `as_bytes` makes it, go out with whatever is sent next."""


class RunningGame:
    """One game between four or three players; `players` and their bots' `names` are by seat.

    `id` names it on the wire. `record` is complete once listeners have heard that the game is over.
    """

    def __init__(
        self, task: GameTask, settings: GameSettings, players: Sequence[Player], names: Sequence[str] = ()
    ) -> None:
        self.id = game_number(task.deal_key, task.id)
        self.game = Game(settings.ruleset, Deal(task.deal_key, len(players)))
        recorder = Recorder(self.game, task.id, task.deal)
        self.record = recorder.record
        """Moves are written round by round."""
        self.players = players
        self.deadline = 0.0
        self.turn_number = 0
        """The number of the open turn among the turns of the seat to act."""
        # What is sent of every turn: only its bytes are handed out, for the message moves along with the game.
        self._message = play_pb2.PlayResponse()
        self._turn = self._message.updates.add().turn
        self._turn.game = self.id
        self._view = TableView(self.game, self._turn.table)
        self._settings = settings
        clock = self._clock = settings.clock
        self._turn_s = clock.turn_ms / 1000
        self._names = names
        self._listeners: tuple[GameListener, ...] = (recorder,)
        self._face_down = len(players) == 3
        self._asked_at = 0.0
        self._turns = [0] * len(players)
        self._banks = [clock.bank_ms / 1000] * len(players)
        self._time = [0.0] * len(players)
        self._faults = [0] * len(players)
        self._stand_in = [False] * len(players)

    def listen(self, *listeners: GameListener) -> None:
        """Add listeners, which hear of everything after the recorder does; before the game begins."""
        self._listeners += listeners

    def begin(self, now: float) -> None:
        """Tell every player that the game starts and ask for the first turn."""
        for listener in self._listeners:
            listener.game_begun(self._names, self.game.ruleset)
        announce_deal(self.game, self._listeners)
        for player in self.players:
            player.enter(self)
            player.tell(self.start(player.seat))
        self._go_on(now)

    def start(self, seat: int) -> bytes:
        """The start of the game; also for a player that lost its connection and is back."""
        clock = self._clock
        update = play_pb2.Update()
        start = update.game_start
        start.game = self.id
        start.clock.turn_ms, start.clock.bank_ms = clock.turn_ms, clock.bank_ms
        start.clock.increment_ms = clock.increment_ms
        if self._settings.names:
            start.names.extend(self._names)
        fill_game_start(start, self.game, seat)
        return as_bytes(update)

    def turn(self, now: float) -> bytes:
        """The open turn; also for a player that lost its connection and is back."""
        turn = self._turn
        turn.number = self.turn_number
        turn.time_left_ms = max(0, round((self.deadline - now) * 1000))
        fill_turn(turn, self.game.round)
        return self._message.SerializeToString()

    def answered(self, action: play_pb2.Action, now: float) -> None:
        """The open turn was answered."""
        if now > self.deadline:
            self.timed_out(now)
            return
        game = self.game
        current = game.round
        elapsed = self._stop_clock(now)
        try:
            self._apply(read_action(action, current.phase), elapsed)
        except MalformedError as error:
            self._fault(game_pb2.FAULT_KIND_MALFORMED_MESSAGE, f"{self._place()}: {error}", elapsed)
        except IllegalMove as error:
            legal = ", ".join(map(str, game.legal_moves()[:12]))
            sentence = f"{self._place()}: {error.move} is illegal: {error.reason.value}; legal were {legal}"
            self._fault(game_pb2.FAULT_KIND_ILLEGAL_MOVE, sentence, elapsed)
        self._go_on(now)

    def timed_out(self, now: float) -> None:
        """The open turn's deadline passed."""
        limit = round((self.deadline - self._asked_at) * 1000)
        elapsed = self._stop_clock(now)
        self._fault(game_pb2.FAULT_KIND_TIMEOUT, f"{self._place()}: no answer within {limit} ms", elapsed)
        self._go_on(now)

    def excuse(self, seconds: float, now: float) -> None:
        """The referee itself was late by so much: as long the open turn is not counted, if it was open for so long."""
        lost = min(seconds, now - self._asked_at)
        self._asked_at += lost
        self.deadline += lost

    def lost(self, loss: Loss, now: float) -> None:
        """The player with the open turn can answer no more."""
        elapsed = self._stop_clock(now)
        self._fault(loss[0], f"{self._place()}: {loss[1]}", elapsed)
        self._go_on(now)

    def _go_on(self, now: float) -> None:
        """Ask for the next turn, or end the game; moves of seats that nobody plays are made on the way."""
        game = self.game
        while not game.over:
            seat = game.round.to_act
            player = self.players[seat]
            if self._stand_in[seat]:
                self._apply(stand_in(game.round), 0.0, by_referee=True)
            elif player.loss is not None:
                self._fault(player.loss[0], player.loss[1], 0.0)
            else:
                self.turn_number = self._turns[seat] = self._turns[seat] + 1
                self._asked_at = now
                self.deadline = now + self._turn_s + self._banks[seat]
                player.ask(self, now)
                return
        self._end()

    def _apply(self, move: Move, elapsed: float, by_referee: bool = False) -> None:
        game = self.game
        current = game.round
        seat = current.to_act
        game.play(move)
        ms = round(elapsed * 1000)
        shown = Hidden(move) if self._face_down and type(move) is Bid else move
        for listener in self._listeners:
            listener.moved(seat, shown, ms, by_referee)
        if shown is not move and current.bids_revealed:
            bids = tuple([bid for bid in current.bids if bid is not None])
            for listener in self._listeners:
                listener.bids_revealed(bids)
        self._view.advance(current, seat, move)
        if game.finished is not None:
            announce_round_end(game, self._listeners)
            update = play_pb2.Update()
            update.round_end.game = self.id
            fill_round_end(update.round_end, self._view.message, current, game.results[-1])
            self._tell_all(update)
            if not game.over:
                self._view.deal(game)

    def _stop_clock(self, now: float) -> float:
        seat = self.game.round.to_act
        elapsed = now - self._asked_at
        self._time[seat] += elapsed
        clock = self._clock
        if clock.bank_ms:
            left = self._banks[seat] - max(0.0, elapsed - self._turn_s)
            self._banks[seat] = min(max(0.0, left) + clock.increment_ms / 1000, clock.bank_ms / 1000)
        return elapsed

    def _fault(self, kind: game_pb2.FaultKind.ValueType, detail: str, elapsed: float) -> None:
        """Write down a fault of the seat to act and make its move for it."""
        seat = self.game.to_act
        player = self.players[seat]
        ms = round(elapsed * 1000)
        for listener in self._listeners:
            listener.fault(seat, kind, Hidden(detail), ms)
        if player.loss is None:
            fault = play_pb2.Fault(game=self.id, number=self._turns[seat], kind=kind, detail=detail)
            player.tell(as_bytes(play_pb2.Update(fault=fault)))
        self._faults[seat] += 1
        self._stand_in[seat] = self._faults[seat] > self._settings.tolerated_faults
        self._apply(stand_in(self.game.round), elapsed, by_referee=True)

    def _place(self) -> str:
        current = self.game.round
        return f"turn {self._turns[current.to_act]} ({current.phase.name.lower()}, round {current.number})"

    def _end(self) -> None:
        players = len(self.players)
        forfeited = sorted({side_of(seat, players) for seat in range(players) if self._stand_in[seat]})
        result = self.game.result()
        for listener in self._listeners:
            listener.game_over(result, forfeited, self._turns, self._time)
        self._tell_all(play_pb2.Update(game_end=play_pb2.GameEnd(game=self.id, result=self.record.result)))
        for player in self.players:
            player.leave(self)

    def _tell_all(self, update: play_pb2.Update) -> None:
        news = as_bytes(update)
        for player in self.players:
            if player.loss is None:
                player.tell(news)
