"""A record as a sequence of positions and moves: the one place where a recorded game is played again.

    for step in walk(record):
        if isinstance(step, Moved) and not step.by_referee:
            count(step.position.phase, step.move, step.ms)

Of each round come in order: `RoundBegun`; for each move `Moved`, then the `BidChange` or the completed `Trick` that it
led to, if any; `RoundFinished`. A forced end of the round is nobody's move: `RoundFinished` follows the last move at
once.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from aurum.rules import BidChange, Deal, Exchange, Game, Move, Play, Round, RoundEnd, Trick
from aurum.v1.record_pb2 import FaultRecord, GameRecord, RoundRecord
from aurum.wire.cards import MalformedError
from aurum.wire.game import read_ruleset
from aurum.wire.records import read_move_record


class RoundBegun(NamedTuple):
    """A round was dealt, and nobody has moved yet."""

    number: int
    """Of the round, from 1."""
    position: Round
    """As dealt. The walk plays on it when the next step is asked for: copy it to keep it."""
    game: Game
    """The game under way, which goes on with the walk likewise."""


class Moved(NamedTuple):
    """A move, by the player at a seat or by the stand-in."""

    round: int
    """Number of the round, from 1."""
    move_index: int
    """Of the move among the round's moves, from 0."""
    seat: int
    position: Round
    """The position before the move, which the walk plays on it when the next step is asked for: copy it to keep it."""
    move: Move
    ms: int
    """How long it took, in milliseconds, as recorded."""
    by_referee: bool
    """Whether the stand-in made it."""
    faults: Sequence[FaultRecord]
    """The faults that made the stand-in move here, in the order of the record."""

    @property
    def where(self) -> str:
        """Where in the record it stands, for people."""
        return _where(self.round, self.move_index)


class RoundFinished(NamedTuple):
    """A round has ended and was scored."""

    number: int
    """Of the round, from 1."""
    position: Round
    """As it ended; nothing plays on it any more."""
    game: Game
    """The game so far: the last of its `results` is this round's."""


_new = tuple.__new__
"""Makes a NamedTuple without checking the number of fields: four times as fast as its own constructor."""

Step = RoundBegun | Moved | BidChange | Trick | RoundFinished


def walk(record: GameRecord) -> Iterator[Step]:
    """Play a record's moves again, from its ruleset, number of seats and deal key alone, and show each step.

    A record is known to be playable only when the walk is through: whoever shows a game takes all its steps first.
    Cards and results in the record are not looked at, nor is it checked that the stand-in would have moved as it says:
    that is for `aurum.records.verify`.

    Raises:
        MalformedError: where the record cannot be played, naming round and move.
    """
    players = len(record.seats)
    if players not in (3, 4):
        raise MalformedError(f"a game has 3 or 4 seats, this one has {players}")
    if len(record.deal_key) != 32:
        raise MalformedError(f"deal_key has {len(record.deal_key)} bytes instead of 32")
    game = Game(read_ruleset(record.ruleset), Deal(record.deal_key, players))
    faults: defaultdict[tuple[int, int], list[FaultRecord]] = defaultdict(list)
    for fault in record.faults:
        faults[fault.round, fault.move].append(fault)
    for number, entries in enumerate(record.rounds, 1):
        if game.over:
            raise MalformedError(f"round {number} stands after the end of the game")
        current = game.round
        yield RoundBegun(number, current, game)
        yield from _moves(current, number, entries, faults)
        game.next_round()
        yield RoundFinished(number, current, game)
    if not game.over:
        raise MalformedError(f"the rounds end after round {len(record.rounds)}, before the game is over")


def _moves(
    current: Round, number: int, entries: RoundRecord, faults: Mapping[tuple[int, int], list[FaultRecord]]
) -> Iterator[Step]:
    """The steps of a round from its first move to its last; the round is over afterwards."""
    for index, entry in enumerate(entries.moves):
        if current.ended_by is not None:
            # The engine made the forced pass itself; the record holds it all the same.
            if current.end is RoundEnd.FORCED and index == len(entries.moves) - 1:
                break
            raise MalformedError(f"{_where(number, index)}: the round was over before it")
        seat = current.to_act
        if entry.seat != seat:
            raise MalformedError(f"{_where(number, index)}: by seat {entry.seat}, but it was the turn of seat {seat}")
        here = faults.get((number, index), ()) if faults else ()
        try:
            move = read_move_record(entry)
            yield _new(Moved, (number, index, seat, current, move, entry.ms, entry.by_referee, here))
            current.play(move)
        except ValueError as error:
            raise MalformedError(f"{_where(number, index)}: {error}") from error
        if type(move) is Exchange and (change := current.last_exchange):
            yield change
        elif type(move) is Play and not current.trick and not current.unfinished and (trick := current.last_trick):
            yield trick
    if current.ended_by is None:
        raise MalformedError(f"round {number}: its moves end before the round does")


def _where(number: int, index: int) -> str:
    return f"round {number}, move {index}"
