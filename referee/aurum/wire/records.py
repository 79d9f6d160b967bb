"""Moves as a record holds them (proto/aurum/v1/record.proto)."""

from aurum.rules import BIDS, PASS, PLAYS, Bid, Exchange, Move, Play
from aurum.v1 import record_pb2
from aurum.wire.cards import MalformedError, checked_card
from aurum.wire.moves import read_exchange, write_exchange

_PLAYS = {int(card): play for card, play in PLAYS.items()}


def read_move_record(message: record_pb2.MoveRecord) -> Move:
    """The move of a record; raises MalformedError if it holds none."""
    kind = message.WhichOneof("move")
    if kind == "play":
        return _PLAYS.get(message.play) or PLAYS[checked_card(message.play, "play")]
    if kind == "bid":
        card = checked_card(message.bid, "bid")
        return BIDS.get(card) or Bid(card)
    if kind == "exchange":
        return read_exchange(message.exchange)
    if kind == "pass":
        return PASS
    raise MalformedError("a move record holds no move")


def write_move_record(message: record_pb2.MoveRecord, seat: int, move: Move, ms: int, by_referee: bool) -> None:
    """Write a move; what is zero or false is left out."""
    if seat:
        message.seat = seat
    # Cards have the same values on the wire.
    if type(move) is Play:
        message.play = move.card  # type: ignore[assignment]
    elif type(move) is Bid:
        message.bid = move.card  # type: ignore[assignment]
    elif type(move) is Exchange:
        write_exchange(message.exchange, move)
    else:
        getattr(message, "pass").SetInParent()  # a keyword, so no plain attribute
    if ms:
        message.ms = ms
    if by_referee:
        message.by_referee = True
