"""Deals that anyone can recompute (docs/rules.md section 13)."""

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from aurum.rules import Deal, base_cards, commitment, deal, deal_key, secret_of_seed
from hypothesis import given
from hypothesis import strategies as st
from strategies import FEW

VECTORS = json.loads((Path(__file__).parent / "golden" / "deals.json").read_text(encoding="utf-8"))
"""Worked out by independent code; see make_goldens.py."""


def numbers(key: bytes, number: int) -> Iterator[int]:
    """The derivation, word for word."""
    for i in range(1 << 32):
        digest = hashlib.sha256(key + number.to_bytes(4, "big") + i.to_bytes(4, "big")).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))


def draw(source: Iterator[int], n: int) -> int:
    for x in source:
        if x < n * (2**32 // n):
            return x % n
    raise AssertionError("the numbers have no end")


def shuffled(key: bytes, players: int, number: int, source: Iterator[int] | None = None) -> list[str]:
    """The deck of a round, in order."""
    deck = [f"{suit}{rank}" for suit in "BCPSZ" for rank in range(1, 11)]
    if players == 3:
        deck = [card for card in deck if card[0] != "C" and card[1:] != "10"]
    source = source or numbers(key, number)
    for i in range(len(deck) - 1, 0, -1):
        j = draw(source, i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def dealt(key: bytes, players: int, number: int) -> list[str]:
    """The same by the engine."""
    cards = Deal(key, players).round(number)
    return [str(card) for hand in cards.hands for card in hand] + [str(card) for card in cards.leftover]


@FEW
@given(st.binary(min_size=32, max_size=32), st.sampled_from([3, 4]), st.integers(1, 9))
def test_deals_are_derived_as_written(key: bytes, players: int, number: int) -> None:
    """Seat by seat twelve cards, then the two left over; and the first player."""
    assert shuffled(key, players, number) == dealt(key, players, number)
    assert draw(numbers(key, 0), players) == Deal(key, players).first_player


def test_keys_are_derived_as_written() -> None:
    """SHA-256 of the seed, its SHA-256 in hex as commitment, HMAC-SHA256 of the deal's number."""
    secret = hashlib.sha256("club night ♥".encode()).digest()
    assert secret == secret_of_seed("club night ♥")
    assert hashlib.sha256(secret).hexdigest() == commitment(secret)
    assert hmac.new(secret, b"deal:0", hashlib.sha256).digest() == deal_key(secret, 0)
    assert hmac.new(secret, b"deal:123456", hashlib.sha256).digest() == deal_key(secret, 123456)


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_committed_deals(vector: dict[str, str | int | list[str]]) -> None:
    """What was published once stays as it is."""
    secret = secret_of_seed(str(vector["seed"]))
    key = deal_key(secret, int(str(vector["deal"])))
    players = int(str(vector["players"]))
    assert (vector["secret"], vector["commitment"], vector["key"]) == (secret.hex(), commitment(secret), key.hex())
    assert vector["first_player"] == Deal(key, players).first_player
    assert vector["rounds"] == [" ".join(dealt(key, players, number)) for number in (1, 2, 3)]


class Skipping:
    """A hash whose first numbers are too high to be fair, whatever is drawn from them."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def copy(self) -> "Skipping":
        return Skipping(self.data)

    def update(self, data: bytes) -> None:
        self.data += data

    def digest(self) -> bytes:
        real = hashlib.sha256(self.data).digest()
        high = b"\xff\xff\xff\xff" * 3
        return high + real[12:] if self.data.endswith(bytes(4)) else real[:8] + b"\xff\xff\xff\xfe" + real[12:]


def skipping_numbers(key: bytes, number: int) -> Iterator[int]:
    for i in range(1 << 32):
        digest = Skipping(key + number.to_bytes(4, "big") + i.to_bytes(4, "big")).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))


@pytest.mark.parametrize("players", [3, 4])
def test_unfair_numbers_are_skipped(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once in many deals; provoked here by a hash that gives such numbers in every block."""
    monkeypatch.setattr(deal, "sha256", Skipping)
    key = bytes(range(32))
    cards = Deal(key, players).round(1)
    order = [str(card) for hand in cards.hands for card in hand] + [str(card) for card in cards.leftover]
    assert shuffled(key, players, 1, skipping_numbers(key, 1)) == order
    assert draw(skipping_numbers(key, 0), players) == Deal(key, players).first_player


@pytest.mark.parametrize("players", [3, 4])
def test_every_card_comes_to_every_place_alike(players: int) -> None:
    """Chi-squared of a card's seat over many deals, for each card, far from suspicious."""
    deals = 3000
    seats: dict[str, Counter[int]] = {str(card): Counter() for card in base_cards(players)}
    for number in range(deals):
        for place, card in enumerate(dealt(deal_key(b"uniform", number), players, 1)):
            seats[card][place // 12] += 1
    # Seats of 12 cards, and with four players a fifth place of 2.
    sizes = [12] * players + ([2] if players == 4 else [])
    worst = 0.0
    for counts in seats.values():
        expected = [deals * size / sum(sizes) for size in sizes]
        worst = max(worst, sum((counts[at] - e) ** 2 / e for at, e in enumerate(expected)))
    # The highest of 50 with 4 degrees of freedom exceeds 28 in less than one of a thousand runs; this run is fixed.
    assert worst < 28


def test_rounds_and_deals_differ() -> None:
    """No two rounds of a deal and no two deals of a secret are dealt alike."""
    secret = secret_of_seed("x")
    orders = [tuple(dealt(deal_key(secret, d), 4, r)) for d in range(20) for r in (1, 2, 3)]
    assert 60 == len(set(orders))
