"""Moves on the wire: the actions that answer turns."""

from aurum.rules import BIDS, PASS, PLAYS, Bid, Card, Exchange, Move, Pass, Phase, Play
from aurum.v1 import game_pb2, play_pb2
from aurum.wire.cards import MalformedError, checked_card


def read_action(action: play_pb2.Action, phase: Phase) -> Move:
    """The move that an action says in this phase, legal or not; raises MalformedError if it says none."""
    kind = action.WhichOneof("move")
    if kind == "card":
        card = checked_card(action.card, "card")
        if phase is Phase.BID:
            return BIDS.get(card) or Bid(card)
        return PLAYS[card]
    if kind == "exchange":
        return read_exchange(action.exchange)
    if kind == "pass":
        return PASS
    raise MalformedError("the action holds no move (card, exchange or pass)")


def read_exchange(message: game_pb2.Exchange) -> Exchange:
    """Read an exchange, legal or not; raises MalformedError if a field is no card."""
    gold, card = checked_card(message.gold, "exchange.gold"), checked_card(message.card, "exchange.card")
    return Exchange(gold, card, message.seat)


def write_action(action: play_pb2.Action, move: Move | Card) -> None:
    """Set the move of an action; a card stands for its bid or play. Raises TypeError for anything else."""
    # Cards have the same values on the wire.
    if type(move) is Card:
        action.card = move  # type: ignore[assignment]
    elif type(move) is Play or type(move) is Bid:
        action.card = move.card  # type: ignore[assignment]
    elif type(move) is Exchange:
        write_exchange(action.exchange, move)
    elif type(move) is Pass:
        getattr(action, "pass").SetInParent()  # a keyword of Python, so no attribute one can write
    else:
        raise TypeError(f"{move!r} is no move")


def write_exchange(message: game_pb2.Exchange, move: Exchange) -> None:
    """Write an exchange."""
    message.gold = move.gold  # type: ignore[assignment]
    message.card = move.card  # type: ignore[assignment]
    message.seat = move.seat
