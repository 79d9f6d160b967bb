"""Setting a round up, and bidding (docs/rules.md sections 3 and 4)."""

from collections import Counter
from random import Random

import pytest
from aurum.rules import (
    PASS,
    PRESETS,
    Bid,
    Card,
    Deal,
    Game,
    GameEnd,
    IllegalMove,
    Phase,
    Play,
    Round,
    Ruleset,
    base_cards,
    deal_key,
)
from positions import cards, dealt, ended, moves, play, supply
from rulebook import rule
from strategies import RULESETS, kind_first, new_game


def bid(position: Round, text: str) -> Round:
    for card in cards(text):
        position.play(Bid(card))
    return position


@rule("3", "All gold to the supply")
def test_all_gold_lies_in_the_supply() -> None:
    """Four players: 1-3 twice, 4-8 once; three players: no 8."""
    assert cards("G1 G1 G2 G2 G3 G3 G4 G5 G6 G7 G8") == supply(dealt(4))
    assert cards("G1 G1 G2 G2 G3 G3 G4 G5 G6 G7") == supply(dealt(3))
    assert [(), (), ()] == [dealt(3).collection(seat) for seat in range(3)]


@rule("3", "With gold zeros in play (section 9), each player takes one G0")
@rule("9", "gold_zeros |")
@pytest.mark.parametrize("players", [3, 4])
def test_gold_zeros(players: int) -> None:
    """With them everyone starts every round with a G0; without them there is none anywhere."""
    for zeros in (True, False):
        game = new_game(players, Ruleset(zeros, GameEnd.THREE_ROUNDS_TOTAL), 5)
        rounds = set()
        while not game.over:
            current = game.round
            if not current.tricks and not current.exchanges and current.phase is Phase.BID:
                rounds.add(current.number)
                held = [current.collection(seat) for seat in range(players)]
                assert [cards("G0") if zeros else ()] * players == held
                assert (4 - players if zeros else 0) == supply(current).count(Card.G0)
            game.play(game.legal_moves()[0])
        assert {1, 2, 3} == rounds
    zeros_in = {name for name, ruleset in PRESETS.items() if ruleset.gold_zeros}
    assert {"pandasaurus", "gigamic", "german"} == zeros_in


@rule("3", "Shuffle the base cards; deal 12 to each")
@pytest.mark.parametrize("players", [3, 4])
def test_twelve_cards_to_each(players: int) -> None:
    """All base cards in play are dealt, shuffled, twelve to a hand."""
    game = new_game(players, RULESETS[0], 1)
    assert [12] * players == [len(game.round.hand(seat)) for seat in range(players)]
    everything = [*game.round.leftover, *[card for seat in range(players) for card in game.round.hand(seat)]]
    assert sorted(base_cards(players)) == sorted(everything)
    assert game.cards.hands[0] != game.round.hand(0), "the dealt order is the deck's order: nothing was shuffled"


@rule("3", "With four players the 2 left over lie face up")
def test_two_cards_are_left_over() -> None:
    """Four players see them before bidding; with three players nothing is left over."""
    assert cards("Z9 Z10") == dealt(4).leftover
    assert Phase.BID is dealt(4).phase
    assert () == dealt(3).leftover


@rule("3", "Bid (section 4), 3. tricks")
def test_the_course_of_a_round() -> None:
    """Bids, then tricks, until the round ends; then it can be scored, and not before."""
    position = dealt(4)
    seen = [position.phase]
    while position.phase is not Phase.OVER:
        with pytest.raises(ValueError, match="not over"):
            position.score()
        position.play(position.legal_moves()[-1])
        if position.phase is not seen[-1]:
            seen.append(position.phase)
    assert [Phase.BID, Phase.LEAD, Phase.FOLLOW] == seen[:3]
    assert 1 == seen.count(Phase.BID)
    assert 4 == len(position.score().tricks)


@rule("3", "The first player of the first round is drawn at random")
def test_the_first_player_is_drawn_and_moves_on() -> None:
    """Every seat is drawn, about equally often; each later round begins with the next seat."""
    drawn = Counter(Deal(deal_key(b"s", number), 3).first_player for number in range(3000))
    assert {0, 1, 2} == set(drawn)
    assert all(900 < count < 1100 for count in drawn.values())
    game = new_game(3, Ruleset(False, GameEnd.THREE_ROUNDS_TOTAL), 2)
    firsts = [game.round.first_player]
    while not game.over:
        game.play(game.legal_moves()[0])
        if game.finished and not game.over:
            firsts.append(game.round.first_player)
    assert [firsts[0], (firsts[0] + 1) % 3, (firsts[0] + 2) % 3] == firsts


@rule("3", "The first player bids first (with four players) and leads the first trick")
def test_the_first_player_bids_and_leads() -> None:
    """Seat 2 is first: it bids first, and when all have bid it leads."""
    position = dealt(4, first_player=2)
    assert 2 == position.to_act
    bid(position, "P5 S7 B1 C3")
    assert (Phase.LEAD, 2) == (position.phase, position.to_act)


@rule("4", "Each player lays one base card of their hand as their bid card")
@rule("6", "bid | any base card in hand")
def test_a_bid_is_a_card_of_the_hand() -> None:
    """Any of the twelve; its rank is the bid; it leaves the hand."""
    position = dealt(4, zeros=True)
    assert {f"bid {card}" for card in position.hand(0)} == moves(position)
    position.play(Bid(Card.B7))
    assert Card.B7 == position.bids[0]
    assert Card.B7 not in position.hand(0)
    for move in (Bid(Card.Z1), Bid(Card.G0), Play(Card.B7), PASS):
        with pytest.raises(IllegalMove):
            position.play(move)


@rule("4", "11 cards remain in hand")
def test_eleven_cards_remain() -> None:
    """Whatever was bid."""
    position = bid(dealt(3), "B1 P5 S9")
    assert [11, 11, 11] == [len(position.hand(seat)) for seat in range(3)]


@rule("4", "Four players: one after another from the first player, face up")
def test_four_players_bid_face_up() -> None:
    """Clockwise; whoever bids later has seen the bids before."""
    position = dealt(4, first_player=3)
    order = []
    while position.phase is Phase.BID:
        order.append(position.to_act)
        assert position.bids_revealed
        assert len(order) - 1 == sum(card is not None for card in position.bids)
        position.play(position.legal_moves()[0])
    assert [3, 0, 1, 2] == order


@rule("4", "The team's bid is the higher of its two cards")
@rule("12", "bids 4 and 2 in a team")
def test_the_team_bid_is_the_higher_card() -> None:
    """Bids 4 and 2 make 4; the other team's 7 and 9 make 9."""
    assert (4, 9) == ended("B4 C7 P2 S9", taken=[0, 0, 0, 0]).score().bids
    assert (4, 9) == ended("B2 C9 P4 S7", taken=[0, 0, 0, 0]).score().bids


@rule("4", "Three players: face down, revealed together", "Nobody's view holds another's bid before all are laid")
@rule("10", "Order of three face-down bids in a record")
def test_three_players_bid_face_down() -> None:
    """The bids are public only once all lie; they are laid clockwise from the first player."""
    position = dealt(3, first_player=1)
    for seat in (1, 2, 0):
        assert seat == position.to_act
        assert not position.bids_revealed
        position.play(position.legal_moves()[0])
    assert position.bids_revealed


@rule("10", "Three players: the fourth G0")
def test_the_fourth_zero_stays_in_the_supply() -> None:
    """Through whole games of three: nobody ever collects a G0, and one is always left."""
    for number in range(30):
        game, rng = new_game(3, PRESETS["german"], number), Random(number)
        while not game.over:
            game.play(kind_first(rng, game.legal_moves()))
            current = game.finished or game.round
            assert Card.G0 in supply(current)
            assert Card.G0 not in [trick.collected for trick in current.tricks]


def test_a_card_cannot_be_bid_and_played() -> None:
    """The bid card is no longer in the hand: it cannot be led."""
    position = bid(dealt(4), "B4 C7 S2 Z8")
    with pytest.raises(IllegalMove, match="not in the hand"):
        play(position, "B4")


def test_the_preset_named_in_a_game_is_kept() -> None:
    """A game knows its ruleset and its deal."""
    game = Game(PRESETS["german"], Deal(bytes(32), 4))
    assert ("german", bytes(32)) == (game.ruleset.preset, game.deal.key)
