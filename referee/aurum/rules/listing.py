"""Lists of moves from the engine's sets of cards: tables for what is asked for most, caches for gold."""

from functools import cache
from operator import itemgetter
from typing import Final

from aurum.rules.cards import CARDS, Card, by_mask, gold_of, pick
from aurum.rules.moves import BIDS, EXCHANGES, PASS, PLAYS, Exchange, Move
from aurum.rules.seats import OWN_SIDE

_Tables = tuple[tuple[tuple[Move, ...], ...], ...]

PLAYS_BY_MASK: Final[_Tables] = by_mask(PLAYS)
_BIDS: Final[_Tables] = by_mask(BIDS)


def bids(hand: int) -> tuple[Move, ...]:
    """A bid with each card of a hand's mask."""
    return pick(_BIDS, hand)


@cache  # a few thousand different purses exist
def gold_plays(purse: int) -> tuple[Move, ...]:
    """A play for each gold rank of a purse."""
    return tuple([PLAYS[card] for card in dict.fromkeys(gold_of(purse))])


def window_moves(hand: int, purse: int, seat: int, players: int) -> tuple[Move, ...]:
    """Pass, and each gold rank of the purse spent on each bid card of the side for each card of the hand."""
    cards = pick(CARDS, hand)
    exchanges = _exchanges(purse, seat, players)
    if len(cards) == 1:
        return PASS, *[by_card[cards[0]] for by_card in exchanges]
    moves: tuple[Move, ...] = (PASS,)
    with_each = itemgetter(*cards)
    for by_card in exchanges:
        moves += with_each(by_card)
    return moves


@cache
def _exchanges(purse: int, seat: int, players: int) -> tuple[dict[Card, Exchange], ...]:
    ranks = [card.rank for card in dict.fromkeys(gold_of(purse))]
    return tuple([EXCHANGES[rank][target] for rank in ranks for target in OWN_SIDE[players][seat]])
