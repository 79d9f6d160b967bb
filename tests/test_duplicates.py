"""What duplicate deals save: worked out by hand, against numpy, where the truth is known, and whatever comes."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, astuple
from random import Random
from statistics import mean, stdev
from typing import Any

import numpy as np
import pytest
from aurum.results.game_row import GameRow
from aurum.standings.deal_groups import by_margin, by_result, deal_groups, duplicate_savings, savings_note, values
from aurum.standings.rendering import Display, render
from aurum.standings.standings import standings
from aurum.statistics.duplicates import FEWEST, DealGroup, Duplicates, duplicates, pooled
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament_rows import game_row


def test_by_hand() -> None:
    """Twelve deals in two seatings: 2/3 of the games won in the one, 1/3 in the other.

    Each seating has a variance of 12 x 2/9 / 11 = 8/33, so two independent games have a mean of variance 4/33. Eight
    groups have a mean of 1/2, four are a half from it: 4 x 1/4 / 11 = 3/33.
    """
    groups = [(1, 0)] * 6 + [(1, 1)] * 2 + [(0, 0)] * 2 + [(0, 1)] * 2
    found = duplicates(groups)
    assert (12, 2, None) == (found.groups, found.games, found.lack)
    assert (3 / 33, 4 / 33) == pytest.approx((found.grouped, found.independent))
    assert (3 / 4, 4 / 3, -1 / 4) == pytest.approx((found.ratio, found.efficiency, found.correlation))


def test_what_a_seat_is_worth_is_not_saved() -> None:
    """Whoever changes seats from deal to deal saves it without duplicates: such a constant changes nothing."""
    chance = Random(1)
    groups = [(chance.choice([0, 1]), chance.choice([0, 1])) for _ in range(40)]
    plain, seated = duplicates(groups), duplicates([(first + 8, second - 8) for first, second in groups])
    assert astuple(plain) == pytest.approx(astuple(seated))


def by_numpy(groups: Sequence[Sequence[float]]) -> float:
    """The ratio of two games or more, in other words than ours."""
    table = np.array(groups)
    return float(table.mean(axis=1).var(ddof=1) / (table.var(axis=0, ddof=1).sum() / table.shape[1] ** 2))


@pytest.mark.parametrize("games", [2, 3, 6])
def test_against_numpy(games: int) -> None:
    """Ratio, correlation and the jackknife error, which computes every estimate without one group anew."""
    chance = Random(games)
    groups = [[chance.gauss(0, 1) + deal % 3 for _ in range(games)] for deal in range(25)]
    found = duplicates(groups)
    without = [by_numpy(groups[:i] + groups[i + 1 :]) for i in range(25)]
    error = math.sqrt(24 / 25 * sum((ratio - mean(without)) ** 2 for ratio in without))
    off_diagonal = np.cov(np.array(groups).T)[~np.eye(games, dtype=bool)]
    variance = np.array(groups).var(axis=0, ddof=1)
    assert (by_numpy(groups), error) == pytest.approx((found.ratio, found.error))
    assert off_diagonal.mean() / variance.mean() == pytest.approx(found.correlation)


def lucky(chance: Random, luck: float, noise: float) -> tuple[float, float]:
    """A bot that is 0.3 better: the luck of the deal changes sides with the seats, the bots' own chance does not."""
    deal = chance.gauss(0, luck)
    return 0.3 + deal + chance.gauss(0, noise), 0.3 - deal + chance.gauss(0, noise)


@pytest.mark.parametrize(("luck", "noise"), [(2.0, 1.0), (1.0, 1.0), (0.5, 1.0), (0.0, 1.0)])
def test_where_the_truth_is_known(luck: float, noise: float) -> None:
    """A game has the variance luck^2 + noise^2, of which duplicates leave the noise: 4,000 deals find that."""
    chance = Random(7)
    found = duplicates([lucky(chance, luck, noise) for _ in range(4000)])
    truth = noise**2 / (luck**2 + noise**2)
    assert found.ratio is not None
    assert found.error is not None
    assert truth == pytest.approx(found.ratio, abs=3 * found.error)
    assert truth - 1 == pytest.approx(found.correlation, abs=3 * found.error)
    assert found.error < 0.04


def test_the_error_is_what_repetition_shows() -> None:
    """300 tournaments of 60 deals: the ratios scatter as their errors say."""
    chance = Random(3)
    found = [duplicates([lucky(chance, 1, 1) for _ in range(60)]) for _ in range(300)]
    errors = [one.error for one in found if one.error is not None]
    ratios = [one.ratio for one in found if one.ratio is not None]
    assert (300, 300) == (len(errors), len(ratios))
    assert 0.5 == pytest.approx(mean(ratios), abs=0.02)
    assert 1 == pytest.approx(mean(errors) / stdev(ratios), abs=0.15)


def trio(chance: Random, luck: float, noise: float, turns: Sequence[Sequence[int]]) -> DealGroup:
    """A deal of three bots, by comparison and seating: each seat has its luck, each bot in each game its chance."""
    seats = [chance.gauss(0, luck) for _ in range(3)]
    games = [[bot + seats[seat] + chance.gauss(0, noise) for bot, seat in enumerate(turn)] for turn in turns]
    return [[game[a] - game[b] for game in games] for a, b in ((0, 1), (0, 2), (1, 2))]


ROTATIONS = [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
PERMUTATIONS = [*ROTATIONS, (0, 2, 1), (2, 1, 0), (1, 0, 2)]


@pytest.mark.parametrize("turns", [ROTATIONS, PERMUTATIONS], ids=["rotations", "permutations"])
def test_three_sides(turns: Sequence[Sequence[int]]) -> None:
    """Everyone has had every seat: of luck^2 + noise^2 the noise is left, in three games or six."""
    chance = Random(5)
    found = pooled([[trio(chance, 1, 0.5, turns) for _ in range(600)] for _ in range(2)])
    assert (1200, len(turns)) == (found.groups, found.games)
    assert found.ratio is not None
    assert found.error is not None
    assert 0.2 == pytest.approx(found.ratio, abs=3 * found.error)
    assert found.error < 0.012
    assert (0.2 - 1) / (len(turns) - 1) == pytest.approx(found.correlation, abs=0.01)


def test_pairings_are_pooled_within() -> None:
    """How strong the bots of a pairing are is no variance; a pairing that always ends alike says nothing."""
    close = [(1, 0)] * 6 + [(1, 1)] * 2 + [(0, 0)] * 2 + [(0, 1)] * 2
    stronger = [(a + 5, b + 5) for a, b in close]
    one, both = duplicates(close), pooled([[(group,) for group in close], [(group,) for group in stronger]])
    with_sweep = pooled([[(group,) for group in close], [((1, 1),)] * 50])
    assert one.ratio == pytest.approx(both.ratio)
    assert one.ratio == with_sweep.ratio
    assert one.grouped == both.grouped
    assert (24, 62) == (both.groups, with_sweep.groups)
    assert one.error is not None
    assert one.error / math.sqrt(2) == pytest.approx(both.error, rel=0.1)  # a jackknife of half as many groups


LACKS = [
    ([], "no deal was played in more than one seating"),
    ([(1.0,)] * 30, "no deal was played in more than one seating"),
    ([(1, 0)] * FEWEST, "10 deal groups are too few to tell: it takes 10 more than there are pairings"),
    ([(1, 0)] * 30, "all games came out alike"),
    ([(0.1, 0.3)] * 30, "all games came out alike"),
    ([(1, 0), (0, 1)] * 20, "all deal groups came out alike: there is no end to what they saved"),
]


@pytest.mark.parametrize(("groups", "lack"), LACKS)
def test_too_little_to_tell(groups: list[tuple[float, ...]], lack: str) -> None:
    """A sentence says why there is no figure."""
    found = duplicates(groups)
    assert lack == found.lack
    assert found.efficiency is None
    assert found.efficiency_error is None


def test_one_deal_group_with_all_the_spread() -> None:
    """The estimate without it does not exist, so there is no error."""
    found = duplicates([(1, 1)] + [(0, 0)] * 30)
    assert (2, None, None) == (found.ratio, found.error, found.efficiency_error)


def test_unequal_groups_are_refused() -> None:
    """Half a deal group is no evidence."""
    with pytest.raises(ValueError, match="deal groups of 1 and 2 games cannot be pooled"):
        duplicates([(1, 0), (1,)])
    with pytest.raises(ValueError, match="differ in their number of comparisons"):
        pooled([[((1, 0),), ((1, 0), (0, 1))] * 10])


def tables(values: st.SearchStrategy[float]) -> st.SearchStrategy[list[list[list[list[float]]]]]:
    """Pairings, their deal groups, comparisons and games."""

    def shaped(sides_and_games: tuple[int, int]) -> st.SearchStrategy[list[list[list[list[float]]]]]:
        comparisons, games = sides_and_games
        row = st.lists(values, min_size=games, max_size=games)
        group = st.lists(row, min_size=comparisons, max_size=comparisons)
        return st.lists(st.lists(group, max_size=15), max_size=4)

    return st.sampled_from([(1, 2), (3, 3), (3, 6)]).flatmap(shaped)


@settings(max_examples=50, deadline=None)
@given(tables(st.sampled_from([-0.5, 0.0, 0.5])), st.randoms(use_true_random=False))
def test_no_order_matters(pairings: list[list[list[list[float]]]], chance: Random) -> None:
    """Of pairings, deal groups, comparisons or seatings, nor from which side a comparison is seen: to the last bit."""

    def disordered(groups: list[list[list[float]]]) -> list[list[list[float]]]:
        comparisons, games = (len(groups[0]), len(groups[0][0])) if groups else (0, 0)
        rows = chance.sample(range(comparisons), comparisons)
        columns = chance.sample(range(games), games)
        signs = [chance.choice([-1, 1]) for _ in rows]
        moved = [
            [[sign * group[row][column] for column in columns] for row, sign in zip(rows, signs, strict=True)]
            for group in groups
        ]
        return chance.sample(moved, len(moved))

    shuffled = [disordered(groups) for groups in chance.sample(pairings, len(pairings))]
    assert repr(pooled(pairings)) == repr(pooled(shuffled))


@settings(max_examples=50, deadline=None)
@given(tables(st.one_of(st.integers(-3, 3), st.floats(-1e6, 1e6))))
def test_figures_are_figures(pairings: list[list[list[list[float]]]]) -> None:
    """Whatever the results: finite, in their bounds, and none without a reason."""
    found = pooled(pairings)
    figures = [figure for figure in astuple(found) if isinstance(figure, float)]
    assert all(map(math.isfinite, figures))
    assert (found.efficiency is None) == (found.lack is not None)
    if found.ratio is not None and found.correlation is not None:
        assert -1e-9 <= found.ratio <= found.games + 1e-9
        assert -1 / (found.games - 1) - 1e-9 <= found.correlation <= 1 + 1e-9


def test_figures_by_name() -> None:
    """Without any deal group there is a count and a reason, no figure."""
    assert Duplicates(0, 0, lack="no deal was played in more than one seating") == duplicates([])


def deal(match: str, number: int, bots: str, *games: tuple[Sequence[int], Sequence[int]]) -> list[GameRow]:
    """A deal group by rotation: of each game, placing and points by side."""
    turned = [bots[turn:] + bots[:turn] for turn in range(len(games))]
    return [
        game_row(match, number, turn, turned[turn], placing, points=points)
        for turn, (placing, points) in enumerate(games)
    ]


WON, CLOSE, LOST = ((1, 2), (30, 20)), ((1, 2), (12, 11)), ((2, 1), (10, 14))


def test_deal_groups_of_a_tournament() -> None:
    """By pairing, whoever was named first in a match; what is not whole, and games against oneself, are left out."""
    whole = [*deal("m1", 0, "ab", WON, LOST), *deal("m2", 5, "ba", WON, WON), *deal("m3", 7, "cb", LOST, WON)]
    others = [*deal("m1", 1, "ab", WON), *deal("m4", 9, "aa", WON, LOST)]
    (groups,) = deal_groups([*others, *whole[::-1]])
    games, names = groups.games, groups.games.bots
    assert (2, [0, 2]) == (groups.size, groups.pairings)
    assert [0, 0, 5, 5, 7, 7] == games.deal.tolist()
    assert ["ab", "ba"] * 2 + ["bc", "cb"] == ["".join(names[bot] for bot in bots) for bots in games.bot]
    assert [(2, 1, 2), (1, 1, 2)] == [found.shape for found in values(groups, by_result)]


def test_what_a_deal_group_says() -> None:
    """From the side of the bot that comes first by name: a won both games of deal 0; b lost by 10, then 4 points."""

    def said(bots: str, *games: Any) -> list[Any]:
        (groups,) = deal_groups(deal("m", 0, bots, *games))
        return [
            found.tolist() for value in (by_result, by_margin) for pairing in values(groups, value) for found in pairing
        ]

    assert [[[0.5, 0.5]], [[10, 4]]] == said("ab", WON, LOST)
    games = ((1, 2, 2), (9, 5, 4)), ((1, 3, 2), (9, 5, 7)), ((3, 2, 1), (1, 2, 3))
    a_with_b, a_with_c, b_with_c = [0.5, 0.5, 0.0], [0.5, 0.5, -0.5], [-0.5, -0.5, -0.5]
    by_margins = [[4, 2, 1], [2, 1, -4], [-2, -1, -5]]
    assert [[a_with_b, a_with_c, b_with_c], by_margins] == said("cab", *games)


def test_what_a_tournament_saved() -> None:
    """By result and by margin, pooled over its pairings, as the statistics do it."""
    chance = Random(2)
    rows, margins = [], []
    for number in range(40):
        luck, first, second = (chance.randint(-9, 9) for _ in range(3))
        games = [((1, 2) if luck + first > 0 else (2, 1), (luck + first, 0)), ((1, 2), (luck + second, 0))]
        rows += deal("m", number, "ab", *games)
        margins.append((luck + first, -luck - second))
    found = duplicate_savings(chance.sample(rows, len(rows)))
    assert duplicates(margins) == found.margin
    assert 40 == found.result.groups
    assert found.result != found.margin


SAYINGS = [
    (
        ([(WON, WON)] * 2 + [(CLOSE, WON)] + [(LOST, LOST)] * 2 + [(WON, LOST)]) * 4,
        [
            "duplicate deals: in independent games, a game was worth 3.4 (1.5 to 7.7) by result (correlation -0.71), "
            "2.0 (1.0 to 3.9) by margin (correlation -0.49); 24 deal groups"
        ],
    ),
    (
        [(WON, WON), (LOST, LOST)] * 12,
        [
            "duplicate deals: in independent games, a game was worth no end of them by result (correlation -1.00), "
            "no end of them by margin (correlation -1.00); 24 deal groups"
        ],
    ),
    (
        [(WON, WON), (LOST, LOST), (WON, LOST), (LOST, WON)] * 5,
        [
            "duplicate deals: in independent games, a game was worth 1.0 (0.6 to 1.6, no measurable saving) by result "
            "(correlation +0.00), 1.0 (0.6 to 1.6, no measurable saving) by margin (correlation +0.00); 20 deal groups"
        ],
    ),
    ([(WON, WON), (LOST, LOST), (WON, LOST)] * 6, []),
    ([(WON, LOST)] * 24, []),
    ([(WON, WON), (LOST, LOST)] * 5, []),
]


@pytest.mark.parametrize(("games", "sentences"), SAYINGS)
def test_what_is_said(games: list[Any], sentences: list[str]) -> None:
    """One sentence beneath the table; none where there is too little to tell."""
    rows = [row for number, group in enumerate(games) for row in deal("m", number, "ab", *group)]
    assert sentences == list(savings_note(duplicate_savings(rows)))
    table = standings(rows)
    assert sentences == [
        line for line in render(table, "text", Display(explain=True)).splitlines() if line.startswith("duplicate deals")
    ]
    found = json.loads(render(table, "json"))["duplicates"]
    assert {"result": asdict(duplicate_savings(rows).result), "margin": asdict(duplicate_savings(rows).margin)} == found
