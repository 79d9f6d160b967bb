"""Events of a running game, as values that are sent from the process that plays it to those that watch.

They hold what a spectator may see. What is hidden while the game is played is left out, since what never leaves the
referee cannot leak from anywhere else; whoever asks for it gets it as `Hidden`, which stays so over a pickle.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from aurum.records.listener import Cards, GameListener, Hidden
from aurum.rules import GameResult, Move, RoundEnd, RoundResult, Ruleset
from aurum.v1 import game_pb2


@dataclass(frozen=True, slots=True)
class GameEvent:
    """Something that happens in a game."""

    game: str
    """The id of its task and of its record."""


@dataclass(frozen=True, slots=True)
class GameBegun(GameEvent):
    """The game begins."""

    names: tuple[str, ...]
    """Of the bots, by seat."""
    ruleset: Ruleset


@dataclass(frozen=True, slots=True)
class RoundDealt(GameEvent):
    """The cards of a round are dealt."""

    number: int
    """Of the round, from 1."""
    first_player: int
    leftover: Cards
    hands: Hidden[tuple[Cards, ...]] | None
    """By seat."""


@dataclass(frozen=True, slots=True)
class MoveMade(GameEvent):
    """A move was made."""

    seat: int
    move: Move | Hidden[Move] | None
    """Hidden is a bid that lies face down."""
    ms: int
    by_referee: bool


@dataclass(frozen=True, slots=True)
class BidsRevealed(GameEvent):
    """Three players have turned over their bid cards."""

    bids: Cards
    """By seat."""


@dataclass(frozen=True, slots=True)
class RoundOver(GameEvent):
    """The round is over."""

    result: RoundResult
    end: RoundEnd
    shown_hand: Cards
    """Of the seat `result.ended_by`."""
    unfinished: Cards
    """The trick under way."""


@dataclass(frozen=True, slots=True)
class FaultFound(GameEvent):
    """The seat to act is at fault, and its next move is the stand-in's."""

    seat: int
    kind: game_pb2.FaultKind.ValueType
    detail: Hidden[str] | None
    ms: int


@dataclass(frozen=True, slots=True)
class GameOver(GameEvent):
    """The game is over."""

    result: GameResult
    forfeited: tuple[int, ...]
    """Sides that lost by faults, ascending."""


Event: TypeAlias = GameBegun | RoundDealt | MoveMade | BidsRevealed | RoundOver | FaultFound | GameOver


class EventSender(GameListener):
    """Sends what happens in the game of this id as events; with `hidden`, also what spectators may not see."""

    def __init__(self, game: str, send: Callable[[Event], None], *, hidden: bool = False) -> None:
        self._game = game
        self._send = send
        self._hidden = hidden

    def game_begun(self, names: Sequence[str], ruleset: Ruleset) -> None:
        self._send(GameBegun(self._game, tuple(names), ruleset))

    def round_dealt(self, number: int, first_player: int, leftover: Cards, hands: Hidden[tuple[Cards, ...]]) -> None:
        self._send(RoundDealt(self._game, number, first_player, leftover, hands if self._hidden else None))

    def moved(self, seat: int, move: Move | Hidden[Move], ms: int, by_referee: bool) -> None:
        shown = None if isinstance(move, Hidden) and not self._hidden else move
        self._send(MoveMade(self._game, seat, shown, ms, by_referee))

    def bids_revealed(self, bids: Cards) -> None:
        self._send(BidsRevealed(self._game, bids))

    def round_over(self, result: RoundResult, end: RoundEnd, shown_hand: Cards, unfinished: Cards) -> None:
        self._send(RoundOver(self._game, result, end, shown_hand, unfinished))

    def fault(self, seat: int, kind: game_pb2.FaultKind.ValueType, detail: Hidden[str], ms: int) -> None:
        self._send(FaultFound(self._game, seat, kind, detail if self._hidden else None, ms))

    def game_over(
        self, result: GameResult, forfeited: Sequence[int], decisions: Sequence[int], seconds: Sequence[float]
    ) -> None:
        self._send(GameOver(self._game, result, tuple(forfeited)))
