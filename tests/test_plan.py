"""The planner: how many deals fit into a time, from a few that were played."""

import json
import math
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import pytest
from aurum.cli.main import main
from aurum.common.errors import Interrupted, RunError
from aurum.formats.rounds import Match
from aurum.referee.unit import RefereeError, Unit
from aurum.run import calibration
from aurum.run.calibration import pairings_to_try, sizes_for
from aurum.schedule.jobs import jobs_of, least_deals, missing_deals
from aurum.schedule.plan import Costs, Pace, Sample, pairings_in_turn, plan, seconds_for
from aurum.schedule.schedule import match_count, rounds_ready
from aurum.spec.spec import Relaunch, Spec
from hypothesis import given
from hypothesis import strategies as st
from tournament_rows import rows_of, spec_of
from tournament_runs import Diary

EXAMPLES = Path(__file__).parent.parent / "example_bots"
SECRET = bytes(32)


def sample(bots: Sequence[str], groups: int, launch: float, playing: float, own_s: tuple[float, ...] = ()) -> Sample:
    """A unit of these bots, each game won by the first; `own_s` are their times in a deal group."""
    match = Match("-".join(bots), 1, tuple(bots), 0, groups)
    rows = rows_of(match, lambda seated: [1 + bots.index(bot) for bot in seated])
    share = dict(
        zip(bots, (int(own * 1e6 / len(match.all_seatings)) for own in own_s or (0.0,) * len(bots)), strict=True)
    )
    timed = [replace(row, time_us=tuple(share[bot] for bot in row.bots)) for row in rows]
    return Sample(tuple(bots), launch, playing, tuple(timed))


def lettered(spec: Spec) -> Spec:
    """The spec with its bots called a, b, c, ..."""
    return replace(spec, bots=tuple(replace(bot, name=chr(97 + i)) for i, bot in enumerate(spec.bots)))


def planned(spec: Spec, samples: list[Sample], minutes: float, workers: int = 1) -> Any:
    """The plan of the whole tournament."""
    return plan(spec, rounds_ready(spec, SECRET, {}), samples, minutes, workers)


def test_a_table_that_was_tried_takes_what_it_took() -> None:
    """The mean of its launches, and the time of all its deal groups by their number."""
    costs = Costs([sample("ab", 1, 1.0, 3.0), sample("ba", 3, 2.0, 5.0)])

    assert Pace(("a", "b"), 1.5, 2.0) == costs.of(("b", "a"))


def test_a_table_that_was_not_tried_is_added_up_from_its_bots() -> None:
    """Each brings its own time, and the referee's is shared: a slow bot is slow wherever it sits."""
    costs = Costs([sample("ab", 1, 1.0, 10.0, (8.0, 1.0)), sample("cd", 2, 3.0, 4.0, (0.5, 0.5))])

    assert Pace(("a", "b"), 1.0, 10.0) == costs.of(("a", "b"))
    assert (2.0, pytest.approx(8.5 + 1.0)) == astuple(costs.of(("c", "a")))[1:]
    assert (2.0, pytest.approx(1.5 + 1.0)) == astuple(costs.of(("b", "d")))[1:]
    assert pytest.approx((8.5 + 1.5 + 1.0 + 1.0) / 2) == costs.typical(2).group


def test_overlapping_times_are_cut_down_to_what_passed() -> None:
    """With many games in flight the bots' times add up to more than there was."""
    costs = Costs([sample("ab", 1, 0.0, 1.0, (30.0, 10.0)), sample("cd", 1, 0.0, 1.0, (5.0, 5.0))])

    assert pytest.approx(0.75 + 0.5) == costs.of(("a", "c")).group


def test_the_time_of_one_worker_is_added_up_by_hand() -> None:
    """Three matches of 20 deals in units of at most 16: 20 deal groups, a launch for the match or each unit."""
    spec = replace(lettered(spec_of(3)), unit_deals=16)
    samples = [sample("ab", 4, 1.0, 8.0), sample("ac", 4, 1.0, 8.0), sample("bc", 4, 1.0, 8.0)]
    tables = pairings_in_turn(spec, rounds_ready(spec, SECRET, {}))

    for relaunch, launches in {Relaunch.UNIT: 2, Relaunch.MATCH: 1, Relaunch.FAULT: 1}.items():
        assert 3 * (launches * 1.0 + 20 * 2.0) == seconds_for(tables, 20, Costs(samples), 2, 16, 16, 1, relaunch)


@pytest.mark.parametrize("workers", [1, 2, 7])
@pytest.mark.parametrize("minutes", [0.05, 1.0, 40.0, 1000.0])
@pytest.mark.parametrize(
    "keys",
    [{}, {"format": "swiss", "rounds": 3}, {"format": "knockout"}, {"format": "gauntlet", "challengers": ["b0"]}],
)
def test_the_plan_fits_and_one_deal_more_does_not(keys: dict[str, Any], minutes: float, workers: int) -> None:
    """For every format."""
    spec = spec_of(6, **keys)
    samples = [sample((f"b{i}", f"b{i + 1}"), 4, 0.4, 3.0) for i in (0, 2, 4)]
    ready = rounds_ready(spec, SECRET, {})
    found = plan(spec, ready, samples, minutes, workers)
    tables = pairings_in_turn(spec, ready)

    def seconds(deals: int) -> float:
        return seconds_for(tables, deals, Costs(samples), 2, spec.unit_deals, least_deals(spec), workers, spec.relaunch)

    assert match_count(spec) == found.matches == sum(map(len, tables))
    assert (seconds(found.deals) if found.deals else 0) <= 60 * minutes < seconds(found.deals + 1)
    assert found.minutes == seconds(max(found.deals, 1)) / 60
    assert found.games == max(found.deals, 1) * found.matches * 2


def test_the_rounds_of_a_swiss_have_the_pairings_of_their_field() -> None:
    """Of seven bots two come in round 2, and one leaves after it."""
    spec = spec_of(7, format="swiss", rounds=4)
    bots = [replace(bot, from_round=2) if bot.name in ("b0", "b1") else bot for bot in spec.bots]
    spec = replace(spec, bots=(*bots[:6], replace(bots[6], until_round=2)))
    tables = pairings_in_turn(spec, rounds_ready(spec, SECRET, {}))

    assert [2, 3, 3, 3] == [len(stage) for stage in tables]
    assert all(table is not None for table in tables[0])
    assert {None} == {table for stage in tables[1:] for table in stage}
    assert match_count(spec) == sum(map(len, tables))


@pytest.mark.parametrize("field", range(2, 18))
def test_a_knockout_is_planned_round_by_round(field: int) -> None:
    """One match fewer than bots, in as many rounds as it takes to halve the field."""
    spec = spec_of(field, format="knockout")
    tables = pairings_in_turn(spec, rounds_ready(spec, SECRET, {}))

    assert field - 1 == sum(map(len, tables))
    assert math.ceil(math.log2(field)) == len(tables)


@given(
    st.integers(1, 50),
    st.integers(1, 40),
    st.integers(1, 40),
    st.integers(1, 8),
    st.lists(st.floats(0.01, 5), min_size=6, max_size=6),
    st.sampled_from(Relaunch),
)
def test_no_order_of_units_takes_longer_than_is_said(
    deals: int, unit_deals: int, least: int, workers: int, groups: list[float], relaunch: Relaunch
) -> None:
    """Units handed in schedule order to whichever worker is free are done within the bound.

    Workers launch for each unit, or for each that is of another match than the one before.
    """
    spec = lettered(spec_of(4))
    tables = pairings_in_turn(spec, rounds_ready(spec, SECRET, {}))
    bots = [table for stage in tables for table in stage if table]
    costs = Costs([sample(table, 1, 0.3, group) for table, group in zip(bots, groups, strict=True)])

    rounds = rounds_ready(replace(spec, deals=deals), SECRET, {})
    free = [(0.0, worker) for worker in range(workers)]
    last: dict[int, tuple[str, ...]] = {}
    for job in jobs_of(missing_deals(rounds, set()), unit_deals, min(least, unit_deals), workers):
        pace = costs.of(job.match.bots)
        time, worker = min(free)
        launch = pace.launch if relaunch is Relaunch.UNIT or last.get(worker) != job.match.bots else 0.0
        last[worker] = job.match.bots
        free[free.index((time, worker))] = (time + launch + len(job.deals) * pace.group, worker)
    said = seconds_for(tables, deals, costs, 2, unit_deals, min(least, unit_deals), workers, relaunch)
    assert max(free)[0] <= said + 1e-9


def test_more_deals_give_smaller_error_bars() -> None:
    """Four times the time, half the interval; a spread that was measured counts beside what is to be expected."""
    spec = lettered(spec_of(2))
    short, long = (planned(spec, [sample("ab", 4, 0.0, 4.0)], minutes) for minutes in (10, 40))
    assert pytest.approx(2 * long.error) == short.error

    # 600 deal groups of variance 1/8 at most: 1.96 x 4 x 173.7 x sqrt(1/8 / 600)
    one = planned(spec, [sample("ab", 1, 0.0, 1.0)], 10)
    assert (600, pytest.approx(19.66, abs=0.01)) == (one.deals, one.error)


def test_faults_are_counted() -> None:
    """By bot, and only of those that had any."""
    clean = sample("ab", 2, 0.0, 1.0)
    faulty = replace(clean, rows=tuple(replace(row, faults=(0, 3)) for row in clean.rows))
    assert {} == planned(lettered(spec_of(2)), [clean], 1).faults
    assert {"a": 6, "b": 6} == planned(lettered(spec_of(2)), [faulty], 1).faults


@pytest.mark.parametrize("field", range(3, 12))
@pytest.mark.parametrize("keys", [{}, {"format": "swiss", "rounds": 2}, {"format": "knockout"}, {"players": 3}])
def test_every_bot_is_tried(field: int, keys: dict[str, Any]) -> None:
    """In pairings of the right size, few of them, with no bot twice in one."""
    spec = spec_of(field, **keys)
    pairings = pairings_to_try(spec, rounds_ready(spec, SECRET, {}))

    sides = 3 if keys.get("players") else 2
    assert {bot.name for bot in spec.bots} == {bot for pairing in pairings for bot in pairing}
    assert all(sides == len({*pairing}) for pairing in pairings)
    assert len(pairings) < field


def test_calibration_goes_on_while_it_fits() -> None:
    """Units of each pairing share the time; none is larger than a unit of the tournament."""
    spec = replace(lettered(spec_of(4)), unit_deals=16)
    costs = Costs([sample("ab", 1, 1.0, 2.0), sample("cd", 1, 1.0, 1.0)])
    pairings = [("a", "b"), ("c", "d")]

    assert [(("a", "b"), 4), (("c", "d"), 9)] == sizes_for(costs, pairings, 1, 40.0, spec), "half of the time"
    assert [(("a", "b"), 2), (("c", "d"), 4)] == sizes_for(costs, pairings, 1, 10.0, spec), "all that is left"
    assert [(("a", "b"), 16), (("c", "d"), 16)] == sizes_for(costs, pairings, 1, 200.0, spec)
    assert [] == sizes_for(costs, pairings, 1, 5.0, spec)
    assert [] == sizes_for(costs, pairings, 2, 10.0, spec)


def written(folder: Path, bots: str, **keys: str) -> Path:
    """A spec with the example bots of these names."""
    head = "".join(f"{key} = {value}\n" for key, value in {"format": '"round_robin"', **keys}.items())
    entry = '[[bots]]\nname = "{}"\ncommand = ["{}", "{}.py"]\n'
    entries = "".join(entry.format(Path(bot).stem, sys.executable, EXAMPLES / bot) for bot in bots.split())
    file = folder / "cup.toml"
    clock = "[clock]\nturn_ms = 10_000\nsetup_ms = 100_000\n[run]\nworkers = 1\n"
    file.write_text(f'[tournament]\nname = "cup"\n{head}{clock}{entries}')
    return file


def answers(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """What `arena tournament plan` prints."""
    assert main(["tournament", "plan", *map(str, arguments)]) == 0
    return capsys.readouterr().out


@pytest.mark.process
def test_the_command_plans_with_real_bots(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It plays some deals, says what fits and what to write, and leaves nothing behind."""
    monkeypatch.chdir(tmp_path)
    file = written(tmp_path, "lowest_card random_bot misbehaving/crash_mid_game")
    before = sorted(tmp_path.iterdir())
    found = json.loads(answers(capsys, file, "--minutes", 40, "--calibrate-seconds", 0.5, "--format", "json"))
    assert (3, 1, 1) == (found["matches"], found["workers"], found["games_in_flight"])
    assert found["deals"] >= 1
    assert found["games"] == 6 * found["deals"]
    assert 0 < found["minutes"] <= 40
    assert f"deals = {found['deals']}" == found["spec"]
    assert {"crash_mid_game"} == found["faults"].keys()
    assert {"lowest_card", "random_bot", "crash_mid_game"} == {bot for pace in found["tried"] for bot in pace["bots"]}
    assert before == sorted(tmp_path.iterdir())


def dies(_unit: Unit) -> None:
    """A worker that is killed."""
    os._exit(1)


def fails(_unit: Unit) -> None:
    """A referee that has a bug."""
    raise RefereeError("a bug")


@pytest.mark.process
@pytest.mark.parametrize(
    ("play", "sentence"), [(dies, "a worker process died"), (fails, "the referee failed, .* a bug")]
)
def test_what_is_no_bot_s_fault_ends_it(monkeypatch: pytest.MonkeyPatch, play: object, sentence: str) -> None:
    """As a sentence, whether a worker dies or the referee fails."""
    spec = replace(spec_of(2), workers=1)
    monkeypatch.setattr(calibration, "play_timed", play)
    with pytest.raises(RunError, match=sentence):
        calibration.calibrate(spec, rounds_ready(spec, SECRET, {}), 0.1, progress=Diary())


@pytest.mark.process
def test_an_interrupted_calibration_says_that_nothing_is_stored() -> None:
    """The event is heard before the next result."""
    spec = replace(spec_of(2), workers=1)
    with ThreadPoolExecutor(1) as pool:
        trial = calibration._Trial(spec, pool, Diary(), ())
        trial.in_flight.interrupt()
        with pytest.raises(Interrupted, match="a plan stores nothing"):
            trial.play([(("b0", "b1"), 1)])


@pytest.mark.process
def test_nothing_fits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A plan that asks for too much says what the least would take."""
    file = written(tmp_path, "lowest_card random_bot")
    text = answers(capsys, file, "--minutes", 0.0001, "--calibrate-seconds", 0.1)
    assert "fits:     nothing: one deal in each match takes about " in text


@pytest.mark.process
def test_a_bot_that_never_plays_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its table is waited for as long as a start may take, and no longer."""
    file = written(tmp_path, "lowest_card misbehaving/never_says_hello")
    file.write_text(file.read_text().replace("setup_ms = 100_000", "setup_ms = 1000"))
    code = main(["tournament", "plan", str(file), "--minutes", "1", "--calibrate-seconds", "0.1"])
    output = capsys.readouterr()
    assert (2, "") == (code, output.out)
    assert "lowest_card - never_says_hello: give more --calibrate-seconds" in output.err
