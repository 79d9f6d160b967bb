"""Swiss pairing for two sides, against brute force."""

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from aurum.pairing.swiss_pairs import lot, pair, ranked
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
    """What the docstring of `pair` says is minimised last."""
    apart = sum(10_000 * ((score[a] - score[b]) / 2) ** 2 + abs(order.index(a) - order.index(b)) for a, b in pairs)
    return apart, sum(lot(SECRET, *sorted(two)) for two in pairs)


Position = tuple[list[str], dict[str, int], Counter[frozenset[str]], Counter[str]]


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A small field in the middle of a Swiss: order, half points, meetings, byes."""
    bots = [f"b{number}" for number in range(draw(st.integers(2, 7)))]
    score = {bot: draw(st.integers(0, 6)) for bot in bots}
    two = st.tuples(st.sampled_from(bots), st.sampled_from(bots)).filter(lambda ends: ends[0] != ends[1])
    met = Counter(frozenset(ends) for ends in draw(st.lists(two, max_size=12)))
    byes = Counter(draw(st.lists(st.sampled_from(bots), max_size=4)))
    return ranked(bots, score, SECRET), score, met, byes


@settings(deadline=None)
@given(positions())
def test_is_the_cheapest_of_all_pairings(position: Position) -> None:
    """Fewest byes of the receiver, fewest meetings, lowest receiver, least price: every pairing is tried."""
    order, score, met, byes = position
    choices = []
    for bye in order if len(order) % 2 else (None,):
        for pairs in all_pairings([bot for bot in order if bot != bye]):
            had, place = (byes[bye], order.index(bye)) if bye else (0, 0)
            again = sum(met[frozenset(two)] for two in pairs)
            choices.append(
                (
                    (had, again, -place, *price(pairs, order, score)),
                    sorted(pairs, key=lambda two: order.index(two[0])),
                    bye,
                )
            )
    _, pairs, bye = min(choices)
    assert (pairs, bye) == pair(order, score, met, byes, SECRET)


@pytest.mark.parametrize(("field", "expected"), [("", ([], None)), ("a", ([], "a")), ("ab", ([("a", "b")], None))])
def test_whoever_is_left_when_the_others_have_gone(field: str, expected: object) -> None:
    """Nobody, one with a bye each round, or two who meet again and again."""
    met, byes = Counter({frozenset("ab"): 3}), Counter(a=2)
    assert expected == pair(field, dict.fromkeys(field, 0), met, byes, SECRET)


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
