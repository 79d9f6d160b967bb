"""What listeners hear of a game: all of it, in order, once, and nothing hidden that they did not ask for."""

import json
import pickle
import random
import sys
from collections.abc import Callable
from dataclasses import asdict
from itertools import product
from types import FrameType

import pytest
from aurum.records.events import (
    BidsRevealed,
    Event,
    EventSender,
    FaultFound,
    GameBegun,
    GameOver,
    MoveMade,
    RoundDealt,
    RoundOver,
)
from aurum.records.listener import GameListener, Hidden
from aurum.records.recorder import Recorder
from aurum.referee import game as referee_game
from aurum.referee.unit import Clock
from aurum.rules import PRESETS, Bid, Card, Move, Pass, RoundEnd, Ruleset
from aurum.v1 import card_pb2, game_pb2, play_pb2, record_pb2
from aurum.wire.cards import all_to_wire
from aurum.wire.records import read_move_record
from google.protobuf import json_format
from hypothesis import given, settings
from hypothesis import strategies as st
from running import KEY, Sitting
from test_views import RULESETS, FixedDeal, two_worlds

GERMAN = PRESETS["german"]


def first(moves: tuple[Move, ...]) -> Move:
    return moves[0]


def watched(
    ruleset: Ruleset,
    players: int,
    choose: Callable[[tuple[Move, ...]], Move],
    *,
    key: bytes = KEY,
    hidden: bool = False,
    wild: bool = False,
) -> tuple[list[Event], record_pb2.GameRecord]:
    """The events of a game and its record; `wild`: with faults now and then."""
    events: list[Event] = []
    listener = EventSender("watched", events.append, hidden=hidden)
    sitting = Sitting(ruleset, players, key=key, tolerated_faults=2, listeners=[listener]).begin()
    rng = random.Random(key)
    while not sitting.game.over:
        if wild and rng.random() < 0.03:
            sitting.answer(Bid(Card.B1))
        else:
            sitting.answer(choose(sitting.game.legal_moves()))
    assert 1 == sitting.ended
    return events, sitting.running.record


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from((3, 4)), st.sampled_from(RULESETS), st.booleans())
def test_events_tell_the_game_of_the_record(seed: int, players: int, ruleset: Ruleset, wild: bool) -> None:
    """Asked for all, they hold every deal, move, result and fault of the record, in its order, and begin and end it."""
    rng = random.Random(seed)
    events, record = watched(ruleset, players, rng.choice, key=rng.randbytes(32), hidden=True, wild=wild)
    assert [GameBegun("watched", ("bot0", "bot1", "bot0", "bot1")[:players], ruleset)] == events[:1]
    assert isinstance(events[-1], GameOver)
    assert 2 == sum(isinstance(event, GameBegun | GameOver) for event in events)
    assert (list(record.result.points), list(record.result.forfeited)) == (
        list(events[-1].result.points),
        list(events[-1].forfeited),
    )
    expected: list[object] = []
    for number, entries in enumerate(record.rounds, 1):
        expected.append((number, entries.first_player, [list(hand.cards) for hand in entries.hands]))
        faults = {fault.move: fault for fault in record.faults if fault.round == number}
        for index, entry in enumerate(entries.moves):
            if index in faults:
                expected.append((faults[index].seat, faults[index].kind, faults[index].detail))
            expected.append((entry.seat, read_move_record(entry), entry.by_referee))
        expected.append(list(entries.result.points))
    found: list[object] = []
    for event in events[1:-1]:
        if isinstance(event, RoundDealt):
            assert event.hands is not None
            hands = [[*all_to_wire(hand)] for hand in event.hands.reveal()]
            found.append((event.number, event.first_player, hands))
        elif isinstance(event, MoveMade):
            assert isinstance(event.move, Hidden) == (players == 3 and isinstance(shown(event), Bid))
            found.append((event.seat, shown(event), event.by_referee))
        elif isinstance(event, FaultFound):
            assert event.detail is not None
            found.append((event.seat, event.kind, event.detail.reveal()))
        elif isinstance(event, RoundOver):
            if event.end is RoundEnd.FORCED:
                found.append((event.result.ended_by, Pass(), True))
            found.append(list(event.result.points))
    assert expected == found


def shown(event: MoveMade) -> Move:
    """The move of an event that holds it, hidden or not."""
    assert event.move is not None
    return event.move.reveal() if isinstance(event.move, Hidden) else event.move


def test_three_players_bids_are_sent_when_they_are_turned_over() -> None:
    """All at once, after the last of them and before anything else."""
    events, record = watched(GERMAN, 3, first)
    for number, entries in enumerate(record.rounds, 1):
        start = next(i for i, event in enumerate(events) if isinstance(event, RoundDealt) and event.number == number)
        bids = {entry.seat: entry.bid for entry in entries.moves[:3]}
        moves, revealed = events[start + 1 : start + 4], events[start + 4]
        assert [None] * 3 == [event.move for event in moves if isinstance(event, MoveMade)]
        assert isinstance(revealed, BidsRevealed)
        assert [bids[seat] for seat in range(3)] == list(map(int, revealed.bids))
    assert not any(isinstance(event, BidsRevealed) for event in watched(GERMAN, 4, first)[0])


def spectator_events(
    ruleset: Ruleset, deal: FixedDeal, moves: list[Move], monkeypatch: pytest.MonkeyPatch
) -> list[Event]:
    """What a spectator is sent of given moves over a given deal."""
    monkeypatch.setattr(referee_game, "Deal", lambda key, players: deal)
    events: list[Event] = []
    sitting = Sitting(ruleset, deal.players, listeners=[EventSender("watched", events.append)]).begin()
    for move in moves:
        sitting.answer(move)
    assert isinstance(events[-1], GameOver)
    return events


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda r: f"{r.game_end.value}-{'zeros' if r.gold_zeros else 'none'}")
@pytest.mark.parametrize("players", [3, 4])
def test_a_spectators_events_do_not_depend_on_hidden_cards(
    players: int, ruleset: Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are the same in a world in which cards that were never played or shown are in other hands."""
    compared = 0
    for seed in range(40):
        worlds = two_worlds(players, ruleset, seed)
        if worlds is not None:
            here, there, moves, _ = worlds
            one = spectator_events(ruleset, here, moves, monkeypatch)
            assert one == spectator_events(ruleset, there, moves, monkeypatch)
            assert pickle.dumps(one) == pickle.dumps(spectator_events(ruleset, there, moves, monkeypatch))
            compared += 1
    assert compared >= 10


def test_a_spectator_does_not_see_a_bid_that_lies_face_down() -> None:
    """Until all lie, the events are the same whatever is bid; a fault's sentence, which names cards, is left out."""
    sequences = []
    for choice in (0, -1):
        events: list[Event] = []
        sitting = Sitting(GERMAN, 3, tolerated_faults=3, listeners=[EventSender("watched", events.append)]).begin()
        sitting.answer(sitting.game.legal_moves()[choice])
        sitting.answer(Pass())
        sequences.append(events)
    assert sequences[0] == sequences[1]
    assert [GameBegun, RoundDealt, MoveMade, FaultFound, MoveMade] == [type(event) for event in sequences[0]]
    fault = sequences[0][3]
    assert isinstance(fault, FaultFound)
    assert (game_pb2.FAULT_KIND_ILLEGAL_MOVE, None) == (fault.kind, fault.detail)


def test_what_is_hidden_is_not_given_away_by_mistake() -> None:
    """Not by printing, comparing, sorting or counting it, nor by putting it into a message or JSON."""
    hidden = Hidden((Card.B7,))
    assert (Card.B7,) == hidden.reveal()
    assert ["<hidden>"] * 3 == [repr(hidden), str(hidden), f"{hidden}"]
    assert hidden != Hidden((Card.B7,))
    assert hidden == hidden
    card = Hidden(Card.B7)
    for use in (
        lambda: sorted([card, Hidden(Card.B8)]),  # type: ignore[type-var]
        lambda: int(card),  # type: ignore[call-overload]
        lambda: len(hidden),  # type: ignore[arg-type]
        lambda: list(hidden),  # type: ignore[call-overload]
        lambda: json.dumps(hidden),
        lambda: vars(hidden),
        lambda: play_pb2.Action(card=card),  # type: ignore[arg-type]
        lambda: play_pb2.Turn(hand=[card]),  # type: ignore[list-item]
        lambda: game_pb2.Table(leftover=hidden),  # type: ignore[arg-type]
        lambda: play_pb2.Fault(detail=Hidden("B7")),  # type: ignore[arg-type]
        lambda: json_format.ParseDict({"card": card}, play_pb2.Action()),
        lambda: card_pb2.Card.Name(card),  # type: ignore[arg-type]
    ):
        with pytest.raises((TypeError, ValueError, json_format.ParseError)):
            use()


def test_events_travel_and_what_is_hidden_stays_so() -> None:
    """By pickle, between processes; as a dict, for JSON, it is still no card."""
    for players, hidden in product((3, 4), (False, True)):
        events, _ = watched(GERMAN, players, first, hidden=hidden)
        again = pickle.loads(pickle.dumps(events))
        if not hidden:
            assert events == again
            assert "Hidden" not in repr(pickle.dumps(events))
            continue
        dealt = next(event for event in again if isinstance(event, RoundDealt))
        assert isinstance(asdict(dealt)["hands"], Hidden)
        assert "<hidden>" in repr(dealt)
        assert dealt.hands is not None
        assert dealt.hands.reveal() == next(e.hands.reveal() for e in events if isinstance(e, RoundDealt) and e.hands)
        with pytest.raises(TypeError, match="Hidden is not JSON serializable"):
            json.dumps(asdict(dealt))


def test_with_nobody_listening_only_the_recorder_hears_of_a_move() -> None:
    """Between two turns no other listener is called, and nothing of the events' module runs."""
    sitting = Sitting(GERMAN).begin()
    sitting.running._listeners = sitting.running._listeners[:1]
    called: list[str] = []

    def note(frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and ("listener" in code.co_filename or hasattr(GameListener, code.co_name)):
            called.append(code.co_qualname)

    while sitting.game.phase.name == "BID":
        sitting.answer(first(sitting.game.legal_moves()))
    moves = 0
    while sitting.game.round.number == 1 and not sitting.game.over and moves < 8:
        move = first(sitting.game.legal_moves())
        sys.setprofile(note)
        try:
            sitting.answer(move)
        finally:
            sys.setprofile(None)
        moves += 1
    assert [Recorder.moved.__qualname__] * moves == called


def test_the_recorder_hears_of_everything_first() -> None:
    """A listener that looks at the record at the end of a game finds it complete."""
    seen: list[record_pb2.GameRecord] = []

    class Reader(GameListener):
        """Copies the record at the end."""

        def game_over(self, *_: object) -> None:
            copy = record_pb2.GameRecord()
            copy.CopyFrom(sitting.running.record)
            seen.append(copy)

    sitting = Sitting(GERMAN, clock=Clock(1000), listeners=[Reader()]).begin()
    sitting.play_on(first)
    assert [sitting.running.record] == seen
    assert 4 == len(seen[0].seats)
