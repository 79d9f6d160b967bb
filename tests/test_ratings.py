"""Ratings: against published and independently computed figures, and against what must hold whatever the games."""

import csv
import json
import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from aurum.statistics.bradley_terry import Cluster, Tally, add_up, covariance, estimate, information
from aurum.statistics.student import student_95
from aurum.tournaments.ratings import MODEL, Bound, GameRow, Rating, Ratings, fit
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament_rows import game_row

DATA = Path(__file__).parent / "data" / "ratings"
ELO = 400 / math.log(10)
HALVES = {"1-0": (1, 2), "0-1": (2, 1), "1/2-1/2": (1, 1)}


def synth2() -> tuple[list[GameRow], dict[str, Any]]:
    with (DATA / "synth2_results.csv").open() as file:
        games = list(csv.DictReader(file))
    rows = [
        game_row("m", deal, 0, (game["side_a"], game["side_b"]), HALVES[game["result"]])
        for deal, game in enumerate(games)
    ]
    reference: dict[str, Any] = json.loads((DATA / "synth2_reference.json").read_text())["BT_draw_half"]
    return rows, reference


def series(match: str, first: int, bots: str, placings: Sequence[tuple[int, ...]]) -> list[GameRow]:
    """One game a deal."""
    return [game_row(match, deal, 0, bots, placing) for deal, placing in enumerate(placings, first)]


def by_name(ratings: Ratings) -> dict[str, Rating]:
    return {rating.bot: rating for rating in ratings.rows}


def standard_errors(rows: list[GameRow]) -> dict[str, float]:
    return {rating.bot: (rating.error or 0) / student_95(rating.groups - 1) for rating in fit(rows).rows}


def test_figures_of_390_games_with_draws() -> None:
    """The Elo of six bots equals what two other programs found."""
    rows, reference = synth2()
    ratings = fit(rows)
    assert MODEL == ratings.model
    assert (("alpha", "bravo", "charlie", "delta", "echo", "foxtrot"),) == ratings.islands
    assert reference["elo"] == pytest.approx({r.bot: r.elo - 1500 for r in ratings.rows}, abs=1e-3)


def test_errors_of_390_games_with_draws() -> None:
    """With every game a deal group of its own, errors are the reference's sandwich errors, times sqrt(G / (G - 1))."""
    rows, reference = synth2()
    correction = math.sqrt(len(rows) / (len(rows) - 1))
    errors = {bot: error / correction for bot, error in standard_errors(rows).items()}
    assert reference["se_sandwich"] == pytest.approx(errors, abs=1e-3)


@pytest.mark.parametrize(
    ("degrees", "expected"), [(1, 12.706), (2, 4.303), (4, 2.776), (9, 2.262), (30, 2.042), (10**6, 1.960)]
)
def test_student_95(degrees: int, expected: float) -> None:
    """The points of Student's t as tables have them."""
    assert expected == pytest.approx(student_95(degrees), abs=0.0005)


def test_figures_relative_to_an_anchor() -> None:
    """The anchor stands at 1500 and has no error; all differences stay as they are."""
    rows, reference = synth2()
    anchored = by_name(fit(rows, "delta"))
    assert (1500, 0) == (anchored["delta"].elo, anchored["delta"].error)
    shift = reference["elo"]["delta"]
    assert reference["elo"] == pytest.approx({bot: r.elo - 1500 + shift for bot, r in anchored.items()}, abs=1e-3)


def test_agresti_baseball() -> None:
    """Log-odds and model standard errors of seven teams against Baltimore (Agresti 2002, section 10.6)."""
    with (DATA / "baseball.csv").open() as file:
        games = list(csv.DictReader(file))
    teams = ["Baltimore", "Boston", "Cleveland", "Detroit", "Milwaukee", "New York", "Toronto"]
    clusters = Counter[Cluster]()
    for game in games:
        home, away = teams.index(game["home.team"]), teams.index(game["away.team"])
        wins, losses = int(game["home.wins"]), int(game["away.wins"])
        tally = Tally(home, away, 2 * wins, wins + losses)
        clusters[(tally if home < away else Tally(away, home, 2 * losses, wins + losses),)] += 1
    tallies = add_up(clusters)
    theta = estimate(7, tallies)
    cov = np.linalg.inv(information(theta, tallies))
    errors = [math.sqrt(cov[i, i] + cov[0, 0] - 2 * cov[0, i]) for i in range(1, 7)]
    assert [1.10770, 0.68385, 1.43641, 1.58136, 1.24762, 1.29449] == pytest.approx(theta[1:] - theta[0], abs=1e-4)
    assert [0.33388, 0.33188, 0.33957, 0.34326, 0.33586, 0.33667] == pytest.approx(errors, abs=1e-4)


def test_three_sides_are_three_comparisons() -> None:
    """A game of three says the same as three games of two."""
    three = series("m", 0, "abc", [(1, 2, 3), (2, 1, 2), (3, 2, 1), (1, 1, 3), (2, 3, 1)])
    two = [
        game_row("m", row.deal, 0, (row.bots[i], row.bots[j]), (row.placing[i], row.placing[j]))
        for row in three
        for i, j in ((0, 1), (0, 2), (1, 2))
    ]
    assert fit(two) == fit(three)


def test_a_forfeit_is_rated_by_its_placing() -> None:
    """Points and forfeits have no other say."""
    rows = series("m", 0, "ab", [(1, 2), (2, 1), (1, 2)])
    forfeits = [replace(row, points=(0, 9), forfeited=(1,), faults=(0, 3)) for row in rows]
    assert fit(rows) == fit(forfeits)


def test_a_bot_is_never_compared_with_itself() -> None:
    """Games of a bot against itself change nothing, nor do they make a row."""
    rows = series("m", 0, "ab", [(1, 2), (2, 1), (1, 2)])
    selves = [*series("n", 50, "aa", [(1, 2)] * 9), *series("o", 80, "zz", [(1, 1)])]
    assert fit(rows) == fit(rows + selves)
    thirds = [game_row("m", row.deal, 0, ("a", "b", "a"), (1, 2, 1)) for row in rows]
    assert {("a", "b")} == set(fit(thirds).islands)


def test_no_games() -> None:
    """Nothing played is an empty table."""
    assert Ratings(MODEL, None, (), ()) == fit([], "a")


def test_a_bot_that_won_everything() -> None:
    """a beat b 10 : 0, b and c came out 6 : 4. One virtual draw with b bounds a: odds of 10.5 to 0.5.

    b and c are rated on their own games, as if a were not there.
    """
    rows = series("m", 0, "ab", [(1, 2)] * 10) + series("n", 10, "bc", [(1, 2)] * 6 + [(2, 1)] * 4)
    table = by_name(fit(rows))
    assert 400 * math.log10(21) == pytest.approx(table["a"].elo - table["b"].elo, abs=1e-5)
    assert 400 * math.log10(1.5) == pytest.approx(table["b"].elo - table["c"].elo, abs=1e-5)
    assert 1500 == pytest.approx((table["b"].elo + table["c"].elo) / 2, abs=1e-5)
    assert [Bound.AT_LEAST, Bound.NONE, Bound.NONE] == [table[bot].bound for bot in "abc"]
    assert [True, False, False] == [table[bot].error is None for bot in "abc"]


def test_a_bot_that_lost_everything_leaves_the_others_alone() -> None:
    """A bot that only lost gets a finite figure; the rest hardly move, and keep their errors."""
    rows, _ = synth2()
    beaten = [game_row("x", 1000 + i, 0, (bot, "zulu"), (1, 2)) for i, bot in enumerate(["alpha", "foxtrot"] * 10)]
    before, after = by_name(fit(rows)), by_name(fit(rows + beaten))
    zulu = after.pop("zulu")
    assert (Bound.AT_MOST, None) == (zulu.bound, zulu.error)
    assert -1000 < zulu.elo < 1500
    assert {bot: r.elo for bot, r in before.items()} == pytest.approx({bot: r.elo for bot, r in after.items()}, abs=2)
    assert {Bound.NONE} == {rating.bound for rating in after.values()}
    assert all(after[bot].error == pytest.approx(rating.error, rel=0.05) for bot, rating in before.items())


def test_a_chain_of_sweeps() -> None:
    """Who stands between a sweep won and a sweep lost is loose both ways; nobody's figure is determined."""
    rows = series("m", 0, "ab", [(1, 2)] * 3) + series("n", 3, "bc", [(1, 2)] * 3)
    ratings = fit(rows)
    assert [("a", ">"), ("b", "~"), ("c", "<")] == [(rating.bot, rating.bound) for rating in ratings.rows]
    assert 1500 == pytest.approx(np.mean([rating.elo for rating in ratings.rows]))


def test_relative_to_a_bounded_anchor_nothing_has_an_error() -> None:
    """The distance to an anchor that lost everything is only bounded, for everybody."""
    rows, _ = synth2()
    beaten = [game_row("x", 1000 + i, 0, ("alpha", "zulu"), (1, 2)) for i in range(5)]
    assert {None, 0.0} == {rating.error for rating in fit(rows + beaten, "zulu").rows}


def test_islands() -> None:
    """Bots that no chain of games connects are not compared: each island has its own centre."""
    rows = series("m", 0, "ab", [(1, 2), (2, 1), (1, 2)]) + series("n", 3, "cd", [(1, 2), (2, 1), (2, 1)])
    rows += series("o", 6, "de", [(1, 2), (2, 1)])
    ratings = fit(rows, "b")
    assert (("c", "d", "e"), ("a", "b")) == ratings.islands
    table = by_name(ratings)
    assert 1500 == pytest.approx(sum(table[bot].elo for bot in "cde") / 3)
    assert 1500 == table["b"].elo
    alone = by_name(fit(rows[3:]))
    assert [alone[bot].elo for bot in "cde"] == [table[bot].elo for bot in "cde"]


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
    assert [1500, 1500] == [rating.elo for rating in fit(rows).rows]
    assert [None, None] == [rating.error for rating in fit(rows).rows]


def test_one_group_against_many_is_no_error_either() -> None:
    """A newcomer with a single deal group has a figure and no interval; the others keep theirs."""
    rows, _ = synth2()
    rows += [game_row("x", 1000, 0, ("alpha", "new"), (1, 2)), game_row("x", 1000, 1, ("new", "alpha"), (1, 2))]
    table = by_name(fit(rows))
    assert (1, None, Bound.NONE) == (table["new"].groups, table["new"].error, table["new"].bound)
    assert table["alpha"].error is not None
    assert {None, 0.0} == {rating.error for rating in fit(rows, "new").rows}


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


def resampled(rows: list[GameRow], times: int) -> dict[str, float]:
    """Standard errors, in Elo, by drawing whole deal groups with replacement."""
    groups = [rows[i : i + 2] for i in range(0, len(rows), 2)]
    chance = random.Random(7)
    figures: dict[str, list[float]] = {"a": [], "b": [], "c": []}
    for _ in range(times):
        drawn = chance.choices(groups, k=len(groups))
        again = [replace(row, deal=deal) for deal, group in enumerate(drawn) for row in group]
        for rating in fit(again).rows:
            figures[rating.bot].append(rating.elo)
    return {bot: float(np.std(values)) for bot, values in figures.items()}


def test_errors_know_that_games_of_a_deal_belong_together() -> None:
    """With lucky cards, replayed with sides exchanged, errors are far below those of independent games.

    They match what drawing whole deal groups with replacement gives.
    """
    rows = duplicate_deals(1, 600, luck=3)
    clustered = standard_errors(rows)
    naive = standard_errors([replace(row, deal=number) for number, row in enumerate(rows)])
    assert all(clustered[bot] < 0.75 * naive[bot] for bot in "abc")
    assert resampled(rows, 300) == pytest.approx(clustered, rel=0.15)


def test_a_replayed_game_is_no_new_evidence() -> None:
    """The same games four times over in the same deal groups: the same figures and the same errors."""
    rows = duplicate_deals(2, 60, luck=0.5)
    copies = [replace(row, seating=row.seating + 2 * copy) for row in rows for copy in range(4)]
    once, again = by_name(fit(rows)), by_name(fit(copies))
    assert {bot: r.elo for bot, r in once.items()} == pytest.approx({bot: r.elo for bot, r in again.items()}, abs=1e-5)
    assert {bot: r.error for bot, r in once.items()} == pytest.approx(
        {bot: r.error for bot, r in again.items()}, abs=1e-4
    )


def test_covariance_of_two_bots_by_hand() -> None:
    """Four groups, scores 1, 1, 1/2, 0 of one game each: theta = ln(5/3), everything else follows on paper."""
    clusters: Counter[Cluster] = Counter({(Tally(0, 1, 2, 1),): 2, (Tally(0, 1, 1, 1),): 1, (Tally(0, 1, 0, 1),): 1})
    theta = estimate(2, add_up(clusters))
    assert math.log(5 / 3) == pytest.approx(theta[0] - theta[1])
    p = 5 / 8
    meat = 2 * (1 - p) ** 2 + (1 / 2 - p) ** 2 + p**2
    of_difference = meat / (4 * p * (1 - p)) ** 2 * 4 / 3
    cov = covariance(theta, add_up(clusters), clusters)
    assert of_difference == pytest.approx(cov[0, 0] + cov[1, 1] - 2 * cov[0, 1])


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


@settings(deadline=None)
@given(tournaments(), st.randoms(use_true_random=False), st.sampled_from([None, "a"]))
def test_the_order_of_games_does_not_matter_to_the_last_bit(
    rows: list[GameRow], chance: random.Random, anchor: str | None
) -> None:
    """Shuffled rows give equal floats, not just close ones."""
    shuffled = rows[:]
    chance.shuffle(shuffled)
    assert fit(rows, anchor) == fit(shuffled, anchor)


def test_shuffling_a_large_tournament_leaves_it_bit_identical() -> None:
    """The same for 390 games that have no symmetry to hide behind."""
    rows, _ = synth2()
    for seed in range(5):
        random.Random(seed).shuffle(rows)
        assert fit(synth2()[0]) == fit(rows)


@settings(deadline=None)
@given(tournaments(), st.permutations("abcdef"))
def test_names_do_not_matter(rows: list[GameRow], names: list[str]) -> None:
    """Renamed bots have the same figures under their new names."""
    new = dict(zip("abcdef", names, strict=True))
    renamed = by_name(fit([replace(row, bots=tuple(new[bot] for bot in row.bots)) for row in rows]))
    for rating in fit(rows).rows:
        other = renamed[new[rating.bot]]
        assert (rating.groups, rating.bound) == (other.groups, other.bound)
        assert rating.elo == pytest.approx(other.elo, abs=1e-4)
        assert rating.error == pytest.approx(other.error, abs=1e-3)


@settings(deadline=None)
@given(tournaments())
def test_exchanging_winners_and_losers_mirrors_the_table(rows: list[GameRow]) -> None:
    """With every result turned round each figure is as far below the centre as it was above."""
    mirrored = by_name(fit([replace(row, placing=tuple(-place for place in row.placing)) for row in rows]))
    turned = {Bound.AT_LEAST: Bound.AT_MOST, Bound.AT_MOST: Bound.AT_LEAST}
    for rating in fit(rows).rows:
        other = mirrored[rating.bot]
        assert 3000 == pytest.approx(rating.elo + other.elo, abs=1e-4)
        assert turned.get(rating.bound, rating.bound) == other.bound
        assert rating.error == pytest.approx(other.error, abs=1e-3)


@settings(deadline=None)
@given(tournaments(), st.sampled_from([None, "a", "b", "nobody"]))
def test_every_figure_is_finite(rows: list[GameRow], anchor: str | None) -> None:
    """No inf and no nan, whoever won or lost everything; every bot has one row, best first on its island."""
    ratings = fit(rows, anchor)
    assert sorted({bot for row in rows for bot in row.bots}) == sorted(rating.bot for rating in ratings.rows)
    assert all(math.isfinite(rating.elo) for rating in ratings.rows)
    assert all(rating.error is None or 0 <= rating.error < 5000 for rating in ratings.rows)
    for index, island in enumerate(ratings.islands):
        members = [rating for rating in ratings.rows if rating.island == index]
        assert island == tuple(sorted(rating.bot for rating in members))
        assert members == sorted(members, key=lambda rating: (-rating.elo, rating.bot))


def test_long_chains_of_near_sweeps_converge() -> None:
    """Forty bots, each 999 : 1 against the next: thousands of Elo apart, found exactly."""
    names = [f"b{number:02}" for number in range(40)]
    tallies = [Tally(number, number + 1, 1998, 1000) for number in range(39)]
    theta = estimate(len(names), tallies)
    assert [math.log(999)] * 39 == pytest.approx(theta[:-1] - theta[1:], abs=1e-6)
