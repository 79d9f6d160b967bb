"""What makes large stores cheap: what is read of them is little, and says what all of it would say."""

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from aurum.common.errors import UserError
from aurum.formats.match_points import halves_of
from aurum.formats.rounds import Match, TournamentRound
from aurum.referee.unit import InstanceReport
from aurum.results.game_arrays import GameArrays, arrays_of, distinct
from aurum.results.game_row import GameRow
from aurum.results.match_totals import BotTotals, MatchTotals, by_match
from aurum.results.played_unit import BotVersion, FinishedGame, PlayedUnit, UnitReport
from aurum.results.process_health import ProcessHealth
from aurum.spec.spec import Spec
from aurum.standings.bot_figures import NAMES, figures_by_bot
from aurum.store import database
from aurum.store.store import FILE, Store
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament_rows import game_row
from tournament_runs import make_spec

DEALS, BEGUN = 60, 15


@st.composite
def some_games(draw: st.DrawFn) -> list[GameRow]:
    """Games of two sides and of three, some with a bot at two sides, some forfeited by one or two."""
    rows = []
    for deal in range(draw(st.integers(0, 12))):
        sides = draw(st.integers(2, 3))
        figures = st.tuples(*[st.integers(0, 9)] * sides)
        bots = draw(st.tuples(*[st.sampled_from("abcd")] * sides))
        placing = draw(st.tuples(*[st.integers(1, sides)] * sides))
        changes: dict[str, Any] = {name: draw(figures) for name in ("points", "faults", "decisions", "time_us")}
        changes["forfeited"] = tuple(sorted(draw(st.sets(st.integers(0, sides - 1), max_size=2))))
        rows.append(game_row(f"r{deal % 3}m1", deal, draw(st.integers(0, 1)), bots, placing, **changes))
    return rows


def totals_by_row(rows: Sequence[GameRow]) -> dict[str, MatchTotals]:
    """What `by_match` finds, one game after another."""
    counts: defaultdict[str, int] = defaultdict(int)
    found: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0] * 4))
    for row in rows:
        counts[row.match] += 1
        clean = [side for side in range(len(row.bots)) if side not in row.forfeited]
        for side, bot in enumerate(row.bots):
            others = [other for other in clean if other != side and side in clean]
            new = (
                halves_of(row.placing)[side],
                row.points[side],
                sum(row.points[side] - row.points[other] for other in others),
                len(others),
            )
            found[row.match][bot] = [a + b for a, b in zip(found[row.match][bot], new, strict=True)]
    return {
        match: MatchTotals(counts[match], {bot: BotTotals(*figures) for bot, figures in bots.items()})
        for match, bots in found.items()
    }


@settings(max_examples=40)
@given(some_games())
def test_totals_of_matches(rows: list[GameRow]) -> None:
    """As they are counted game by game."""
    assert totals_by_row(rows) == by_match(rows)


@settings(max_examples=40)
@given(some_games())
def test_figures_of_bots(rows: list[GameRow]) -> None:
    """As they are counted game by game; a bot's own other side is nobody to compare it with."""
    expected: dict[str, dict[str, int]] = {}
    for row in rows:
        for side, bot in enumerate(row.bots):
            others = [other for other in range(len(row.bots)) if row.bots[other] != bot]
            placed = [(row.placing[side], row.placing[other]) for other in others]
            new = {
                "games": 1,
                "won": sum(mine < theirs for mine, theirs in placed),
                "drawn": sum(mine == theirs for mine, theirs in placed),
                "lost": sum(mine > theirs for mine, theirs in placed),
                "margin": sum(row.points[side] - row.points[other] for other in others),
                "forfeits": side in row.forfeited,
                "faults": row.faults[side],
                "decisions": row.decisions[side],
                "time_us": row.time_us[side],
            }
            figures = expected.setdefault(bot, dict.fromkeys(NAMES, 0))
            expected[bot] = {name: figures[name] + new[name] for name in NAMES}
    assert expected == figures_by_bot(arrays_of(rows))


@given(st.lists(st.tuples(*[st.integers(-(2**40), 2**40)] * 3), min_size=1, max_size=30))
def test_distinct_rows(rows: list[tuple[int, int, int]]) -> None:
    """Also of numbers that are far apart: three times 2^41 fill no single number of 64 bits."""
    found = distinct(np.array(rows).T)
    assert sorted(set(rows)) == [rows[first] for first in found.first]
    assert [rows.index(row) for row in rows] == [found.first[which] for which in found.which]
    assert [rows.count(rows[first]) for first in found.first] == list(found.times)


def units(spec: Spec, matches: Sequence[Match], chance: Random) -> list[PlayedUnit]:
    """A unit for each deal; bots fail to start, change their version and send stray answers now and then."""
    found = []
    for match in matches:
        for deal in range(match.first_deal, match.first_deal + match.deals):
            games = []
            for seating in range(2):
                bots = match.bots if not seating else match.bots[::-1]
                placing = chance.choice([(1, 2), (2, 1), (1, 1)])
                points = (chance.randrange(30), chance.randrange(30))
                row = game_row(match.id, deal, seating, bots, placing, points=points, time_us=(deal, 7))
                row = replace(row, forfeited=chance.choice([(), (), (1,)]), delayed=chance.random() < 0.1)
                games.append(FinishedGame(f"{spec.name}/{match.id}/{deal}/{seating}", row, b"record"))
            reports = tuple(
                InstanceReport(
                    bot, 0, 1, chance.choice([0, 0, 1]), chance.choice([0, 0, 2]), "gone", "", 10, 0.1, chance.random()
                )
                for bot in match.bots
            )
            versions = tuple(BotVersion(bot, chance.choice(["1", "2"]), "python") for bot in match.bots)
            found.append(PlayedUnit(tuple(games), UnitReport(sum(g.row.delayed for g in games), 3, reports, versions)))
    return found


def filled(folder: Path, matches: int, finished: int, deals: int = DEALS) -> Spec:
    """A store of so many matches, of which these are finished, and of one more BEGUN deals are played."""
    folder.mkdir(exist_ok=True)
    bots = "abcdefghij"
    spec = make_spec(folder, bots, tournament={"deals": deals})
    pairings = [(one, other) for one in bots for other in bots if one < other][:matches]
    drawn = [Match(f"r1m{n + 1}", 1, pairing, n * deals, deals) for n, pairing in enumerate(pairings)]
    with Store.write(folder, spec) as store:
        store.schedule([TournamentRound(1, tuple(drawn), ())])
        outcomes = units(spec, drawn, Random(1))
        store.absorb([], outcomes[: finished * deals], [], [])
        for outcome in outcomes[finished * deals : finished * deals + BEGUN]:
            store.add(outcome)
        store.settle()
    return spec


def columns(arrays: GameArrays) -> dict[str, Any]:
    """The arrays as lists, with names instead of numbers."""
    found = {field.name: getattr(arrays, field.name) for field in fields(arrays)}
    return {name: value.tolist() for name, value in found.items() if isinstance(value, np.ndarray)} | {
        "bot": [[arrays.bots[bot] for bot in bots] for bots in arrays.bot],
        "match": [arrays.matches[match] for match in arrays.match],
    }


def test_what_a_store_adds_up_is_what_its_games_come_to(tmp_path: Path) -> None:
    """Totals, counts, deal groups, arrays and the health of processes: after adding, and again after going on."""
    spec = filled(tmp_path, 4, 3)
    with Store.read(tmp_path) as store:
        games, turn_ms = store.games(), store.spec.clock.turn_ms
        assert totals_by_row(games) == store.totals()
        assert len(games) == store.game_count() == 2 * (3 * DEALS + BEGUN)
        groups = store.groups()
        assert {(row.match, row.deal) for row in games} == set(groups)
        assert len(games) == 2 * len(groups)
        assert [False, False, False] == [group in groups for group in (("r1m1", DEALS), ("r1m9", 0), ("r1m4", -1))]
        assert columns(*arrays_of(games)) == columns(store.game_arrays())
        whole = ProcessHealth(turn_ms, store.units())
        assert (whole.notes(), whole.benched) == (store.health().notes(), store.health().benched)
        assert {"a", "b"} <= whole.benched.keys()
    with Store.write(tmp_path, spec) as store:
        assert (whole.notes(), whole.benched) == (store.health().notes(), store.health().benched)


@settings(max_examples=25)
@given(st.randoms(use_true_random=False), st.integers(0, 20))
def test_health_goes_on_from_what_was_noted(chance: Random, noted: int) -> None:
    """Whenever it was noted, later units have the same effect: also on failures to start, which count in a row."""
    reports = [unit.report for unit in units(spec_of_two(), [Match("r1m1", 1, ("a", "b"), 0, 20)], chance)]
    whole, before = ProcessHealth(1000, reports), ProcessHealth(1000, reports[:noted])
    after = ProcessHealth.restored(1000, before.as_json())
    for report in reports[noted:]:
        after.add(report)
    assert (whole.as_json(), whole.notes(), whole.benched) == (after.as_json(), after.notes(), after.benched)


def spec_of_two() -> Spec:
    return make_spec(Path(), "ab")


def steps_of_restart(folder: Path, spec: Spec, monkeypatch: pytest.MonkeyPatch) -> int:
    """SQLite's steps, in tens, while a store is opened to play on and asked for all that a run asks for."""
    steps = 0

    def count() -> None:
        nonlocal steps
        steps += 1

    def counted(opened: Callable[..., sqlite3.Connection]) -> Callable[..., sqlite3.Connection]:
        def opens(*arguments: Any, **options: Any) -> sqlite3.Connection:
            connection = opened(*arguments, **options)
            connection.set_progress_handler(count, 10)
            return connection

        return opens

    with monkeypatch.context() as patch:
        patch.setattr(database, "_SMALL", 0)
        patch.setattr(sqlite3, "connect", counted(sqlite3.connect))
        with Store.write(folder, spec) as store:
            assert 0 < steps
            store.schedule(store.rounds())
            asked = store.game_count(), store.totals(), len(store.groups()), store.health()
            assert all(asked)
    return steps


def test_a_restart_does_not_read_what_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With 20 matches finished and one begun, it takes as many steps if they have 60 deals each as if they have 20."""
    steps = [
        steps_of_restart(tmp_path / str(deals), filled(tmp_path / str(deals), 22, 20, deals), monkeypatch)
        for deals in (20, 60)
    ]
    assert abs(steps[1] - steps[0]) < 0.05 * steps[0]
    assert 10 * steps[1] < 5 * (2 * 20 * 60)  # SQLite needs at least so many for all games


@pytest.mark.parametrize("part", [0.1, 0.95], ids=["what a run reads", "where it writes"])
def test_damage_where_a_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: float) -> None:
    """It is noticed in a large store, of which not all is read."""
    spec = filled(tmp_path, 4, 3)
    monkeypatch.setattr(database, "_SMALL", 0)
    Store.write(tmp_path, spec).close()
    size = (tmp_path / FILE).stat().st_size
    with (tmp_path / FILE).open("r+b") as file:
        file.seek(int(size * part) // 4096 * 4096)
        file.write(b"\xa5" * (size // 20))
    with pytest.raises(UserError, match="damaged: put back a copy of it"):
        Store.write(tmp_path, spec)
