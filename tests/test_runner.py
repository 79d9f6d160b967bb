"""The runner: everything is played once, whatever dies, fails or interrupts in between."""

import multiprocessing
import os
import signal
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from math import ceil
from pathlib import Path
from random import Random
from typing import Any, NoReturn

import fake_unit
import pytest
from aurum.common.errors import Interrupted, RunError, UserError
from aurum.formats.rounds import Match, TournamentRound
from aurum.referee.unit import RefereeError, TrialOutcome, Unit, UnitOutcome
from aurum.results.game_row import GameRow
from aurum.rules import deal_key
from aurum.run.interrupts import on_interrupt
from aurum.run.runner import LOG
from aurum.run.silence import Silence, WorkerStoppedError
from aurum.run.trial import CannotPlayError
from aurum.schedule.jobs import jobs_of, missing_deals, unit_counts
from aurum.spec.spec import Spec
from aurum.store.locking import claimed
from aurum.store.store import Store
from aurum.v1.record_pb2 import GameRecord
from aurum.workers.local import LocalWorkers
from aurum.workers.site import Site
from aurum.workers.worker import Heartbeat, Send, UnitPart
from hypothesis import given
from hypothesis import strategies as st
from tournament_runs import content, direct_channel, make_spec, run


class Play:
    """Plays units in this process and remembers them; `then` may do something instead, by number of the call."""

    def __init__(self, *then: Any) -> None:
        self.units: list[Unit] = []
        self._then = dict(enumerate(then, 1))

    def __call__(self, unit: Unit) -> UnitOutcome:
        self.units.append(unit)
        act = self._then.get(len(self.units))
        if act is not None:
            act()
        return fake_unit.play(unit)

    @property
    def ids(self) -> list[str]:
        """Every game that was asked for."""
        return [task.id for unit in self.units for task in unit.games]


def void() -> NoReturn:
    """What a bug in the referee looks like."""
    raise RefereeError("the referee failed: KeyError: 'seat'")


def broken() -> None:
    """What the runner sees when a worker was killed."""
    raise BrokenProcessPool("a worker was killed")


def interrupt() -> None:
    """Ctrl-C, and until the main thread has heard it."""
    os.kill(os.getpid(), signal.SIGINT)
    while signal.getsignal(signal.SIGINT) is not signal.SIG_DFL:  # what `on_interrupt` makes of it
        time.sleep(0.001)


def terminate() -> None:
    """What a service manager does."""
    os.kill(os.getpid(), signal.SIGTERM)


def test_every_game_is_played_once(tmp_path: Path) -> None:
    """Three bots, four deals a match, two seatings: 24 games, each with its id, its deal's key, its seats."""
    spec = make_spec(tmp_path, "abc")
    play = Play()
    diary = run(spec, tmp_path / "out", play=play)
    with Store.read(tmp_path / "out") as store:
        records = [GameRecord.FromString(record) for _, record in store.records()]
        matches = [match for round_ in store.rounds() for match in round_.matches]
        assert store.finished is not None
        assert [record.deal_key for record in records] == [deal_key(store.secret, record.deal) for record in records]
        assert diary.begun == [(store.commitment, 0, 24)]
    assert [record.id for record in records] == [
        f"cup/{match.id}/{deal}/{seating}"
        for match in matches
        for deal in range(match.first_deal, match.first_deal + 4)
        for seating in range(2)
    ]
    assert sorted(play.ids) == sorted(record.id for record in records)
    assert [tuple(seat.bot for seat in record.seats) for record in records[:2]] == [
        (*matches[0].bots, *matches[0].bots),
        (*matches[0].bots[::-1], *matches[0].bots[::-1]),
    ]
    assert sum(diary.advances) == 24


@pytest.mark.parametrize(("relaunch", "launches"), [("fault", 1), ("match", 3), ("unit", 0)])
def test_instances_play_as_long_as_the_spec_says(tmp_path: Path, relaunch: str, launches: int) -> None:
    """Units of a run, or of a match of it, say the same of what instances are launched for; never those of two runs."""
    spec, found = make_spec(tmp_path, "abc", run={"unit_deals": 1, "relaunch": relaunch}), []
    for out in ("one", "other"):
        play = Play()
        run(spec, tmp_path / out, play=play)
        by_match: dict[str, set[str]] = {}
        for unit in play.units:
            by_match.setdefault(unit.games[0].id.split("/")[1], set()).add(unit.launched_for)
        assert [1, 1, 1] == [*map(len, by_match.values())]
        found.append(set().union(*by_match.values()))
    assert [launches, launches] == [len(launched_for - {""}) for launched_for in found]
    assert {""} >= found[0] & found[1]


def test_swiss_rounds_wait_for_each_other(tmp_path: Path) -> None:
    """No unit of a round is asked for before all of the round before are stored."""
    spec = make_spec(tmp_path, "abcd", tournament={"format": "swiss", "rounds": 2, "deals": 2}, run={"unit_deals": 1})
    out = tmp_path / "out"
    seen: list[tuple[int, int]] = []

    def play(unit: Unit) -> UnitOutcome:
        with Store.read(out) as store:
            seen.append((int(unit.games[0].id.split("/")[1][1]), store.game_count()))
        return fake_unit.play(unit)

    assert run(spec, out, play=play).begun[0][2] == 16
    assert [number for number, _ in seen] == [1] * 4 + [2] * 4
    assert all(count >= 8 for number, count in seen if number == 2)


def test_going_on_plays_what_is_missing(tmp_path: Path) -> None:
    """Interrupted after some units and run again: the second run asks for the rest only; all is as if nothing was."""
    spec = make_spec(tmp_path, "abc")
    run(spec, tmp_path / "whole")
    first, second = Play(None, None, interrupt), Play()
    with pytest.raises(Interrupted):
        run(spec, tmp_path / "out", play=first)
    with Store.read(tmp_path / "out") as store:
        stored = {id_ for id_, _ in store.records()}
    assert len(stored) in {8, 12}  # the third unit may have come in just before its signal was heard
    diary = run(spec, tmp_path / "out", play=second)
    assert sorted([*stored, *second.ids]) == sorted(set(first.ids) | set(second.ids))
    assert diary.begun[0][1:] == (len(stored), 24)
    assert content(tmp_path / "out") == content(tmp_path / "whole")


def test_a_finished_tournament_stays(tmp_path: Path) -> None:
    """Running it once more plays nothing and changes nothing of its content."""
    spec, out = make_spec(tmp_path), tmp_path / "out"
    run(spec, out)
    before = content(out)
    play = Play()
    assert run(spec, out, play=play).begun[0][1:] == (8, 8)
    assert play.units == []
    assert content(out) == before


def test_a_run_ends_when_the_caller_has_enough(tmp_path: Path) -> None:
    """Asked at each stored unit, and first of what was stored before; then nothing more is played, all else stays."""
    spec, out = make_spec(tmp_path, run={"unit_deals": 1}), tmp_path / "out"
    asked: list[list[int]] = []

    def enough(rows: Sequence[GameRow]) -> bool:
        asked.append([row.deal for row in rows])
        return len(asked) > 2

    run(spec, out, enough=enough)
    assert asked == [[], [0, 0], [1, 1]]
    play = Play()
    run(spec, out, play=play, enough=enough)
    assert (asked[3:], play.units) == ([[0, 0, 1, 1]], [])
    with Store.read(out) as store:
        assert (store.game_count(), store.finished) == (4, None)
    run(spec, out)
    run(spec, tmp_path / "whole")
    assert content(out) == content(tmp_path / "whole")


@pytest.mark.process
def test_workers_end_when_the_caller_has_enough(tmp_path: Path) -> None:
    """Units that are under way are not waited for."""
    spec = make_spec(tmp_path, run={"workers": 2, "unit_deals": 1})
    run(spec, tmp_path / "out", play=hang_after_deal_0, site=Site(two_processes), enough=bool)
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("act", [interrupt, terminate])
def test_signals_end_the_run_between_two_steps(tmp_path: Path, act: Any) -> None:
    """Ctrl-C and SIGTERM are told as Interrupted, and handlers are put back."""
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with pytest.raises(Interrupted):
        run(make_spec(tmp_path), tmp_path / "out", play=Play(act))
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_a_second_ctrl_c_is_not_caught() -> None:
    """The first is told; the next ends the process, as if nobody listened."""
    told: list[bool] = []
    with on_interrupt(lambda: told.append(True)):
        interrupt()
        assert (told, signal.getsignal(signal.SIGINT)) == ([True], signal.SIG_DFL)


def test_what_is_ignored_stays_ignored() -> None:
    """Under nohup, closing the terminal ends nothing."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with on_interrupt(lambda: pytest.fail("was told")):
            os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_run_in_another_thread(tmp_path: Path) -> None:
    """Signals belong to the main thread; the rest works in any."""
    with ThreadPoolExecutor(1) as thread:
        assert sum(thread.submit(run, make_spec(tmp_path), tmp_path / "out").result().advances) == 8


def test_a_void_unit_is_played_again(tmp_path: Path) -> None:
    """The referee's own mistake costs nobody a game, and is written to the log."""
    spec = make_spec(tmp_path)
    play = Play(void, void)
    run(spec, tmp_path / "out", play=play)
    run(spec, tmp_path / "whole")
    assert content(tmp_path / "out") == content(tmp_path / "whole")
    assert [len(unit.games) for unit in play.units] == [4] * 4
    assert (tmp_path / "out" / LOG).read_text().count("RefereeError: the referee failed: KeyError: 'seat'") == 2


def test_records_of_other_games_are_a_void_unit(tmp_path: Path) -> None:
    """What comes back must be what was asked for."""
    calls: list[Unit] = []

    def play(unit: Unit) -> UnitOutcome:
        calls.append(unit)
        outcome = fake_unit.play(unit)
        return replace(outcome, records=outcome.records[::-1]) if len(calls) == 1 else outcome

    run(make_spec(tmp_path), tmp_path / "out", play=play)
    assert len(calls) == 3
    assert "asked for the games ['cup/r1m1/0/0'" in (tmp_path / "out" / LOG).read_text()


def test_a_unit_that_stays_void_ends_the_run(tmp_path: Path) -> None:
    """After three attempts the run ends, names the log, and what was finished is stored."""

    def play(unit: Unit) -> UnitOutcome:
        return void() if unit.games[0].deal == 2 else fake_unit.play(unit)

    spec = make_spec(tmp_path, run={"unit_deals": 1})
    with pytest.raises(RunError, match=f"r1m1 .* 2 games came to nothing 3 times.*see .*{LOG}"):
        run(spec, tmp_path / "out", play=play)
    with Store.read(tmp_path / "out") as store:
        assert store.game_count() == 6
        assert store.finished is None
    run(spec, tmp_path / "out")
    run(spec, tmp_path / "whole")
    assert content(tmp_path / "out") == content(tmp_path / "whole")


def parts_of(unit: Unit) -> list[UnitPart]:
    """What comes of each deal group, in order."""
    deals = sorted({task.deal for task in unit.games})
    alone = [replace(unit, games=tuple(task for task in unit.games if task.deal == deal)) for deal in deals]
    return [UnitPart(unit.id, fake_unit.play(part)) for part in alone]


def test_deal_groups_are_stored_as_they_come(tmp_path: Path) -> None:
    """While the rest of their unit is played; games that are over but wait for others are counted, to be shown."""
    spec, seen = make_spec(tmp_path, run={"unit_deals": 4}), []

    def play(unit: Unit, send: Send) -> UnitOutcome:
        *parts, last = parts_of(unit)
        for part in parts:
            send(UnitPart(unit.id, UnitOutcome((), (), 0, waiting=1)))
            send(part)
        return last.outcome

    def enough(games: Sequence[GameRow]) -> bool:
        seen.append(sorted((game.deal, game.seating) for game in games))
        return False

    diary = run(spec, tmp_path / "out", play=play, enough=enough)
    assert seen == [[], *([(deal, 0), (deal, 1)] for deal in range(4))]
    assert diary.advances == [2, 2, 2, 2]
    assert diary.waited == [1, 0, 1, 0, 1, 0, 0]
    run(spec, tmp_path / "whole")
    assert content(tmp_path / "out") == content(tmp_path / "whole")


def test_what_a_unit_has_sent_before_it_failed_is_not_played_again(tmp_path: Path) -> None:
    """Only the rest is."""
    spec, asked = make_spec(tmp_path, run={"unit_deals": 4}), []

    def play(unit: Unit, send: Send) -> UnitOutcome:
        asked.append(sorted({task.deal for task in unit.games}))
        if len(asked) == 1:
            send(parts_of(unit)[2])
            raise RefereeError("a bug")
        return fake_unit.play(unit)

    run(spec, tmp_path / "out", play=play)
    assert asked == [[0, 1, 2, 3], [0, 1, 3]]
    run(spec, tmp_path / "whole")
    assert content(tmp_path / "out") == content(tmp_path / "whole")


def test_what_comes_twice_is_taken_once_and_what_is_of_no_unit_in_flight_is_dropped(tmp_path: Path) -> None:
    """A cluster plays a unit again whose worker is lost, and what that had sent may arrive all the same."""
    spec = make_spec(tmp_path, run={"unit_deals": 4})

    def play(unit: Unit, send: Send) -> UnitOutcome:
        first, second, *_ = parts_of(unit)
        for part in (first, first, second, replace(parts_of(unit)[3], unit="another")):
            send(part)
        return fake_unit.play(unit)

    diary = run(spec, tmp_path / "out", play=play)
    assert diary.advances == [2, 2, 4]
    run(spec, tmp_path / "whole")
    assert content(tmp_path / "out") == content(tmp_path / "whole")


def test_a_unit_that_lacks_a_deal_group_has_failed_with_it(tmp_path: Path) -> None:
    """It is played again, and after three attempts the run says so."""

    def play(unit: Unit) -> UnitOutcome:
        return parts_of(unit)[0].outcome

    with pytest.raises(RunError, match="came to nothing 3 times"):
        run(make_spec(tmp_path, run={"unit_deals": 4}, tournament={"deals": 6}), tmp_path / "out", play=play)
    assert "no games came of the deals" in (tmp_path / "out" / LOG).read_text(encoding="utf-8")


class Breakable(ThreadPoolExecutor):
    """Counts how many were made."""

    made = 0

    def __init__(self, _spec: Spec) -> None:
        super().__init__(1)
        Breakable.made += 1


BREAKABLE = Site(Breakable, channel=direct_channel)


def test_dead_workers_are_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a worker was killed, new ones play what it had, and it is said."""
    monkeypatch.setattr(Breakable, "made", 0)
    spec = make_spec(tmp_path)
    diary = run(spec, tmp_path / "out", play=Play(None, broken), site=BREAKABLE)
    run(spec, tmp_path / "whole")
    assert content(tmp_path / "out") == content(tmp_path / "whole")
    assert Breakable.made == 2
    assert any("a worker process died" in note for note in diary.notes)


def test_workers_that_keep_dying_end_the_run(tmp_path: Path) -> None:
    """A unit that kills its worker every time is given up."""
    with pytest.raises(RunError, match="came to nothing 3 times"):
        run(make_spec(tmp_path), tmp_path / "out", play=Play(*[broken] * 9), site=BREAKABLE)


def test_a_bot_that_never_starts_is_benched(tmp_path: Path) -> None:
    """Four instances fail in its first unit; the second benches it, said so once, and others play on."""
    spec = make_spec(tmp_path, "aX", run={"unit_deals": 1})
    play = Play()
    diary = run(spec, tmp_path / "out", play=play)
    assert len(diary.notes) == 1
    assert diary.notes[0] == (
        "X is benched: it failed to start 5 times in a row (exited with code 127: no such file: missing); "
        "it forfeits the rest of its games"
    )
    benched = [{bot.name: bot.name in unit.benched for bot in unit.entrants} for unit in play.units]
    assert benched[0] == {"a": False, "X": False}
    assert benched[-1] == {"a": False, "X": True}
    rows, _ = content(tmp_path / "out")
    assert {row.bots[side] for row in rows for side in row.forfeited} == {"X"}
    assert all(row.placing[row.bots.index("a")] == 1 for row in rows)


def test_a_bot_that_was_benched_is_tried_again_by_the_next_run(tmp_path: Path) -> None:
    """It may have been mended meanwhile."""
    spec, play = make_spec(tmp_path, "aX", run={"unit_deals": 1}, tournament={"deals": 6}), Play()

    def enough(games: Sequence[GameRow]) -> bool:
        return len(play.units) > 3

    assert "X is benched" in run(spec, tmp_path / "out", play=play, enough=enough).notes[0]
    benched = len(play.units)
    assert "X" in play.units[-1].benched
    run(spec, tmp_path / "out", play=play)
    assert not play.units[benched].benched


@pytest.mark.parametrize("absent", [0, 1, 2])
def test_bots_that_cannot_start_are_told_before_the_first_game(tmp_path: Path, absent: int) -> None:
    """Each is tried twice; more of them than are allowed end the run, or else they are benched at once."""
    spec, tries, play = make_spec(tmp_path, "abXY"), Counter[str](), Play()

    def try_out(unit: Unit) -> TrialOutcome:
        (entrant,) = unit.entrants
        tries[entrant.name] += 1
        if entrant.name in "XY" or (entrant.name == "b" and tries["b"] == 1):
            return TrialOutcome(cannot_start="exited with code 127")
        return TrialOutcome(fault="timeout: late" if entrant.name == "a" else "")

    options = {"play": play, "try_out": try_out, "play_without": lambda bots: len(bots) <= absent}
    if absent < 2:
        sentence = (
            "2 of 4 bots cannot start: X exited with code 127; Y exited with code 127; "
            "1 of 4 bots at fault at the first turns: a: timeout: late: mend that"
        )
        with pytest.raises(CannotPlayError, match=sentence):
            run(spec, tmp_path / "out", **options)
        assert not play.units
    else:
        notes = run(spec, tmp_path / "out", **options).notes
        reason = "it cannot start (exited with code 127); it forfeits its games"
        assert sorted(notes) == [
            f"X is benched: {reason}",
            f"Y is benched: {reason}",
            "a was at fault at its first turns, in a game that does not count: timeout: late",
        ]
        for unit in play.units:
            assert {entrant.name for entrant in unit.entrants} & {"X", "Y"} == unit.benched.keys()
    assert tries == {"a": 1, "b": 2, "X": 2, "Y": 2}


def test_only_those_who_are_to_play_are_tried(tmp_path: Path) -> None:
    """At the start also who has a bye; later, who has left may be gone. What is finished needs nobody."""
    spec = make_spec(tmp_path, "abc", tournament={"format": "swiss", "rounds": 1})
    tried: list[str] = []

    def try_out(unit: Unit) -> TrialOutcome:
        tried.append(unit.entrants[0].name)
        return TrialOutcome()

    run(spec, tmp_path / "out", try_out=try_out, enough=lambda games: bool(games))
    assert sorted(tried) == ["a", "b", "c"]
    tried.clear()
    run(spec, tmp_path / "out", try_out=try_out)
    assert len(tried) == 2
    tried.clear()
    run(spec, tmp_path / "out", try_out=try_out)
    assert not tried


def test_only_failures_in_a_row_bench(tmp_path: Path) -> None:
    """A bot that comes up in between is launched for ever."""
    lame = iter(range(100))

    def play(unit: Unit) -> UnitOutcome:
        outcome = fake_unit.play(unit)
        fails = int(next(lame) % 2 == 0)
        return replace(outcome, instances=tuple(replace(i, start_failures=fails) for i in outcome.instances))

    spec = make_spec(tmp_path, tournament={"deals": 8}, run={"unit_deals": 1})
    assert run(spec, tmp_path / "out", play=play).notes == []


def test_the_organiser_is_warned(tmp_path: Path) -> None:
    """Starved bots, a late referee, stray answers, a version that changed: each said once, not at each unit."""
    versions = iter("122223")
    late_once = [True]

    def play(unit: Unit) -> UnitOutcome:
        outcome = fake_unit.play(unit)
        record = GameRecord.FromString(outcome.records[0])
        record.delayed = bool(late_once)
        late_once.clear()
        record.seats[0].version = next(versions)
        late = tuple(replace(instance, wait_s=1.5, unsolicited=2) for instance in outcome.instances)
        return replace(
            outcome,
            records=(record.SerializeToString(), *outcome.records[1:]),
            instances=late,
            referee_delay_ms=321,
        )

    notes = run(make_spec(tmp_path, run={"unit_deals": 1}), tmp_path / "out", play=play).notes
    assert sorted(notes) == [
        "a changed its version while the tournament ran: 1, 1.0",
        "a sent 8 answers that matched no open turn",
        "b sent 8 answers that matched no open turn",
        "bots were starved of CPU (b waited 150 ms for a processor at each turn of 1000 ms): "
        "lower workers or games_in_flight",
        "the referee itself was late in 1 game, by up to 321 ms: they are void and played again",
    ]


def play_late(unit: Unit, *deals: int) -> UnitOutcome:
    """Without bots; in the second game of these deals the referee was late."""
    outcome = fake_unit.play(unit)
    records = [GameRecord.FromString(record) for record in outcome.records]
    for record in records[1::2]:
        record.delayed = record.deal in deals
    return replace(outcome, records=tuple(record.SerializeToString() for record in records), referee_delay_ms=400)


def test_games_in_which_the_referee_was_late_are_played_again(tmp_path: Path) -> None:
    """Whole deal groups, and no others; nothing has failed, and nothing late is stored."""
    spec, asked = make_spec(tmp_path, run={"unit_deals": 4}), []

    def play(unit: Unit) -> UnitOutcome:
        asked.append(sorted({task.deal for task in unit.games}))
        return play_late(unit, *([1, 3] if len(asked) == 1 else []))

    diary = run(spec, tmp_path / "out", play=play)
    assert asked == [[0, 1, 2, 3], [1, 3]]
    assert diary.advances == [4, 4]
    assert diary.notes == ["the referee itself was late in 2 games, by up to 400 ms: they are void and played again"]
    assert not (tmp_path / "out" / LOG).exists()
    with Store.read(tmp_path / "out") as store:
        assert not any(game.delayed for game in store.games())
    run(spec, tmp_path / "whole")
    assert content(tmp_path / "out") == content(tmp_path / "whole")


def test_a_machine_that_cannot_keep_time_plays_less_at_a_time(tmp_path: Path) -> None:
    """Fewer workers first, then fewer games in flight; each step is said once, with its reason."""
    spec = make_spec(tmp_path, tournament={"deals": 1}, run={"workers": 2, "games_in_flight": 4})
    asked: list[int] = []

    def play(unit: Unit) -> UnitOutcome:
        asked.append(unit.games_in_flight)
        return play_late(unit, *([0] if unit.games_in_flight > 1 else []))

    diary = run(spec, tmp_path / "out", play=play)
    assert asked == [4, 4, 4, 4, 2, 2, 1]
    begin = "this machine cannot keep time (the referee was late by up to 400 ms): from now on 1 worker will play, "
    assert [note.removeprefix(begin) for note in diary.notes if note.startswith(begin)] == [
        "4 games at a time each",
        "2 games at a time each",
        "1 game at a time each",
    ]
    assert sum(diary.advances) == 2


def test_a_machine_that_never_keeps_time_ends_the_run(tmp_path: Path) -> None:
    """It says so, blames nobody, and keeps what is finished."""
    with pytest.raises(RunError, match="the referee itself was late 5 times in the same game, by up to 400 ms"):
        run(make_spec(tmp_path), tmp_path / "out", play=lambda unit: play_late(unit, 3))
    with Store.read(tmp_path / "out") as store:
        assert store.game_count() == 6


def test_two_runs_on_one_folder(tmp_path: Path) -> None:
    """The second is refused while the first is there, and welcome when it is gone."""
    spec = make_spec(tmp_path)
    with claimed(tmp_path / "out"), pytest.raises(UserError, match="another run is playing into this folder"):
        run(spec, tmp_path / "out")
    run(spec, tmp_path / "out")


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    """A path through a file is one line, not a trace."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(UserError, match=r"file/out: cannot be used for results: Not a directory"):
        run(make_spec(tmp_path), tmp_path / "file" / "out")
    assert (tmp_path / "file").read_text() == "x"


@given(
    st.lists(st.tuples(st.integers(1, 60), st.floats(0, 1)), min_size=1, max_size=6),
    st.integers(1, 20),
    st.integers(1, 20),
    st.integers(1, 5),
    st.randoms(use_true_random=False),
)
def test_units_are_of_what_is_missing_and_get_smaller_towards_the_end(
    matches: list[tuple[int, float]], most: int, least: int, workers: int, chance: Random
) -> None:
    """Each missing deal is in one unit. Whoever waits in vain for a unit waits for no longer than a small one takes."""
    played, first = [], 0
    done = set()
    for number, (deals, share) in enumerate(matches):
        played.append(Match(f"r1m{number}", 1, ("a", "b"), first, deals))
        done |= {(f"r1m{number}", first + deal) for deal in range(deals) if chance.random() < share}
        first += deals
    missing = missing_deals([TournamentRound(1, tuple(played), ())], done)
    assert {(match.id, deal) for match, left in missing.items() for deal in left}.isdisjoint(done)
    assert sum(map(len, missing.values())) + len(done) == first
    jobs = jobs_of(missing, most, min(least, most), workers)
    for match, left in missing.items():
        assert sorted(deal for job in jobs if job.match == match for deal in job.deals) == left
    rest = sum(map(len, missing.values()))
    for job in jobs:
        size = len(job.deals)
        begun = rest + (workers - 1) * size  # what was left when the units of the same time were cut, at most
        portion = ceil(begun / (2 * workers)) if workers > 1 else begun
        assert 1 <= size <= min(most, max(least, portion))
        rest -= size


def test_units_that_are_played_at_the_same_time_take_deals_in_turn() -> None:
    """So that deals are finished in about the order of the schedule, whichever worker plays them."""
    missing = missing_deals([TournamentRound(1, (Match("r1m1", 1, ("a", "b"), 0, 16),), ())], set())
    assert [job.deals for job in jobs_of(missing, 100, 1, 2)] == [
        (0, 2, 4, 6),
        (1, 3, 5, 7),
        (8, 10),
        (9, 11),
        (12,),
        (13,),
        (14,),
        (15,),
    ]
    assert [job.deals for job in jobs_of(missing, 100, 1, 1)] == [tuple(range(16))]


@given(st.integers(1, 200), st.integers(1, 6), st.integers(1, 40), st.integers(1, 40), st.integers(1, 5))
def test_units_can_be_counted_without_making_them(
    deals: int, matches: int, most: int, least: int, workers: int
) -> None:
    """For estimates of tournaments of any size."""
    played = tuple(Match(f"r1m{number}", 1, ("a", "b"), number * deals, deals) for number in range(matches))
    jobs = jobs_of(missing_deals([TournamentRound(1, played, ())], set()), most, least, workers)
    counts = [sum(job.match == match for job in jobs) for match in played]
    assert counts == unit_counts(deals, matches, most, least, workers)


def two_processes(_spec: Spec) -> Executor:
    """Real workers, on no core of their own."""
    return LocalWorkers(2, None)


def die_once(unit: Unit) -> UnitOutcome:
    """Kill the worker the first time that deal 2 is asked for; there is a note of it beside the bots."""
    note = Path(fake_unit.launch_of(unit, 0).folder) / "died"
    if any(task.deal == 2 for task in unit.games) and not note.exists():
        note.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return fake_unit.play(unit)


@pytest.mark.process
def test_a_killed_process_costs_nothing(tmp_path: Path) -> None:
    """Real worker processes, one of them killed with SIGKILL: all games are there, no process is left."""
    spec = make_spec(tmp_path, "abc", run={"workers": 2})
    run(spec, tmp_path / "out", play=die_once, site=Site(two_processes))
    run(spec, tmp_path / "whole")
    assert content(tmp_path / "out") == content(tmp_path / "whole")
    assert (tmp_path / "died").exists()
    assert multiprocessing.active_children() == []


def stop_once(unit: Unit, send: Send) -> UnitOutcome:
    """Stop the worker the first time that deal 2 is asked for; there is a note of it beside the bots."""
    send(Heartbeat(unit.id))
    note = Path(fake_unit.launch_of(unit, 0).folder) / "stopped"
    if any(task.deal == 2 for task in unit.games) and not note.exists():
        note.touch()
        os.kill(os.getpid(), signal.SIGSTOP)
    return fake_unit.play(unit)


@pytest.mark.process
def test_a_stopped_process_costs_nothing_but_time(tmp_path: Path) -> None:
    """It is noticed, said, ended and replaced: all games are there, and no process is left."""
    spec = make_spec(tmp_path, "abc", run={"workers": 2})
    diary = run(spec, tmp_path / "out", play=stop_once, site=Site(two_processes, silent_after=2))
    assert any(note.startswith("a worker process has said nothing for 2 s; ") for note in diary.notes)
    run(spec, tmp_path / "whole")
    assert content(tmp_path / "out") == content(tmp_path / "whole")
    assert (tmp_path / "stopped").exists()
    assert multiprocessing.active_children() == []


@pytest.mark.process
def test_a_process_that_is_stopped_with_nothing_to_do_does_not_hold_up_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is killed after a while."""
    monkeypatch.setattr("aurum.workers.local._CLOSING_S", 0.2)
    with LocalWorkers(1, None) as workers:
        os.kill(workers.submit(os.getpid).result(), signal.SIGSTOP)
    assert multiprocessing.active_children() == []


def test_silence_is_counted_while_the_run_itself_runs() -> None:
    """Each word ends it. A unit that has not been heard yet may take longer, one that is not played for ever."""
    silence = Silence(2)
    for _ in range(5):
        silence.heard("a")
        silence.tick(["a", "b"])
        silence.tick(["a", "b"])
    silence.heard("c")
    silence.tick(["c"])
    silence.tick(["c"])
    with pytest.raises(WorkerStoppedError, match="has said nothing for 2 s"):
        silence.tick(["c"])
    for _ in range(60):
        silence.tick(["d"])
    with pytest.raises(WorkerStoppedError, match="has said nothing for 60 s"):
        silence.tick(["d"])
    never = Silence(0)
    for _ in range(100):
        never.tick(["a"])


def interrupt_parent(unit: Unit) -> UnitOutcome:
    """Ctrl-C at the runner, then play for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    assert parent.pid is not None
    os.kill(parent.pid, signal.SIGINT)
    while True:
        signal.pause()


def hang_after_deal_0(unit: Unit) -> UnitOutcome:
    """Play deal 0, and all others for ever."""
    while unit.games[0].deal:
        signal.pause()
    return fake_unit.play(unit)


@pytest.mark.process
def test_ctrl_c_ends_the_workers(tmp_path: Path) -> None:
    """Workers in the middle of a unit do not hold up the end."""
    with pytest.raises(Interrupted):
        run(make_spec(tmp_path), tmp_path / "out", play=interrupt_parent, site=Site(two_processes))
    assert multiprocessing.active_children() == []


@pytest.mark.process
def test_a_worker_for_each_core() -> None:
    """Pinned workers have a core each, none two."""
    available = sorted(os.sched_getaffinity(0))
    with LocalWorkers(len(available), [(core,) for core in available]) as workers:
        seen = Counter(workers.map(own_core, range(8 * len(available))))
    assert set(seen) <= {frozenset([core]) for core in available}


def own_core(_number: int) -> frozenset[int]:
    """The cores that the worker may use."""
    return frozenset(os.sched_getaffinity(0))
