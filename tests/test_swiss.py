"""Swiss pairing for two sides, against brute force and against the theorem that no rematch is ever needed."""

from collections.abc import Iterator, Sequence

import pytest
from aurum.pairing.swiss import lot, pair, ranked
from hypothesis import given, settings
from hypothesis import strategies as st

SECRET = b"a secret of thirty-two bytes ..."


def all_pairings(bots: Sequence[str]) -> Iterator[list[tuple[str, str]]]:
    """Every way to pair an even number of bots."""
    if not bots:
        yield []
    for other in bots[1:]:
        rest = [bot for bot in bots[1:] if bot != other]
        yield from ([(bots[0], other), *pairing] for pairing in all_pairings(rest))


def price(pairs: Sequence[tuple[str, str]], order: Sequence[str], score: dict[str, int]) -> tuple[float, int]:
    """What the docstring of `pair` says is minimised, pairs only."""
    apart = sum(10_000 * ((score[a] - score[b]) / 2) ** 2 + abs(order.index(a) - order.index(b)) for a, b in pairs)
    return apart, sum(lot(SECRET, *sorted(two)) for two in pairs)


Position = tuple[list[str], dict[str, int], set[frozenset[str]], set[str]]


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A small field in the middle of a Swiss: order, half points, meetings, byes."""
    bots = [f"b{number}" for number in range(draw(st.integers(2, 7)))]
    score = {bot: draw(st.integers(0, 6)) for bot in bots}
    two = st.tuples(st.sampled_from(bots), st.sampled_from(bots)).filter(lambda ends: ends[0] != ends[1])
    met = {frozenset(ends) for ends in draw(st.lists(two, max_size=8))}
    return ranked(bots, score, SECRET), score, met, draw(st.sets(st.sampled_from(bots), max_size=2))


@settings(deadline=None)
@given(positions())
def test_is_the_cheapest_of_all_pairings(position: Position) -> None:
    """Among all pairings without rematch or second bye: lowest possible bye first, then the least price."""
    order, score, met, rested = position
    choices = []
    for bye in (bot for bot in order if bot not in rested) if len(order) % 2 else (None,):
        for pairs in all_pairings([bot for bot in order if bot != bye]):
            if not any(frozenset(two) in met for two in pairs):
                place = order.index(bye) if bye else 0
                choices.append(
                    ((-place, *price(pairs, order, score)), sorted(pairs, key=lambda t: order.index(t[0])), bye)
                )
    if choices:
        _, pairs, bye = min(choices)
        assert (pairs, bye) == pair(order, score, met, rested, SECRET)
    else:
        with pytest.raises(ValueError, match="without rematch"):
            pair(order, score, met, rested, SECRET)


def test_lot_is_as_documented() -> None:
    """HMAC-SHA256 of "lot:" and the zero-ended names, first six bytes, computed elsewhere."""
    # printf 'lot:a\0b\0' | openssl dgst -sha256 -hmac key
    assert 0x97F0EA129CE1 == lot(b"key", "a", "b")


def test_equals_are_ranked_by_lot() -> None:
    """The order of equal bots is drawn from the secret, not taken from the spec."""
    bots = [f"b{number}" for number in range(8)]
    level = dict.fromkeys(bots, 0)
    orders = {tuple(ranked(bots, level, bytes([secret]))) for secret in range(20)}
    assert 20 == len(orders)
    assert ranked(bots, level, SECRET) == ranked(bots[::-1], level, SECRET)


def test_points_come_before_the_lot() -> None:
    """A bot with more points ranks higher whatever the lot says."""
    assert ["c", "a"] == ranked("ac", {"a": 1, "c": 2}, SECRET)
