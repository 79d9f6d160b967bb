"""Deals that anyone can recompute (docs/rules.md section 13).

Everything derives from a tournament's secret by HMAC and SHA-256. Python's `random` is not used: its
state can be reconstructed from cards that a bot has seen.
"""

import hmac
import itertools
from dataclasses import dataclass
from hashlib import sha256
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


class _Stream:
    """The numbers of one round: SHA-256 in counter mode, read in 32-bit words."""

    def __init__(self, key: bytes, round_number: int) -> None:
        self._prefix = key + round_number.to_bytes(4, "big")
        self._block = 0
        self._words: list[int] = []

    def draw(self, n: int) -> int:
        """A number in 0 .. n - 1, every one equally likely."""
        bound = (1 << 32) - (1 << 32) % n
        while True:
            if not self._words:
                digest = sha256(self._prefix + self._block.to_bytes(4, "big")).digest()
                self._words = list(reversed(_WORDS.unpack(digest)))
                self._block += 1
            word = self._words.pop()
            if word < bound:
                return word % n


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
        return _Stream(self.key, 0).draw(self.players)

    def round(self, number: int) -> RoundCards:
        """The cards of round `number`, from 1."""
        cards = list(_DECKS[self.players])
        draw = _Stream(self.key, number).draw
        for i in range(len(cards) - 1, 0, -1):
            j = draw(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        ends = [HAND_SIZE * seat for seat in range(self.players + 1)]
        return RoundCards(tuple(tuple(cards[a:b]) for a, b in itertools.pairwise(ends)), tuple(cards[ends[-1] :]))
