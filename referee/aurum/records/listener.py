"""Tells listeners what happens in a game: the recorder is one of them, spectators and pages are others.

A listener gets what everyone may see as plain values. What is hidden while the game is played comes as `Hidden`, which
neither protobuf nor JSON takes: whoever wants the value in it must say so.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Generic, TypeAlias, TypeVar, final

from aurum.rules import Card, Game, GameResult, Move, RoundEnd, RoundResult, Ruleset
from aurum.v1 import game_pb2

T_co = TypeVar("T_co", covariant=True)

Cards: TypeAlias = tuple[Card, ...]


@final
class Hidden(Generic[T_co]):
    """A value that not everyone may see; `reveal` is the one way to it.

    Two of them are equal only if they are the same object, so that comparing tells nothing of the value.
    """

    __slots__ = ("_value",)

    def __init__(self, value: T_co) -> None:
        self._value: Final = value

    def reveal(self) -> T_co:
        """The value."""
        return self._value

    def __repr__(self) -> str:
        return "<hidden>"


class GameListener:
    """Is called with everything that happens in one game, in order; does nothing where a method is not overridden.

    It is called in the middle of the referee's work, so it must be quick; what it raises voids the unit.
    """

    def game_begun(self, names: Sequence[str], ruleset: Ruleset) -> None:
        """The game begins; `names` of the bots by seat."""

    def round_dealt(self, number: int, first_player: int, leftover: Cards, hands: Hidden[tuple[Cards, ...]]) -> None:
        """The cards of round `number` (from 1) are dealt; `hands` by seat."""

    def moved(self, seat: int, move: Move | Hidden[Move], ms: int, by_referee: bool) -> None:
        """A move was made; hidden is a bid that lies face down. `ms` is how long it took.

        The pass that the rules make for a follower who has no choice is no move: it is in `round_over`.
        """

    def bids_revealed(self, bids: Cards) -> None:
        """Three players have turned over their bid cards, by seat; those of four lie face up from the start."""

    def round_over(self, result: RoundResult, end: RoundEnd, shown_hand: Cards, unfinished: Cards) -> None:
        """The round is over; `shown_hand` is that of the seat `result.ended_by`, `unfinished` the trick under way."""

    def fault(self, seat: int, kind: game_pb2.FaultKind.ValueType, detail: Hidden[str], ms: int) -> None:
        """The seat to act is at fault, and its next move will be the stand-in's.

        `detail` is a sentence for the bot's author: it may name cards of the hand.
        """

    def game_over(
        self, result: GameResult, forfeited: Sequence[int], decisions: Sequence[int], seconds: Sequence[float]
    ) -> None:
        """The game is over; `forfeited`: sides that lost by faults, ascending.

        By seat, `decisions` is how many turns it was asked, and `seconds` how long it took for all of them.
        """


def announce_deal(game: Game, listeners: Iterable[GameListener]) -> None:
    """Tell listeners what the round under way was dealt."""
    cards, current = game.cards, game.round
    for listener in listeners:
        listener.round_dealt(current.number, current.first_player, cards.leftover, Hidden(cards.hands))


def announce_round_end(game: Game, listeners: Iterable[GameListener]) -> None:
    """Tell listeners that the last move ended a round, and what the next one was dealt if there is one."""
    ended, result = game.finished, game.results[-1]
    assert ended is not None
    assert ended.end is not None
    shown, unfinished = ended.hand(result.ended_by), tuple(ended.unfinished)
    for listener in listeners:
        listener.round_over(result, ended.end, shown, unfinished)
    if not game.over:
        announce_deal(game, listeners)
