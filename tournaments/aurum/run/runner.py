"""The run: what is missing -> units -> workers -> the store, until nothing is missing.

It keeps nothing that it could not compute from the spec and the store: killed at any instant and started again, it
plays what is missing and nothing else.
"""

from collections import Counter, deque
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from uuid import uuid4

from aurum.common.texts import counted
from aurum.formats.rounds import TournamentRound
from aurum.records.events import Event
from aurum.referee.unit import RefereeError, TrialOutcome, Unit, UnitOutcome
from aurum.results.game_row import GameRow
from aurum.results.played_unit import PlayedUnit, played_unit
from aurum.run.building import build_bots
from aurum.run.failed_attempts import FailedAttempts
from aurum.run.hidden import hidden_places
from aurum.run.in_flight import Submit, UnitsInFlight
from aurum.run.interrupts import on_interrupt
from aurum.run.lateness import Lateness
from aurum.run.progress import Progress
from aurum.run.silence import Silence, WorkerStoppedError
from aurum.run.trial import Trial, refusal
from aurum.schedule.jobs import Job, jobs_of, least_deals, missing_deals, unit_of
from aurum.schedule.schedule import rounds_ready
from aurum.schedule.shards import Shard, game_total, share
from aurum.spec.spec import AUTO, Spec
from aurum.store.locking import claimed
from aurum.store.store import Store
from aurum.workers.channel import play_sending
from aurum.workers.site import THIS_MACHINE, Site
from aurum.workers.worker import Heartbeat, Message, UnitPart, play_unit, try_out

LOG = "referee-errors.log"


def run_tournament(
    spec: Spec,
    folder: Path,
    *,
    progress: Progress,
    play: Callable[..., UnitOutcome] = play_unit,
    site: Site = THIS_MACHINE,
    listener: Callable[[Event], None] | None = None,
    enough: Callable[[Sequence[GameRow]], bool] | None = None,
    shard: Shard | None = None,
    until_round: int | None = None,
    play_without: Callable[[Collection[str]], bool] = lambda bots: False,
    try_out: Callable[..., TrialOutcome] = try_out,
) -> None:
    """Play a tournament, or what is missing of it, into the store in `folder`.

    Args:
        spec: the tournament.
        folder: for its results; made if need be.
        progress: shows how it goes.
        play: plays a unit, as `play_unit` does; runs in a worker, so it must be picklable.
        site: where units are played.
        listener: is called with the events of all games while they are played: those of a game in order, and all of
            them before its unit is stored. It is called in the run's own thread, which waits for it; what it raises
            ends the run and is raised here. A unit that came to nothing is played again, so its games begin anew.
            Without a listener no events are made.
        enough: is given the games that were stored before, then others once they are stored, always whole deal
            groups; True ends the run at once: what is being played is void, and what is missing stays so.
        shard: the part of the tournament that is played here; without it, all of it.
        until_round: the last round that is played now; without it, all of them.
        play_without: whether to play though these bots, at least one, cannot start; they forfeit their games.
        try_out: tries a bot, as `worker.try_out` does; runs in a worker.

    Raises:
        CannotPlayError: bots that are needed cannot start; no game was played.
        UserError: the folder cannot be used, or holds something else, or a bot cannot be built, or the workers cannot
            play here, or not in a sandbox as is required.
        Interrupted: the user ended the run.
        RunError: a deal group came to nothing ATTEMPTS times.
    """
    part = None if shard is None else share(spec, shard)  # what cannot be divided leaves no folder behind
    shortages = site.shortages(spec)
    with claimed(folder), Store.write(folder, spec, shard) as store:
        done, total = store.game_count(), game_total(spec, shard)
        progress.begin(spec, store.commitment, done, total)
        if enough is not None and enough(store.games()):
            return
        hidden = hidden_places(spec, folder)
        if done < total:
            for sentence in (*shortages, *spec.format.warnings(spec)):
                progress.note(sentence)
            build_bots(spec, progress, hidden)
        run = _Run(spec, store, progress, FailedAttempts(folder / LOG), play, site, hidden, listener, enough)
        if done == total:
            store.finish()
            return
        with on_interrupt(run.interrupt):
            complete = run.play(part, until_round, try_out, play_without)
            run.say_games_in_flight()
            if store.game_count() == total or (complete and until_round is None):
                store.finish()
                return
            store.settle()
            if complete:
                progress.say(f"round {until_round} is stored; more are to be played")


class _Enough(Exception):  # noqa: N818 - an event, not an error
    """The caller needs no further game."""


class _Run:
    """Plays jobs and stores them; knows which failed before, and what the organiser was notified of."""

    def __init__(
        self,
        spec: Spec,
        store: Store,
        progress: Progress,
        failed: FailedAttempts,
        play: Callable[..., UnitOutcome],
        site: Site,
        hidden: tuple[str, ...],
        listener: Callable[[Event], None] | None,
        enough: Callable[[Sequence[GameRow]], bool] | None,
    ) -> None:
        self._spec = spec
        self._store = store
        self._progress = progress
        self._failed = failed
        self._play_unit = play
        self._site = site
        self._hidden = hidden
        self._listener = listener
        self._enough = enough
        self._stored: set[int] = set()
        """The deals that are stored of the units in flight."""
        self._rounds_to_come: dict[int, TournamentRound] = {}
        """By number, the rounds of which this run has played nothing yet."""
        self._late: set[int] = set()
        """The deals of the units in flight that are void since the referee was late."""
        self._lateness = Lateness(spec.clock.turn_ms, spec.most_in_flight)
        self._waiting: Counter[str] = Counter()
        """By unit in flight, the games that are over and wait for others of their deal group."""
        self._games_in_flight = 0
        """The most that were in flight at the end of a unit."""
        self._name = uuid4().hex
        self._health = store.health()
        self._health.begin_run()
        self._noted = set(self._health.notes())
        self._silence = Silence(site.silent_after)
        self._trial = Trial(spec, progress.tick, hidden)
        self._in_flight = UnitsInFlight[Job, UnitOutcome](self._unit_of, self._tick, self._receive)

    def say_games_in_flight(self) -> None:
        """Say what the referees decided, if that was left to them."""
        if self._spec.games_in_flight == AUTO and self._games_in_flight:
            self._progress.say(f"each worker played up to {counted(self._games_in_flight, 'game')} at a time")

    def interrupt(self) -> None:
        """Make `play` raise Interrupted; may be called in a signal handler."""
        self._trial.interrupt()
        self._in_flight.interrupt()

    def _missing(self, part: Container[int] | None, until_round: int | None) -> deque[Job]:
        """What can be played now. A Swiss round is paired when the one before is stored."""
        spec, store = self._spec, self._store
        rounds = rounds_ready(spec, store.secret, store.totals(), until_round)
        store.schedule(rounds)
        missing = missing_deals(rounds, store.groups(), part)
        self._rounds_to_come = {drawn.number: drawn for drawn in rounds}
        return deque(jobs_of(missing, spec.unit_deals, least_deals(spec), self._worker_count()))

    def play(
        self,
        part: Container[int] | None,
        until_round: int | None,
        try_out: Callable[..., TrialOutcome],
        play_without: Callable[[Collection[str]], bool],
    ) -> bool:
        """Play and store what is missing, until nothing is; False if before that the caller has had enough.

        Before it, those who are to play are tried, and those that cannot start are benched.
        """
        tried = False
        while True:
            try:
                with self._workers() as (executor, submit):
                    while jobs := self._missing(part, until_round):
                        if not tried:
                            tried = True  # also if a worker dies of it
                            self._try_bots(jobs, partial(executor.submit, try_out), play_without)
                        self._play(submit, jobs)
            except BrokenExecutor as error:  # a worker was killed or stopped, by the system or by hand
                self._fail_in_flight(error)
            except _Enough:
                return False
            else:
                return True

    @contextmanager
    def _workers(self) -> Iterator[tuple[Executor, Submit[UnitOutcome]]]:
        """Workers of the site, and what has them play a unit; they send events if there is a listener."""
        play = self._play_unit if self._listener is None else partial(self._play_unit, with_events=True)
        with self._site.channel(self._in_flight.receive) as channel, self._site.workers(self._spec) as executor:
            yield executor, partial(executor.submit, partial(play_sending, play, channel))

    def _try_bots(
        self, jobs: Sequence[Job], submit: Submit[TrialOutcome], play_without: Callable[[Collection[str]], bool]
    ) -> None:
        """Bench those that are to play and cannot start, and say who is at fault at its first turns.

        Raises CannotPlayError if it is not to be played without those that cannot start.
        """
        begins = not self._store.game_count()
        playing = {name for job in jobs for name in job.match.bots}
        bots = [bot for bot in self._spec.bots if bot.name in playing or (begins and bot.from_round == 1)]
        outcomes = self._trial.outcomes(bots, submit, self._most_in_flight)
        absent = {bot for bot, outcome in outcomes.items() if outcome.cannot_start}
        if absent and not play_without(absent):
            raise refusal(self._spec, outcomes)
        for bot, outcome in outcomes.items():
            if outcome.cannot_start:
                self._health.bench(bot, f"it cannot start ({outcome.cannot_start}); it forfeits its games")
            elif outcome.fault:
                self._progress.note(
                    f"{bot} was at fault at its first turns, in a game that does not count: {outcome.fault}"
                )
        self._note_health()

    def _play(self, submit: Submit[UnitOutcome], jobs: deque[Job]) -> None:
        for job, unit, future in self._in_flight.play(submit, jobs, self._most_in_flight):
            error: Exception | None = None
            try:
                played = played_unit(unit, future.result())
            except Exception as failure:
                error = failure
            else:
                self._games_in_flight = max(self._games_in_flight, future.result().games_in_flight)
                self._keep(played)
            self._end(unit)
            rest = job.without(self._stored)
            failed = rest.without(self._late)
            self._stored.difference_update(job.deals)
            self._late.difference_update(job.deals)
            if failed.deals:
                self._failed.add(failed, error or RefereeError(f"no games came of the deals {failed.deals}"))
            if rest.deals:
                jobs.appendleft(rest)

    def _tick(self) -> None:
        self._progress.tick()
        # Units are taken in order: as many as there are workers are being played.
        self._silence.tick([unit.id for unit in self._in_flight.units[: self._worker_count()]])

    def _receive(self, message: Message) -> None:
        if isinstance(message, Heartbeat | UnitPart):
            self._silence.heard(message.unit)
        if isinstance(message, Heartbeat):
            return
        if isinstance(message, UnitPart):
            unit = next((unit for unit in self._in_flight.units if unit.id == message.unit), None)
            if unit is None:  # of a worker that is gone
                return
            self._waiting[unit.id] = message.outcome.waiting
            self._progress.waiting(self._waiting.total())
            if message.outcome.records:
                self._keep(played_unit(unit, message.outcome))
        elif self._listener is not None:
            self._listener(message)

    def _unit_of(self, job: Job) -> Unit:
        drawn = self._rounds_to_come.pop(job.match.round, None)
        if drawn is not None:
            self._progress.round_begins(self._spec.format.round_title(self._spec, drawn.number), drawn)
        most = self._lateness.games_in_flight(self._worker_count())
        return unit_of(self._spec, self._store.secret, job, self._health.benched, self._name, most, self._hidden)

    def _worker_count(self) -> int:
        return self._site.worker_count(self._spec)

    def _most_in_flight(self) -> int:
        count = self._worker_count()
        limit = self._lateness.workers(count)
        return limit if limit < count else count + 1  # so that no worker waits while we store

    def _end(self, unit: Unit) -> None:
        self._waiting.pop(unit.id, None)
        self._progress.waiting(self._waiting.total())

    def _keep(self, played: PlayedUnit) -> None:
        """Store what has come of a unit, but for the deal groups in which the referee itself was late: they are void.

        Raises:
            RunError: it was late too often.
            _Enough: the caller needs no further game.
        """
        if played.games:
            played = played.without(self._stored)  # workers of a cluster may have played some of it twice
            if not played.games:
                return
        late = {game.row.deal for game in played.games if game.row.delayed}
        played = played.without(late)
        self._store.add(played)
        self._stored.update(game.row.deal for game in played.games)
        self._progress.advance(len(played.games))
        self._health.add(played.report)
        self._note_health()
        if late:
            self._late |= late
            if change := self._lateness.add(late, played.report.referee_delay_ms, self._worker_count()):
                self._progress.note(change)
        if self._enough is not None and self._enough([game.row for game in played.games]):
            raise _Enough

    def _note_health(self) -> None:
        """Tell the organiser what is new in how the bots' processes and the machine behave."""
        notes = self._health.notes()
        for key in notes.keys() - self._noted:
            self._progress.note(notes[key])
        self._noted |= notes.keys()

    def _fail_in_flight(self, error: BrokenExecutor) -> None:
        """Nobody knows which unit killed its worker: each one in flight has failed once."""
        jobs = [job.without(self._stored) for job in self._in_flight.abandon()]
        self._stored.clear()
        self._late.clear()
        self._waiting.clear()
        why = str(error) if isinstance(error, WorkerStoppedError) else "a worker process died"
        self._progress.note(f"{why}; {counted(len(jobs), 'unit')} will be played again")
        for job in jobs:
            self._failed.add(job, error)
