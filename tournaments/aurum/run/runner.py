"""The run: schedule -> units -> workers -> store, until nothing is missing.

It keeps nothing that it could not compute from the spec and the store: killed at any instant and started again, it
plays what is missing and nothing else.
"""

import traceback
from collections import Counter, deque
from collections.abc import Callable, Container, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from datetime import UTC, datetime
from pathlib import Path
from queue import Empty, SimpleQueue

from aurum.common.errors import Interrupted, RunError, UserError
from aurum.common.texts import counted
from aurum.referee.unit import Unit, UnitOutcome
from aurum.results.game_row import GameRow
from aurum.results.played_unit import PlayedUnit, played_unit
from aurum.results.process_health import ProcessHealth
from aurum.run.building import build_bots
from aurum.run.interrupts import on_interrupt
from aurum.run.progress import Progress
from aurum.run.worker import play_unit
from aurum.run.workers import THIS_MACHINE, Site
from aurum.schedule.jobs import Job, missing_jobs, unit_of
from aurum.schedule.schedule import rounds_ready
from aurum.schedule.shards import Shard, game_total, share
from aurum.spec.spec import Spec
from aurum.store.locking import claimed
from aurum.store.store import Store

ATTEMPTS = 3
"""How often a deal group is tried before the run gives up on it."""

LOG = "referee-errors.log"

_TICK_S = 1.0


def run_tournament(
    spec: Spec,
    folder: Path,
    *,
    progress: Progress,
    play: Callable[[Unit], UnitOutcome] = play_unit,
    site: Site = THIS_MACHINE,
    enough: Callable[[Sequence[GameRow]], bool] | None = None,
    shard: Shard | None = None,
    until_round: int | None = None,
) -> None:
    """Play a tournament, or what is missing of it, into the store in `folder`.

    Args:
        spec: the tournament.
        folder: for its results; made if need be.
        progress: is told how it goes.
        play: plays a unit; runs in a worker, so it must be picklable.
        site: where units are played.
        enough: is given the games that were stored before, then those of each unit once they are stored; True ends
            the run at once: what is being played is void, and what is missing stays so.
        shard: the part of the tournament that is played here; without it, all of it.
        until_round: the last round that is played now; without it, all of them.

    Raises:
        UserError: the folder cannot be used, or holds something else, or a bot cannot be built, or the workers cannot
            play here.
        Interrupted: the user ended the run.
        RunError: a deal group came to nothing ATTEMPTS times.
    """
    part = None if shard is None else share(spec, shard)
    with claimed(folder), Store.write(folder, spec, shard) as store:
        done, total = store.game_count(), game_total(spec, shard)
        progress.begin(spec, store.commitment, done, total)
        if enough is not None and enough(store.games()):
            return
        if done < total:
            build_bots(spec, progress)
        run = _Run(spec, store, folder / LOG, progress, play, site.worker_count, enough, part, until_round)
        with on_interrupt(run.interrupt):
            while True:
                try:
                    with site.workers(spec) as executor:
                        while jobs := run.missing():
                            run.play_all(executor, jobs)
                    break
                except BrokenExecutor as error:  # a worker was killed, by the system or by hand
                    run.void_flying(error)
                except _Enough:
                    if store.game_count() < total:
                        store.settle()
                        return
                    break
            if until_round is None or store.game_count() == total:
                store.finish()
            else:
                store.settle()
                progress.say(f"round {until_round} is stored; more are to be played")


class _Enough(Exception):  # noqa: N818 - an event, not an error
    """The caller needs no further game."""


class _Run:
    """The state of one run: what is being played, and what has come of it before."""

    def __init__(
        self,
        spec: Spec,
        store: Store,
        log: Path,
        progress: Progress,
        play: Callable[[Unit], UnitOutcome],
        lanes: Callable[[Spec], int],
        enough: Callable[[Sequence[GameRow]], bool] | None,
        share: Container[int] | None,
        until_round: int | None,
    ) -> None:
        self._spec = spec
        self._store = store
        self._log = log
        self._progress = progress
        self._play = play
        self._enough = enough
        self._lanes = lanes
        self._share = share
        self._until_round = until_round
        self._health = ProcessHealth(spec.clock.turn_ms, store.units())
        self._said = set(self._health.notes())
        for bot, why in self._health.benched.items():
            progress.note(f"{bot} is benched: {why}")
        self._failures: Counter[tuple[str, int]] = Counter()
        self._flying: dict[Future[UnitOutcome], tuple[Job, Unit]] = {}
        # None stands for an interruption: put() of a SimpleQueue is safe inside a signal handler.
        self._events: SimpleQueue[Future[UnitOutcome] | None] = SimpleQueue()

    def interrupt(self) -> None:
        """End the run at its next step."""
        self._events.put(None)

    def missing(self) -> list[Job]:
        """What can be played now. A Swiss round is paired when the one before is stored."""
        rounds = rounds_ready(self._spec, self._store.secret, self._store.games())
        if self._until_round is not None:
            rounds = [round_ for round_ in rounds if round_.number <= self._until_round]
        self._store.schedule(rounds)
        return missing_jobs(rounds, self._store.groups(), self._spec.unit_deals, self._lanes(self._spec), self._share)

    def play_all(self, executor: Executor, jobs: list[Job]) -> None:
        """Play these jobs, store what comes of them."""
        waiting = deque(jobs)
        while waiting or self._flying:
            # One more than there are lanes, so that none waits for us to store.
            while waiting and len(self._flying) <= self._lanes(self._spec):
                self._submit(executor, waiting.popleft())
            future = self._next_event()
            job, unit = self._flying[future]
            try:
                outcome = played_unit(unit, future.result())
            except (BrokenExecutor, UserError):
                raise
            except Exception as error:
                self._fail(job, error)
                waiting.appendleft(job)
            else:
                self._keep(outcome)
            del self._flying[future]

    def void_flying(self, error: BrokenExecutor) -> None:
        """Nobody knows which unit killed its worker: each one under way has failed once."""
        jobs = [job for job, _ in self._flying.values()]
        self._flying.clear()
        self._progress.note(f"a worker process died; {counted(len(jobs), 'unit')} will be played again")
        for job in jobs:
            self._fail(job, error)

    def _submit(self, executor: Executor, job: Job) -> None:
        unit = unit_of(self._spec, self._store.secret, job, self._health.benched)
        future = executor.submit(self._play, unit)
        self._flying[future] = job, unit
        future.add_done_callback(self._events.put)

    def _next_event(self) -> Future[UnitOutcome]:
        while True:
            try:
                event = self._events.get(timeout=_TICK_S)
            except Empty:
                self._progress.tick()
                continue
            if event is None:
                raise Interrupted
            if event in self._flying:  # or it is of workers that are gone
                return event

    def _keep(self, outcome: PlayedUnit) -> None:
        self._store.add(outcome)
        self._progress.advance(len(outcome.games))
        self._health.add(outcome.report)
        notes = self._health.notes()
        for key in notes.keys() - self._said:
            self._progress.note(notes[key])
        self._said |= notes.keys()
        if self._enough is not None and self._enough([game.row for game in outcome.games]):
            raise _Enough

    def _fail(self, job: Job, error: BaseException) -> None:
        """Note that a job came to nothing; at the last attempt give up."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._log.open("a", encoding="utf-8") as log:
            log.write(f"{now} {job.match.id}, deals {job.deals}\n{''.join(traceback.format_exception(error))}\n")
        groups = [(job.match.id, deal) for deal in job.deals]
        self._failures.update(groups)
        attempts = max(self._failures[group] for group in groups)
        if attempts >= ATTEMPTS:
            raise RunError(
                f"{job.match.id} ({' - '.join(job.match.bots)}): {counted(job.games, 'game')} came to nothing "
                f"{attempts} times, by no bot's fault: see {self._log}; all other finished games are stored"
            ) from error
