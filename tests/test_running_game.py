"""A game as the referee runs it: answers, clocks, faults, forfeits, and what is written down of them."""

import random

import pytest
from aurum.records.stand_in import stand_in
from aurum.records.verify import differences
from aurum.referee.unit import Clock
from aurum.rules import PRESETS, Bid, Card, Deal, Exchange, Game, Move, Pass, Phase, Play
from aurum.v1 import game_pb2, play_pb2, record_pb2
from aurum.wire.view import bot_seed
from hypothesis import given, settings
from hypothesis import strategies as st
from running import KEY, Sitting

GERMAN = PRESETS["german"]


def finished(sitting: Sitting) -> record_pb2.GameRecord:
    """The record of a game that is over, with names as they are written at its end."""
    assert sitting.ended == 1
    record = sitting.running.record
    for seat, player in enumerate(record.seats):
        player.bot = f"bot{seat % 2}"
    return record


def first(moves: tuple[Move, ...]) -> Move:
    return moves[0]


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_game_without_faults_is_recorded_and_verifies(players: int, preset: str) -> None:
    """Legal answers to the end give a record without fault that the rules agree with."""
    rng = random.Random(players)
    sitting = Sitting(PRESETS[preset], players).begin()
    sitting.play_on(rng.choice)
    record = finished(sitting)
    assert differences(record) == []
    assert list(record.faults) == []
    assert list(record.result.forfeited) == []
    assert list(record.result.rank) == list(record.result.placing)
    for seat, player in enumerate(sitting.players):
        assert len(player.updates_of("game_start")) == 1
        assert len(record.rounds) == len(player.updates_of("round_end"))
        assert [record.result] == [update.game_end.result for update in player.updates_of("game_end")]
        assert record.seats[seat].decisions == len(player.updates_of("turn"))
        assert player.games == []


def test_turns_are_numbered_by_seat_and_name_their_game() -> None:
    """Each seat's turns count from 1, all of them with the game's number."""
    sitting = Sitting(GERMAN).begin()
    sitting.play_on(first, turns=60)
    for player in sitting.players:
        turns = [update.turn for update in player.updates_of("turn")]
        assert list(range(1, len(turns) + 1)) == [turn.number for turn in turns]
        assert {sitting.running.id} == {turn.game for turn in turns}


def test_a_game_starts_with_what_each_bot_may_know() -> None:
    """GameStart says seat, ruleset, clock and the bot's own seed; names only where they are made known."""
    sitting = Sitting(GERMAN, clock=Clock(500, 2000, 100)).begin()
    start = sitting.players[2].updates[0].game_start
    assert (sitting.running.id, 2, 4) == (start.game, start.seat, start.players)
    seeds = [player.updates[0].game_start.seed for player in sitting.players]
    assert [bot_seed(KEY, seat) for seat in range(4)] == seeds
    assert 4 == len(set(seeds))
    assert (start.clock.turn_ms, start.clock.bank_ms, start.clock.increment_ms) == (500, 2000, 100)
    assert (start.ruleset.gold_zeros, start.ruleset.game_end) == (True, game_pb2.GAME_END_RULE_FIRST_TO_TWO)
    assert list(start.names) == []
    known = Sitting(GERMAN, names=("a", "b", "a", "b")).begin().players[0].updates[0].game_start
    assert list(known.names) == ["a", "b", "a", "b"]


def test_an_illegal_move_is_a_fault_and_the_stand_in_moves() -> None:
    """The fault names kind, turn and what was legal; the side is ranked last, whatever the cards say."""
    sitting = Sitting(GERMAN).begin()
    seat = sitting.game.to_act
    expected = stand_in(sitting.game.round)
    not_mine = sitting.game.round.hand((seat + 1) % 4)[0]
    sitting.answer(Bid(not_mine))
    fault = sitting.running.record.faults[0]
    assert (seat, game_pb2.FAULT_KIND_ILLEGAL_MOVE, 1, 0) == (fault.seat, fault.kind, fault.round, fault.move)
    assert f"turn 1 (bid, round 1): bid {not_mine} is illegal: the card is not in the hand; legal were" in fault.detail
    assert isinstance(expected, Bid)
    sent = [update.fault for update in sitting.players[seat].updates_of("fault")]
    assert [(sitting.running.id, 1, fault.kind, fault.detail)] == [(f.game, f.number, f.kind, f.detail) for f in sent]
    sitting.play_on(first)
    record = finished(sitting)
    move = record.rounds[0].moves[0]
    assert (int(expected.card), True) == (move.bid, move.by_referee)
    assert differences(record) == []
    assert [seat % 2] == list(record.result.forfeited)
    assert record.result.placing[seat % 2] == 2
    assert record.seats[seat].decisions == 1


def test_after_too_many_faults_the_stand_in_plays_to_the_end() -> None:
    """Up to tolerated_faults a seat plays on; one more, and it is asked no more."""
    sitting = Sitting(GERMAN, tolerated_faults=1).begin()
    seat = sitting.game.to_act
    sitting.answer(Pass())
    assert not sitting.running.record.result.forfeited
    while sitting.game.to_act != seat:
        sitting.answer(first(sitting.game.legal_moves()))
    sitting.answer(Bid(Card.G0))
    asked = len(sitting.players[seat].updates_of("turn"))
    sitting.play_on(first)
    record = finished(sitting)
    assert len(record.faults) == 2
    assert asked == len(sitting.players[seat].updates_of("turn")) == 2
    assert [seat % 2] == list(record.result.forfeited)
    assert differences(record) == []


def test_tolerated_faults_do_not_forfeit() -> None:
    """A side within its tolerated faults is ranked by the rules."""
    sitting = Sitting(GERMAN, tolerated_faults=1).begin()
    sitting.answer(Pass())
    sitting.play_on(first)
    record = finished(sitting)
    assert (len(record.faults), list(record.result.forfeited)) == (1, [])
    assert list(record.result.rank) == list(record.result.placing)


def test_an_answer_after_the_deadline_is_a_timeout() -> None:
    """What counts is the time of arrival, even if no timer has fired."""
    sitting = Sitting(GERMAN, clock=Clock(1000)).begin()
    sitting.now += 1.001
    sitting.answer(first(sitting.game.legal_moves()))
    fault = sitting.running.record.faults[0]
    assert (fault.kind, fault.elapsed_ms) == (game_pb2.FAULT_KIND_TIMEOUT, 1001)
    assert fault.detail == "turn 1 (bid, round 1): no answer within 1000 ms"


@pytest.mark.parametrize(("open_s", "late_s", "counted_ms"), [(0.1, 2.0, 0), (3.0, 2.0, 1000)])
def test_a_delay_of_the_referee_is_not_counted(open_s: float, late_s: float, counted_ms: int) -> None:
    """At most the time for which the turn was open: a delay may have begun before the turn was asked."""
    sitting = Sitting(GERMAN, clock=Clock(1500)).begin()
    seat = sitting.game.to_act
    sitting.now += open_s
    sitting.running.excuse(late_s, sitting.now)
    assert sitting.running.deadline == pytest.approx(sitting.now + 1.5 - counted_ms / 1000)
    sitting.answer(first(sitting.game.legal_moves()))
    sitting.play_on(first)
    record = finished(sitting)
    assert list(record.faults) == []
    assert (seat, counted_ms) == (record.rounds[0].moves[0].seat, record.rounds[0].moves[0].ms)
    assert counted_ms * 1000 == record.seats[seat].time_us


def test_the_bank_pays_for_long_turns_and_earns_increments() -> None:
    """A turn may take turn_ms and the whole bank; what it takes beyond turn_ms is gone, then comes the increment."""
    sitting = Sitting(GERMAN, clock=Clock(1000, 2000, 300)).begin()
    seat = sitting.game.to_act
    assert sitting.turn.time_left_ms == 3000
    sitting.now += 2.5
    sitting.answer(first(sitting.game.legal_moves()))
    assert list(sitting.running.record.faults) == []
    while sitting.game.to_act != seat:
        sitting.answer(first(sitting.game.legal_moves()))
    assert sitting.turn.time_left_ms == 1000 + 2000 - 1500 + 300
    sitting.now += 1.801
    sitting.answer(first(sitting.game.legal_moves()))
    assert [fault.kind for fault in sitting.running.record.faults] == [game_pb2.FAULT_KIND_TIMEOUT]


def test_the_increment_never_exceeds_the_bank() -> None:
    """Quick turns do not save up more than the bank held at first."""
    sitting = Sitting(GERMAN, clock=Clock(1000, 500, 300)).begin()
    sitting.play_on(first, turns=40)
    assert {1500} == {update.turn.time_left_ms for player in sitting.players for update in player.updates_of("turn")}


@pytest.mark.parametrize("field", ["none", "card", "gold"])
def test_an_action_that_says_no_move_is_malformed(field: str) -> None:
    """An empty action, or a value that is no card, is another fault than an illegal move."""
    sitting = Sitting(GERMAN).begin()
    action = play_pb2.Action(game=sitting.running.id, number=1)
    if field == "card":
        action.card = 11  # type: ignore[assignment]
    if field == "gold":
        action.exchange.card = 200  # type: ignore[assignment]
    sitting.running.answered(action, sitting.now)
    fault = sitting.running.record.faults[0]
    assert fault.kind == game_pb2.FAULT_KIND_MALFORMED_MESSAGE
    assert {"none": "no move", "card": "card is 11", "gold": "exchange.gold is 0"}[field] in fault.detail


def test_a_seat_nobody_plays_forfeits_and_the_others_play_on() -> None:
    """A bot that could not start has a fault at its first move; the others' games are whole."""
    loss = (game_pb2.FAULT_KIND_START_FAILED, "exited with code 3 before it said Hello")
    sitting = Sitting(GERMAN, losses={1: loss}).begin()
    sitting.play_on(first)
    record = finished(sitting)
    assert [(1, *loss)] == [(fault.seat, fault.kind, fault.detail) for fault in record.faults]
    assert list(record.result.forfeited) == [1]
    assert list(record.result.placing) == [1, 2]
    assert differences(record) == []
    assert sitting.players[1].updates_of("turn") == []


def test_a_game_of_four_lost_bots_ends() -> None:
    """Even with nobody left a game is played to its end: all forfeit, all are first."""
    loss = (game_pb2.FAULT_KIND_CRASHED, "was killed by SIGSEGV")
    sitting = Sitting(GERMAN, losses=dict.fromkeys(range(4), loss)).begin()
    record = finished(sitting)
    assert (list(record.result.forfeited), list(record.result.placing)) == ([0, 1], [1, 1])
    assert differences(record) == []


def test_a_forced_end_of_round_is_the_referees_without_a_fault() -> None:
    """A follower without playable card and gold is not asked; the pass is recorded as by the referee."""
    forced = []
    for seed in range(6):
        sitting = Sitting(PRESETS["designer"]).begin()
        sitting.play_on(random.Random(seed).choice)
        record = finished(sitting)
        assert [] == list(record.faults)
        moves = [move for entries in record.rounds for move in entries.moves if move.by_referee]
        forced += [move.WhichOneof("move") for move in moves]
    assert forced
    assert {"pass"} == set(forced)


def test_the_same_deal_and_moves_give_the_same_record() -> None:
    """Nothing of a record depends on chance or time but the times."""
    records = []
    for _ in range(2):
        rng = random.Random(9)
        sitting = Sitting(GERMAN, 3, key=KEY[::-1]).begin()
        sitting.play_on(rng.choice)
        records.append(finished(sitting).SerializeToString(deterministic=True))
    assert records[0] == records[1]


def test_a_pending_turn_can_be_sent_again() -> None:
    """After a reconnection the turn is the same, with the time that is left."""
    sitting = Sitting(GERMAN).begin()
    (update,) = play_pb2.PlayResponse.FromString(sitting.running.turn(sitting.now + 0.25)).updates
    again = update.turn
    assert again.time_left_ms == 750
    again.time_left_ms = sitting.turn.time_left_ms
    assert sitting.turn == again


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from((3, 4)), st.integers(0, 3), st.sampled_from(sorted(PRESETS)))
def test_whatever_bots_do_the_record_verifies(seed: int, players: int, tolerated: int, preset: str) -> None:
    """Random faults of every kind at random turns: the game ends once, and its record is what the rules give."""
    rng = random.Random(seed)
    sitting = Sitting(PRESETS[preset], players, key=rng.randbytes(32), tolerated_faults=tolerated).begin()
    while not sitting.game.over:
        chance = rng.random()
        seat = sitting.game.to_act
        if chance < 0.02:
            wild: list[Move] = [Bid(Card.B1), Play(Card.G8), Exchange(Card.G0, Card.Z1, 3), Pass()]
            sitting.answer(rng.choice(wild))
        elif chance < 0.04:
            sitting.now += 2
            sitting.running.timed_out(sitting.now)
        elif chance < 0.045:
            loss = (game_pb2.FAULT_KIND_CRASHED, "exited with code 1")
            sitting.players[seat].loss = loss
            sitting.running.lost(loss, sitting.now)
        else:
            sitting.answer(rng.choice(sitting.game.legal_moves()))
    record = finished(sitting)
    assert differences(record) == []
    per_seat = [sum(fault.seat == seat for fault in record.faults) for seat in range(players)]
    assert all(count <= tolerated + 1 for count in per_seat)
    sides = {seat % 2 if players == 4 else seat for seat, count in enumerate(per_seat) if count > tolerated}
    assert sorted(sides) == list(record.result.forfeited)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from((3, 4)), st.sampled_from(sorted(PRESETS)))
def test_the_stand_in_plays_the_lowest_card(seed: int, players: int, preset: str) -> None:
    """It declines exchanges, plays base cards before gold, low before high, and never ends a round by choice."""
    rng = random.Random(seed)
    game = Game(PRESETS[preset], Deal(rng.randbytes(32), players))
    while not game.over:
        legal = game.legal_moves()
        move = stand_in(game.round)
        assert move in legal
        if game.phase is Phase.EXCHANGE:
            assert isinstance(move, Pass)
        else:
            assert isinstance(move, Bid | Play)
            cards = [other.card for other in legal if isinstance(other, Bid | Play)]
            assert min(cards, key=lambda card: (card.is_gold, card.rank, card.suit)) == move.card
        game.play(rng.choice(legal))
