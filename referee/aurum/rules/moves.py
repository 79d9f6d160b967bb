"""What a player can do, and why it may not be allowed (docs/rules.md section 6).

Moves are immutable, and equal ones are the same object: so the engine finds one among the legal moves as fast as Python
can. They are written as `bid B7`, `play G3`, `exchange G3 B7 @2` and `pass`; `parse_move` reads what `str` writes. All
that can ever be legal are at hand: `BIDS[card]`, `PLAYS[card]`, `exchanges_with(gold, seat)[card]`, `PASS`.

Nothing is made on import that a bot may never need, and the classes are written out, since `dataclass` would take
longer to make the four of them than everything else in here takes.
"""

from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any, ClassVar, Final, NoReturn
from weakref import WeakValueDictionary

from aurum.rules.cards import BASE, BITS, GOLD, Card

# Weak, since the moves that a bot may make up are many.
_made: WeakValueDictionary[tuple[Any, ...], Any] = WeakValueDictionary()
"""All moves there are, by kind and value."""

_set = object.__setattr__


class _Once(type):
    """A class of which every value is one object: made again, it is the same."""

    def __call__(cls, *args: Any, **named: Any) -> Any:
        made = super().__call__(*args, **named)
        return _made.setdefault((cls, *made._value()), made)


class _Move(metaclass=_Once):
    """A move is the value of the fields that `__match_args__` names; what else it has follows from them."""

    __slots__ = ("__weakref__",)
    __match_args__: ClassVar[tuple[str, ...]] = ()

    def _value(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self.__match_args__])

    # By value and not by identity, so that sets of moves have the same order in every process.
    def __hash__(self) -> int:
        return hash(self._value())

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a move cannot be changed: {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a move cannot be changed: {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._value()

    def __repr__(self) -> str:
        fields = ", ".join([f"{name}={getattr(self, name)!r}" for name in self.__match_args__])
        return f"{type(self).__name__}({fields})"


def _place(card: Card) -> tuple[int, int]:
    """The column that a hand has for the suit of a base card, and the card's bit there; for gold no bit."""
    return (0, 0) if card.is_gold else (int(card.suit), BITS[card])


class Bid(_Move):
    """Lay a base card of the hand as the bid card."""

    __slots__ = ("bids", "card")
    __match_args__ = ("card",)
    card: Card
    bids: tuple[int, int]
    """The card's column and bit."""

    def __init__(self, card: Card) -> None:
        _set(self, "card", card)
        _set(self, "bids", _place(card))

    def __hash__(self) -> int:
        return hash(self.card)

    def __str__(self) -> str:
        return f"bid {self.card}"


class Play(_Move):
    """Play a card to the trick."""

    __slots__ = ("card", "plays", "unit")
    __match_args__ = ("card",)
    card: Card
    plays: tuple[int, int, int, int]
    """The column and bit of a base card, the bit of its suit among those that a trick has not seen, and its rank."""
    unit: int
    """The unit of gold; 0 for a base card."""

    def __init__(self, card: Card) -> None:
        _set(self, "card", card)
        _set(self, "plays", (*_place(card), 0 if card.is_gold else 1 << card.suit, card.rank))
        _set(self, "unit", card.unit)

    def __hash__(self) -> int:
        return hash(self.card)

    def __str__(self) -> str:
        return f"play {self.card}"


class Exchange(_Move):
    """Spend `gold` and lay `card` in place of the bid card of `seat`."""

    __slots__ = ("card", "gold", "lays", "seat")
    __match_args__ = ("gold", "card", "seat")
    gold: Card
    card: Card
    seat: int
    lays: tuple[int, int, int, int]
    """The card's column and bit, the seat, and the unit of the gold."""

    def __init__(self, gold: Card, card: Card, seat: int) -> None:
        _set(self, "gold", gold)
        _set(self, "card", card)
        _set(self, "seat", seat)
        _set(self, "lays", (*_place(card), seat, gold.unit))

    def __str__(self) -> str:
        return f"exchange {self.gold} {self.card} @{self.seat}"


class Pass(_Move):
    """In an exchange window: decline. When following: end the round."""

    __slots__ = ()
    plays: ClassVar = (0, 0, 0, 0)
    """No card: a follower's move is looked at by what it plays."""

    def __str__(self) -> str:
        return "pass"


Move = Bid | Play | Exchange | Pass

PASS: Final = Pass()
BIDS: Final = {card: Bid(card) for card in BASE}
PLAYS: Final = {card: Play(card) for card in (*BASE, *GOLD)}


@cache
def exchanges_with(gold: Card, seat: int) -> Mapping[Card, Exchange]:
    """By card laid: the exchanges that spend this gold for another bid card of `seat`."""
    return {card: Exchange(gold, card, seat) for card in BASE}


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
