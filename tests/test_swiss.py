"""Swiss pairing for two sides, against brute force and against recorded rounds."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from aurum.pairing.matching import cheapest_matching
from aurum.pairing.swiss_pairs import lot, pair, ranked
from hypothesis import given, settings
from hypothesis import strategies as st

SECRET = b"a secret of thirty-two bytes ..."
RECORDED = json.loads((Path(__file__).parent / "data/swiss_pairings.json").read_text(encoding="utf-8"))
LARGEST = 2**125 - 1
"""The largest cost that a matching takes."""


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
    most = draw(st.sampled_from([0, 6, 900]))
    score = {bot: draw(st.integers(0, most)) for bot in bots}
    two = st.tuples(st.sampled_from(bots), st.sampled_from(bots)).filter(lambda ends: ends[0] != ends[1])
    times = draw(st.sampled_from([1, 450]))
    met = Counter(frozenset(ends) for ends in draw(st.lists(two, max_size=12)) for _ in range(times))
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
    shuffled = {bot: score[bot] for bot in sorted(score, reverse=True)}
    assert (pairs, bye) == pair(ranked(shuffled, shuffled, SECRET), shuffled, met, byes, SECRET)


@st.composite
def cost_tables(draw: st.DrawFn) -> list[list[int]]:
    """Symmetric costs between an even number of bots, many of them equal or as large as costs may be."""
    size = draw(st.sampled_from([0, 2, 4, 6, 8]))
    most = draw(st.sampled_from([1, 10, 2**64, LARGEST]))
    costs = [[0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i):
            costs[i][j] = costs[j][i] = draw(st.integers(0, most) | st.sampled_from([0, most]))
    return costs


@settings(deadline=None)
@given(cost_tables())
def test_no_matching_is_cheaper(costs: list[list[int]]) -> None:
    """Everybody is matched, and the sum is the least of all; where one matching alone has it, it is that one."""
    names = [str(number) for number in range(len(costs))]
    sums = {
        tuple((int(one), int(other)) for one, other in pairs): sum(costs[int(one)][int(other)] for one, other in pairs)
        for pairs in all_pairings(names)
    }
    cheapest = [list(pairs) for pairs, total in sums.items() if total == min(sums.values())]
    assert cheapest_matching(costs) in cheapest


def test_costs_that_could_not_be_matched_exactly_are_refused() -> None:
    """One bit more than there is room for; a price that all costs of a bot share takes up none."""
    outlier = [[0, 0, 0, LARGEST + 1], [0, 0, 0, 0], [0, 0, 0, 0], [LARGEST + 1, 0, 0, 0]]
    with pytest.raises(OverflowError, match=r"^costs of up to 126 bits"):
        cheapest_matching(outlier)
    assert [(0, 1)] == cheapest_matching([[0, 2**200], [2**200, 0]])


@pytest.mark.parametrize("event", RECORDED, ids=lambda event: f"{event['field']} bots")
def test_rounds_are_paired_as_they_were_recorded(event: dict[str, Any]) -> None:
    """Whole events as networkx paired them, on which stores that were begun before rely.

    Byes included; with one round more than can be without rematch in the smallest fields.
    """
    bots = [f"b{number}" for number in range(event["field"])]
    score, met, byes = Counter[str](), Counter[frozenset[str]](), Counter[str]()
    for played in event["rounds"]:
        pairs, bye = pair(ranked(bots, score, SECRET), score, met, byes, SECRET)
        assert played["pairs"] == " ".join(f"{high[1:]}-{low[1:]}" for high, low in pairs)
        assert bye == (None if played["bye"] is None else f"b{played['bye']}")
        for (high, low), halves in zip(pairs, map(int, played["halves"]), strict=True):
            score.update({high: halves, low: 2 - halves})
            met[frozenset((high, low))] += 1
        if bye:
            score[bye] += 2
            byes[bye] += 1


def test_the_largest_event_is_matched_exactly() -> None:
    """499 bots whose points are as far apart as 250 rounds can make them, two of whom have met in each.

    Whoever has had the fewest byes has this one; the two do not meet again; the others meet a neighbour.
    """
    order = [f"b{number}" for number in range(499)]
    score = {bot: 500 - number for number, bot in enumerate(order)}
    pairs, bye = pair(order, score, {frozenset(order[:2]): 250}, dict.fromkeys(order[:-2], 1), SECRET)
    places = sorted((order.index(high), order.index(low)) for high, low in pairs)
    assert bye == order[498]
    assert places[:2] == [(0, 2), (1, 3)]
    assert places[2:] == [(number, number + 1) for number in range(4, 498, 2)]


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
