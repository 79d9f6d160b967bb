"""Running a record again and saying what differs."""

from typing import TypeVar

from aurum.records.listener import announce_deal, announce_round_end
from aurum.records.recorder import Recorder
from aurum.records.stand_in import stand_in
from aurum.rules import Deal, Game, RoundEnd, side_of
from aurum.v1 import game_pb2, record_pb2
from aurum.wire.cards import MalformedError
from aurum.wire.game import read_ruleset
from aurum.wire.records import read_move_record

_Result = TypeVar("_Result", game_pb2.RoundResult, game_pb2.GameResult)


def replay(record: record_pb2.GameRecord) -> record_pb2.GameRecord:
    """Play a record's moves again, from its ruleset, number of seats and deal key alone.

    Returns what the record must say of cards, moves and results (not of times, names and faults). Raises
    MalformedError, naming round and move, where the record cannot be played.
    """
    players = len(record.seats)
    if players not in (3, 4):
        raise MalformedError(f"a game has 3 or 4 seats, this one has {players}")
    if len(record.deal_key) != 32:
        raise MalformedError(f"deal_key has {len(record.deal_key)} bytes instead of 32")
    game = Game(read_ruleset(record.ruleset), Deal(record.deal_key, players))
    recorder = Recorder(game, record.id, record.deal)
    announce_deal(game, (recorder,))
    for number, entries in enumerate(record.rounds, 1):
        if game.over:
            raise MalformedError(f"round {number} stands after the end of the game")
        _replay_round(game, recorder, number, entries)
    if not game.over:
        raise MalformedError(f"the rounds end after round {len(record.rounds)}, before the game is over")
    recorder.game_over(game.result(), list(record.result.forfeited))
    return recorder.record


def _replay_round(game: Game, recorder: Recorder, number: int, entries: record_pb2.RoundRecord) -> None:
    current = game.round
    for index, entry in enumerate(entries.moves):
        place = f"round {number}, move {index}"
        if current.ended_by is not None:
            # The engine made the forced pass itself; the recorder wrote it down, to be compared.
            if current.end is RoundEnd.FORCED and index == len(entries.moves) - 1:
                break
            raise MalformedError(f"{place}: the round was over before it")
        seat = current.to_act
        if entry.seat != seat:
            raise MalformedError(f"{place}: by seat {entry.seat}, but it was the turn of seat {seat}")
        try:
            move = read_move_record(entry)
            if entry.by_referee and move != stand_in(current):
                raise MalformedError(f"{move} by the referee, but the stand-in plays {stand_in(current)}")
            game.play(move)
        except ValueError as error:
            raise MalformedError(f"{place}: {error}") from error
        recorder.moved(seat, move, entry.ms, entry.by_referee)
    if current.ended_by is None:
        raise MalformedError(f"round {number}: its moves end before the round does")
    announce_round_end(game, (recorder,))


def differences(record: record_pb2.GameRecord) -> list[str]:
    """What is wrong with a record, a sentence each, with its place; empty if it is what the rules give."""
    try:
        expected = replay(record)
    except MalformedError as error:
        return [str(error)]
    found = []
    for number, (there, right) in enumerate(zip(record.rounds, expected.rounds, strict=True), 1):
        if there != right:
            found += _round_differences(number, there, right)
    if record.result != expected.result:
        found += _fields("result", record.result, expected.result)
    return found + _fault_differences(record)


def _round_differences(number: int, there: record_pb2.RoundRecord, right: record_pb2.RoundRecord) -> list[str]:
    found = []
    for index, (one, other) in enumerate(zip(there.moves, right.moves, strict=False)):
        if one != other:
            found.append(f"round {number}, move {index}: {_line(one)} instead of {_line(other)}")
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


def _fields(place: str, there: _Result, right: _Result) -> list[str]:
    names = [field.name for field in right.DESCRIPTOR.fields]
    pairs = [(name, getattr(there, name), getattr(right, name)) for name in names]
    return [
        f"{place}: {name} is {_value(one)} instead of {_value(other)}" for name, one, other in pairs if one != other
    ]


def _value(value: object) -> str:
    return str(value) if isinstance(value, int) else str(list(value))  # type: ignore[call-overload]


def _line(move: record_pb2.MoveRecord) -> str:
    return " ".join(str(move).split()) or "nothing"


def _fault_differences(record: record_pb2.GameRecord) -> list[str]:
    """Whether faults, the stand-in's moves and forfeits belong together (see record.proto)."""
    found = []
    first_fault: dict[int, tuple[int, int]] = {}
    for fault in record.faults:
        place = (fault.round, fault.move)
        moves = record.rounds[fault.round - 1].moves if 1 <= fault.round <= len(record.rounds) else []
        if not (fault.move < len(moves) and moves[fault.move].seat == fault.seat and moves[fault.move].by_referee):
            found.append(f"fault of seat {fault.seat}: round {place[0]}, move {place[1]} is no move made for it")
        first_fault[fault.seat] = min(place, first_fault.get(fault.seat, place))
    players = len(record.seats)
    for number, entries in enumerate(record.rounds, 1):
        # The last move of a round is the one that the rules may have forced.
        for index, move in enumerate(entries.moves[:-1]):
            if move.by_referee and first_fault.get(move.seat, (number, index + 1)) > (number, index):
                found.append(f"round {number}, move {index}: by the referee, but seat {move.seat} had no fault")
    faulty = {side_of(seat, players) for seat in first_fault}
    found += [f"side {side} forfeited without a fault" for side in record.result.forfeited if side not in faulty]
    return found
