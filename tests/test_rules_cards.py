"""Cards, players and notation (docs/rules.md sections 1 and 2)."""

import copy
import gc
import pickle
import subprocess
import sys
import weakref
from collections import Counter

import pytest
from aurum.rules import (
    BASE,
    BIDS,
    GOLD,
    PASS,
    PLAYS,
    Bid,
    Card,
    Exchange,
    Move,
    Pass,
    Play,
    Suit,
    base_cards,
    cards_of,
    exchanges_with,
    gold_of,
    gold_supply,
    hand_of,
    hand_size,
    parse_move,
    placing,
    purse_of,
    side_of,
    sides_of,
)
from hypothesis import given
from hypothesis import strategies as st
from positions import cards
from strategies import MANY, base_sets, gold_lists, moves
from strategies import cards as any_card


def test_the_base_cards() -> None:
    """Five suits of ranks 1 to 10; with three players Copper and all 10s are out."""
    assert [f"{suit}{rank}" for suit in "BCPSZ" for rank in range(1, 11)] == list(map(str, base_cards(4)))
    assert [f"{suit}{rank}" for suit in "BPSZ" for rank in range(1, 10)] == list(map(str, base_cards(3)))
    assert (50, 36) == (len(base_cards(4)), len(base_cards(3)))


def test_the_gold() -> None:
    """Rank 0 four, 1 to 3 two each, 4 to 8 one each; no 8 with three players."""
    assert Counter({0: 4, 1: 2, 2: 2, 3: 2, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1}) == ranks(gold_supply(4, True))
    assert Counter({0: 4, 1: 2, 2: 2, 3: 2, 4: 1, 5: 1, 6: 1, 7: 1}) == ranks(gold_supply(3, True))
    assert Counter({1: 2, 2: 2, 3: 2, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1}) == ranks(gold_supply(4, False))
    assert 15 == len(gold_of(gold_supply(4, True)))


def ranks(purse: int) -> Counter[int]:
    return Counter(card.rank for card in gold_of(purse))


def test_a_card_knows_its_suit_and_rank() -> None:
    """The number is that of the wire: suit * 16 + rank."""
    assert (Suit.BISMUTH, 7, False, 23) == (Card.B7.suit, Card.B7.rank, Card.B7.is_gold, int(Card.B7))
    assert (Suit.ZINC, 10, False, 90) == (Card.Z10.suit, Card.Z10.rank, Card.Z10.is_gold, int(Card.Z10))
    assert (Suit.GOLD, 0, True, 96) == (Card.G0.suit, Card.G0.rank, Card.G0.is_gold, int(Card.G0))
    assert ["B", "C", "P", "S", "Z", "G"] == [suit.letter for suit in Suit]
    assert all(card.suit * 16 + card.rank == card for card in Card)
    assert list(Card) == [*BASE, *GOLD]


def test_sides() -> None:
    """Four players: seats 0 and 2 against 1 and 3; three players: each for themselves."""
    assert ((0, 2), (1, 3)) == sides_of(4)
    assert ((0,), (1,), (2,)) == sides_of(3)
    assert [0, 1, 0, 1] == [side_of(seat, 4) for seat in range(4)]
    assert [0, 1, 2] == [side_of(seat, 3) for seat in range(3)]


@MANY
@given(any_card)
def test_cards_are_read_as_they_are_written(card: Card) -> None:
    """By `parse` and `str`; and `repr` evaluates to the card."""
    assert card is Card.parse(str(card))
    assert card is eval(repr(card), {"Card": Card})


@pytest.mark.parametrize("text", ["", "B", "B0", "B11", "G9", "b7", "7B", "X1", "B7 ", "Card.B7", "23"])
def test_what_is_no_card(text: str) -> None:
    """The error holds the text."""
    with pytest.raises(ValueError, match="is no card") as error:
        Card.parse(text)
    assert repr(text) in str(error.value)


@MANY
@given(moves)
def test_moves_are_read_as_they_are_written(move: Move) -> None:
    """Equal, with the same hash; and `repr` evaluates to an equal move."""
    read = parse_move(str(move))
    assert move == read
    assert hash(move) == hash(read)
    names = {"Bid": Bid, "Card": Card, "Exchange": Exchange, "Pass": Pass, "Play": Play}
    assert move == eval(repr(move), names)


def test_how_moves_are_written() -> None:
    """As docs and records have them."""
    written = ["bid B7", "play G3", "exchange G3 B7 @2", "pass"]
    assert Exchange(Card.G3, Card.B7, 12) == parse_move("exchange G3 B7 @12"), "legal or not is for a position to say"
    assert written == list(map(str, [Bid(Card.B7), Play(Card.G3), Exchange(Card.G3, Card.B7, 2), PASS]))


@pytest.mark.parametrize("text", ["", "bid", "bid X1", "play", "Pass", "exchange G3 B7", "exchange G3 B7 2", "lead B7"])
def test_what_is_no_move(text: str) -> None:
    """A ValueError, with the text or the card in it."""
    with pytest.raises(ValueError, match=r"is no (move|card)"):
        parse_move(text)


def test_moves_are_values() -> None:
    """Equal by kind and cards; they cannot be changed; the engine's tables hold one object of each."""
    assert Bid(Card.B7) == BIDS[Card.B7]
    assert 2 == len({Bid(Card.B7), Play(Card.B7), Bid(Card.B7)})
    assert Exchange(Card.G3, Card.B7, 2) == exchanges_with(Card.G3, 2)[Card.B7]
    assert len(set(PLAYS.values())) == 59
    with pytest.raises(AttributeError):
        PLAYS[Card.B7].card = Card.B8


@MANY
@given(moves)
def test_equal_moves_are_one_object(move: Move) -> None:
    """However they are made: from fields by place or by name, from text, by a copy, in another process."""
    assert move is parse_move(str(move))
    assert move is copy.copy(move)
    assert move is copy.deepcopy([move])[0]
    assert move is pickle.loads(pickle.dumps(move))
    assert move is type(move)(**{name: getattr(move, name) for name in move.__match_args__})


def test_a_move_that_a_bot_made_up_is_not_kept() -> None:
    """A bot may send any seat, and must not fill the referee's memory so."""
    made_up = weakref.ref(Exchange(Card.B7, Card.B7, 2**31))
    gc.collect()
    assert made_up() is None


@pytest.mark.process
def test_a_set_of_moves_has_the_same_order_in_every_process() -> None:
    """A bot that walks over one plays alike every time, wherever its objects lie in memory."""
    code = "from aurum.rules import PLAYS; print([str(play) for play in set(PLAYS.values())])"
    command = [sys.executable, "-c", code]
    runs = {subprocess.run(command, capture_output=True, check=True).stdout for _ in range(3)}
    assert 1 == len(runs)


def test_gold_is_never_in_a_hand() -> None:
    """It is refused, not left out."""
    with pytest.raises(ValueError, match="gold cannot be in a hand"):
        hand_of([Card.B7, Card.G0])


@MANY
@given(base_sets)
def test_a_hand_gives_back_its_cards(some: set[Card]) -> None:
    """Ascending."""
    assert sorted(some) == list(cards_of(hand_of(some)))
    assert len(some) == hand_size(hand_of(some))


@MANY
@given(gold_lists)
def test_a_purse_gives_back_its_cards(some: list[Card]) -> None:
    """Ascending, as many of each rank."""
    assert sorted(some) == list(gold_of(purse_of(some)))


def test_text_as_cards() -> None:
    """The helper of these tests reads what it is given."""
    assert (Card.B7, Card.G3) == cards("B7 G3")


@pytest.mark.parametrize(
    ("rank", "forfeited", "expected"),
    [
        ((1, 2), (), (1, 2)),
        ((1, 2), (0,), (2, 1)),
        ((1, 1), (1,), (1, 2)),
        ((1, 2), (0, 1), (1, 1)),
        ((1, 2, 3), (0,), (3, 1, 2)),
        ((1, 1, 3), (1,), (1, 3, 2)),
        ((1, 2, 3), (0, 2), (2, 1, 2)),
        ((2, 2, 1), (2,), (1, 1, 3)),
        ((1, 1, 1), (0, 1, 2), (1, 1, 1)),
    ],
)
def test_placings(rank: tuple[int, ...], forfeited: tuple[int, ...], expected: tuple[int, ...]) -> None:
    """Sides that forfeited come last, tied; the others by rank among themselves."""
    assert expected == placing(rank, forfeited)


@MANY
@given(st.lists(st.integers(1, 3), min_size=2, max_size=3))
def test_placings_without_forfeits(rank: list[int]) -> None:
    """The order of the ranks is kept."""
    placed = placing(rank, ())
    for one, other in zip(range(len(rank)), range(1, len(rank)), strict=False):
        assert (rank[one] < rank[other]) == (placed[one] < placed[other])
