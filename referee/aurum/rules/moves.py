"""What a player can do, and why it may not be allowed (docs/rules.md section 6).

Moves are immutable, and equal ones are the same object: so the engine finds one among the legal moves as fast as Python
can. They are written as `bid B7`, `play G3`, `exchange G3 B7 @2` and `pass`; `parse_move` reads what `str` writes. All
that can ever be legal are at hand: `BIDS[card]`, `PLAYS[card]`, `EXCHANGES[gold.rank][seat][card]`, `PASS`.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar, Final
from weakref import WeakValueDictionary

from aurum.rules.cards import BASE, BITS, GOLD, Card

# Weak, since the moves that a bot may make up are many.
_made: WeakValueDictionary[tuple[Any, ...], Any] = WeakValueDictionary()
"""All moves there are, by kind and value."""


class _Once(type):
    """A class of which every value is one object: made again, it is the same."""

    def __call__(cls, *args: Any, **named: Any) -> Any:
        made = super().__call__(*args, **named)
        return _made.setdefault((cls, *made._value()), made)


class _Move(metaclass=_Once):
    __slots__ = ("__weakref__",)
    __match_args__: ClassVar[tuple[str, ...]]

    def _value(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self.__match_args__])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._value()


# What the engine computes with follows from the fields and is no part of the value.


def _derived() -> Any:
    return field(init=False, repr=False, compare=False)


def _place(card: Card) -> tuple[int, int]:
    """The column that a hand has for the suit of a base card, and the card's bit there; for gold no bit."""
    return (0, 0) if card.is_gold else (int(card.suit), BITS[card])


@dataclass(frozen=True, slots=True, eq=False, unsafe_hash=True)
class Bid(_Move):
    """Lay a base card of the hand as the bid card."""

    card: Card
    bids: tuple[int, int] = _derived()
    """The card's column and bit."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "bids", _place(self.card))

    def __str__(self) -> str:
        return f"bid {self.card}"


@dataclass(frozen=True, slots=True, eq=False, unsafe_hash=True)
class Play(_Move):
    """Play a card to the trick."""

    card: Card
    plays: tuple[int, int, int, int] = _derived()
    """The column and bit of a base card, the bit of its suit among those that a trick has not seen, and its rank."""
    unit: int = _derived()
    """The unit of gold; 0 for a base card."""

    def __post_init__(self) -> None:
        card = self.card
        object.__setattr__(self, "plays", (*_place(card), 0 if card.is_gold else 1 << card.suit, card.rank))
        object.__setattr__(self, "unit", card.unit)

    def __str__(self) -> str:
        return f"play {self.card}"


@dataclass(frozen=True, slots=True, eq=False, unsafe_hash=True)
class Exchange(_Move):
    """Spend `gold` and lay `card` in place of the bid card of `seat`."""

    gold: Card
    card: Card
    seat: int
    lays: tuple[int, int, int, int] = _derived()
    """The card's column and bit, the seat, and the unit of the gold."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "lays", (*_place(self.card), self.seat, self.gold.unit))

    def __str__(self) -> str:
        return f"exchange {self.gold} {self.card} @{self.seat}"


@dataclass(frozen=True, slots=True, eq=False, unsafe_hash=True)
class Pass(_Move):
    """In an exchange window: decline. When following: end the round."""

    plays: ClassVar = (0, 0, 0, 0)
    """No card: a follower's move is looked at by what it plays."""

    def __str__(self) -> str:
        return "pass"


Move = Bid | Play | Exchange | Pass

PASS: Final = Pass()
BIDS: Final = {card: Bid(card) for card in BASE}
PLAYS: Final = {card: Play(card) for card in (*BASE, *GOLD)}
EXCHANGES: Final = tuple(
    tuple({card: Exchange(gold, card, seat) for card in BASE} for seat in range(4)) for gold in GOLD
)
"""By gold rank, seat whose bid is replaced, and card laid."""


def parse_move(text: str) -> Move:
    """The move that `str(move)` wrote; raises ValueError with the offending text."""
    match text.split():
        case ["pass"]:
            return PASS
        case ["bid", card]:
            return Bid(Card.parse(card))
        case ["play", card]:
            return Play(Card.parse(card))
        case ["exchange", gold, card, seat] if seat[:1] == "@" and seat[1:].isdecimal():
            return Exchange(Card.parse(gold), Card.parse(card), int(seat[1:]))
    raise ValueError(f"{text!r} is no move: bid B7, play G3, exchange G3 B7 @2 or pass")


class Reason(Enum):
    """Why a move is illegal; the value completes the sentence "... is illegal: "."""

    OVER = "the game is over"
    WRONG_KIND = "this kind of move is not asked for now"
    GOLD_BID = "gold cannot be a bid card"
    GOLD_LEAD = "gold cannot lead a trick"
    NOT_IN_HAND = "the card is not in the hand"
    NOT_IN_COLLECTION = "no gold of that rank is in the collection"
    SUIT_IN_TRICK = "a card of that suit is in the trick already"
    MUST_PLAY = "whoever holds a card of a suit not yet in the trick cannot end the round"
    NOT_GOLD = "an exchange is paid with a gold card"
    NOT_OWN_SIDE = "only a bid card of the own side can be replaced"


class IllegalMove(ValueError):  # noqa: N818 - the field's word, as in python-chess
    """A move that the rules forbid; the position it was tried in is unchanged.

    Attributes: `reason`, `move`, and `position`, a line that describes where it was tried.
    """

    def __init__(self, reason: Reason, move: Move, position: str) -> None:
        super().__init__(f"{move} is illegal: {reason.value} ({position})")
        self.reason = reason
        self.move = move
        self.position = position
