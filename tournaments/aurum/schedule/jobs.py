"""Cuts what is missing of a tournament into jobs, and makes of each the unit that a referee plays."""

from collections.abc import Collection, Container, Iterable, Mapping
from dataclasses import dataclass
from math import ceil

from aurum.formats.rounds import Match, TournamentRound
from aurum.processes.launch import Launch
from aurum.referee.unit import Entrant, GameSettings, GameTask, Unit
from aurum.results.rows import game_id
from aurum.rules import deal_key
from aurum.spec.spec import Relaunch, Spec


@dataclass(frozen=True)
class Job:
    """Deal groups of one match that are played together."""

    match: Match
    deals: tuple[int, ...]

    @property
    def games(self) -> int:
        """How many games that makes."""
        return len(self.deals) * len(self.match.all_seatings)


def missing_jobs(
    rounds: Iterable[TournamentRound],
    done: Collection[tuple[str, int]],
    most: int,
    lanes: int,
    share: Container[int] | None = None,
) -> list[Job]:
    """Everything that is still to be played, in schedule order.

    Args:
        rounds: that can be played now.
        done: finished deal groups, by match and deal.
        most: deal groups in a unit.
        lanes: units that are played at the same time; near the end units get smaller so that no lane stays idle.
        share: the deals that are to be played at all; without it, all of them.
    """
    missing = {
        match: [
            deal
            for deal in range(match.first_deal, match.first_deal + match.deals)
            if (match.id, deal) not in done and (share is None or deal in share)
        ]
        for round_ in rounds
        for match in round_.matches
    }
    most = min(most, ceil(sum(map(len, missing.values())) / lanes) or 1)
    return [Job(match, deals) for match, left in missing.items() for deals in _even_parts(left, most)]


def _even_parts(deals: list[int], most: int) -> list[tuple[int, ...]]:
    """Parts of nearly one size, none above `most`: 17 by 16 is 9 and 8, not 16 and 1."""
    parts = ceil(len(deals) / most)
    ends = [len(deals) * part // parts for part in range(parts + 1)] if parts else [0]
    return [tuple(deals[ends[part] : ends[part + 1]]) for part in range(parts)]


def unit_of(spec: Spec, secret: bytes, job: Job, benched: Mapping[str, str], run: str) -> Unit:
    """The job as a referee gets it.

    Args:
        spec, secret: of the tournament.
        job: the job.
        benched: why a bot is not to be launched, by name.
        run: names the run, as no other is named: instances of one run never play in another.
    """
    entries = {bot.name: bot for bot in spec.bots}
    return Unit(
        entrants=tuple(
            Entrant(name, Launch(entries[name].command, str(entries[name].folder), entries[name].env))
            for name in job.match.bots
        ),
        games=tuple(
            GameTask(game_id(spec.name, job.match.id, deal, number), deal, deal_key(secret, deal), seating)
            for deal in job.deals
            for number, seating in enumerate(job.match.all_seatings)
        ),
        settings=GameSettings(spec.ruleset, spec.clock, spec.tolerated_faults, spec.names),
        games_in_flight=spec.games_in_flight,
        memory_mb=spec.memory_mb,
        launched_for=_launched_for(spec.relaunch, run, job.match),
        benched={name: benched[name] for name in job.match.bots if name in benched},
    )


def _launched_for(relaunch: Relaunch, run: str, match: Match) -> str:
    return {Relaunch.FAULT: run, Relaunch.MATCH: f"{run} {match.id}", Relaunch.UNIT: ""}[relaunch]
