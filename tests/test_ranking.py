"""What a table is sorted by: Elo, points or how far a bot came; and what it then shows."""

import json
import random
from dataclasses import replace
from statistics import fmean

import pytest
from aurum.formats.format import Format
from aurum.formats.knockout import KNOCKOUT, round_name
from aurum.formats.options import RankBy
from aurum.formats.round_robin import ROUND_ROBIN
from aurum.formats.rounds import TournamentRound
from aurum.formats.swiss import SWISS
from aurum.standings.ranking import Event
from aurum.standings.rendering import Display, render
from aurum.standings.standings import Standings, standings
from aurum.standings.tie_breaks import ranked_by_points
from random_events import Event as Played
from random_events import played
from tournament_rows import spec_of


def table_of(event: Played, form: Format, rank_by: RankBy, rounds: list[TournamentRound] | None = None) -> Standings:
    """Its table, with all games and these rounds, or all of them."""
    return standings(
        event.games, bots=event.bots, event=Event(form, event.rounds if rounds is None else rounds, rank_by)
    )


def titles(table: Standings) -> list[str]:
    """The titles of all columns in which it has something to show."""
    shown = render(table, "github", Display(columns=("all",)))
    return [cell.strip() for cell in shown.splitlines()[0].strip("|").split("|")]


@pytest.fixture
def swiss() -> Played:
    """A finished Swiss of seven, in which a direct encounter decides."""
    return played(spec_of(7, format="swiss", rounds=4), random.Random(2))


@pytest.fixture
def cup() -> Played:
    """A finished knockout of six: b0 and b1 have a bye."""
    return played(spec_of(6, format="knockout"), random.Random(5))


def test_points_sort_by_points_and_tie_breaks(swiss: Played) -> None:
    """Every bot has a rank of its own, its points and its tie-breaks; Elo stays, without the figures of neighbours."""
    table = table_of(swiss, SWISS, RankBy.POINTS)
    order = ranked_by_points(swiss.rounds, swiss.totals, swiss.bots, byes_give_points=True)

    assert [(number, found.bot) for number, found in enumerate(order, 1)] == [(row.rank, row.bot) for row in table.rows]
    for row, found in zip(table.rows, order, strict=True):
        assert (found.points, found.encounter, found.buchholz) == (row.points, row.encounter, row.buchholz)
        assert (found.sonneborn_berger, found.margin) == (row.sonneborn_berger, row.clean_margin)
        assert row.superiority is None
        assert row.next_error is None
    assert all(row.elo is not None for row in table.rows)
    assert table.explanations[0].startswith("sorted by points; among equals by direct encounter")
    assert ["#", "bot", "Elo", "95 %", "points", "DE", "BH-C1", "SB", "games"] == titles(table)[:9]


def test_a_swiss_may_be_sorted_by_elo(swiss: Played) -> None:
    """It shows points all the same, and no tie-breaks, which break nothing."""
    table = table_of(swiss, SWISS, RankBy.ELO)

    assert sorted(-row.elo for row in table.rows if row.elo is not None) == [-(row.elo or 0) for row in table.rows]
    assert ["#", "bot", "Elo", "95 %", "LOS", "points", "games"] == titles(table)[:7]
    by_points = {row.bot: row.points for row in table_of(swiss, SWISS, RankBy.POINTS).rows}
    assert by_points == {row.bot: row.points for row in table.rows}


def test_a_round_robin_may_be_sorted_by_points() -> None:
    """Then it has points, which it has not by Elo."""
    event = played(spec_of(5), random.Random(1))

    assert "points" not in titles(table_of(event, ROUND_ROBIN, RankBy.ELO))
    table = table_of(event, ROUND_ROBIN, RankBy.POINTS)
    assert [1, 2, 3, 4, 5] == [row.rank for row in table.rows]
    assert 10 == sum(row.points or 0 for row in table.rows)
    assert not table.byes


@pytest.mark.parametrize("rank_by", [RankBy.POINTS, RankBy.PROGRESS])
def test_before_the_first_round_is_finished_the_table_is_by_elo(swiss: Played, cup: Played, rank_by: RankBy) -> None:
    """There is nothing else to sort by, and JSON says so."""
    form, event = (SWISS, swiss) if rank_by is RankBy.POINTS else (KNOCKOUT, cup)
    table = table_of(event, form, rank_by, rounds=[])

    assert "elo" == json.loads(render(table, "json"))["rank_by"]
    assert "LOS" in titles(table)


def test_forfeits_show_the_margin_that_breaks_ties(swiss: Played) -> None:
    """A game that was forfeited counts in the margin and not in the clean one."""
    assert "clean margin" not in titles(table_of(swiss, SWISS, RankBy.POINTS))
    games = [replace(row, points=(9, 2), forfeited=(0,) if row.seating else ()) for row in swiss.games]
    table = table_of(replace(swiss, games=games), SWISS, RankBy.POINTS)

    assert "clean margin" in titles(table)
    assert "clean margin (margin without forfeited games)" in table.explanations[0]
    assert {0} == {row.margin for row in table.rows}
    for row in table.rows:
        firsts = [m.bots[0] == row.bot for drawn in swiss.rounds for m in drawn.matches if row.bot in m.bots]
        assert row.clean_margin == fmean(7 if first else -7 for first in firsts)


def test_a_knockout_is_sorted_by_how_far_a_bot_came(cup: Played) -> None:
    """The winner, the other finalist, the semifinalists; those who came equally far share a rank, better Elo first."""
    table = table_of(cup, KNOCKOUT, RankBy.PROGRESS)

    assert ["won", "final", "semifinal", "semifinal"] == [row.reached for row in table.rows][:4]
    assert [1, 2, 3, 3, 5, 5] == [row.rank for row in table.rows]
    assert ["quarterfinal"] * 2 == [row.reached for row in table.rows][4:]
    for better, other in ((2, 3), (4, 5)):
        assert (table.rows[better].elo or 0) >= (table.rows[other].elo or 0)
    assert {*cup.rounds[-1].matches[0].bots} == {row.bot for row in table.rows[:2]}
    assert "reached" in titles(table)
    assert "points" not in titles(table)
    assert "byes, which are not rated: b0 (round 1), b1 (round 1)" in table.notes


def test_a_knockout_under_way(cup: Played) -> None:
    """Whoever is still in has reached the round that comes."""
    table = table_of(cup, KNOCKOUT, RankBy.PROGRESS, rounds=cup.rounds[:1])

    assert ["semifinal"] * 4 + ["quarterfinal"] * 2 == [row.reached for row in table.rows]
    assert [1, 1, 1, 1, 5, 5] == [row.rank for row in table.rows]


def test_the_rounds_of_a_knockout_have_names() -> None:
    """Counted from the final."""
    assert ["round 1", "round 2", "quarterfinal", "semifinal", "final", "won"] == [
        round_name(n, 32) for n in range(1, 7)
    ]
    assert ["final", "won"] == [round_name(n, 2) for n in (1, 2)]


@pytest.mark.parametrize("style", ["text", "github", "html", "csv"])
def test_every_style_has_the_order(swiss: Played, cup: Played, style: str) -> None:
    """Bots stand in the order of their ranks."""
    for table in (table_of(swiss, SWISS, RankBy.POINTS), table_of(cup, KNOCKOUT, RankBy.PROGRESS)):
        at = [render(table, style).index(row.bot) for row in table.rows]
        assert sorted(at) == at
