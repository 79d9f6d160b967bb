"""Cards and phases on the wire. They have the same numbers there as in `aurum.rules`; 0 says that there is none."""

from collections.abc import Iterable, Sequence
from typing import cast

from aurum.rules import Card, Phase
from aurum.v1 import card_pb2


class MalformedError(ValueError):
    """Fields that say no move, or a record that cannot be read; the message says what is wrong."""


_CARDS = {int(card): card for card in Card}
_PHASES = {int(phase): phase for phase in Phase}

read_card = _CARDS.get
"""The card of a number; None for 0, which says that there is none."""

read_phase = _PHASES.__getitem__
"""The phase of a number; raises KeyError for a number of a later protocol."""


def read_cards(numbers: Sequence[int]) -> tuple[Card, ...]:
    """The cards of a repeated field; raises KeyError if one is no card."""
    return tuple(map(_CARDS.__getitem__, numbers[:]))  # a list of the field is faster to walk than the field


def checked_card(number: int, field: str) -> Card:
    """The card of a number that may be anything; raises MalformedError, naming the field, if it is no card."""
    card = _CARDS.get(number)
    if card is None:
        raise MalformedError(f"{field} is {number}, which is no card")
    return card


def to_wire(card: Card) -> card_pb2.Card.ValueType:
    """A card as the generated code types it."""
    return cast("card_pb2.Card.ValueType", card)


def all_to_wire(cards: Iterable[Card]) -> Iterable[card_pb2.Card.ValueType]:
    """Cards as the generated code types them."""
    return cast("Iterable[card_pb2.Card.ValueType]", cards)
