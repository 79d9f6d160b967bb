"""Deals that anyone can recompute (docs/rules.md section 13).

Everything derives from a tournament's secret by HMAC and SHA-256. Python's `random` is not used: its
state can be reconstructed from cards that a bot has seen.
"""

import hmac
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import count
from operator import mod
from struct import Struct
from typing import NamedTuple

from aurum.rules.cards import Card, base_cards

HAND_SIZE = 12
_DECKS = {players: base_cards(players) for players in (3, 4)}
_SIZES = {players: tuple(range(len(deck), 1, -1)) for players, deck in _DECKS.items()}
"""By players: from how many cards of the deck each draw is; the last card is drawn for first."""
_INDICES = {players: tuple(range(len(deck) - 1, 0, -1)) for players, deck in _DECKS.items()}
"""By players: the index in the deck that each draw is for."""


def secret_of_seed(seed: str) -> bytes:
    """The 32 secret bytes of a tournament that was given a seed."""
    return sha256(seed.encode()).digest()


def commitment(secret: bytes) -> str:
    """What is published of the secret when the tournament starts: its SHA-256, in hex."""
    return sha256(secret).hexdigest()


def deal_key(secret: bytes, deal: int) -> bytes:
    """The key of deal number `deal` (from 0), 32 bytes."""
    return hmac.digest(secret, b"deal:%d" % deal, "sha256")


_BLOCK = Struct(">8I")
_SEVEN_BLOCKS = Struct(">56I")
_COUNTERS = tuple([block.to_bytes(4, "big") for block in range(7)])


def _words(prefix: bytes) -> Iterator[int]:
    """The 32-bit numbers of a round: SHA-256 in counter mode. `prefix` is the deal's key and the round."""
    for block in count():
        yield from _BLOCK.unpack(sha256(prefix + block.to_bytes(4, "big")).digest())


def _draw(words: Iterator[int], n: int) -> int:
    """A number below `n`, each as likely as any other."""
    limit = n * (2**32 // n)
    for word in words:
        if word < limit:
            break
    return word % n


def _draws(prefix: bytes, players: int) -> Iterable[int]:
    """One draw for each of `_SIZES[players]`, below it."""
    numbers = b"".join([sha256(prefix + counter).digest() for counter in _COUNTERS])
    # A number that is skipped is above 2^32 - 50. Most deals have none that comes near.
    if b"\xff\xff\xff" not in numbers:
        return map(mod, _SEVEN_BLOCKS.unpack(numbers), _SIZES[players])
    words = _words(prefix)
    return [_draw(words, n) for n in _SIZES[players]]


class RoundCards(NamedTuple):
    """What one round is played with."""

    hands: tuple[tuple[Card, ...], ...]
    """By seat, in dealt order."""
    leftover: tuple[Card, ...]


class Deal(NamedTuple):
    """The shuffled cards of a game for `players` (3 or 4), derived from a 32-byte `key`."""

    key: bytes
    players: int

    @property
    def first_player(self) -> int:
        """The first player of the first round."""
        return _draw(_words(self.key + bytes(4)), self.players)

    def round(self, number: int) -> RoundCards:
        """The cards of round `number`, from 1."""
        shuffled = list(_DECKS[self.players])
        draws = _draws(self.key + number.to_bytes(4, "big"), self.players)
        for index, other in zip(_INDICES[self.players], draws, strict=True):
            shuffled[index], shuffled[other] = shuffled[other], shuffled[index]
        cards = tuple(shuffled)
        dealt = HAND_SIZE * self.players
        hands = tuple([cards[start : start + HAND_SIZE] for start in range(0, dealt, HAND_SIZE)])
        return RoundCards(hands, cards[dealt:])
