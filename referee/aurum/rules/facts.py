"""What is said about a round: what a seat is asked for, how the round ended, its tricks and exchanges."""

from enum import Enum, IntEnum
from typing import NamedTuple

from aurum.rules.cards import Card


class Phase(IntEnum):
    """What the seat to act is asked for; the first four as on the wire."""

    BID = 1
    EXCHANGE = 2
    LEAD = 3
    FOLLOW = 4
    OVER = 5


class RoundEnd(Enum):
    """How a round came to its end."""

    FORCED = "could not follow"
    DECLINED = "chose not to play gold"
    NO_LEAD = "had no base card to lead"


class Trick(NamedTuple):
    """A completed trick."""

    leader: int
    cards: tuple[Card, ...]
    """In play order: the seats follow the leader clockwise."""
    winner: int
    collector: int
    collected: Card | None


class BidChange(NamedTuple):
    """A bid card replaced in an exchange window."""

    trick: int
    """Before which trick, from 0."""
    seat: int
    gold: Card
    bid_seat: int
    laid: Card
    taken: Card
    """The old bid card, now in the hand of `seat`."""
