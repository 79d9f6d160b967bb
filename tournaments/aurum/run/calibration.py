"""Measures how fast a tournament's bots play here: plays a few of its units, times them and stores nothing."""

import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import replace
from math import ceil

from aurum.common.errors import Interrupted, RunError, UserError
from aurum.formats.rounds import Match, TournamentRound
from aurum.referee.unit import Unit, UnitOutcome
from aurum.results.played_unit import played_unit
from aurum.rules import secret_of_seed
from aurum.run.building import build_bots
from aurum.run.hidden import hidden_places
from aurum.run.in_flight import UnitsInFlight
from aurum.run.interrupts import on_interrupt
from aurum.run.progress import WorkProgress
from aurum.schedule.jobs import Job, unit_of
from aurum.schedule.plan import Costs, Pairing, Sample
from aurum.schedule.schedule import group_size
from aurum.spec.spec import Relaunch, Spec
from aurum.v1.record_pb2 import GameRecord
from aurum.workers.site import THIS_MACHINE, Site
from aurum.workers.worker import play_unit

_SECRET = secret_of_seed("arena tournament plan")
"""Of deals that no tournament plays: a bot that keeps a diary learns nothing."""

_PATIENCE = 3
"""The first unit of each pairing may take so many times as long as the whole calibration was meant to."""


def calibrate(
    spec: Spec,
    ready: Sequence[TournamentRound],
    seconds: float,
    *,
    progress: WorkProgress,
    site: Site = THIS_MACHINE,
) -> list[Sample]:
    """Play deal groups with the spec's bots, clock and workers, at least one with every bot; store nothing.

    Args:
        spec: the tournament.
        ready: its rounds before any result; pairings of these are tried, as far as they are known.
        seconds: how long to play, about; building and the first deal group of each pairing may take longer.
        progress: shows what is being done.
        site: where units are played.

    Raises:
        UserError: a bot cannot be built, or some pairing has not finished a first deal group in good time.
        Interrupted: the user ended it.
        RunError: the referee itself failed.
    """
    spec = replace(spec, relaunch=Relaunch.UNIT)  # so that every unit shows what a launch takes
    hidden = hidden_places(spec)
    for sentence in site.shortages(spec):
        progress.note(sentence)
    build_bots(spec, progress, hidden)
    pairings = pairings_to_try(spec, ready)
    workers = site.worker_count(spec)
    copies = ceil(workers / len(pairings))  # what all workers play at once is slower than what one does
    progress.say(f"calibrating for about {seconds:.0f} s: {', '.join(' - '.join(pairing) for pairing in pairings)}")
    end = time.monotonic() + seconds
    limit = time.monotonic() + max(_PATIENCE * seconds, seconds + spec.clock.setup_ms / 1000)
    try:
        with site.workers(spec) as executor:
            trial = _Trial(spec, executor, progress, hidden)
            with on_interrupt(trial.in_flight.interrupt):
                probe = min(spec.unit_deals, ceil(spec.most_in_flight / group_size(spec)))
                samples = trial.play([(pairing, probe) for pairing in pairings] * copies, limit)
                probes = len(samples)
                while sizes := sizes_for(Costs(samples), pairings, copies, workers * (end - time.monotonic()), spec):
                    samples += trial.play(sizes * copies)
    except BrokenExecutor as error:
        raise RunError("a worker process died, by no bot's fault; nothing was stored") from error
    # The first launches and games warm everything up: they count only for pairings that were not played again.
    again = {tuple(sorted(sample.bots)) for sample in samples[probes:]}
    return [sample for sample in samples[:probes] if tuple(sorted(sample.bots)) not in again] + samples[probes:]


def pairings_to_try(spec: Spec, ready: Sequence[TournamentRound]) -> list[Pairing]:
    """The first pairings of the schedule in which every bot occurs; bots that are not paired yet meet others."""
    names = [bot.name for bot in spec.bots]
    found: list[Pairing] = []
    seen: set[str] = set()
    for match in (match for drawn in ready for match in drawn.matches):
        if not seen.issuperset(match.bots):
            found.append(match.bots)
            seen.update(match.bots)
    sides = spec.side_count
    while missing := [name for name in names if name not in seen]:
        pairing = tuple([*missing, *(name for name in names if name in seen)][:sides])
        found.append(pairing)
        seen.update(pairing)
    return found


def sizes_for(
    costs: Costs, pairings: Sequence[Pairing], copies: int, left: float, spec: Spec
) -> list[tuple[Pairing, int]]:
    """How many deal groups of each pairing to play next in the worker seconds left, up to a whole unit of each.

    They take half of that time, if it is enough for two: so what follows is sized by what has just been measured, and
    a machine that gets busy meanwhile does not make it all much longer. Empty if there is no time for one of each.
    """
    share = left / (len(pairings) * copies)
    if all(share >= 2 * (pace.launch + pace.group) for pace in map(costs.of, pairings)):
        share /= 2
    sizes = []
    for pace in map(costs.of, pairings):
        groups = int((share - pace.launch) / pace.group) if pace.group else spec.unit_deals
        if groups < 1:
            return []
        sizes.append((pace.bots, min(groups, spec.unit_deals)))
    return sizes


class _Trial:
    """Units played for their time."""

    def __init__(self, spec: Spec, executor: Executor, progress: WorkProgress, hidden: tuple[str, ...]) -> None:
        self._spec = spec
        self._executor = executor
        self._progress = progress
        self._deals = 0
        self.in_flight: UnitsInFlight[Job, tuple[UnitOutcome, float]] = UnitsInFlight(
            lambda job: unit_of(spec, _SECRET, job, {}, "plan", hidden=hidden), progress.tick
        )

    def play(self, sizes: Sequence[tuple[Pairing, int]], time_limit: float = float("inf")) -> list[Sample]:
        """Play so many deal groups of each pairing, a unit each; `time_limit` is a time of the monotonic clock."""
        jobs = deque(self._job(pairing, groups) for pairing, groups in sizes)
        samples = []
        try:
            for _, unit, future in self.in_flight.play(self._submit, jobs, lambda: len(sizes), time_limit):
                try:
                    outcome, seconds = future.result()
                    samples.append(_sample(unit, outcome, seconds))
                    self._progress.advance(len(outcome.records))
                except Exception as error:
                    raise RunError(f"the referee failed, by no bot's fault: {error}; nothing was stored") from error
        except Interrupted:
            raise Interrupted("interrupted; a plan stores nothing") from None
        except TimeoutError:
            late = sorted({" - ".join(bot.name for bot in unit.entrants) for unit in self.in_flight.units})
            raise UserError(
                f"{self._spec.source}: the first deals of these pairings take too long for an estimate: "
                f"{'; '.join(late)}: give more --calibrate-seconds, or see whether the bots start (`arena check`)"
            ) from None
        return sorted(samples, key=lambda sample: sample.rows[0].deal)

    def _submit(self, unit: Unit) -> Future[tuple[UnitOutcome, float]]:
        return self._executor.submit(play_timed, unit)

    def _job(self, pairing: Pairing, groups: int) -> Job:
        match = Match("plan", 1, pairing, self._deals, groups, self._spec.seatings)
        self._deals += groups
        return Job(match, tuple(range(match.first_deal, match.first_deal + groups)))


def play_timed(unit: Unit) -> tuple[UnitOutcome, float]:
    """Play a unit in this process, and say how many seconds it took from launching its bots to their end."""
    begun = time.monotonic()
    return play_unit(unit), time.monotonic() - begun


def _sample(unit: Unit, outcome: UnitOutcome, seconds: float) -> Sample:
    played = played_unit(unit, outcome)
    records = [GameRecord.FromString(game.record) for game in played.games]
    begun = min(record.started.ToNanoseconds() for record in records)
    ended = max(record.started.ToNanoseconds() + record.elapsed.ToNanoseconds() for record in records)
    playing = min((ended - begun) / 1e9, seconds)
    return Sample(
        tuple(bot.name for bot in unit.entrants), seconds - playing, playing, tuple(game.row for game in played.games)
    )
