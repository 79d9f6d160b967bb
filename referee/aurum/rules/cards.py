"""Cards and the sets of them that the engine computes with (docs/rules.md section 1).

At the surface a card is a `Card`. Inside, base cards are bits of one int (a *mask*: bit
`10 * (suit - 1) + rank - 1`) and gold is a *purse*: one int with a count of four bits for each rank.
"""

from collections.abc import Iterable, Mapping
from enum import IntEnum
from functools import cache
from typing import TypeVar

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
    bit: int
    """The card's bit in a mask; 0 for gold."""
    unit: int
    """One card of this rank in a purse; 0 for a base card."""

    def __new__(cls, value: int) -> "Card":
        card = int.__new__(cls, value)
        card._value_ = value
        card.suit = Suit(value >> 4)
        card.rank = value & 15
        card.is_gold = card.suit is Suit.GOLD
        card.bit = 0 if card.is_gold else 1 << (10 * (card.suit - 1) + card.rank - 1)
        card.unit = 1 << (4 * card.rank) if card.is_gold else 0
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

SUIT_MASKS = tuple(0 if suit == 0 else 1023 << (10 * (suit - 1)) for suit in range(6))
"""By suit: the mask of all its base cards."""

ALL_SUITS = (1 << 50) - 1

OTHER_SUITS = tuple(ALL_SUITS & ~mask for mask in (*SUIT_MASKS, 0))
"""By suit: the mask of all base cards of other suits; for gold that is all of them."""


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


_BITS = {card: card.bit for card in BASE}


def mask_of(cards: Iterable[Card]) -> int:
    """The mask of some different base cards."""
    return sum(map(_BITS.__getitem__, cards))


def by_mask(values: Mapping[Card, T]) -> tuple[tuple[tuple[T, ...], ...], ...]:
    """Tables from which `pick` lists the values of a mask's cards: by suit, then by that suit's ten bits."""
    tables = []
    for first in range(0, len(BASE), 10):
        table: list[tuple[T, ...]] = [()]
        for card in BASE[first : first + 10]:
            table += [(*known, values[card]) for known in table]
        tables.append(tuple(table))
    return tuple(tables)


def pick(tables: tuple[tuple[tuple[T, ...], ...], ...], mask: int) -> tuple[T, ...]:
    """The values of a mask's cards, ascending by card: five look-ups instead of a walk over the bits."""
    b, c, p, s, z = tables
    # Python computes fastest with ints of at most 30 bits.
    low = mask & 0x3FFFFFFF
    high = mask >> 30
    return b[low & 1023] + c[low >> 10 & 1023] + p[low >> 20] + s[high & 1023] + z[high >> 10]


CARDS = by_mask({card: card for card in BASE})


def cards_of(mask: int) -> tuple[Card, ...]:
    """The cards of a mask, ascending."""
    return pick(CARDS, mask)


def purse_of(cards: Iterable[Card]) -> int:
    """The purse of some gold cards."""
    return sum(card.unit for card in cards)


@cache  # a few thousand different purses exist
def gold_of(purse: int) -> tuple[Card, ...]:
    """The cards of a purse, ascending by rank, as many of each as it holds."""
    return tuple(card for card in GOLD for _ in range(purse >> 4 * card.rank & 15))
