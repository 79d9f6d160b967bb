"""What everyone sees of a round: its completed tricks, its exchanges, and all that lies face up."""

from collections.abc import Sequence
from typing import NamedTuple

from aurum.rules.cards import Card
from aurum.rules.phase import Phase


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


class PublicRound(NamedTuple):
    """The public part of a round under way; with the hands and the bid cards it makes a position (`Round.at`).

    Purses are those of `aurum.rules.cards`. What belongs to seats stands in a sequence by seat.
    """

    number: int
    """Of the round, from 1."""
    first_player: int
    """The seat that bids first and leads the first trick."""
    leader: int
    """The seat that leads the trick under way, or the next one."""
    to_act: int
    """The seat whose move is awaited."""
    phase: Phase
    """What it is asked for."""
    collections: Sequence[int]
    """By seat: the purse of the gold in front of it."""
    supply: int
    """The purse of the gold that nobody has."""
    leftover: tuple[Card, ...]
    """With four players the two cards that nobody was dealt."""
    tricks_taken: Sequence[int]
    """By seat: how many tricks it has won."""
    trick: Sequence[Card] = ()
    """The cards of the trick under way, in play order from the leader."""
    tricks: Sequence[Trick] = ()
    """The completed tricks, in order."""
    exchanges: Sequence[BidChange] = ()
    """The exchanges made, in order."""
