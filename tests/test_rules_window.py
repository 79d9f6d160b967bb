"""The exchange window before a trick (docs/rules.md section 5, step 1)."""

import pytest
from aurum.rules import PASS, Bid, Card, Exchange, IllegalMove, Phase, Reason, Round, Trick
from positions import cards, dealt, moves, play, position, supply
from rulebook import rule


def window(hands: list[str], gold: list[str], *, bids: str = "", leader: int = 0, to_act: int | None = None) -> Round:
    """A window in which `to_act` (the leader, unless given) is asked."""
    asked = leader if to_act is None else to_act
    return position(hands, gold=gold, bids=bids, leader=leader, to_act=asked, phase=Phase.EXCHANGE)


def asked_in(round_: Round) -> list[int]:
    """The seats asked in a window in which everyone passes."""
    seats = []
    while round_.phase is Phase.EXCHANGE:
        seats.append(round_.to_act)
        round_.play(PASS)
    return seats


HANDS = ["B1 C2", "B3 C4", "B5 C6", "B7 C8"]


@rule("5", "Before the leader plays, each player in play order from the leader has one chance")
@rule("10", "How many exchanges per window?")
def test_each_player_has_one_chance_in_play_order() -> None:
    """From the leader clockwise, once each, also with more gold to spend; then the leader leads."""
    position = window(HANDS, ["G1", "G1 G2 G3", "G2", "G3 G4"], leader=2)
    assert [2, 3, 0, 1] == asked_in(position)
    assert (Phase.LEAD, 2) == (position.phase, position.to_act)

    position = window(HANDS, ["", "G1 G2", "", "G3 G4"], leader=1)
    position.play(Exchange(Card.G1, Card.B3, 1))
    assert 3 == position.to_act, "one exchange each, though seat 1 has gold left"
    position.play(PASS)
    assert (Phase.LEAD, 1) == (position.phase, position.to_act)


@rule("6", "exchange window, with gold and a base card in hand | pass, or")
def test_the_choices_in_a_window_of_four() -> None:
    """Pass, or each gold rank held, for the own or the partner's bid card, with each base card in hand."""
    position = window(HANDS, ["", "G3 G3 G5", "", ""], leader=1)
    expected = {f"exchange {gold} {card} @{seat}" for gold in ("G3", "G5") for card in ("B3", "C4") for seat in (1, 3)}
    assert {"pass", *expected} == moves(position)
    assert len(position.legal_moves()) == len(moves(position)), "interchangeable gold is listed once"


def test_the_choices_in_a_window_of_three() -> None:
    """There is no partner."""
    position = window(["B1", "B3 P4", "B5"], ["G1", "G0 G2", ""], leader=1)
    expected = {f"exchange {gold} {card} @1" for gold in ("G0", "G2") for card in ("B3", "P4")}
    assert {"pass", *expected} == moves(position)


def test_one_card_in_hand_can_still_be_exchanged() -> None:
    """The last card of a hand for either bid card of the team."""
    position = window(["B1", "B3", "B5", "B7"], ["G1", "", "", ""])
    assert {"pass", "exchange G1 B1 @0", "exchange G1 B1 @2"} == moves(position)


@rule("5", "The old bid card goes into the hand of the player who swapped")
def test_the_old_bid_card_is_taken_into_the_hand() -> None:
    """Own bid card: the hand has as many cards as before, the gold is in the supply, the exchange is noted."""
    position = window(HANDS, ["G4", "", "", ""], bids="P9 C10 Z10 S10")
    assert Card.G4 not in supply(position)
    position.play(Exchange(Card.G4, Card.C2, 0))
    assert Card.C2 == position.bids[0]
    assert cards("B1 P9") == position.hand(0)
    assert () == position.collection(0)
    assert Card.G4 in supply(position)
    assert [(0, 0, Card.G4, 0, Card.C2, Card.P9)] == position.exchanges


@rule("5", "A player who cannot exchange (no gold, or no base card in hand)")
def test_who_cannot_exchange_is_not_asked() -> None:
    """Seat 1 has no gold, seat 2 no base card: after the leader, only seat 3 is asked."""
    position = window(["B1", "B3", "", "B7"], ["G1", "", "G2 G3", "G4"])
    assert [0, 3] == asked_in(position)
    nobody = window(["B1", "B3", "", "B7"], ["G1", "", "G2", ""])
    assert [0] == asked_in(nobody)


@rule("5", "The first trick has a window too")
@rule("10", "Is there a window before the first trick?")
@pytest.mark.parametrize("players", [3, 4])
def test_there_is_a_window_before_the_first_trick(players: int) -> None:
    """With gold zeros everyone is asked right after the bids; without them nobody has gold."""
    for zeros in (True, False):
        position = dealt(players, first_player=1, zeros=zeros)
        for _ in range(players):
            position.play(position.legal_moves()[0])
        assert (Phase.EXCHANGE if zeros else Phase.LEAD) is position.phase
        assert ([(1 + k) % players for k in range(players)] if zeros else []) == asked_in(position)


@rule("5", "If the leader has no base card, no trick starts")
def test_no_window_for_a_leader_without_a_base_card() -> None:
    """Seat 0 collects with its last card and must lead: the round is over, though seats 1 and 0 hold gold."""
    position = play(position_before_the_last_card(), "C9")
    assert (Phase.OVER, 0) == (position.phase, position.ended_by)
    assert () == position.legal_moves()
    assert cards("G1") == position.collection(0), "the collected card"


def position_before_the_last_card() -> Round:
    return position(["", "C9 S1", "Z2", "Z3"], gold=["", "G5", "", ""], leader=2, trick="P3 S4 B1", to_act=1)


@rule("5", "A bid card just changed by a partner may be changed again by the next player")
def test_a_bid_card_can_be_changed_twice_in_a_window() -> None:
    """Seat 0 replaces seat 2's bid card, and seat 2 replaces it again, with the first one's card going to its hand."""
    position = window(HANDS, ["G1", "", "G2", ""], bids="B10 C10 P10 S10")
    position.play(Exchange(Card.G1, Card.C2, 2))
    assert cards("B1 P10") == position.hand(0), "a hand can come to hold a partner's bid card"
    position.play(Exchange(Card.G2, Card.C6, 2))
    assert Card.C6 == position.bids[2]
    assert cards("B5 C2") == position.hand(2)
    assert [Card.P10, Card.C2] == [change.taken for change in position.exchanges]


@rule("5", "A bid card just changed by a partner may be changed again by the next player")
def test_gold_spent_in_a_window_can_be_collected_in_that_trick() -> None:
    """The one G7 is spent before the trick, and fetched by the 7 that is the lowest card of it."""
    position = window(["B8 C7", "S9 P1", "P9 B2", "Z8 P3"], ["G7", "", "", ""])
    position.play(Exchange(Card.G7, Card.B8, 0))
    play(position, "C7 S9 P9 Z8")
    assert Card.G7 == position.tricks[0].collected
    assert cards("G7") == position.collection(0)


@rule("12", "own bid 3, partner's 7; spend G3, swap partner's 7 for a 4 from hand")
def test_swapping_the_partners_bid_card() -> None:
    """The team's bid is then 4, the 7 is in the swapper's hand, the G3 in the supply."""
    position = window(["B1 C4", "B3", "B5", "B8"], ["G3", "", "", ""], bids="B3 C10 P7 S10")
    position.play(Exchange(Card.G3, Card.C4, 2))
    assert cards("B3 C10 C4 S10") == tuple(position.bids)
    assert cards("B1 P7") == position.hand(0)
    assert 2 == supply(position).count(Card.G3)
    play(position, "P7")
    position.play(position.legal_moves()[0])
    while position.phase is not Phase.OVER:
        position.play(position.legal_moves()[0])
    assert 4 == position.score().bids[0]


@rule("12", "three players, bid 4; spend G0, swap for a 7")
def test_swapping_the_own_bid_card_for_a_zero() -> None:
    """The bid is then 7 and the old card is in the hand."""
    position = window(["B7 P1", "B2", "B3"], ["G0", "G0", "G0"], bids="S4 P9 S9")
    position.play(Exchange(Card.G0, Card.B7, 0))
    assert Card.B7 == position.bids[0]
    assert cards("P1 S4") == position.hand(0)
    assert 2 == supply(position).count(Card.G0)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (Exchange(Card.B1, Card.C2, 0), Reason.NOT_GOLD),
        (Exchange(Card.G5, Card.C2, 0), Reason.NOT_IN_COLLECTION),
        (Exchange(Card.G1, Card.C2, 1), Reason.NOT_OWN_SIDE),
        (Exchange(Card.G1, Card.C2, 4), Reason.NOT_OWN_SIDE),
        (Exchange(Card.G1, Card.B3, 0), Reason.NOT_IN_HAND),
        (Exchange(Card.G1, Card.G1, 0), Reason.NOT_IN_HAND),
        (Exchange(Card.G1, Card.B10, 0), Reason.NOT_IN_HAND),
        (Bid(Card.B1), Reason.WRONG_KIND),
    ],
)
def test_exchanges_that_are_not_allowed(move: Exchange | Bid, reason: Reason) -> None:
    """Each has its reason, and nothing has changed."""
    position = window(HANDS, ["G1", "", "G5", ""])
    with pytest.raises(IllegalMove) as error:
        position.play(move)
    assert reason is error.value.reason
    assert cards("B1 C2") == position.hand(0)
    assert cards("G1") == position.collection(0)
    assert [] == position.exchanges


def test_the_window_opens_again_before_each_trick() -> None:
    """Who passed before a trick is asked again before the next."""
    position = window(["B5 C2", "C6 P4", "P7 B6", "S8 B9"], ["G4", "", "", ""])
    position.play(PASS)
    play(position, "B5 C6 P7 S8")
    assert [Trick(0, cards("B5 C6 P7 S8"), 3, 0, Card.G5)] == position.tricks
    assert (Phase.EXCHANGE, 0) == (position.phase, position.to_act)
