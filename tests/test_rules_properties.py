"""What is true of every position, however it came about."""

from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest
from aurum.records.listener import announce_deal, announce_round_end
from aurum.records.recorder import Recorder
from aurum.records.verify import differences
from aurum.rules import (
    Card,
    Game,
    IllegalMove,
    Move,
    Phase,
    PublicRound,
    Reason,
    Round,
    base_cards,
    gold_of,
    gold_supply,
)
from aurum.v1 import record_pb2
from hypothesis import given
from hypothesis import strategies as st
from strategies import FEW, MANY, Policy, games_under_way, kind_first, moves, new_games, play_out, uniform


def facts(position: Round) -> dict[str, object]:
    """Everything there is in a round, by the names of its fields; lists copied."""
    return {name: copied(getattr(position, name)) for name in Round.__slots__}


def copied(value: object) -> object:
    """Lists in lists are copied, too."""
    return [copied(item) for item in value] if isinstance(value, list) else value


def game_facts(game: Game) -> dict[str, object]:
    """Everything there is in a game."""
    rest = {name: getattr(game, name) for name in ("over", "ruleset", "deal", "cards")}
    finished = None if game.finished is None else facts(game.finished)
    return {
        **rest,
        "round": facts(game.round),
        "finished": finished,
        "nuggets": list(game.nuggets),
        "results": list(game.results),
    }


def base_in(position: Round) -> list[Card]:
    """Every base card that is somewhere: in a hand, a bid, a trick, or left over."""
    places = [*position.leftover, *position.trick, *position.unfinished]
    places += [bid for bid in position.bids if bid is not None]
    places += [card for trick in position.tricks for card in trick.cards]
    places += [card for seat in range(position.players) for card in position.hand(seat)]
    return [card for card in places if not card.is_gold]


def gold_in(position: Round) -> list[Card]:
    """Every gold card that is somewhere: in a collection, the supply, or the trick under way."""
    held = [card for seat in range(position.players) for card in position.collection(seat)]
    return [*held, *gold_of(position.supply), *[card for card in position.trick if card.is_gold]]


def check(position: Round, zeros: bool) -> None:
    """What is true of a position by itself."""
    players = position.players
    assert sorted(base_cards(players)) == sorted(base_in(position))
    assert Counter(gold_of(gold_supply(players, zeros))) == Counter(gold_in(position))
    assert len(position.tricks) == sum(position.tricks_taken) <= 17
    assert all(len(trick.cards) == players for trick in position.tricks)
    assert position.last_trick == (position.tricks[-1] if position.tricks else None)
    assert len(position.trick) < players
    suits = [card.suit for card in position.trick if not card.is_gold]
    assert len(suits) == len(set(suits))
    assert (position.phase is Phase.OVER) == (position.ended_by is not None) == (not position.legal_moves())
    assert (position.phase is Phase.FOLLOW) == bool(position.trick)
    if position.phase is not Phase.BID:
        assert all(bid is not None for bid in position.bids)


@FEW
@given(new_games(), st.sampled_from([uniform, kind_first]), st.integers(0, 2**32))
def test_cards_are_conserved_at_every_move(game: Game, policy: Policy, seed: int) -> None:
    """Base cards and gold, also in an unfinished trick; at most 17 tricks; and legal moves never raise."""
    rng = Random(seed)
    check(game.round, game.ruleset.gold_zeros)
    while not game.over:
        legal = game.legal_moves()
        assert len(legal) == len(set(legal)) > 0
        game.play(policy(rng, legal))
        if game.finished:
            check(game.finished, game.ruleset.gold_zeros)
        check(game.round, game.ruleset.gold_zeros)


def reason(position: Round, move: Move) -> Reason | None:
    """Why a move is illegal, worked out from what everyone can see and the hand; None if it is legal."""
    seat = position.to_act
    kinds = {
        Phase.BID: {"Bid"},
        Phase.EXCHANGE: {"Exchange", "Pass"},
        Phase.LEAD: {"Play"},
        Phase.FOLLOW: {"Play", "Pass"},
        Phase.OVER: set(),
    }
    hand, gold = position.hand(seat), position.collection(seat)
    suits = {card.suit for card in position.trick if not card.is_gold}
    if position.phase is Phase.OVER:
        return Reason.OVER
    if type(move).__name__ not in kinds[position.phase]:
        return Reason.WRONG_KIND
    match str(move).split():
        case ["pass"]:
            stuck = all(card.suit in suits for card in hand)
            return None if position.phase is Phase.EXCHANGE or stuck else Reason.MUST_PLAY
        case ["exchange", paid, laid, target]:
            own = [seat] if position.players == 3 else [seat, (seat + 2) % 4]
            if Card.parse(paid) not in gold:
                return Reason.NOT_IN_COLLECTION
            if int(target[1:]) not in own:
                return Reason.NOT_OWN_SIDE
            return None if Card.parse(laid) in hand else Reason.NOT_IN_HAND
        case [kind, text]:
            card = Card.parse(text)
            if card.is_gold and kind == "play":
                if position.phase is Phase.LEAD:
                    return Reason.GOLD_LEAD
                return None if card in gold else Reason.NOT_IN_COLLECTION
            if card not in hand:
                return Reason.NOT_IN_HAND
            return Reason.SUIT_IN_TRICK if kind == "play" and card.suit in suits else None
    raise AssertionError(f"{move} is written in an unknown way")


@MANY
@given(games_under_way(), moves)
def test_an_illegal_move_raises_its_reason_and_changes_nothing(game: Game, move: Move) -> None:
    """Any move at all, in any position: legal exactly if it is listed, else IllegalMove with the right reason."""
    before = game_facts(game)
    expected = reason(game.round, move)
    assert (expected is None) == (move in game.legal_moves())
    if expected is None:
        game.play(move)
        assert before != game_facts(game)
        return
    with pytest.raises(IllegalMove) as error:
        game.play(move)
    assert (expected, move, repr(game.round)) == (error.value.reason, error.value.move, error.value.position)
    assert expected.value in str(error.value)
    assert before == game_facts(game)


@FEW
@given(games_under_way(), st.integers(0, 2**32))
def test_copies_are_independent(game: Game, seed: int) -> None:
    """Playing on in a copy of a game or a round leaves the original as it was, and the other way round."""
    before = game_facts(game)
    copy, round_copy = game.copy(), game.round.copy()
    assert before == game_facts(copy)
    assert before["round"] == facts(round_copy)
    play_out(copy, Random(seed), uniform)
    assert before == game_facts(game)
    rng = Random(seed)
    while round_copy.phase is not Phase.OVER:
        round_copy.play(kind_first(rng, round_copy.legal_moves()))
    assert before == game_facts(game)
    other = game.copy()
    play_out(game, Random(seed), kind_first)
    assert before == game_facts(other)


@FEW
@given(new_games(), st.integers(0, 2**32))
def test_the_same_deal_and_moves_give_the_same_game(game: Game, seed: int) -> None:
    """Move by move, to the same result."""
    again = Game(game.ruleset, type(game.deal)(game.deal.key, game.deal.players))
    for move in play_out(game, Random(seed), kind_first):
        again.play(move)
    assert game_facts(game) == game_facts(again)
    assert game.result() == again.result()


def recorded(game: Game, made: Iterable[Move]) -> bytes:
    """The record of a new game in which these moves are made."""
    recorder = Recorder(game, "any/r1m1/0/0", 0)
    announce_deal(game, (recorder,))
    for move in made:
        seat = game.to_act
        game.play(move)
        recorder.moved(seat, move)
        if game.finished:
            announce_round_end(game, (recorder,))
    recorder.game_over(game.result())
    recorder.record.seats.extend([record_pb2.SeatPlayer()] * game.deal.players)
    return recorder.record.SerializeToString(deterministic=True)


@FEW
@given(new_games(), st.integers(0, 2**32))
def test_the_same_deal_key_and_moves_give_the_same_record(game: Game, seed: int) -> None:
    """Byte for byte; and a record holds all that is needed to make it again."""
    again = game.copy()
    made = play_out(game.copy(), Random(seed), kind_first)
    record = recorded(game, made)
    assert record == recorded(again, made)
    assert [] == differences(record_pb2.GameRecord.FromString(record))
    assert len(record) < 3000


@MANY
@given(games_under_way())
def test_a_position_can_be_built_from_its_public_and_its_hidden_part(game: Game) -> None:
    """`Round.at` gives the same position: the same legal moves, and the same round if the same is played."""
    current = game.round
    public = PublicRound(**{name: getattr(current, name) for name in PublicRound._fields})
    built = Round.at(public, current.hands, current.bids)
    one, other = current.copy(), built
    rng = Random(1)
    names = [name for name in Round.__slots__ if not name.startswith("_")] + ["tricks", "exchanges"]
    while one.phase is not Phase.OVER:
        legal = one.legal_moves()
        assert legal == other.legal_moves()
        move = kind_first(rng, legal)
        one.play(move)
        other.play(move)
        assert [getattr(one, name) for name in names] == [getattr(other, name) for name in names]
    assert one.score() == other.score()


@FEW
@given(games_under_way())
def test_a_position_says_where_it_is(game: Game) -> None:
    """`repr` names the phase, the seat to act and the trick; it is for people, and for errors."""
    text = repr(game.round)
    assert f"{game.phase.name} of seat {game.to_act}" in text
    assert all(str(card) in text for card in game.round.trick)
    assert text in repr(game)
