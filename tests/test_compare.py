"""`arena compare` without bots: what is counted, in which order, and what comes of it."""

import os
import random
import re
import signal
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any, NoReturn
from xml.etree import ElementTree

import fake_unit
import pytest
from aurum.cli.compare_progress import CompareProgress
from aurum.cli.main import main
from aurum.compare.comparison import SETTINGS_FILE
from aurum.compare.groups import PairCorrelation, step_of
from aurum.compare.report import accepted, rejected
from aurum.compare.running_comparison import RunningComparison
from aurum.compare.settings import NEW, OLD, PRESETS, THIRD, Statistic, default_cap
from aurum.referee.unit import RefereeError, Unit, UnitOutcome
from aurum.results.game_row import GameRow
from aurum.spec.spec import Spec
from aurum.statistics.bounds import Bounds, EloModel
from aurum.statistics.duplicates import duplicates
from aurum.statistics.gsprt import Verdict
from aurum.store.store import FILE, Store
from aurum.v1.game_pb2 import FAULT_KIND_TIMEOUT
from aurum.v1.record_pb2 import GameRecord
from compare_runs import Decided, Result, game, group, run, settings_of
from docs_blocks import ROOT, code, rows, sections
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament_rows import game_row
from tournament_runs import make_spec, one_thread
from tournament_runs import run as run_spec

COMPARING = ROOT / "docs/comparing.md"
HALVES = st.integers(0, 2)


@pytest.fixture(autouse=True)
def outside_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own CI has a step summary of its own."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


def comparison_of(groups: list[list[GameRow]], **changes: Any) -> RunningComparison:
    """After these groups, added one by one in this order."""
    comparison = RunningComparison(settings_of(**changes))
    for games in groups:
        comparison.add(games)
    return comparison


def state(comparison: RunningComparison) -> tuple[object, ...]:
    """Everything that a report takes from a comparison."""
    test = comparison.test
    return (
        test.counts,
        test.llr,
        test.verdict,
        comparison.interval.interval,
        comparison.correlation.value,
        comparison.results,
        comparison.faults,
        comparison.fault,
    )


def lopsided(deal: int, seating: int) -> int:
    """NEW wins three games of four, and the others are drawn or lost."""
    return (2, 2, 2, 2, 1, 2, 0, 2)[(2 * deal + seating) % 8]


def reverse(result: Result) -> Result:
    """The same with OLD and NEW exchanged."""
    return lambda deal, seating: 2 - result(deal, seating)


def even(deal: int, seating: int) -> int:
    """Nobody is better; luck, not the seat, decides."""
    return (2, 0, 1, 1, 0, 2)[(2 * deal + seating) % 6]


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(HALVES, HALVES), max_size=30), st.randoms(use_true_random=False))
def test_the_order_of_finishing_does_not_matter(results: list[tuple[int, int]], order: random.Random) -> None:
    """Groups that come in any order, games of several at once, give what the order of the schedule gives."""
    groups = [group(deal, *two) for deal, two in enumerate(results)]
    shuffled = groups[:]
    order.shuffle(shuffled)
    while len(shuffled) > 1 and order.random() < 0.5:
        games = shuffled.pop() + shuffled.pop()
        order.shuffle(games)
        shuffled.append(games)
    assert state(comparison_of(groups)) == state(comparison_of(shuffled))


def test_a_gap_is_waited_for() -> None:
    """Nothing after a missing group counts, be it ever so clear."""
    groups = [group(deal, 2, 2) for deal in range(60)]
    comparison = comparison_of(groups[1:])
    assert (0, False) == (comparison.test.groups, comparison.over)
    assert comparison.add(groups[0])
    assert comparison.test.verdict is Verdict.ACCEPTED


def test_a_verdict_stays() -> None:
    """Games that were under way when it came change nothing."""
    groups = [group(deal, 2, 2) for deal in range(60)]
    comparison = comparison_of(groups)
    before, taken = state(comparison), comparison.test.groups
    assert 0 < taken < 60
    assert comparison.add([row for deal in range(60, 300) for row in group(deal, 0, 0)])
    assert before == state(comparison)
    assert before == state(comparison_of(groups[:taken]))


def test_the_cap_ends_it_without_a_verdict() -> None:
    """And not one group later."""
    comparison = comparison_of([group(deal, 2, 0) for deal in range(2)], max_deals=3)
    assert not comparison.over
    assert comparison.add([*group(2, 0, 2), *group(3, 2, 2)])
    assert (Verdict.INCONCLUSIVE, 3) == (comparison.test.verdict, comparison.test.groups)


def test_the_first_fault_of_the_schedule_ends_it() -> None:
    """Wherever it stands in its group, whichever was stored first; its group does not count."""
    groups = [group(deal, 2, 0) for deal in range(6)]
    groups[3][1] = game(3, 1, 0, faults=(0, 1))
    groups[5][0] = game(5, 0, 2, faults=(2, 0))
    comparison = comparison_of([groups[5], *groups[:5]])
    assert (groups[3][1], 3, True) == (comparison.fault, comparison.test.groups, comparison.over)
    assert {OLD: 1, NEW: 0} == comparison.faults
    assert state(comparison) == state(comparison_of(groups))


def test_a_fault_after_the_verdict_is_not_seen() -> None:
    """The verdict would depend on the number of workers."""
    groups = [group(deal, 2, 2) for deal in range(60)]
    end = comparison_of(groups).test.groups
    groups[end] = [game(end, 0, 2, faults=(1, 0)), game(end, 1, 2)]
    comparison = comparison_of(groups)
    assert (None, Verdict.ACCEPTED) == (comparison.fault, comparison.test.verdict)


def test_allowed_faults_are_counted() -> None:
    """By bot, and the games count as they ended."""
    games = [game(0, 0, 2, faults=(3, 0), forfeited=(0,)), game(0, 1, 2, faults=(1, 1))]
    comparison = comparison_of([games], allow_faults=True)
    assert (None, {OLD: 4, NEW: 1}, 1) == (comparison.fault, comparison.faults, comparison.test.counts[-1])


@pytest.mark.parametrize(
    ("games", "wins", "boards"),
    [
        ([(0, 2, (10, 12)), (1, 0, (5, 9))], 0.5, 0.0),  # NEW sits second, then first
        ([(0, 2, (10, 12)), (1, 0, (8, 9))], 0.5, 1.0),
        ([(0, 1, (10, 12)), (1, 2, (11, 9))], 0.75, 1.0),
        ([(0, 0, (3, 1)), (1, 0, (7, 7))], 0.0, 0.0),
        ([(0, 1, (3, 1)), (1, 1, (3, 1))], 0.5, 0.5),
    ],
)
def test_a_group_counts_by_wins_or_by_points(
    games: list[tuple[int, int, tuple[int, int]]], wins: float, boards: float
) -> None:
    """The mean of the results; the sign of the margin over both games."""
    played = [game(0, seating, halves, points=points) for seating, halves, points in games]
    for statistic, score in ((Statistic.WINS, wins), (Statistic.BOARDS, boards)):
        test = settings_of(statistic)
        assert score == test.support[step_of(played, test)]


def test_a_forfeit_outweighs_points() -> None:
    """What the stand-in scored is no merit; if both forfeit one, points decide."""
    test = settings_of(Statistic.BOARDS)
    lost = game(0, 0, 0, points=(1, 90), forfeited=(1,))  # by NEW, whose stand-in did well
    won = game(0, 1, 2, points=(2, 1), forfeited=(1,))
    assert [0, 2] == [step_of(games, test) for games in ([lost, game(0, 1, 2, points=(9, 1))], [lost, won])]


def test_three_at_a_table() -> None:
    """Who of OLD and NEW comes in ahead, in six seatings; the third does not matter."""
    test = settings_of(players=3)
    seats = [
        (OLD, NEW, THIRD),
        (NEW, THIRD, OLD),
        (THIRD, OLD, NEW),
        (OLD, THIRD, NEW),
        (THIRD, NEW, OLD),
        (NEW, OLD, THIRD),
    ]
    placings = [{NEW: 1, OLD: 2, THIRD: 3}, {NEW: 2, OLD: 3, THIRD: 1}, {NEW: 2, OLD: 2, THIRD: 1}]
    games = [
        game_row("r1m1", 0, seating, bots, [placings[seating % 3][bot] for bot in bots])
        for seating, bots in enumerate(seats)
    ]
    assert (6, 13) == (test.games, len(test.support))
    assert 5 / 6 == pytest.approx(test.support[step_of(games, test)])


@given(st.integers(2, 3).flatmap(lambda games: st.lists(st.tuples(*[HALVES] * games), min_size=11, max_size=40)))
def test_the_correlation_is_that_of_duplicates(groups: list[tuple[int, ...]]) -> None:
    """Sums that grow by a group at a time give what is computed from all of them."""
    correlation = PairCorrelation(len(groups[0]))
    for results in groups:
        correlation.add(results)
    whole = duplicates([[half / 2 for half in results] for results in groups])
    expected = whole.correlation
    assert correlation.value == (None if expected is None else pytest.approx(expected))


def test_the_cap_is_three_times_the_longest_average() -> None:
    """Of docs/comparing.md, in games; with three at a table in groups of six."""
    for preset, games in (("quick", 7850), ("gain", 31_398), ("non-regression", 31_398)):
        bounds = Bounds(*PRESETS[preset], EloModel.NORMALIZED)
        assert games == pytest.approx(2 * default_cap(bounds, 4), abs=2)
        assert games == pytest.approx(6 * default_cap(bounds, 3), abs=6)
    assert 1_000_000 == default_cap(Bounds(0, 0.5, EloModel.NORMALIZED), 4)


@pytest.mark.parametrize(
    ("elo0", "elo1", "yes", "no"),
    [
        (0, 20, "NEW is stronger than OLD", "NEW is less than 20 normalized Elo stronger than OLD, if at all"),
        (-10, 0, "NEW is less than 10 normalized Elo weaker than OLD, if at all", "NEW is weaker than OLD"),
        (5, 9, "NEW is more than 5 normalized Elo stronger than OLD", "NEW is less than 9 normalized Elo stronger"),
        (-9, -5, "NEW is less than 9 normalized Elo weaker", "NEW is more than 5 normalized Elo weaker than OLD"),
    ],
)
def test_a_verdict_says_what_was_ruled_out(elo0: float, elo1: float, yes: str, no: str) -> None:
    """Accepted: elo0 and less; rejected: elo1 and more; with the rate at which that is wrong."""
    bounds = Bounds(elo0, elo1, EloModel.NORMALIZED, 0.01, 0.1)
    assert accepted(bounds).startswith(yes)
    assert rejected(bounds).startswith(no)
    assert "about 1 % of" in accepted(bounds)
    assert "about 10 % of" in rejected(bounds)


BOUNDS = ("--elo0", 0, "--elo1", 200)


@pytest.mark.parametrize(
    ("result", "options", "code", "verdict", "kind"),
    [
        (lopsided, (), 0, "accepted", []),
        (reverse(lopsided), (), 1, "rejected", ["failure"]),
        (even, ("--max-deals", 3), 3, "inconclusive", ["skipped"]),
    ],
)
def test_exit_codes_and_reports(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    result: Result,
    options: tuple[object, ...],
    code: int,
    verdict: str,
    kind: list[str],
) -> None:
    """Text, JSON, JUnit and Markdown all say the verdict and name the test."""
    files = tmp_path / "junit.xml", tmp_path / "summary.md"
    files[1].write_text("before\n")
    outputs = ("--junit", files[0], "--summary", files[1])
    got, report = run(monkeypatch, tmp_path, Decided(result), *BOUNDS, *options, *outputs)
    assert (code, code, verdict) == (got, report["exit_code"], report["verdict"])
    assert report["games"] == 2 * report["groups"] == report["wins"] + report["draws"] + report["losses"]
    assert report["groups"] == sum(row["groups"] for row in report["histogram"])
    text, named = capsys.readouterr().out, "[0, 200] normalized Elo of wins, alpha 0.05, beta 0.05"
    case = ElementTree.parse(files[0]).getroot().find("testsuite/testcase")
    assert case is not None
    assert [*kind, "system-out"] == [child.tag for child in case]
    summary = files[1].read_text()
    assert summary.startswith(f"before\n## arena compare: {verdict}\n")
    assert text == case.findtext("system-out")
    for output in (text, summary, case.get("name", "")):
        assert named in output
    for output in (text, summary):
        assert report["sentence"] in output
        assert report["commitment"] in output
        assert f"{report['wins']}/{report['draws']}/{report['losses']}" in output


def test_a_fault_ends_it_and_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 4, who, what and where, and its last words; no group counts."""
    junit = tmp_path / "junit.xml"
    bots = ("here", "missing")
    play = Decided(lopsided)
    code, report = run(monkeypatch, tmp_path, play, *BOUNDS, "--junit", junit, bots=bots)
    assert (4, "faulted", 0) == (code, report["verdict"], report["games"])
    assert (NEW, "start failed", "compare/r1m1/0/0") == tuple(report["fault"][key] for key in ("bot", "kind", "game"))
    assert [fake_unit.NO_FILE] == report["fault"]["stderr_tail"]
    assert (
        f"faulted: NEW was at fault in game compare/r1m1/0/0: start failed: {fake_unit.NO_FILE}"
        in capsys.readouterr().out
    )
    assert ElementTree.parse(junit).find(".//testcase/error") is not None
    code, report = run(monkeypatch, tmp_path, Decided(lopsided), *BOUNDS, "--allow-faults", bots=bots)
    assert (1, "rejected", None) == (code, report["verdict"], report["fault"])
    assert report["faults"][NEW] > report["games"] == report["losses"]


class LateAtTimes:
    """Plays units in which NEW is at fault in a game of each of these deals; in more if a deal is named more often."""

    def __init__(self, *deals: int) -> None:
        self.deals = list(deals)

    def __call__(self, unit: Unit) -> UnitOutcome:
        outcome = Decided(lopsided)(unit)
        records = [GameRecord.FromString(record) for record in outcome.records]
        for record in records:
            if record.deal in self.deals:
                self.deals.remove(record.deal)
                seat = next(seat for seat, of in enumerate(record.seats) if of.bot == NEW)
                record.faults.add(seat=seat, kind=FAULT_KIND_TIMEOUT, detail="late", round=1)
        return replace(outcome, records=tuple(record.SerializeToString() for record in records))


def test_a_fault_may_be_retried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """So often and no oftener; each time is named, and all else is as if nothing had happened."""
    whole = run(monkeypatch, tmp_path, Decided(lopsided), *BOUNDS)[1]
    options = (*BOUNDS, "--unit-deals", 2, "--retry-faults", 2, "--out")
    code, report = run(monkeypatch, tmp_path, LateAtTimes(1, 3), *options, tmp_path / "out")
    retried = [f"NEW was at fault in game compare/r1m1/{deal}/0: timeout: late" for deal in (1, 3)]
    assert (0, retried) == (code, report["retried"])
    changed = ("seconds", "retried", "retry_faults")
    assert {key: value for key, value in whole.items() if key not in changed} == {
        key: value for key, value in report.items() if key not in changed
    }
    shown = capsys.readouterr()
    assert f"\nplayed again: {retried[1]}\n" in shown.out
    assert "2 games were voided at " in shown.err
    assert (0, retried) == _code_and_retries(run(monkeypatch, tmp_path, void, *options, tmp_path / "out"))
    code, report = run(monkeypatch, tmp_path, LateAtTimes(*6 * [1]), *options, tmp_path / "other")
    assert (4, 2, "compare/r1m1/1/0") == (code, len(report["retried"]), report["fault"]["game"])


def _code_and_retries(result: tuple[int, dict[str, Any]]) -> tuple[int, list[str]]:
    return result[0], result[1]["retried"]


def test_one_line_says_it_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a comment on a pull request; without figures where no game says anything."""
    line = run(monkeypatch, tmp_path, Decided(lopsided), *BOUNDS)[1]["line"]
    assert re.fullmatch(
        r"accepted: NEW is stronger than OLD .*; Elo \+\d+\.\d \(.* to .*\) after \d+ games \(\d+/\d+/\d+\)", line
    )
    line = run(monkeypatch, tmp_path, Decided(lopsided), *BOUNDS, bots=("here", "missing"))[1]["line"]
    assert line == f"faulted: NEW was at fault in game compare/r1m1/0/0: start failed: {fake_unit.NO_FILE}"


def void(_unit: Unit) -> NoReturn:
    raise RefereeError("the referee failed")


@pytest.mark.parametrize("error", [None, ZeroDivisionError("a bug")])
def test_our_own_error_is_no_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception | None
) -> None:
    """Exit code 5, even for a bug that nobody thought of: Python's 1 would say rejected."""
    if error is not None:
        monkeypatch.setattr(RunningComparison, "add", lambda *_: (_ for _ in ()).throw(error))
    junit = tmp_path / "junit.xml"
    code, report = run(monkeypatch, tmp_path, void, *BOUNDS, "--junit", junit, "--out", tmp_path / "out")
    assert (5, "error") == (code, report["verdict"])
    assert report["secret"] is None
    assert ElementTree.parse(junit).find(".//testcase/error") is not None
    assert f"finished games are stored in {tmp_path / 'out'}, go on" in capsys.readouterr().err


def interrupt() -> None:
    """Ctrl-C."""
    os.kill(os.getpid(), signal.SIGINT)


def test_going_on_gives_the_same_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupted, and run again with other speed: all but the time it took is as if nothing had happened."""
    whole = run(monkeypatch, tmp_path, Decided(lopsided), *BOUNDS, "--out", tmp_path / "whole")
    out = ("--out", tmp_path / "out", "--unit-deals", 2)
    code, report = run(monkeypatch, tmp_path, Decided(lopsided, None, None, interrupt), *BOUNDS, *out)
    assert (130, "interrupted") == (code, report["verdict"])
    with Store.read(tmp_path / "out") as store:
        stored = store.groups()
    assert 2 <= len(stored) <= 6
    play = Decided(lopsided)
    assert whole[0] == 0
    again = run(monkeypatch, tmp_path, play, *BOUNDS, *out)
    assert whole[1] | {"seconds": 0} == again[1] | {"seconds": 0}
    assert not stored & {("r1m1", task.deal) for unit in play.units for task in unit.games}
    idle = Decided(lopsided)
    assert again[0] == run(monkeypatch, tmp_path, idle, *BOUNDS, *out)[0]
    assert [] == idle.units
    assert main(["verify", str(tmp_path / "out")]) == 1  # who won was made up, and that is noticed


def threads(_spec: Spec) -> Executor:
    """Units that finish in any order."""
    return ThreadPoolExecutor(3)


def test_more_workers_give_the_same_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same seed, to the last digit."""
    reports = [
        run(
            monkeypatch,
            tmp_path,
            Decided(lopsided),
            *BOUNDS,
            "--unit-deals",
            1,
            "--workers",
            workers,
            executor_factory=factory,
        )
        for workers, factory in ((1, one_thread), (3, threads))
    ]
    assert reports[0][1] | {"seconds": 0} == reports[1][1] | {"seconds": 0}


@pytest.mark.parametrize(
    ("begun", "now", "differs"),
    [
        (BOUNDS, ("--elo0", 0, "--elo1", 150), "elo1"),
        (BOUNDS, (*BOUNDS, "--statistic", "boards", "--beta", 0.1), "statistic, beta"),
        ((*BOUNDS, "--max-deals", 5), (*BOUNDS, "--max-deals", 6), "tournament.deals"),
        ((*BOUNDS, "--max-deals", 5), (*BOUNDS, "--max-deals", 5, "--turn-ms", 7), "clock.turn_ms"),
    ],
)
def test_a_test_cannot_be_exchanged_on_the_way(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    begun: tuple[object, ...],
    now: tuple[object, ...],
    differs: str,
) -> None:
    """Whoever goes on goes on with the test that was chosen before the first game."""
    out = ("--out", tmp_path / "out")
    run(monkeypatch, tmp_path, Decided(even, interrupt), *begun, *out)
    capsys.readouterr()
    assert 2 == run(monkeypatch, tmp_path, Decided(even), *now, *out)[0]
    error = capsys.readouterr().err
    assert f"(different: {differs}" in error
    assert 1 == error.count("\n")


def test_a_folder_with_something_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A tournament, a damaged file, a folder that cannot be: one line, and nothing is changed."""
    run_spec(make_spec(tmp_path), tmp_path / "cup")
    (tmp_path / "file").write_text("mine")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / SETTINGS_FILE).write_text("[")
    before = (tmp_path / "cup" / FILE).read_bytes()
    for name, sentence in (
        ("cup", "holds a tournament that is no comparison: choose another folder"),
        ("broken", f"broken/{SETTINGS_FILE}: damaged: it does not say which test was begun here"),
        ("file/out", "cannot be used for results: Not a directory"),
    ):
        assert 2 == run(monkeypatch, tmp_path, Decided(even), "--out", tmp_path / name)[0]
        assert sentence in capsys.readouterr().err
    assert ["tournament.sqlite"] == [path.name for path in (tmp_path / "cup").iterdir()]
    assert before == (tmp_path / "cup" / FILE).read_bytes()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--elo0", 1), "--elo0 and --elo1 belong together"),
        (("--elo0", 3, "--elo1", 2), "--elo0 must be less than elo1"),
        (("--elo0", "nan", "--elo1", 2), "--elo0 must be from -1000 to 1000, not nan"),
        (("--elo0", 3, "--elo1", 4, "--preset", "gain"), "--preset gain stands for --elo0 and --elo1"),
        (("--alpha", 0.5, "--beta", 0.6), "alpha and beta must add up to less than 1"),
        (("--third", "x"), "--third is for a table of three: add --players 3"),
        (("--run", "x"), "--run is for revisions: add --repo DIR"),
        (("--repo", "."), "--repo needs --run COMMAND"),
        (("--repo", ".", "--run", "x", "--executor", "dask://h:1"), "--repo checks out on this machine"),
        (("--junit", "/nowhere/x.xml"), "--junit /nowhere/x.xml: No such file or directory"),
    ],
)
def test_bad_options(capsys: pytest.CaptureFixture[str], options: tuple[object, ...], sentence: str) -> None:
    """One line each, before anything is played."""
    assert 2 == main(["compare", "here", "there", *map(str, options)])
    output = capsys.readouterr()
    assert sentence in output.err
    assert ("", 1) == (output.out, output.err.count("\n"))


def test_the_summary_of_github_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its variable, without an option."""
    summary = tmp_path / "step.md"

    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert 3 == run(monkeypatch, tmp_path, Decided(even), "--max-deals", 2)[0]
    assert summary.read_text().startswith("## arena compare: inconclusive\n")


def test_the_page_names_every_key_of_the_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """These keys and no others, in this order, those of parts included."""
    _, report = run(monkeypatch, tmp_path, Decided(even), "--max-deals", 8, bots=("missing", "here"))
    keys = [*report, *(f"bots[].{key}" for key in report["bots"][0])]
    keys += [f"histogram[].{key}" for key in report["histogram"][0]] + [f"fault.{key}" for key in report["fault"]]
    documented = [code(row[0])[0] for row in rows(sections(COMPARING)["JSON"])]
    assert sorted(keys) == sorted(documented)


def test_a_table_of_three_is_played_in_six_seatings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The third bot is OLD once more, or one of its own."""
    for options, third in (((), "old"), (("--third", "other"), "other")):
        play = Decided(lambda deal, seating: 2)
        three = (*BOUNDS, "--players", 3, *options)
        code, report = run(monkeypatch, tmp_path, play, *three, bots=("old", "new"))
        assert (0, "accepted", 6 * report["groups"]) == (code, report["verdict"], report["games"])
        assert [("OLD", "old"), ("NEW", "new"), ("THIRD", third)] == [(b["name"], b["command"]) for b in report["bots"]]
        assert {
            (b.name, fake_unit.launch_of(play.units[0], i).command) for i, b in enumerate(play.units[0].entrants)
        } == {
            ("OLD", ("old",)),
            ("NEW", ("new",)),
            ("THIRD", (third,)),
        }
        assert 6 == len({task.seating for task in play.units[0].games})


@pytest.mark.parametrize(("result", "finished"), [(even, True), (lopsided, False)])
def test_the_folder_is_a_tournament(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, result: Result, finished: bool
) -> None:
    """One that is finished if the cap was reached; else there are games of the schedule that nobody needed."""
    out = tmp_path / "out"
    options = (*BOUNDS, "--max-deals", 4 if finished else 100, "--unit-deals", 10, "--out", out)
    run(monkeypatch, tmp_path, Decided(result), *options)
    with Store.read(out) as store:
        assert finished == (store.finished is not None)
    assert main(["tournament", "standings", str(out)]) == 0
    assert sorted([FILE, SETTINGS_FILE]) == sorted(path.name for path in out.iterdir())


@pytest.mark.parametrize("statistic", ["wins", "boards"])
def test_the_statistic_is_named_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statistic: str) -> None:
    """A group has five scores by wins, three by boards."""
    _, report = run(monkeypatch, tmp_path, Decided(even), "--max-deals", 3, "--statistic", statistic)
    assert statistic == report["statistic"]
    assert {"wins": 5, "boards": 3}[statistic] == len(report["histogram"])


def test_markdown_holds_any_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bars and backticks do not break the table, nor does a seed of two lines."""
    summary = tmp_path / "summary.md"
    bots = ("a | b `c`", "here\nthere")
    run(monkeypatch, tmp_path, Decided(even), "--max-deals", 2, "--summary", summary, "--seed", "x\ny", bots=bots)
    table = [line for line in summary.read_text().splitlines() if line.startswith("|")]
    assert any("`a \\| b 'c'`" in line for line in table)
    assert any("`here there`" in line for line in table)
    assert any("`x y`" in line for line in table)


class Clock:
    """Seconds, as a test says."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def shown(tmp_path: Path, width: int | None) -> str:
    """What a comparison of three deals shows: one unit every ten seconds."""
    stream, clock, comparison = StringIO(), Clock(), RunningComparison(settings_of(max_deals=400))
    progress = CompareProgress(stream, clock, width, comparison, "quick")
    progress.begin(make_spec(tmp_path), "c0ffee", 0, 800)
    for unit in range(3):
        clock.now += 10
        progress.advance(2)
        assert not progress.enough(comparison.add(group(unit, even(unit, 0), even(unit, 1))))
    progress.note("mind the gap")
    progress.end()
    return stream.getvalue()


def test_progress_as_lines(tmp_path: Path) -> None:
    """The test and its bounds first; then now and then how it stands."""
    first, second, third, *rest = shown(tmp_path, None).splitlines()
    assert (
        "compare: quick: [0, 200] normalized Elo of wins, alpha 0.05, beta 0.05; at most 800 games (400 deals)" == first
    )
    assert "commitment to the deals: sha256 c0ffee" == second
    for part in ("LLR -", "in [-2.94, +2.94], 4 games, 0.2 games/s, about ", "Elo of wins ", "pair correlation n/a"):
        assert part in third
    assert ["note: mind the gap", "cup: 6 games in 0:30, 0.2 games/s"] == rest


def test_progress_on_a_terminal(tmp_path: Path) -> None:
    """Two lines that are drawn over themselves, neither wider than the terminal, and gone at the end."""
    drawn = shown(tmp_path, 60)
    pictures = [part.split("\n\x1b[K") for part in drawn.split("\r\x1b[K")[1:]]
    assert all(len(line.split("\x1b")[0].rstrip("\r")) < 60 for lines in pictures for line in lines[:2])
    assert drawn.count("\x1b[1A") == len(pictures)
    assert drawn.endswith("\r\x1b[Jcup: 6 games in 0:30, 0.2 games/s\n")
