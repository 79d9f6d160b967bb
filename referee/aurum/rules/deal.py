"""Deals that anyone can recompute (docs/rules.md section 13).

Everything derives from a tournament's secret by HMAC and SHA-256. Python's `random` is not used: its
state can be reconstructed from cards that a bot has seen.
"""

import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import count, pairwise
from struct import Struct

from aurum.rules.cards import Card, base_cards

HAND_SIZE = 12
_WORDS = Struct(">8I")
_DECKS = {players: base_cards(players) for players in (3, 4)}


def secret_of_seed(seed: str) -> bytes:
    """The 32 secret bytes of a tournament that was given a seed."""
    return sha256(seed.encode()).digest()


def commitment(secret: bytes) -> str:
    """What is published of the secret when the tournament starts: its SHA-256, in hex."""
    return sha256(secret).hexdigest()


def deal_key(secret: bytes, deal: int) -> bytes:
    """The key of deal number `deal` (from 0), 32 bytes."""
    return hmac.digest(secret, b"deal:%d" % deal, "sha256")


_BOUNDS = [0] + [n * (2**32 // n) for n in range(1, 51)]
"""By n: below which a 32-bit number is as likely to be any number modulo n as another."""


def _words(key: bytes, number: int) -> Iterator[int]:
    """The 32-bit numbers of round `number` (0: the draw for first player): SHA-256 in counter mode."""
    prefix = key + number.to_bytes(4, "big")
    for block in count():
        yield from _WORDS.unpack(sha256(prefix + block.to_bytes(4, "big")).digest())


@dataclass(frozen=True, slots=True)
class RoundCards:
    """What one round is played with."""

    hands: tuple[tuple[Card, ...], ...]
    """By seat, in dealt order."""
    leftover: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """The shuffled cards of a game for `players` (3 or 4), derived from a 32-byte `key`."""

    key: bytes
    players: int

    @property
    def first_player(self) -> int:
        """The first player of the first round."""
        n = self.players
        return next(word % n for word in _words(self.key, 0) if word < _BOUNDS[n])

    def round(self, number: int) -> RoundCards:
        """The cards of round `number`, from 1."""
        cards = list(_DECKS[self.players])
        last = len(cards) - 1
        for word in _words(self.key, number):
            if word < _BOUNDS[last + 1]:
                other = word % (last + 1)
                cards[last], cards[other] = cards[other], cards[last]
                last -= 1
                if not last:
                    break
        ends = [HAND_SIZE * seat for seat in range(self.players + 1)]
        return RoundCards(tuple(tuple(cards[a:b]) for a, b in pairwise(ends)), tuple(cards[ends[-1] :]))
