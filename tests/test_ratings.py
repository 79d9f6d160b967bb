"""Ratings: what must hold whatever the games. Published figures are in test_ratings_published.py."""

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from aurum.rating.connections import tie_sizes
from aurum.rating.davidson_luce import Fit, covariance, estimate, information
from aurum.rating.likelihood import Counts, Matrix
from aurum.rating.models import rate
from aurum.rating.orders import Choice, Group, Side, order_of, stages
from aurum.standings.ratings import TITLES, Bound, GameRow, Model, Rating, Ratings, fit
from aurum.statistics.elo import student_95
from hypothesis import given, settings
from hypothesis import strategies as st
from rating_data import reference, synth2, synth3
from scipy.special import stdtr
from tournament_rows import game_row

ELO = 400 / math.log(10)
BT = Model.BRADLEY_TERRY
ML = Model.DAVIDSON_LUCE
LIKELIEST = (ML, BT)


def series(match: str, first: int, bots: Sequence[str], placings: Sequence[tuple[int, ...]]) -> list[GameRow]:
    """One game a deal."""
    return [game_row(match, deal, 0, bots, placing) for deal, placing in enumerate(placings, first)]


def by_name(ratings: Ratings) -> dict[str, Rating]:
    return {rating.bot: rating for rating in ratings.rows}


def standard_errors(ratings: Ratings) -> dict[str, float]:
    return {rating.bot: (rating.error or 0) / student_95(rating.groups - 1) for rating in ratings.rows}


@pytest.mark.parametrize(
    ("degrees", "expected"), [(1, 12.706), (2, 4.303), (4, 2.776), (9, 2.262), (30, 2.042), (10**6, 1.960)]
)
def test_student_95(degrees: int, expected: float) -> None:
    """The points of Student's t as tables have them."""
    assert expected == pytest.approx(student_95(degrees), abs=0.0005)


def test_figures_relative_to_an_anchor() -> None:
    """The anchor stands at 1500 and has no interval; all differences stay as they are."""
    expected = reference("synth2_reference.json")["Davidson"]["elo"]
    anchored = by_name(fit(synth2(), "delta", ML))
    assert (1500, None) == (anchored["delta"].elo, anchored["delta"].error)
    found = {bot: rated(r) - 1500 + expected["delta"] for bot, r in anchored.items()}
    assert expected == pytest.approx(found, abs=1e-3)


def test_the_model_is_named() -> None:
    """By the ratings of each, and the posterior is what one gets without asking."""
    assert "Davidson-Luce, most probable (normal prior, 400 Elo)" == fit(synth2()).model
    assert "Davidson-Luce, maximum likelihood" == fit(synth2(), model=ML).model
    assert "Bradley-Terry, draws as half wins, maximum likelihood" == fit(synth2(), model=BT).model


def test_three_sides_are_three_comparisons_to_bradley_terry() -> None:
    """A game of three says the same as three games of two."""
    three = series("m", 0, "abc", [(1, 2, 3), (2, 1, 2), (3, 2, 1), (1, 1, 3), (2, 3, 1)])
    two = [
        game_row("m", row.deal, 0, (row.bots[i], row.bots[j]), (row.placing[i], row.placing[j]))
        for row in three
        for i, j in ((0, 1), (0, 2), (1, 2))
    ]
    assert fit(two, model=BT) == fit(three, model=BT)


def test_three_sides_are_a_chain_of_choices_to_davidson_luce() -> None:
    """Without ties the first of three is chosen among all, the second among two: checked against the formula."""
    rows = series("m", 0, "abc", [(1, 2, 3)] * 3 + [(2, 3, 1)] * 2 + [(3, 1, 2)] * 2 + [(2, 1, 3)])
    found = fit(rows, model=ML)
    odds = {rating.bot: 10 ** ((rated(rating) - 1500) / 400) for rating in found.rows}
    assert () == found.ties

    def log_likelihood(odds: dict[str, float]) -> float:
        total = 0.0
        for row in rows:
            first, second, third = (odds[bot] for _, bot in sorted(zip(row.placing, row.bots, strict=True)))
            total += math.log(first / (first + second + third) * second / (second + third))
        return total

    best = log_likelihood(odds)
    for bot in odds:
        for factor in (0.99, 1.01):
            assert log_likelihood(odds | {bot: odds[bot] * factor}) < best


def test_a_forfeit_is_rated_by_its_placing() -> None:
    """Points and forfeits have no other say."""
    rows = series("m", 0, "ab", [(1, 2), (2, 1), (1, 2)])
    forfeits = [replace(row, points=(0, 9), forfeited=(1,), faults=(0, 3)) for row in rows]
    assert fit(rows) == fit(forfeits)


@pytest.mark.parametrize("model", Model)
def test_a_bot_is_never_compared_with_itself(model: Model) -> None:
    """Games of a bot against itself, with others at the table or not, change nothing, nor do they make a row."""
    rows = series("m", 0, "ab", [(1, 2), (2, 1), (1, 2)])
    selves = [
        *series("n", 50, "aa", [(1, 2)] * 9),
        *series("o", 80, "zz", [(1, 1)]),
        *series("p", 90, "bab", [(1, 2, 3)]),
    ]
    assert fit(rows, model=model) == fit(rows + selves, model=model)


@pytest.mark.parametrize("model", Model)
def test_no_games(model: Model) -> None:
    """Nothing played is an empty table."""
    assert Ratings(TITLES[model], (), None, (), (), (), model is Model.POSTERIOR) == fit([], "a", model)


def sweep(games: int) -> float:
    """By how much a bot that won so many games of so many is stronger at least, in Elo: else it is one case in 20."""
    chance = 0.05 ** (1 / games)
    return 400 * math.log10(chance / (1 - chance))


@pytest.mark.parametrize("model", LIKELIEST)
def test_a_bot_that_won_everything(model: Model) -> None:
    """a beat b 10 : 0, b and c came out 6 : 4. b and c are rated on their own games; a has a bound, and no figure."""
    rows = series("m", 0, "ab", [(1, 2)] * 10) + series("n", 10, "bc", [(1, 2)] * 6 + [(2, 1)] * 4)
    ratings = fit(rows, model=model)
    table = by_name(ratings)
    assert 400 * math.log10(1.5) == pytest.approx(rated(table["b"]) - rated(table["c"]), abs=1e-5)
    assert 1500 == pytest.approx((rated(table["b"]) + rated(table["c"])) / 2, abs=1e-5)
    assert (None, None) == (table["a"].elo, table["a"].high)
    assert rated(table["b"]) + sweep(10) == pytest.approx(table["a"].low, abs=1e-3)
    assert [Bound.AT_LEAST, Bound.NONE, Bound.NONE] == [table[bot].bound for bot in "abc"]
    assert [True, False, False] == [table[bot].error is None for bot in "abc"]
    assert [True, False, True] == [table[bot].superiority is None for bot in "abc"]
    assert ["a", "b", "c"] == [rating.bot for rating in ratings.rows]
    assert ratings.provisional
    assert ((("b", "c"), ("a",)),) == ratings.components


@pytest.mark.parametrize(("games", "least"), [(8, 137.1), (1, -511.5), (4, -18.9)])
def test_the_bound_of_a_sweep(games: int, least: float) -> None:
    """Eight wins of eight are at least +137 Elo; the one win of one says hardly anything. It is printed as a bound."""
    rows = series("m", 0, "ab", [(1, 2)] * games)
    b = by_name(fit(rows, "a", ML))["b"]
    assert (Bound.AT_MOST, None) == (b.bound, b.elo)
    assert 1500 - least == pytest.approx(b.high, abs=0.1)
    assert 1500 + least == pytest.approx(by_name(fit(rows, "b", ML))["a"].low, abs=0.1)


def test_the_bound_over_a_chain_of_sweeps() -> None:
    """a beat b, b beat c, four times each: the two distances at which both sweeps together are one case in 20."""
    rows = series("m", 0, "ab", [(1, 2)] * 4) + series("n", 4, "bc", [(1, 2)] * 4)
    half = 400 * math.log10(0.05 ** (1 / 8) / (1 - 0.05 ** (1 / 8)))
    assert 1500 + 2 * half == pytest.approx(by_name(fit(rows, "c", ML))["a"].low, abs=1e-3)


def rated(rating: Rating) -> float:
    """The figure of a bot that has one."""
    assert rating.elo is not None
    return rating.elo


def expected_draws(ratings: Ratings, rows: Sequence[GameRow]) -> float:
    """Of duels, under the model. At the maximum of the likelihood they are as many as there were."""
    odds = {rating.bot: 10 ** ((rated(rating) - 1500) / 400) for rating in ratings.rows}
    total = 0.0
    for a, b in (row.bots for row in rows):
        level = dict(ratings.ties)[2] * math.sqrt(odds[a] * odds[b])
        total += level / (odds[a] + odds[b] + level)
    return total


def test_wins_and_draws_alone_bound_nothing_under_davidson_luce() -> None:
    """a won three and drew two: any difference is likely enough if draws are. To half wins it is odds of 4 to 1."""
    rows = series("m", 0, "ab", [(1, 2)] * 3 + [(1, 1)] * 2)
    ratings = fit(rows, model=ML)
    assert [("a", Bound.NONE), ("b", Bound.AT_MOST)] == [(rating.bot, rating.bound) for rating in ratings.rows]
    assert 1500 - sweep(3) == pytest.approx(ratings.rows[1].high, abs=1e-3)
    a, b = fit(rows, model=BT).rows
    assert Bound.NONE == a.bound
    assert 400 * math.log10(4) == pytest.approx(rated(a) - rated(b))


def test_a_draw_connects_where_wins_go_round() -> None:
    """a beat b, b beat c, and a drew with c: nu is bounded by the round, and so is everybody."""
    rows = series("m", 0, "ab", [(1, 2)]) + series("n", 1, "bc", [(1, 2)]) + series("o", 2, "ac", [(1, 1)])
    ratings = fit(rows, model=ML)
    assert not ratings.provisional
    assert ["a", "b", "c"] == [rating.bot for rating in ratings.rows]
    assert 1 == pytest.approx(expected_draws(ratings, rows))


@pytest.mark.parametrize("placings", [[(1, 1)] * 5, [(1, 1, 1)] * 4, [(1, 1, 2), (1, 1, 1)]])
def test_nothing_but_ties(placings: list[tuple[int, ...]]) -> None:
    """Equals, as far as anybody knows; the likelihood says nothing of how far they are apart."""
    rows = series("m", 0, "abc"[: len(placings[0])], placings)
    assert Bound.OPEN in {rating.bound for rating in fit(rows, model=ML).rows}
    if len(set(placings)) == 1:
        assert {1500} == {rating.elo for rating in fit(rows, model=BT).rows}


@pytest.mark.parametrize("model", LIKELIEST)
def test_a_bot_that_lost_everything_leaves_the_others_alone(model: Model) -> None:
    """The rest keep their figures and their errors; of the loser it is known how strong it is at most."""
    rows = synth2()
    beaten = [game_row("x", 1000 + i, 0, (bot, "zulu"), (1, 2)) for i, bot in enumerate(["alpha", "foxtrot"] * 10)]
    before, after = by_name(fit(rows, model=model)), by_name(fit(rows + beaten, model=model))
    zulu = after.pop("zulu")
    assert (Bound.AT_MOST, None, None) == (zulu.bound, zulu.error, zulu.elo)
    assert zulu.high is not None
    assert -1000 < zulu.high < 1500
    assert {bot: r.elo for bot, r in before.items()} == pytest.approx(
        {bot: r.elo for bot, r in after.items()}, abs=1e-4
    )
    assert {Bound.NONE} == {rating.bound for rating in after.values()}
    assert all(after[bot].error == pytest.approx(rating.error, rel=0.05) for bot, rating in before.items())


@pytest.mark.parametrize("model", LIKELIEST)
def test_a_chain_of_sweeps(model: Model) -> None:
    """Nobody's distance is determined: each is known to be above or below the bot that played most."""
    rows = series("m", 0, "ab", [(1, 2)] * 3) + series("n", 3, "bc", [(1, 2)] * 3)
    ratings = fit(rows, model=model)
    assert {"a": ">", "b": "", "c": "<"} == {rating.bot: rating.bound for rating in ratings.rows}
    table = by_name(ratings)
    assert (1500, 1500 + sweep(3), 1500 - sweep(3)) == pytest.approx(
        (table["b"].elo, table["a"].low, table["c"].high), abs=1e-3
    )


def test_relative_to_an_anchor_that_lost_everything() -> None:
    """The distance to it is only bounded, for everybody, and the anchor itself has neither a mark nor an interval."""
    beaten = [game_row("x", 1000 + i, 0, ("alpha", "zulu"), (1, 2)) for i in range(5)]
    rows = fit(synth2() + beaten, "zulu", ML).rows
    assert {Bound.AT_LEAST: 6, Bound.NONE: 1} == Counter(rating.bound for rating in rows)
    zulu = by_name(fit(synth2() + beaten, "zulu", ML))["zulu"]
    assert (1500, None, None, None) == (zulu.elo, zulu.low, zulu.high, zulu.error)


@pytest.mark.parametrize("model", Model)
def test_islands(model: Model) -> None:
    """Bots that no chain of games connects are not compared: each island has its own centre, and nobody a next row."""
    rows = series("m", 0, "ab", [(1, 2), (2, 1), (1, 2)]) + series("n", 3, "cd", [(1, 2), (2, 1), (2, 1)])
    rows += series("o", 6, "de", [(1, 2), (2, 1)])
    ratings = fit(rows, "b", model)
    assert (("c", "d", "e"), ("a", "b")) == ratings.islands
    assert ratings.provisional
    table = by_name(ratings)
    assert 1500 == pytest.approx(sum(rated(table[bot]) for bot in "cde") / 3)
    assert 1500 == table["b"].elo
    alone = by_name(fit(rows[3:], model=model))
    close = 10 if model is Model.POSTERIOR else 1e-5  # how much deal groups vary is measured on all islands together
    assert [alone[bot].elo for bot in "cde"] == pytest.approx([table[bot].elo for bot in "cde"], abs=close)
    assert [ratings.rows[i].next_error for i in (2, 4)] == [None, None]


@pytest.mark.parametrize(
    "rows",
    [
        [game_row("m", 0, 0, "ab", (1, 2)), game_row("m", 0, 1, "ba", (1, 2))],
        [game_row("m", deal, seating, bots, (1, 2)) for deal in range(9) for seating, bots in enumerate(("ab", "ba"))],
    ],
    ids=["one deal group", "groups that are all alike"],
)
def test_no_spread_is_no_error(rows: list[GameRow]) -> None:
    """Where deal groups show no spread there is no interval, rather than one of width zero."""
    assert [1500, 1500] == [rating.elo for rating in fit(rows, model=ML).rows]
    assert [None, None] == [rating.error for rating in fit(rows, model=ML).rows]


def test_one_group_against_many_is_no_error_either() -> None:
    """A newcomer with a single deal group has a figure and no interval; the others keep theirs."""
    rows = synth2()
    rows += [game_row("x", 1000, 0, ("alpha", "new"), (1, 2)), game_row("x", 1000, 1, ("new", "alpha"), (1, 2))]
    table = by_name(fit(rows, model=ML))
    assert (1, None, Bound.NONE) == (table["new"].groups, table["new"].error, table["new"].bound)
    assert table["alpha"].error is not None
    assert {None} == {rating.error for rating in fit(rows, "new", ML).rows}


def test_superiority_of_two_bots_by_hand() -> None:
    """Four groups, scores 1, 1, 1/2, 0 of one game each, by half wins: odds of 5 to 3, everything else on paper."""
    a, b = fit(series("m", 0, "ab", [(1, 2), (1, 2), (1, 1), (2, 1)]), model=BT).rows
    p = 5 / 8
    meat = 2 * (1 - p) ** 2 + (1 / 2 - p) ** 2 + p**2
    spread = math.sqrt(meat / (4 * p * (1 - p)) ** 2 * 4 / 3)
    assert ELO * math.log(5 / 3) == pytest.approx(rated(a) - rated(b), abs=1e-5)
    assert ELO * spread * student_95(3) == pytest.approx(a.next_error, abs=1e-5)
    assert stdtr(3, math.log(5 / 3) / spread) == pytest.approx(a.superiority, abs=1e-5)
    assert (None, None) == (b.next_error, b.superiority)


def test_the_error_of_a_difference_is_that_to_an_anchor() -> None:
    """The next row, made the anchor, gives the same interval, from either side and by every model."""
    for rows in (synth2(), synth3(), [*synth2(), *series("x", 1000, ["alpha", "new"], [(1, 2), (2, 1), (1, 2)])]):
        for model in Model:
            for row, following in pairwise(fit(rows, model=model).rows):
                one = by_name(fit(rows, following.bot, model))[row.bot].error
                other = by_name(fit(rows, row.bot, model))[following.bot].error
                assert row.next_error == pytest.approx(one, abs=1e-4)
                assert row.next_error == pytest.approx(other, abs=1e-4)


def duplicate_deals(seed: int, groups: int, luck: float) -> list[GameRow]:
    """Deal groups of two games in which the cards favour one side, then, sides exchanged, the other bot."""
    rng = np.random.default_rng(seed)
    strength = {"a": 0.4, "b": 0.0, "c": -0.4}
    rows = []
    for deal in range(groups):
        one, two = (("a", "b"), ("b", "c"), ("a", "c"))[deal % 3]
        cards = rng.normal(0, luck)
        for seating, (left, right) in enumerate(((one, two), (two, one))):
            ahead = rng.random() < 1 / (1 + math.exp(strength[right] - strength[left] - cards))
            rows.append(game_row("m", deal, seating, (left, right), (1, 2) if ahead else (2, 1)))
    return rows


def three_handed_deals(seed: int, groups: int) -> list[GameRow]:
    """Deal groups of three seatings among four bots: the cards favour a seat, now and then two are level."""
    rng = np.random.default_rng(seed)
    rows = []
    for deal in range(groups):
        bots = [bot for bot in "abcd" if bot != "abcd"[deal % 4]]
        cards = rng.normal(0, 1.5, 3)
        for seating in range(3):
            seated = bots[seating:] + bots[:seating]
            points = [round(1.5 * (cards[seat] + rng.gumbel() - "abcd".index(seated[seat]) / 3)) for seat in range(3)]
            placing = [1 + sum(other > mine for other in points) for mine in points]
            rows.append(game_row("m", deal, seating, seated, placing))
    return rows


def bootstrap(rows: Sequence[GameRow], field: int, times: int, seed: int) -> tuple[list[float], int]:
    """Standard errors, in Elo, relative to the mean, by drawing whole deal groups with replacement.

    The second figure counts resamples that do not determine everybody's strength: those are left out.
    """
    games: dict[tuple[str, int], list[GameRow]] = {}
    for row in rows:
        games.setdefault((row.match, row.deal), []).append(row)
    bots = sorted({bot for row in rows for bot in row.bots})
    groups: list[Group] = [
        tuple(sorted(order_of(tuple((bots.index(bot),) for bot in row.bots), row.placing) for row in group))
        for group in games.values()
    ]
    chance = random.Random(seed)
    figures, degenerate = [], 0
    for _ in range(times):
        found = rate(field, Counter(chance.choices(groups, k=len(groups))), Model.DAVIDSON_LUCE)
        leads = [found.lead(bot, range(field)) for bot in range(field)]
        if None in leads:
            degenerate += 1
        else:
            figures.append([ELO * lead for lead in leads if lead is not None])
    return list(np.std(figures, axis=0)), degenerate


@pytest.mark.parametrize(
    ("rows", "field", "at_most"),
    [
        (duplicate_deals(1, 400, luck=3), 3, 0),
        (three_handed_deals(2, 240), 4, 0),
        ([*duplicate_deals(3, 150, luck=1), *series("x", 900, "ad", [(1, 2)] * 6 + [(2, 1)] * 3)], 4, 30),
    ],
    ids=["two sides", "three sides", "a bot of few games"],
)
def test_a_cluster_bootstrap_agrees_with_the_sandwich(rows: list[GameRow], field: int, at_most: int) -> None:
    """For duels of duplicate deals, and for tables of three with ties; where a bot rarely won, some draws are void."""
    errors, degenerate = bootstrap(rows, field, 200, seed=7)
    expected = standard_errors(fit(rows, model=ML))
    assert degenerate <= at_most
    assert (degenerate > 0) == (at_most > 0)
    well = [bot for bot in sorted(expected) if bot != "d" or not at_most]
    assert [expected[bot] for bot in well] == pytest.approx(errors[: len(well)], rel=0.25 if at_most else 0.15)


@pytest.mark.parametrize("model", LIKELIEST)
def test_errors_know_that_games_of_a_deal_belong_together(model: Model) -> None:
    """With lucky cards, replayed with sides exchanged, errors are far below those of independent games."""
    rows = duplicate_deals(1, 600, luck=3)
    clustered = standard_errors(fit(rows, model=model))
    naive = standard_errors(fit([replace(row, deal=number) for number, row in enumerate(rows)], model=model))
    assert all(clustered[bot] < 0.75 * naive[bot] for bot in "abc")


def dense_sandwich(field: int, fitted: Fit, clusters: Sequence[tuple[Counts, int]]) -> Matrix:
    """H^-1 (sum of s s^T) H^-1 x G/(G - 1), with each cluster's first derivative written out, way by way."""
    ties = fitted.sizes[1:]
    counts = Counter[Choice]()
    meat = np.zeros((len(fitted.parameters),) * 2)
    for cluster, times in clusters:
        slope = np.zeros(len(fitted.parameters))
        for choice, halves in cluster.items():
            sizes = [size for size in (fitted.sizes if choice.ties else (1,)) if size <= len(choice.sides)]
            ways = [way for size in sizes for way in combinations(choice.sides, size)]
            rows = np.zeros((len(ways), len(slope)))
            for row, way in zip(rows, ways, strict=True):
                for side in way:
                    row[list(side)] += 1 / len(side) / len(way)
                if len(way) in ties:
                    row[field + ties.index(len(way))] = 1
            likely = np.exp(rows @ fitted.parameters)
            slope += halves / 2 * (rows[ways.index(choice.chosen)] - likely @ rows / likely.sum())
            counts[choice] += halves * times
        meat += times * np.outer(slope, slope)
    bread = np.linalg.pinv(information(field, fitted, counts), rcond=1e-12, hermitian=True)
    groups = sum(times for _, times in clusters)
    dense: Matrix = bread @ meat @ bread * groups / (groups - 1)
    return dense


@pytest.mark.parametrize("sides", [1, 2], ids=["bots alone", "teams"])
@pytest.mark.parametrize("size", [2, 3])
def test_the_sandwich_is_that_of_whole_vectors(sides: int, size: int) -> None:
    """Of deal groups of one to three games, some alike, with ties; what is 0 is left out and nothing else."""
    chance, field = random.Random(size), 9
    clusters: Counter[tuple[tuple[Choice, int], ...]] = Counter()
    for _ in range(60):
        bots = chance.sample(range(field), sides * size)
        seated: tuple[Side, ...] = tuple(tuple(sorted(bots[i::size])) for i in range(size))
        halves = Counter[Choice]()
        for _ in range(chance.randint(1, 3)):
            halves.update(dict(stages(order_of(seated, tuple(chance.randint(1, 2) for _ in seated)))))
        clusters[tuple(sorted(halves.items()))] += chance.randint(1, 3)
    several = [(dict(cluster), times) for cluster, times in sorted(clusters.items())]
    counts = Counter[Choice]()
    for cluster, times in several:
        counts.update({choice: halves * times for choice, halves in cluster.items()})
    fitted = estimate(field, counts, tie_sizes(counts)[0])
    expected = dense_sandwich(field, fitted, several)
    assert np.abs(expected).max() > 1e-3
    assert np.allclose(expected, covariance(field, fitted, counts, several), rtol=1e-9, atol=1e-12)


def test_a_replayed_game_is_no_new_evidence() -> None:
    """The same games four times over in the same deal groups: the same figures and the same errors."""
    rows = duplicate_deals(2, 60, luck=0.5)
    copies = [replace(row, seating=row.seating + 2 * copy) for row in rows for copy in range(4)]
    once, again = by_name(fit(rows, model=ML)), by_name(fit(copies, model=ML))
    assert {bot: r.elo for bot, r in once.items()} == pytest.approx({bot: r.elo for bot, r in again.items()}, abs=1e-5)
    assert {bot: r.error for bot, r in once.items()} == pytest.approx(
        {bot: r.error for bot, r in again.items()}, abs=1e-4
    )


@st.composite
def tournaments(draw: st.DrawFn) -> list[GameRow]:
    """A few games of two or three sides, deal groups of one to three games, anything from sweeps to islands."""
    bots = "abcdef"[: draw(st.integers(2, 6))]
    rows = []
    for deal in range(draw(st.integers(1, 12))):
        sides = draw(st.integers(2, min(3, len(bots))))
        seated = draw(st.permutations(bots))[:sides]
        for seating in range(draw(st.integers(1, 3))):
            placing = draw(
                st.sampled_from([(1, 2), (2, 1), (1, 1)] if sides == 2 else [(1, 2, 3), (3, 1, 2), (1, 1, 3)])
            )
            rows.append(game_row(f"r1m{deal % 3}", deal, seating, seated, placing))
    return rows


@settings(deadline=None, max_examples=50)
@given(tournaments(), st.randoms(use_true_random=False), st.sampled_from([None, "a"]), st.sampled_from(Model))
def test_the_order_of_games_does_not_matter_to_the_last_bit(
    rows: list[GameRow], chance: random.Random, anchor: str | None, model: Model
) -> None:
    """Shuffled rows give equal floats, not just close ones."""
    shuffled = rows[:]
    chance.shuffle(shuffled)
    assert fit(rows, anchor, model) == fit(shuffled, anchor, model)


@pytest.mark.parametrize("model", Model)
def test_shuffling_a_large_tournament_leaves_it_bit_identical(model: Model) -> None:
    """The same for games that have no symmetry to hide behind, of two sides and of three."""
    for rows in (synth2(), synth3()):
        expected = fit(rows, model=model)
        for seed in range(3):
            assert expected == fit(random.Random(seed).sample(rows, len(rows)), model=model)


def renamed(ratings: Ratings, new: dict[str, str]) -> Ratings:
    """The same table under other names."""
    return replace(
        ratings,
        rows=tuple(replace(rating, bot=new[rating.bot]) for rating in ratings.rows),
        islands=tuple(tuple(sorted(new[bot] for bot in island)) for island in ratings.islands),
        components=tuple(tuple(tuple(sorted(new[bot] for bot in c)) for c in parts) for parts in ratings.components),
    )


@settings(deadline=None, max_examples=50)
@given(tournaments(), st.permutations("abcdef"), st.sampled_from(Model))
def test_names_do_not_matter_to_the_last_bit(rows: list[GameRow], names: list[str], model: Model) -> None:
    """Renamed bots have the same table, in the same order, under their new names."""
    new = dict(zip("abcdef", names, strict=True))
    again = fit([replace(row, bots=tuple(new[bot] for bot in row.bots)) for row in rows], model=model)
    assert renamed(fit(rows, model=model), new) == again


def test_renaming_a_large_tournament_permutes_its_table() -> None:
    """The same for games that have no symmetry to hide behind."""
    for rows, new in ((synth2(), ["foxtrot", "alpha", "delta", "echo", "bravo", "charlie"]), (synth3(), [*"gfbadce"])):
        names = dict(zip(sorted({bot for row in rows for bot in row.bots}), new, strict=True))
        again = fit([replace(row, bots=tuple(names[bot] for bot in row.bots)) for row in rows])
        assert renamed(fit(rows), names) == again


@settings(deadline=None, max_examples=50)
@given(tournaments())
def test_exchanging_winners_and_losers_mirrors_the_table_of_half_wins(rows: list[GameRow]) -> None:
    """With every result turned round each figure is as far below the centre as it was above."""
    mirrored = by_name(fit([replace(row, placing=tuple(-rank for rank in row.placing)) for row in rows], model=BT))
    for rating in fit(rows, model=BT).rows:
        other = mirrored[rating.bot]
        for mine, theirs in ((rating.elo, other.elo), (rating.low, other.high), (rating.high, other.low)):
            assert (mine is None) == (theirs is None)
            assert mine is None or theirs is None or 3000 == pytest.approx(mine + theirs, abs=1e-3)
        assert rating.error == pytest.approx(other.error, abs=1e-3)


@settings(deadline=None, max_examples=50)
@given(tournaments(), st.sampled_from([None, "a", "b", "nobody"]), st.sampled_from(Model))
def test_every_figure_is_finite(rows: list[GameRow], anchor: str | None, model: Model) -> None:
    """No inf and no nan, whoever won, lost or drew everything; every bot has one row, best first on its island."""
    ratings = fit(rows, anchor, model)
    assert sorted({bot for row in rows for bot in row.bots}) == sorted(rating.bot for rating in ratings.rows)
    for rating in ratings.rows:
        known = [figure for figure in (rating.low, rating.elo, rating.high) if figure is not None]
        assert all(abs(figure - 1500) < 20_000 for figure in known)
        assert known == sorted(known)
        assert rating.error is None or 0 <= rating.error < 20_000
        assert rating.superiority is None or 0 <= rating.superiority <= 1
    assert all(0 < delta < 1e4 for _, delta in ratings.ties)
    scorers = {
        bot
        for row in rows
        for bot, place in zip(row.bots, row.placing, strict=True)
        if place < max(row.placing) or row.placing.count(place) > 1
    }
    for index, island in enumerate(ratings.islands):
        members = [rating for rating in ratings.rows if rating.island == index]
        assert island == tuple(sorted(rating.bot for rating in members))
        assert members == sorted(members, key=lambda rating: (rating.bot in scorers, rating.position), reverse=True)
    assert ratings.provisional == (len(ratings.islands) > 1 or any(rating.bound for rating in ratings.rows))


def test_a_side_is_as_strong_as_the_mean_of_its_bots() -> None:
    """Bots 0 and 1 as one side against 2: the strengths of the pair are level, and the mean is what a lone bot's is."""
    pair: tuple[Side, ...] = ((0, 1),)
    lone: tuple[Side, ...] = ((2,),)
    games: dict[Group, int] = {((pair, lone),): 3, ((lone, pair),): 1}
    found = rate(3, games, Model.DAVIDSON_LUCE)
    assert 0 == pytest.approx(found.lead(0, [1]), abs=1e-9)
    assert math.log(3) == pytest.approx(found.lead(0, [2]))
    one, two = ((0,),), ((1,),)
    twin: dict[Group, int] = {((one, two),): 3, ((two, one),): 1}
    assert math.log(3) == pytest.approx(rate(2, twin, Model.DAVIDSON_LUCE).lead(0, [1]))


def test_long_chains_of_near_sweeps_converge() -> None:
    """Forty bots, each 999 : 1 against the next: thousands of Elo apart, found exactly."""
    games: Counter[Group] = Counter()
    for number in range(39):
        games[((((number,),), ((number + 1,),)),)] = 999
        games[((((number + 1,),), ((number,),)),)] = 1
    found = rate(40, games, Model.DAVIDSON_LUCE)
    assert [math.log(999)] * 39 == pytest.approx([found.lead(n, [n + 1]) for n in range(39)], abs=1e-6)


@pytest.mark.parametrize("model", Model)
def test_nobody_who_won_nothing_stands_above_who_won(model: Model) -> None:
    """Whatever the figures say: having lost all to the strongest is no merit. A draw is something."""
    games = [("a", "b", 6, 0, 1), ("a", "c", 1, 0, 0), ("a", "d", 1, 1, 0), ("b", "e", 4, 0, 0)]
    rows = [
        game_row(f"{one}{other}", 100 * number + deal, 0, (one, other), placing)
        for number, (one, other, *counts) in enumerate(games)
        for deal, placing in enumerate(
            placing for placing, times in zip([(1, 2), (1, 1), (2, 1)], counts, strict=True) for _ in range(times)
        )
    ]
    found = fit(rows, model=model).rows
    assert {"c", "e"} == {rating.bot for rating in found[-2:]}
    for part in (found[:-2], found[-2:]):
        assert sorted(part, key=lambda rating: rating.position, reverse=True) == list(part)
