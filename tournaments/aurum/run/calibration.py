"""How fast a tournament's bots play here: a few units of it, timed and thrown away."""

import time
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from math import ceil
from queue import Empty, SimpleQueue

from aurum.common.errors import Interrupted, RunError, UserError
from aurum.formats.rounds import Match, Round
from aurum.referee.unit import Unit, UnitOutcome
from aurum.results.played_unit import played_unit
from aurum.rules import secret_of_seed
from aurum.run.building import build_bots
from aurum.run.interrupts import on_interrupt
from aurum.run.progress import Progress
from aurum.run.worker import play_unit
from aurum.run.workers import THIS_MACHINE, Site
from aurum.schedule.jobs import Job, unit_of
from aurum.schedule.plan import Costs, Sample, Table
from aurum.schedule.schedule import group_size, sides_of
from aurum.spec.spec import Spec
from aurum.v1.record_pb2 import GameRecord

_SECRET = secret_of_seed("arena tournament plan")
"""Of deals that no tournament plays: a bot that keeps a diary learns nothing."""

_TICK_S = 1.0
_PATIENCE = 3
"""The first unit of each table may take so many times as long as everything was meant to."""


def calibrate(
    spec: Spec,
    ready: Sequence[Round],
    seconds: float,
    *,
    progress: Progress,
    site: Site = THIS_MACHINE,
) -> list[Sample]:
    """Play deal groups with the spec's bots, clock and workers, at least one with every bot; store nothing.

    Args:
        spec: the tournament.
        ready: its rounds before any result; tables are tried that it has, as far as they are known.
        seconds: how long to play, about; building and the first deal group of each table may take longer.
        progress: is told what is being done.
        site: where units are played.

    Raises:
        UserError: a bot cannot be built, or some table has not finished a first deal group in good time.
        Interrupted: the user ended it.
        RunError: the referee itself failed.
    """
    build_bots(spec, progress)
    tables = tables_to_try(spec, ready)
    lanes = site.worker_count(spec)
    copies = ceil(lanes / len(tables))  # what all workers play at once is slower than what one does
    progress.say(f"calibrating for about {seconds:.0f} s: {', '.join(' - '.join(table) for table in tables)}")
    end = time.monotonic() + seconds
    limit = time.monotonic() + max(_PATIENCE * seconds, seconds + spec.clock.setup_ms / 1000)
    try:
        with site.workers(spec) as executor:
            trial = _Trial(spec, executor, progress)
            with on_interrupt(trial.interrupt):
                probe = min(spec.unit_deals, ceil(spec.games_in_flight / group_size(spec)))
                samples = trial.play([(table, probe) for table in tables] * copies, limit)
                probes = len(samples)
                while sizes := sizes_for(Costs(samples), tables, copies, lanes * (end - time.monotonic()), spec):
                    samples += trial.play(sizes * copies, None)
    except BrokenExecutor as error:
        raise RunError("a worker process died, by no bot's fault; nothing was stored") from error
    # The first launches and games warm everything up: they are for tables of which there is nothing else.
    later = {tuple(sorted(sample.bots)) for sample in samples[probes:]}
    return [sample for sample in samples[:probes] if tuple(sorted(sample.bots)) not in later] + samples[probes:]


def tables_to_try(spec: Spec, ready: Sequence[Round]) -> list[Table]:
    """The first tables of the schedule in which every bot occurs; who has none yet sits with others of the field."""
    names = [bot.name for bot in spec.bots]
    found: list[Table] = []
    seen: set[str] = set()
    for match in (match for drawn in ready for match in drawn.matches):
        if not seen.issuperset(match.bots):
            found.append(match.bots)
            seen.update(match.bots)
    sides = sides_of(spec)
    while missing := [name for name in names if name not in seen]:
        table = tuple([*missing, *(name for name in names if name in seen)][:sides])
        found.append(table)
        seen.update(table)
    return found


def sizes_for(costs: Costs, tables: Sequence[Table], copies: int, left: float, spec: Spec) -> list[tuple[Table, int]]:
    """How many deal groups of each table to play in the lane seconds left, up to a whole unit of each.

    Empty if there is no time for one of each.
    """
    share = left / (len(tables) * copies)
    sizes = []
    for pace in map(costs.of, tables):
        groups = int((share - pace.launch) / pace.group) if pace.group else spec.unit_deals
        if groups < 1:
            return []
        sizes.append((pace.bots, min(groups, spec.unit_deals)))
    return sizes


class _Trial:
    """Units played for their time."""

    def __init__(self, spec: Spec, executor: Executor, progress: Progress) -> None:
        self._spec = spec
        self._executor = executor
        self._progress = progress
        self._deals = 0
        # None stands for an interruption: put() of a SimpleQueue is safe inside a signal handler.
        self._events: SimpleQueue[Future[tuple[UnitOutcome, float]] | None] = SimpleQueue()

    def interrupt(self) -> None:
        """End it at its next step."""
        self._events.put(None)

    def play(self, sizes: Sequence[tuple[Table, int]], limit: float | None) -> list[Sample]:
        """Play so many deal groups of each table, a unit each. `limit` is a time of the monotonic clock."""
        flying: dict[Future[tuple[UnitOutcome, float]], Unit] = {}
        for table, groups in sizes:
            match = Match("plan", 1, table, self._deals, groups, self._spec.seatings)
            self._deals += groups
            job = Job(match, tuple(range(match.first_deal, match.first_deal + groups)))
            unit = unit_of(self._spec, _SECRET, job, {})
            future = self._executor.submit(play_timed, unit)
            flying[future] = unit
            future.add_done_callback(self._events.put)
        samples = []
        while flying:
            future = self._next(flying, limit)
            samples.append(_sample(flying[future], *self._result(future)))
            del flying[future]
        return sorted(samples, key=lambda sample: sample.rows[0].deal)

    def _next(
        self, flying: dict[Future[tuple[UnitOutcome, float]], Unit], limit: float | None
    ) -> Future[tuple[UnitOutcome, float]]:
        while True:
            try:
                event = self._events.get(timeout=_TICK_S)
            except Empty:
                self._progress.tick()
                if limit is not None and time.monotonic() > limit:
                    named = "; ".join(sorted({" - ".join(bot.name for bot in unit.bots) for unit in flying.values()}))
                    raise UserError(
                        f"{self._spec.source}: the first deals of these tables take too long to tell anything: "
                        f"{named}: give more --calibrate-seconds, or see whether the bots start (`arena check`)"
                    ) from None
                continue
            if event is None:
                raise Interrupted("interrupted; a plan stores nothing")
            return event

    def _result(self, future: Future[tuple[UnitOutcome, float]]) -> tuple[UnitOutcome, float]:
        try:
            return future.result()
        except BrokenExecutor:
            raise
        except Exception as error:
            raise RunError(f"the referee failed, by no bot's fault: {error}; nothing was stored") from error


def play_timed(unit: Unit) -> tuple[UnitOutcome, float]:
    """Play a unit in this process, and say how many seconds it took from launching its bots to their end."""
    begun = time.monotonic()
    return play_unit(unit), time.monotonic() - begun


def _sample(unit: Unit, played: UnitOutcome, seconds: float) -> Sample:
    outcome = played_unit(unit, played)
    records = [GameRecord.FromString(game.record) for game in outcome.games]
    begun = min(record.started.ToNanoseconds() for record in records)
    ended = max(record.started.ToNanoseconds() + record.elapsed.ToNanoseconds() for record in records)
    playing = min((ended - begun) / 1e9, seconds)
    return Sample(
        tuple(bot.name for bot in unit.bots), seconds - playing, playing, tuple(game.row for game in outcome.games)
    )
