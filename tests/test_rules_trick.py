"""Leading, following and resolving a trick (docs/rules.md section 5, steps 2 to 4, and section 6)."""

import pytest
from aurum.rules import PASS, Bid, Card, Exchange, IllegalMove, Move, Phase, Play, Reason, Trick
from positions import cards, moves, play, position, supply
from rulebook import rule


@rule("5", "The leader plays a base card from hand")
@rule("6", "lead | any base card in hand")
def test_the_leader_may_lead_any_base_card() -> None:
    """Also one of a suit that was led before; it leaves the hand and lies in the trick."""
    table = position(["B1 B7 S3", "C1", "C2", "C3"], gold=["G5", "", "", ""])
    assert {"play B1", "play B7", "play S3"} == moves(table)
    play(table, "B7")
    assert cards("B1 S3") == table.hand(0)
    assert [Card.B7] == table.trick
    assert (Phase.FOLLOW, 1) == (table.phase, table.to_act)


@rule("5", "Gold cannot lead")
def test_gold_cannot_lead() -> None:
    """Not even when the leader holds it."""
    table = position(["B1", "C1", "C2", "C3"], gold=["G5", "", "", ""])
    with pytest.raises(IllegalMove, match="gold cannot lead") as error:
        play(table, "G5")
    assert Reason.GOLD_LEAD is error.value.reason


@rule("5", "Each next seat plays one card: a base card of a suit not yet in this trick")
@rule("6", "follow, a base card of an unplayed suit in hand | each such card, and each gold rank held")
def test_followers_must_not_follow_suit() -> None:
    """Base cards of suits not yet in the trick, whether or not they hold the suit that was led, and all their gold."""
    table = position(
        ["B1 S1", "B2 B3 C4 P5", "B4 C5 Z6 P8", "P7 Z7"], gold=["", "G1 G1 G8", "", "G2"], trick="", leader=0
    )
    play(table, "B1")
    assert {"play C4", "play P5", "play G1", "play G8"} == moves(table)
    play(table, "C4")
    assert {"play Z6", "play P8"} == moves(table)
    play(table, "P8")
    assert {"play Z7", "play G2"} == moves(table)


@rule("5", "Each next seat plays one card: a base card of a suit not yet in this trick")
def test_gold_can_follow_gold_and_closes_no_suit() -> None:
    """Gold on gold is allowed, and a suit that only gold could have closed stays open."""
    table = position(["B1 S1", "C4", "C5", "C6"], gold=["", "G2", "G2 G3", ""])
    play(table, "B1 G2")
    assert {"play C5", "play G2", "play G3"} == moves(table)
    play(table, "G2")
    assert {"play C6"} == moves(table)
    assert cards("B1 G2 G2") == tuple(table.trick)
    assert cards("G3") == table.collection(2)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (Play(Card.B2), Reason.SUIT_IN_TRICK),
        (Play(Card.C9), Reason.NOT_IN_HAND),
        (Play(Card.G5), Reason.NOT_IN_COLLECTION),
        (PASS, Reason.MUST_PLAY),
        (Bid(Card.C4), Reason.WRONG_KIND),
        (Exchange(Card.G1, Card.C4, 1), Reason.WRONG_KIND),
    ],
)
def test_moves_a_follower_may_not_make(move: Move, reason: Reason) -> None:
    """Each has its reason, and nothing has changed."""
    table = play(position(["B1 S1", "B2 C4", "C5", "C6"], gold=["", "G1", "", ""]), "B1")
    with pytest.raises(IllegalMove) as error:
        table.play(move)
    assert reason is error.value.reason
    assert str(move) in str(error.value)
    assert "FOLLOW of seat 1" in str(error.value)
    assert cards("B2 C4") == table.hand(1)
    assert [Card.B1] == table.trick


@rule("6", "A player who holds a playable base card cannot end the round")
def test_a_playable_base_card_must_be_played_or_gold() -> None:
    """Passing is no choice for who holds a card of an open suit, with or without gold."""
    for gold in (["", "", "", ""], ["", "G1", "", ""]):
        table = play(position(["B1", "B2 C4", "C5", "C6"], gold=gold), "B1")
        assert "pass" not in moves(table)
        with pytest.raises(IllegalMove, match="cannot end the round"):
            table.play(PASS)


# Each seat has a suit of its own, so that everyone can follow with any rank.
BIG = ["B1 B2 B3 B4 B5 B6 B7 B8 B9 B10", "C1 C2 C3 C4 C5 C6 C7 C8 C9 C10"]
BIG += ["P1 P2 P3 P4 P5 P6 P7 P8 P9 P10", "S1 S2 S3 S4 S5 S6 S7 S8 S9 S10"]


def resolved(trick: str) -> Trick:
    """How four base cards resolve, led by seat 0."""
    (done,) = play(position(BIG), trick).tricks
    assert cards(trick) == done.cards
    return done


@rule("5", "Lowest base card (ties: the one played later)")
@pytest.mark.parametrize(
    ("trick", "collector"), [("B3 C2 P5 S9", 1), ("B3 C7 P3 S9", 2), ("B3 C3 P3 S4", 2), ("B1 C10 P10 S2", 0)]
)
def test_the_lowest_base_card_collects(trick: str, collector: int) -> None:
    """Of equals the one played later."""
    assert collector == resolved(trick).collector


@rule("5", "Its player takes one gold card of that rank from the supply, if there is one, and leads the next trick")
def test_the_collector_takes_gold_and_leads() -> None:
    """One card of the rank moves from the supply; if there is none the player leads all the same."""
    table = play(position(BIG), "B3 C2 P5 S9")
    assert Card.G2 == table.tricks[0].collected
    assert cards("G2") == table.collection(1)
    assert 1 == supply(table).count(Card.G2)
    assert 1 == table.leader

    table = play(position(BIG, gold=["", "", "", "G2 G2"]), "B3 C2 P5 S9")
    assert table.tricks[0].collected is None
    assert () == table.collection(1)
    assert 1 == table.leader


@rule("5", "Its player takes one gold card of that rank from the supply, if there is one, and leads the next trick")
def test_nines_and_tens_collect_nothing() -> None:
    """There is no gold of rank 9 or 10."""
    assert resolved("B10 C9 P9 S10").collected is None
    assert 2 == resolved("B10 C9 P9 S10").collector


@rule("5", "Gold cards lying in the trick are not yet back in the supply")
@rule("10", "Is gold in the current trick available to its own collector?")
def test_gold_in_the_trick_cannot_be_collected_from_it() -> None:
    """The one G4 is played, the lowest card is a 4: nothing is collected, and then the G4 is in the supply."""
    table = position(BIG, gold=["", "G4", "", ""])
    play(table, "B4 G4 P9 S9")
    assert table.tricks[0].collected is None
    assert 0 == table.leader
    assert 1 == supply(table).count(Card.G4)
    assert () == table.collection(0)


@rule("5", "Winner: the highest gold card if any was played, else the highest base card")
@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("B3 C2 P5 S9", 3),
        ("B9 C2 P9 S8", 2),
        ("B9 C9 P9 S1", 2),
        ("B10 G0 P9 S8", 1),
        ("B10 G1 P9 G1", 3),
        ("B10 G3 G2 G3", 3),
        ("B10 G5 G2 G3", 1),
        ("B10 G0 G0 G0", 3),
    ],
)
def test_the_highest_card_wins(trick: str, winner: int) -> None:
    """Any gold beats every base card; of equals, of gold as of base cards, the one played later wins."""
    table = position(BIG, gold=["", *[card if card[0] == "G" else "" for card in trick.split()[1:]]])
    play(table, trick)
    assert winner == table.tricks[0].winner


@rule("5", "The winner's count of tricks taken goes up by one")
def test_the_winner_has_one_trick_more() -> None:
    """By seat; nobody else's count changes."""
    table = position(BIG, taken=[1, 0, 2, 3])
    play(table, "B3 C2 P5 S9")
    assert [1, 0, 2, 4] == table.tricks_taken


@rule("5", "Gold cards of the trick return to the supply; base cards are out of play for the round")
def test_what_becomes_of_the_cards_of_a_trick() -> None:
    """Gold is back in the supply, base cards are in no hand; the next trick begins empty."""
    table = position(BIG, gold=["", "G6", "G2", ""])
    before = len(supply(table))
    play(table, "B10 G6 G2 S9")
    assert before + 2 == len(supply(table))
    assert [(), (), (), ()] == [table.collection(seat) for seat in range(4)]
    assert Card.B10 not in table.hand(0)
    assert Card.S9 not in table.hand(3)
    assert [] == table.trick


@rule("5", "When all have played, resolve, in this order")
def test_the_order_of_resolving() -> None:
    """Collect, then win, then return gold: the collector of a 2 gets the last G2 of the supply, not the one played."""
    table = position(BIG, gold=["", "G2", "", ""], leader=3)
    play(table, "S9 B2")
    assert 1 == supply(table).count(Card.G2)
    play(table, "G2 P5")
    assert Trick(3, cards("S9 B2 G2 P5"), 1, 0, Card.G2) == table.tricks[0]
    assert cards("G2") == table.collection(0)
    assert 1 == supply(table).count(Card.G2), "the one that was played"


@rule("5", "Both can be one player: if all base cards of the trick have one rank")
@rule("12", "all base cards of a trick one rank, no gold")
def test_one_rank_only() -> None:
    """The last of equal base cards collects and leads, and wins unless gold was played."""
    assert Trick(0, cards("B6 C6 P6 S6"), 3, 3, Card.G6) == resolved("B6 C6 P6 S6")
    table = play(position(BIG, gold=["", "", "G1", ""]), "B6 C6 G1 S6")
    assert Trick(0, cards("B6 C6 G1 S6"), 2, 3, Card.G6) == table.tricks[0]


@rule("12", "three players; trick of 4, 5, 5 in play order")
def test_a_trick_of_three() -> None:
    """The third wins it; the first takes the G4 if it is there, and leads."""
    hands = ["B4 B1", "P5 P1", "S5 S1"]
    table = play(position(hands), "B4 P5 S5")
    assert Trick(0, cards("B4 P5 S5"), 2, 0, Card.G4) == table.tricks[0]
    assert 0 == table.leader
    table = play(position(hands, gold=["", "G4", ""]), "B4 P5 S5")
    assert Trick(0, cards("B4 P5 S5"), 2, 0, None) == table.tricks[0]
    assert 0 == table.leader


def test_seats_follow_clockwise_from_any_leader() -> None:
    """Leader 2 of four: 3, 0 and 1 follow; leader 1 of three: 2 and 0 follow."""
    four = position(BIG, leader=2)
    order = []
    for card in cards("P9 S8 B7 C6"):
        order.append(four.to_act)
        four.play(Play(card))
    assert [2, 3, 0, 1] == order
    three = position(["B9 B1", "P9 P1", "S9 S1"], leader=1)
    order = []
    for card in cards("P9 S9 B9"):
        order.append(three.to_act)
        three.play(Play(card))
    assert [1, 2, 0] == order


@pytest.mark.parametrize(
    ("before", "rest", "winner", "collector"),
    [
        ("B10 C10 P10", "G1", 3, 2),
        ("B10 C10", "P10 S10", 3, 3),
        ("B3 G2", "P3 G1", 1, 2),
        ("B3 C9 P2", "S9", 3, 2),
        ("B1", "C10 P9 S8", 1, 0),
    ],
)
def test_a_trick_can_be_taken_up_in_the_middle(before: str, rest: str, winner: int, collector: int) -> None:
    """A position built from the cards that lie in the trick resolves it as one that was played from its beginning."""
    gold = "G1" if "G1" in rest else ""
    table = play(position(BIG, gold=["", "", "", gold], trick=before), rest)
    (done,) = table.tricks
    assert (winner, collector) == (done.winner, done.collector)
    assert cards(f"{before} {rest}") == done.cards
