"""Lists moves from the engine's sets of cards: looked up for base cards, cached for gold."""

from collections.abc import Sequence
from functools import cache
from operator import itemgetter
from typing import Final

from aurum.rules.cards import CARDS, Card, by_holding, gold_of
from aurum.rules.moves import BIDS, PASS, PLAYS, Move, exchanges_with
from aurum.rules.seats import OWN_SIDE

PLAYS_OF: Final[tuple[tuple[Move, ...], ...]] = by_holding(PLAYS)
"""By holding: a play of each of its cards."""

BIDS_OF: Final[tuple[tuple[Move, ...], ...]] = by_holding(BIDS)
"""By holding: a bid with each of its cards."""

ALL_SUITS: Final = 0b111110
"""A set of suits is an int with a bit for each, above one that is never set."""

COLUMNS: Final = tuple(
    [(*[column for column in range(1, 6) if suits >> column & 1], 0, 0, 0, 0)[:4] for suits in range(ALL_SUITS + 1)]
)
"""By a set of four suits or fewer: where a hand has them, filled up to four with the column that is always empty."""


@cache  # a few thousand different purses exist
def gold_plays(purse: int) -> tuple[Move, ...]:
    """A play for each gold rank of a purse."""
    return tuple([PLAYS[card] for card in dict.fromkeys(gold_of(purse))])


class Offers(dict[int, tuple[tuple[Move, ...], ...]]):
    """By purse: the exchanges that it pays for, by the value of the card laid; one tuple for each rank and target.

    Worked out when first asked for. `targets`: the seats whose bid cards may be replaced.
    """

    def __init__(self, targets: Sequence[int]) -> None:
        self._targets = targets

    def __missing__(self, purse: int) -> tuple[tuple[Move, ...], ...]:
        ranks = dict.fromkeys(gold_of(purse))
        offers = self[purse] = tuple([_by_value(gold, target) for gold in ranks for target in self._targets])
        return offers


OFFERS: Final = {players: tuple(map(Offers, sides)) for players, sides in OWN_SIDE.items()}
"""By players and seat."""


def window_moves(hand: Sequence[int], offers: tuple[tuple[Move, ...], ...]) -> tuple[Move, ...]:
    """Pass, and each of the offers with each of the hand's cards."""
    _, b, c, p, s, z = hand
    cards = CARDS[b] + CARDS[c] + CARDS[p] + CARDS[s] + CARDS[z]
    if len(cards) < 2:
        return PASS, *[by_card[card] for by_card in offers for card in cards]
    return sum(map(itemgetter(*cards), offers), (PASS,))


@cache
def _by_value(gold: Card, target: int) -> tuple[Move, ...]:
    """Exchanges by the value of the card laid, Pass where there is none: a tuple is faster than a dictionary."""
    exchanges = exchanges_with(gold, target)
    moves: list[Move] = [PASS] * (max(exchanges) + 1)
    for card, exchange in exchanges.items():
        moves[card] = exchange
    return tuple(moves)
