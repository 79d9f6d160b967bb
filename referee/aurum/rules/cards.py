"""Cards and the sets of them that the engine computes with (docs/rules.md section 1).

At the surface a card is a `Card`. Inside, the base cards of a hand are a *holding* for each suit: the suit times 1024
and, below, a bit for each rank. Gold is a *purse*: one int with a count of three bits for each rank. All are ints of
at most 30 bits, with which Python computes fastest.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from functools import cache
from typing import Final, TypeVar

T = TypeVar("T")


class Suit(IntEnum):
    """The five base metals, and gold."""

    BISMUTH = 1
    COPPER = 2
    PHOSPHORUS = 3
    SILVER = 4
    ZINC = 5
    GOLD = 6

    @property
    def letter(self) -> str:
        return "?BCPSZG"[self]


class Card(IntEnum):
    """One card: value = suit * 16 + rank, as on the wire. `str(Card.B7) == "B7"`."""

    suit: Suit
    rank: int
    is_gold: bool
    unit: int
    """One card of this rank in a purse; 0 for a base card."""

    def __new__(cls, value: int) -> "Card":
        card = int.__new__(cls, value)
        card._value_ = value
        card.suit = Suit(value >> 4)
        card.rank = value & 15
        card.is_gold = card.suit is Suit.GOLD
        card.unit = 1 << (3 * card.rank) if card.is_gold else 0
        return card

    # fmt: off
    B1 = 17; B2 = 18; B3 = 19; B4 = 20; B5 = 21; B6 = 22; B7 = 23; B8 = 24; B9 = 25; B10 = 26  # noqa: E702
    C1 = 33; C2 = 34; C3 = 35; C4 = 36; C5 = 37; C6 = 38; C7 = 39; C8 = 40; C9 = 41; C10 = 42  # noqa: E702
    P1 = 49; P2 = 50; P3 = 51; P4 = 52; P5 = 53; P6 = 54; P7 = 55; P8 = 56; P9 = 57; P10 = 58  # noqa: E702
    S1 = 65; S2 = 66; S3 = 67; S4 = 68; S5 = 69; S6 = 70; S7 = 71; S8 = 72; S9 = 73; S10 = 74  # noqa: E702
    Z1 = 81; Z2 = 82; Z3 = 83; Z4 = 84; Z5 = 85; Z6 = 86; Z7 = 87; Z8 = 88; Z9 = 89; Z10 = 90  # noqa: E702
    G0 = 96; G1 = 97; G2 = 98; G3 = 99; G4 = 100; G5 = 101; G6 = 102; G7 = 103; G8 = 104  # noqa: E702
    # fmt: on

    @classmethod
    def parse(cls, text: str) -> "Card":
        """The card written as `B7` or `G0`; raises ValueError with the offending text."""
        try:
            return cls[text]
        except KeyError:
            raise ValueError(f"{text!r} is no card: a suit letter (B, C, P, S, Z, G) and a rank, as B7") from None

    def __str__(self) -> str:
        return self._name_

    def __repr__(self) -> str:
        return f"Card.{self._name_}"


BASE = tuple(card for card in Card if not card.is_gold)
"""All fifty base cards, ascending: the order in which a deck is laid out before the shuffle."""

GOLD = tuple(card for card in Card if card.is_gold)
"""One card of each gold rank, ascending: `GOLD[rank]`."""

GOLD_COUNTS = (4, 2, 2, 2, 1, 1, 1, 1, 1)
"""How many cards there are of each gold rank."""


def base_cards(players: int) -> tuple[Card, ...]:
    """The base cards in play (docs/rules.md section 2), ascending: 50 with four players, 36 with three."""
    if players == 4:
        return BASE
    return tuple(card for card in BASE if card.suit is not Suit.COPPER and card.rank < 10)


@cache
def gold_supply(players: int, zeros: bool) -> int:
    """The purse of all gold in play: no 8 with three players, no zeros unless `zeros`."""
    counts = enumerate(GOLD_COUNTS)
    return purse_of(
        GOLD[rank] for rank, count in counts if (zeros or rank > 0) and (players == 4 or rank < 8) for _ in range(count)
    )


Hand = list[int]
"""The base cards of a player: 0, so that gold has a column that is always empty, then a holding by suit."""

NO_CARDS: Final[Hand] = [1024 * column for column in range(6)]
"""A hand without cards."""

BITS: Final = tuple([0 if value >= Card.G0 else 1 << (value & 15) >> 1 for value in range(Card.G8 + 1)])
"""By card: its bit in its holding; 0 for gold."""

# By base card: its bit where the holdings of all suits lie one above the other. A list is faster than a dictionary.
_ABOVE = [bit << 10 * max(0, (value >> 4) - 1) for value, bit in enumerate(BITS[: Card.G0])]


def hand_of(cards: Iterable[Card]) -> Hand:
    """The hand of some different base cards; raises ValueError if one is gold."""
    try:
        all_suits = sum(map(_ABOVE.__getitem__, cards))
    except IndexError:
        raise ValueError("gold cannot be in a hand: it lies in a collection, the trick or the supply") from None
    low = all_suits & 0x3FFFFFFF
    high = all_suits >> 30
    return [
        0,
        1024 + (low & 1023),
        2048 + (low >> 10 & 1023),
        3072 + (low >> 20),
        4096 + (high & 1023),
        5120 + (high >> 10),
    ]


UNITS: Final = (*[gold.unit for gold in GOLD], 0, 0)
"""By rank, to 10: one gold card of that rank in a purse."""


def by_holding(values: Mapping[Card, T]) -> tuple[tuple[T, ...], ...]:
    """By holding: the values of its cards, ascending by card; look-ups instead of a walk over the bits."""
    found: list[tuple[T, ...]] = [()] * 1024
    for first in range(0, len(BASE), 10):
        held: list[tuple[T, ...]] = [()]
        for card in BASE[first : first + 10]:
            one = (values[card],)
            held += [known + one for known in held]
        found += held
    return tuple(found)


CARDS: Final = by_holding({card: card for card in BASE})


def cards_of(hand: Sequence[int]) -> tuple[Card, ...]:
    """The cards of a hand, ascending."""
    _, b, c, p, s, z = hand
    return CARDS[b] + CARDS[c] + CARDS[p] + CARDS[s] + CARDS[z]


def hand_size(hand: Sequence[int]) -> int:
    """How many cards a hand has."""
    _, b, c, p, s, z = hand
    # The suits above the holdings, 1 to 5, have seven bits.
    return b.bit_count() + c.bit_count() + p.bit_count() + s.bit_count() + z.bit_count() - 7


def purse_of(cards: Iterable[Card]) -> int:
    """The purse of some gold cards."""
    return sum(card.unit for card in cards)


@cache  # a few thousand different purses exist
def gold_of(purse: int) -> tuple[Card, ...]:
    """The cards of a purse, ascending by rank, as many of each as it holds."""
    return tuple(card for card in GOLD for _ in range(purse >> 3 * card.rank & 7))
