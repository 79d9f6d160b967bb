"""A record as a sequence of positions and moves: what `walk` shows of it, and what it refuses."""

import re
from collections.abc import Callable
from random import Random

import pytest
from aurum.records.json_lines import from_line
from aurum.records.listener import Hidden, announce_deal, announce_round_end
from aurum.records.recorder import Recorder
from aurum.records.stand_in import stand_in
from aurum.records.verify import differences
from aurum.records.walk import Moved, RoundBegun, RoundFinished, Step, walk
from aurum.rules import PRESETS, BidChange, Deal, Game, RoundEnd, Trick, deal_key, side_of
from aurum.v1.card_pb2 import G0
from aurum.v1.game_pb2 import FAULT_KIND_TIMEOUT
from aurum.v1.record_pb2 import GameRecord
from aurum.wire.cards import MalformedError
from aurum.wire.game import read_round_result, read_ruleset
from aurum.wire.records import read_move_record
from make_goldens import FOLDER
from strategies import kind_first

GOLDEN = [from_line(line) for line in (FOLDER / "records.jsonl").read_text(encoding="utf-8").splitlines()]
NAMES = [record.id.split("/")[1] for record in GOLDEN]


def faulty(players: int, number: int) -> GameRecord:
    """A random game in which a seat to act is at fault now and then."""
    game = Game(PRESETS["german"], Deal(deal_key(b"faulty", number), players))
    recorder = Recorder(game, f"faulty/r1m1/{number}/0", number)
    announce_deal(game, [recorder])
    rng = Random(number)
    while not game.over:
        seat, at_fault = game.to_act, rng.random() < 0.1
        if at_fault:
            recorder.fault(seat, FAULT_KIND_TIMEOUT, Hidden("too slow"), 0)
        move = stand_in(game.round) if at_fault else kind_first(rng, game.legal_moves())
        game.play(move)
        recorder.moved(seat, move, rng.randrange(9), at_fault)
        if game.finished:
            announce_round_end(game, [recorder])
    recorder.game_over(game.result())
    for seat in range(players):
        recorder.record.seats.add(bot=f"side-{side_of(seat, players)}")
    assert [] == differences(recorder.record)
    return recorder.record


@pytest.mark.parametrize("record", GOLDEN, ids=NAMES)
def test_every_move_is_shown_in_the_position_before_it(record: GameRecord) -> None:
    """As another game, played beside it, comes to them: of each decision the seat, the move and its legal others."""
    game = Game(read_ruleset(record.ruleset), Deal(record.deal_key, len(record.seats)))
    moves = 0
    for step in walk(record):
        if isinstance(step, Moved):
            entry = record.rounds[step.round - 1].moves[step.move_index]
            assert (game.round.number, repr(game.round), game.to_act) == (step.round, repr(step.position), step.seat)
            assert game.legal_moves() == step.position.legal_moves()
            assert (entry.seat, read_move_record(entry)) == (step.seat, step.move)
            game.play(step.move)
            moves += 1
    assert game.over
    forced = sum(entry.by_referee for entries in record.rounds for entry in entries.moves)
    assert moves == sum(len(entries.moves) for entries in record.rounds) - forced


@pytest.mark.parametrize("record", GOLDEN, ids=NAMES)
def test_rounds_tricks_and_exchanges_are_marked_where_they_happen(record: GameRecord) -> None:
    """Each once, after the move that led to it; of a round as it ended they are all there is."""
    numbers = []
    tricks: list[Trick] = []
    changes: list[BidChange] = []
    before: Step | None = None
    for step in walk(record):
        match step:
            case RoundBegun():
                assert step.position is step.game.round
                assert [12] * len(record.seats) == [len(step.position.hand(seat)) for seat in range(len(record.seats))]
                tricks, changes = [], []
            case Trick():
                assert isinstance(before, Moved)
                assert before.move.card == step.cards[-1]  # type: ignore[union-attr]
                tricks.append(step)
            case BidChange():
                assert isinstance(before, Moved)
                assert (before.seat, before.move.card) == (step.seat, step.laid)  # type: ignore[union-attr]
                changes.append(step)
            case RoundFinished():
                assert (step.position.tricks, step.position.exchanges) == (tricks, changes)
                assert step.position.ended_by is not None
                assert read_round_result(record.rounds[step.number - 1].result) == step.game.results[-1]
                numbers.append(step.number)
        before = step
    assert isinstance(before, RoundFinished)
    assert before.game.over
    assert list(range(1, len(record.rounds) + 1)) == numbers


@pytest.mark.parametrize("players", [3, 4])
def test_faults_stand_at_the_moves_that_they_caused(players: int) -> None:
    """And these are the stand-in's; times are those of the record."""
    for number in range(5):
        record = faulty(players, number)
        steps = [step for step in walk(record) if isinstance(step, Moved)]
        assert list(record.faults) == [fault for step in steps for fault in step.faults]
        for step in steps:
            assert step.by_referee == bool(step.faults)
            assert all((fault.round, fault.move, fault.seat) == (*step[:2], step.seat) for fault in step.faults)
            assert record.rounds[step.round - 1].moves[step.move_index].ms == step.ms


def _cut(record: GameRecord) -> None:
    del record.rounds[0].moves[-2:]


def _other_seat(record: GameRecord) -> None:
    record.rounds[0].moves[2].seat += 1


def _illegal(record: GameRecord) -> None:
    record.rounds[0].moves[0].bid = G0


def _no_move(record: GameRecord) -> None:
    record.rounds[1].moves[1].ClearField("bid")


def _goes_on(record: GameRecord) -> None:
    record.rounds[0].moves.add().CopyFrom(record.rounds[0].moves[0])


def _one_more(record: GameRecord) -> None:
    record.rounds.add().CopyFrom(record.rounds[0])


def _one_less(record: GameRecord) -> None:
    del record.rounds[-1]


def _no_seat(record: GameRecord) -> None:
    del record.seats[2:]


def _short_key(record: GameRecord) -> None:
    record.deal_key = b"short"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (_cut, "round 1: its moves end before the round does"),
        (_other_seat, "round 1, move 2: by seat 4, but it was the turn of seat 3"),
        (_illegal, "round 1, move 0: bid G0 is illegal: gold cannot be a bid card"),
        (_no_move, "round 2, move 1: a move record holds no move"),
        (_goes_on, "round 1, move [0-9]+: the round was over before it"),
        (_one_more, "round 3 stands after the end of the game"),
        (_one_less, "the rounds end after round 1, before the game is over"),
        (_no_seat, "a game has 3 or 4 seats, this one has 2"),
        (_short_key, "deal_key has 5 bytes instead of 32"),
    ],
)
def test_what_cannot_be_played_is_refused_with_its_place(change: Callable[[GameRecord], None], sentence: str) -> None:
    """By the walk, and so by everything that is drawn from it; what stands before is shown."""
    record = GameRecord()
    record.CopyFrom(GOLDEN[NAMES.index("game-of-2-rounds")])
    change(record)
    with pytest.raises(MalformedError, match=sentence):
        list(walk(record))
    (found,) = differences(record)
    assert re.match(sentence, found)


def test_a_forced_end_is_nobodys_move() -> None:
    """The record holds a pass for it, the walk goes on to the end of the round."""
    record = GOLDEN[NAMES.index("round-forced")]
    steps = list(walk(record))
    last = steps[-1]
    assert isinstance(last, RoundFinished)
    assert RoundEnd.FORCED is last.position.end
    in_round = [step for step in steps if isinstance(step, Moved) and step.round == last.number]
    assert in_round[-1].move_index == len(record.rounds[-1].moves) - 2


@pytest.mark.parametrize("players", [3, 4])
def test_a_move_by_the_stand_in_without_a_fault_is_noticed(players: int) -> None:
    """Anywhere in a round: also where it is the last move, which the rules have not forced."""
    at_the_end = 0
    for number in range(60):
        record = faulty(players, number)
        for over in [step for step in walk(record) if isinstance(step, RoundFinished)]:
            entries = record.rounds[over.number - 1].moves
            if over.position.end is not RoundEnd.FORCED and entries[-1].by_referee:
                at_the_end += 1
                place = over.number, len(entries) - 1
                after = [fault for fault in record.faults if (fault.round, fault.move) > place]
                del record.faults[:]
                record.faults.extend(after)
                wrong = f"round {place[0]}, move {place[1]}: by the referee, but seat {entries[-1].seat} had no fault"
                assert wrong in differences(record)
                break
    assert at_the_end > 0
