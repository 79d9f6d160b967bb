"""Runs a record again and says what of it is not what the rules give."""

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from aurum.records.listener import announce_deal, announce_round_end
from aurum.records.recorder import Recorder
from aurum.records.stand_in import stand_in
from aurum.records.walk import Moved, RoundBegun, RoundFinished, walk
from aurum.rules import side_of
from aurum.v1 import game_pb2, record_pb2
from aurum.wire.cards import MalformedError

_Result = TypeVar("_Result", game_pb2.RoundResult, game_pb2.GameResult)


def differences(record: record_pb2.GameRecord) -> list[str]:
    """What is wrong with a record, a sentence each, naming where it is; empty if it is what the rules give."""
    try:
        expected, stood_in = run_again(record)
    except MalformedError as error:
        return [str(error)]
    found = []
    for number, (there, right) in enumerate(zip(record.rounds, expected.rounds, strict=True), 1):
        if there != right:
            found += _round_differences(number, there, right)
    if record.result != expected.result:
        found += _fields("result", record.result, expected.result)
    return found + _fault_differences(record, stood_in)


class Again(NamedTuple):
    """What came of running a record again."""

    record: record_pb2.GameRecord
    """What it must say of cards, moves and results (not of times, names and faults)."""
    stood_in: list[tuple[int, int, int]]
    """The moves by the stand-in: number of the round, index of the move, and seat."""


def run_again(record: record_pb2.GameRecord) -> Again:
    """Record once more the game that a record's moves give.

    Raises MalformedError, naming round and move, where they cannot be played or the stand-in would move otherwise.
    """
    steps = walk(record)
    begun = next(steps)
    assert isinstance(begun, RoundBegun)
    recorder = Recorder(begun.game, record.id, record.deal)
    announce_deal(begun.game, (recorder,))
    stood_in = []
    for step in steps:
        if type(step) is Moved:
            number, index, seat, position, move, ms, by_referee, _ = step
            if by_referee:
                stood_in.append((number, index, seat))
                if move != (right := stand_in(position)):
                    raise MalformedError(f"{step.where}: {move} by the referee, but the stand-in plays {right}")
            recorder.moved(seat, move, ms, by_referee)
        elif type(step) is RoundFinished:
            announce_round_end(step.game, (recorder,))
    recorder.game_over(begun.game.result(), list(record.result.forfeited))
    return Again(recorder.record, stood_in)


def _round_differences(number: int, there: record_pb2.RoundRecord, right: record_pb2.RoundRecord) -> list[str]:
    found = []
    for index, (one, other) in enumerate(zip(there.moves, right.moves, strict=False)):
        if one != other:
            found.append(f"round {number}, move {index}: {_fields_of(one)} instead of {_fields_of(other)}")
    if len(there.moves) != len(right.moves):
        found.append(f"round {number}: {len(there.moves)} moves instead of {len(right.moves)}")
    for seat, (one_hand, other_hand) in enumerate(zip(there.hands, right.hands, strict=False)):
        if one_hand != other_hand:
            found.append(f"round {number}: the hand of seat {seat} is not what the deal key gives")
    if len(there.hands) != len(right.hands):
        found.append(f"round {number}: {len(there.hands)} hands instead of {len(right.hands)}")
    if there.leftover != right.leftover:
        found.append(f"round {number}: the left-over cards are not what the deal key gives")
    if there.first_player != right.first_player:
        found.append(f"round {number}: first player {there.first_player} instead of {right.first_player}")
    return found + _fields(f"round {number}, result", there.result, right.result)


def _fields(where: str, there: _Result, right: _Result) -> list[str]:
    names = [field.name for field in right.DESCRIPTOR.fields]
    pairs = [(name, getattr(there, name), getattr(right, name)) for name in names]
    return [
        f"{where}: {name} is {_value(one)} instead of {_value(other)}" for name, one, other in pairs if one != other
    ]


def _value(value: object) -> str:
    return str(value) if isinstance(value, int) else str(list(value))  # type: ignore[call-overload]


def _fields_of(move: record_pb2.MoveRecord) -> str:
    return " ".join(str(move).split()) or "nothing"


def _fault_differences(record: record_pb2.GameRecord, stood_in: Iterable[tuple[int, int, int]]) -> list[str]:
    """Whether faults, the stand-in's moves and forfeits belong together (see record.proto)."""
    found = []
    first_fault: dict[int, tuple[int, int]] = {}
    for fault in record.faults:
        move = (fault.round, fault.move)
        moves = record.rounds[fault.round - 1].moves if 1 <= fault.round <= len(record.rounds) else []
        if not (fault.move < len(moves) and moves[fault.move].seat == fault.seat and moves[fault.move].by_referee):
            found.append(f"fault of seat {fault.seat}: round {fault.round}, move {fault.move} is no move made for it")
        first_fault[fault.seat] = min(move, first_fault.get(fault.seat, move))
    for number, index, seat in stood_in:
        if first_fault.get(seat, (number, index + 1)) > (number, index):
            found.append(f"round {number}, move {index}: by the referee, but seat {seat} had no fault")
    players = len(record.seats)
    faulty = {side_of(seat, players) for seat in first_fault}
    found += [f"side {side} forfeited without a fault" for side in record.result.forfeited if side not in faulty]
    return found
