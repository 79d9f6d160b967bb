"""Units in flight: a bounded number at once, each yielded as it ends; the test says when one ends."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path

import pytest
from aurum.common.errors import Interrupted, UserError
from aurum.formats.rounds import Match
from aurum.records.events import Event, MoveMade
from aurum.referee.unit import RefereeError, Unit
from aurum.run import in_flight
from aurum.run.in_flight import UnitsInFlight
from aurum.schedule.jobs import Job, unit_of
from aurum.workers.worker import Message
from hypothesis import given
from hypothesis import strategies as st
from tournament_runs import make_spec

SPEC = make_spec(Path(__file__).parent)


def deal_of(unit: Unit) -> int:
    """What is played here: the deal of a unit of one."""
    return unit.games[0].deal


class Obedient:
    """An executor that plays a unit when it is told to."""

    def __init__(self) -> None:
        self.most = 0
        self.open: dict[int, Callable[[], None]] = {}
        """By deal: what ends the unit well."""
        self.futures: dict[int, Future[int]] = {}

    def submit(self, unit: Unit) -> Future[int]:
        future: Future[int] = Future()
        self.open[deal_of(unit)] = lambda: future.set_result(deal_of(unit))
        self.futures[deal_of(unit)] = future
        self.most = max(self.most, len(self.open))
        return future

    def end(self, deal: int) -> None:
        """The unit of this deal ends well."""
        self.open.pop(deal)()

    def fail(self, deal: int, error: Exception) -> None:
        """The unit of this deal comes to nothing."""
        del self.open[deal]
        self.futures[deal].set_exception(error)


def jobs(count: int) -> deque[Job]:
    """A deal group each, deal 0 first."""
    match = Match("r1m1", 1, ("a", "b"), 0, count, SPEC.seatings)
    return deque(Job(match, (deal,)) for deal in range(count))


def units(on_tick: Callable[[], None]) -> UnitsInFlight[Job, int]:
    """None in flight yet; `on_tick` is where a test decides what ends next."""
    return UnitsInFlight(lambda job: unit_of(SPEC, bytes(32), job, {}, "run"), on_tick)


@pytest.fixture(autouse=True, scope="module")
def no_waiting() -> Iterator[None]:
    """A tick comes as soon as there is nothing else."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(in_flight, "TICK_S", 0)
        yield


@given(st.data(), st.integers(0, 12), st.integers(1, 5))
def test_each_job_is_played_once_with_a_bounded_number_in_flight(data: st.DataObject, count: int, most: int) -> None:
    """Whatever the order in which units end: each is yielded in that order, with its own job, unit and result."""
    executor = Obedient()
    ended: list[int] = []

    def end_some() -> None:
        for deal in data.draw(st.lists(st.sampled_from(sorted(executor.open)), min_size=1, unique=True)):
            executor.end(deal)
            ended.append(deal)

    yielded = list(units(end_some).play(executor.submit, jobs(count), lambda: most))
    assert [(deal,) for deal in ended] == [job.deals for job, _, _ in yielded]
    assert ended == [deal_of(unit) for _, unit, _ in yielded] == [future.result() for _, _, future in yielded]
    assert sorted(ended) == list(range(count))
    assert executor.most == min(most, count)


def test_the_bound_may_change_while_units_are_in_flight() -> None:
    """Workers of a cluster come: more are submitted with the next unit that ends."""
    executor = Obedient()
    bounds = iter([1, 1, 3, 3, 3, 3, 3])
    playing = units(lambda: executor.end(min(executor.open))).play(executor.submit, jobs(5), lambda: next(bounds))
    assert [deal_of(next(playing)[1]), sorted(executor.open)] == [0, []]
    assert [deal_of(next(playing)[1]), sorted(executor.open)] == [1, [2, 3]]


def test_a_job_that_is_put_back_is_played_next() -> None:
    """A unit that came to nothing is yielded like others, and its job may be played once more."""
    executor = Obedient()
    waiting = jobs(3)
    tries: list[int] = []

    def end_one() -> None:
        deal = min(executor.open)
        tries.append(deal)
        if tries.count(1) == 1 and deal == 1:
            executor.fail(deal, RefereeError("a bug"))
        else:
            executor.end(deal)

    for job, _, future in units(end_one).play(executor.submit, waiting, lambda: 1):
        if future.exception() is not None:
            waiting.appendleft(job)
    assert tries == [0, 1, 1, 2]


def test_an_interruption_is_heard_before_the_next_unit_that_ends() -> None:
    """Though one has ended already, and though it came before anything was submitted."""
    executor = Obedient()
    playing = units(lambda: pytest.fail("waited"))
    playing.interrupt()
    with pytest.raises(Interrupted):
        next(playing.play(executor.submit, jobs(2), lambda: 2))
    assert [deal_of(unit) for unit in playing.units] == [0, 1]


def test_a_time_limit_is_heard_while_nothing_ends() -> None:
    """Those that are late are still in flight; units that end are yielded, however late it is."""
    executor = Obedient()
    ticks: list[int] = []

    def end_once() -> None:
        ticks.append(len(ticks))
        if len(ticks) == 1:
            executor.end(1)

    playing = units(end_once)
    found = playing.play(executor.submit, jobs(2), lambda: 2, time_limit=0.0)
    with pytest.raises(TimeoutError):
        next(found)
    assert [deal_of(unit) for unit in playing.units] == [0, 1]
    assert deal_of(next(playing.play(executor.submit, deque(), lambda: 2, time_limit=0.0))[1]) == 1
    assert [deal_of(unit) for unit in playing.units] == [0]


@pytest.mark.parametrize("error", [BrokenExecutor("killed"), UserError("no such folder")])
def test_what_is_the_workers_fault_is_raised(error: Exception) -> None:
    """It concerns all units in flight, which can be abandoned; then what comes of them is ignored."""
    dying, executor = Obedient(), Obedient()
    playing = units(lambda: executor.end(min(executor.open)) if executor.open else dying.fail(1, error))
    with pytest.raises(type(error)):
        next(playing.play(dying.submit, jobs(3), lambda: 3))
    abandoned = playing.abandon()
    assert [job.deals for job in abandoned] == [(0,), (1,), (2,)]
    assert playing.units == []
    dying.end(0)
    dying.fail(2, error)
    assert [0, 1, 2] == [future.result() for _, _, future in playing.play(executor.submit, deque(abandoned), lambda: 3)]


def event(number: int) -> Event:
    """Of a game; the seat tells it from others."""
    return MoveMade("cup/r1m1/0/0", number, None, 0, False)


def test_events_are_passed_on_between_units_in_the_order_they_came() -> None:
    """Before the units that end after them, and in the thread that waits."""
    executor = Obedient()
    log: list[object] = []

    def end_next() -> None:
        for deal in sorted(executor.open):
            for number in range(3):
                playing.receive(event(10 * deal + number))
            executor.end(deal)

    playing: UnitsInFlight[Job, int] = UnitsInFlight(
        lambda job: unit_of(SPEC, bytes(32), job, {}, "run"), end_next, log.append
    )
    for _, unit, _ in playing.play(executor.submit, jobs(2), lambda: 1):
        log.append(deal_of(unit))
    assert log == [event(0), event(1), event(2), 0, event(10), event(11), event(12), 1]


def test_a_stream_of_events_does_not_hold_up_the_ticks() -> None:
    """One event calls for the next, and never is there nothing to do; a tick comes all the same."""
    executor = Obedient()

    def receive_more(_: Message) -> None:
        playing.receive(event(0))

    def end_all() -> None:
        for deal in sorted(executor.open):
            executor.end(deal)

    playing: UnitsInFlight[Job, int] = UnitsInFlight(
        lambda job: unit_of(SPEC, bytes(32), job, {}, "run"), end_all, receive_more
    )
    playing.receive(event(0))
    assert [deal_of(unit) for _, unit, _ in playing.play(executor.submit, jobs(1), lambda: 1)] == [0]
