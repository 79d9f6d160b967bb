"""A turn of a recorded game, as the bot that was asked got it."""

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from aurum.common.errors import UserError
from aurum.common.texts import counted, printable
from aurum.records.walk import Moved, RoundBegun, walk
from aurum.rules import Card, Game, Move, Phase
from aurum.v1.play_pb2 import PlayResponse
from aurum.v1.record_pb2 import GameRecord
from aurum.wire.cards import read_phase
from aurum.wire.view import TableView, fill_game_start, fill_turn, game_number
from google.protobuf import json_format


class Asked(NamedTuple):
    """A turn, and what came of it."""

    message: PlayResponse
    """Its GameStart and Turn, as an instance gets them that comes back to its game. The clock and the names of the
    others are in no record: the Turn's time is what the caller says, and there are no names."""
    seat: int
    move: Move
    ms: int
    """How long the answer took."""
    by_referee: bool
    """Whether it was a fault, and the stand-in moved."""


def asked(record: GameRecord, number: int, seat: int | None, turn_ms: int) -> Asked:
    """The turn of this number, from 1: among all of the game, or among those of a seat, as its faults count them.

    Moves of a stand-in that asked nobody do not count.

    Raises UserError if there is no such turn, or the record cannot be played again.
    """
    if seat is not None and seat >= len(record.seats):
        raise UserError(f"{record.id}: no seat {seat}: they are 0 to {len(record.seats) - 1}")
    count = 0
    try:
        for count, (game, own, step) in enumerate(_turns(record, seat), 1):
            if count == number:
                return Asked(_message(record, game, own, turn_ms), step.seat, step.move, step.ms, step.by_referee)
    except (ValueError, IndexError, KeyError) as error:
        raise UserError(f"{record.id}: cannot be played again ({error}): `arena verify` says what is wrong") from None
    whose = "the game" if seat is None else f"seat {seat}"
    raise UserError(f"{record.id}: no turn {number}: {whose} had {count}")


def as_json(turn: Asked) -> str:
    """The message on one line, in protobuf's JSON mapping with the names of the .proto files."""
    fields = json_format.MessageToDict(turn.message, preserving_proto_field_name=True)
    return json.dumps(fields, separators=(",", ":"))


def as_text(record: GameRecord, turn: Asked) -> Iterator[str]:
    """What the seat saw, and what it did, line by line."""
    asked = turn.message.updates[1].turn
    table = asked.table
    players = len(table.seats)
    names = [f"{seat} {printable(player.bot)}" for seat, player in enumerate(record.seats)]
    what = _ASKED[read_phase(asked.phase)]
    yield f"Game {record.id}, round {table.round}: {names[turn.seat]} is asked to {what} (its turn {asked.number})"
    for seat, state in enumerate(table.seats):
        gold = f", gold {_listed(state.collection)}" if state.collection else ""
        bid = f"bid {Card(state.bid)}" if state.bid else "no bid card face up"
        taken, held = counted(state.tricks_taken, "trick"), counted(state.hand_size, "card")
        yield f"  {names[seat]}: {bid}, {taken}, {held}{gold}"
    if table.trick.cards:
        led = (f"{(table.trick.leader + step) % players} {Card(card)}" for step, card in enumerate(table.trick.cards))
        yield f"  trick: {', '.join(led)}"
    yield f"  its hand: {_listed(asked.hand)}{f'; its bid: {Card(asked.own_bid)}' if asked.own_bid else ''}"
    yield f"  legal: {_listed(asked.legal_cards)}{', or pass' if asked.may_pass else ''}"
    yield f"  {'the stand-in made' if turn.by_referee else 'made'}: {turn.move}, after {turn.ms} ms"


_ASKED = {
    Phase.BID: "bid",
    Phase.EXCHANGE: "exchange gold for a bid card, or pass",
    Phase.LEAD: "lead",
    Phase.FOLLOW: "follow",
}


def _listed(cards: Iterable[int]) -> str:
    return " ".join(str(Card(card)) for card in cards)


def _turns(record: GameRecord, seat: int | None) -> Iterator[tuple[Game, int, Moved]]:
    """The decisions that somebody was asked for, each with its number among those of its seat."""
    counts = [0] * len(record.seats)
    for step in walk(record):
        if isinstance(step, RoundBegun):
            game = step.game
        elif isinstance(step, Moved) and (step.faults or not step.by_referee):
            counts[step.seat] += 1
            if seat in (None, step.seat):
                yield game, counts[step.seat], step


def _message(record: GameRecord, game: Game, number: int, turn_ms: int) -> PlayResponse:
    message = PlayResponse()
    start, turn = message.updates.add().game_start, message.updates.add().turn
    start.game = turn.game = game_number(record.deal_key, record.id)
    start.clock.turn_ms = turn.time_left_ms = turn_ms
    turn.number = number
    fill_game_start(start, game, game.to_act)
    TableView(game, turn.table)
    fill_turn(turn, game.round)
    return message
