"""Between the protocol's numbers and messages and the values of `aurum.rules`."""

from collections.abc import Sequence

from aurum.rules import (
    Bid,
    BidChange,
    Card,
    Exchange,
    GameEnd,
    Move,
    Pass,
    Phase,
    Play,
    RoundResult,
    Ruleset,
    Trick,
)
from aurum.v1 import game_pb2, play_pb2

PROTOCOL_VERSION = 1

_CARDS = {int(card): card for card in Card}
_PHASES = {int(phase): phase for phase in Phase}
_GAME_ENDS = {
    game_pb2.GAME_END_RULE_FIRST_TO_TWO: GameEnd.FIRST_TO_TWO,
    game_pb2.GAME_END_RULE_BEST_OF_THREE: GameEnd.BEST_OF_THREE,
    game_pb2.GAME_END_RULE_THREE_ROUNDS_TOTAL: GameEnd.THREE_ROUNDS_TOTAL,
}

card = _CARDS.get
"""The card of a number; None for the 0 that says there is none."""

phase = _PHASES.__getitem__


def cards(numbers: Sequence[int]) -> tuple[Card, ...]:
    """The cards of a repeated field."""
    return tuple(map(_CARDS.__getitem__, numbers[:]))  # a list of the field is faster to walk than the field


def ruleset(message: game_pb2.Ruleset) -> Ruleset:
    """The ruleset of a GameStart."""
    return Ruleset(message.gold_zeros, _GAME_ENDS[message.game_end], message.preset)


def trick(message: game_pb2.Trick) -> Trick:
    """A completed trick."""
    return Trick(message.leader, cards(message.cards), message.winner, message.collector, card(message.collected))


def bid_change(message: game_pb2.BidChange) -> BidChange:
    """An exchange that was made."""
    return BidChange(
        message.trick,
        message.seat,
        _CARDS[message.gold],
        message.bid_seat,
        _CARDS[message.laid],
        _CARDS[message.taken],
    )


def round_result(message: game_pb2.RoundResult) -> RoundResult:
    """How a round was scored."""
    return RoundResult(
        tuple(message.tricks),
        tuple(message.bids),
        tuple(message.bid_points),
        tuple(message.gold_points),
        tuple(message.points),
        tuple(message.winners),
        message.ended_by,
    )


def write(move: Move | Card, action: play_pb2.Action) -> None:
    """Set the move of an action; a card stands for its bid or play. Raises TypeError for anything else."""
    # Cards have the same values on the wire.
    if type(move) is Card:
        action.card = move  # type: ignore[assignment]
    elif type(move) is Play or type(move) is Bid:
        action.card = move.card  # type: ignore[assignment]
    elif type(move) is Exchange:
        exchange = action.exchange
        exchange.gold = move.gold  # type: ignore[assignment]
        exchange.card = move.card  # type: ignore[assignment]
        exchange.seat = move.seat
    elif type(move) is Pass:
        getattr(action, "pass").SetInParent()  # a keyword of Python, so no attribute one can write
    else:
        raise TypeError(f"{move!r} is no move")
