"""Cuts what is missing of a tournament into jobs, and makes of each the unit that a referee plays."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf

from aurum.formats.rounds import Match, TournamentRound
from aurum.processes.launch import Launch, Limits
from aurum.referee.unit import Entrant, GameSettings, GameTask, Unit
from aurum.results.rows import game_id
from aurum.rules import deal_key
from aurum.sandbox.sandbox import Sandbox, sandbox_of
from aurum.schedule.schedule import group_size
from aurum.spec.spec import AUTO, BotEntry, Relaunch, Spec

_PORTIONS = 2
"""A unit is at most one of so many portions of a worker's share of what is left."""
_FILLINGS = 2
"""A unit has at least so many times as many games as are in flight."""


@dataclass(frozen=True)
class Job:
    """Deal groups of one match that are played together."""

    match: Match
    deals: tuple[int, ...]

    @property
    def games(self) -> int:
        """How many games that makes."""
        return len(self.deals) * len(self.match.all_seatings)

    def without(self, deals: Container[int]) -> "Job":
        """The rest of it, where these deals are finished."""
        return Job(self.match, tuple(deal for deal in self.deals if deal not in deals))


def missing_deals(
    rounds: Iterable[TournamentRound], done: Container[tuple[str, int]], share: Container[int] | None = None
) -> dict[Match, list[int]]:
    """The deals that are still to be played, by match, in the order of the schedule; no match without any.

    Args:
        rounds: that can be played now.
        done: finished deal groups, by match and deal.
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
    return {match: deals for match, deals in missing.items() if deals}


def jobs_of(missing: Mapping[Match, Sequence[int]], most: int, least: int, workers: int) -> list[Job]:
    """Cut what is missing into units.

    Towards the end units get smaller, so that no worker is without one for long. Units of a match that are played at
    the same time take its deals in turn, so that deals are finished in about the order of the schedule.

    Args:
        missing: deals by match.
        most: deal groups in a unit.
        least: units get no smaller than that, unless there are not so many deals for each worker.
        workers: so many units are played at the same time.
    """
    left = sum(map(len, missing.values()))
    jobs = []
    for match, deals in missing.items():
        while deals:
            size = unit_size(left, most, least, workers)
            together, deals = deals[: workers * size], deals[workers * size :]
            units = ceil(len(together) / size)
            jobs += [Job(match, tuple(together[unit::units])) for unit in range(units)]
            left -= len(together)
    return jobs


def unit_size(left: int, most: int, least: int, workers: int) -> int:
    """How many deals the next unit of `jobs_of` has, if its match has so many; `left` is at least 1."""
    share = ceil(left / workers)
    return min(most, share if workers == 1 else max(min(share, least), ceil(share / _PORTIONS)))


def unit_counts(deals: int, matches: int, most: int, least: int, workers: int) -> list[int]:
    """Into how many units `jobs_of` cuts each of so many matches, if no deal of theirs has been played."""
    counts = []
    for match in range(matches):
        count, own, rest = 0, deals, (matches - match - 1) * deals
        while own:
            size = unit_size(rest + own, most, least, workers)
            # As long as units have their full size, the next ones need not be looked at one by one.
            full = rest > 0 and unit_size(rest, most, least, workers) == most
            together = own if full else min(own, workers * size)
            count += ceil(together / size)
            own -= together
        counts.append(count)
    return counts


def least_deals(spec: Spec) -> int:
    """Units are not to be smaller: bots would be launched too often, or fewer games be in flight than there may be."""
    if spec.relaunch is Relaunch.UNIT:
        return spec.unit_deals
    return min(spec.unit_deals, ceil(_FILLINGS * spec.most_in_flight / group_size(spec)))


def unit_of(
    spec: Spec,
    secret: bytes,
    job: Job,
    benched: Mapping[str, str],
    run: str,
    most_in_flight: float = inf,
    hidden: tuple[str, ...] = (),
) -> Unit:
    """The job as a referee gets it.

    Args:
        spec, secret: of the tournament.
        job: the job.
        benched: why a bot is not to be launched, by name.
        run: names the run, as no other is named: instances of one run never play in another.
        most_in_flight: games in flight at most, where these are to be fewer than the spec says.
        hidden: what no bot may see, where it runs in a sandbox.
    """
    entries = {bot.name: bot for bot in spec.bots}
    return Unit(
        entrants=tuple(entrant_of(spec, entries[name], hidden) for name in job.match.bots),
        games=tuple(
            GameTask(game_id(spec.name, job.match.id, deal, number), deal, deal_key(secret, deal), seating)
            for deal in job.deals
            for number, seating in enumerate(job.match.all_seatings)
        ),
        settings=settings_of(spec),
        games_in_flight=int(min(spec.most_in_flight, most_in_flight)),
        adaptive=spec.games_in_flight == AUTO,
        limits=limits_of(spec),
        launched_for=_launched_for(spec.relaunch, run, job.match),
        benched={name: benched[name] for name in job.match.bots if name in benched},
    )


def entrant_of(spec: Spec, bot: BotEntry, hidden: tuple[str, ...]) -> Entrant:
    """A bot of the spec as it takes part, and what no bot may see, where it runs in a sandbox."""
    return Entrant(bot.name, Launch(bot.command, str(bot.folder), bot.env, bot_sandbox(spec, bot, hidden)))


def bot_sandbox(spec: Spec, bot: BotEntry, hidden: tuple[str, ...]) -> Sandbox | None:
    """The sandbox of a bot and of its build: the folders of the others are hidden as well."""
    others = {str(other.folder) for other in spec.bots} - {str(bot.folder)}
    return sandbox_of(spec.sandbox, tuple(map(str, bot.reads)), (*sorted(others), *hidden))


def settings_of(spec: Spec) -> GameSettings:
    """How the games of a tournament are played."""
    return GameSettings(spec.ruleset, spec.clock, spec.tolerated_faults, spec.names)


def limits_of(spec: Spec) -> Limits:
    """What each instance may use."""
    return Limits(spec.memory_mb, spec.disk_mb)


def _launched_for(relaunch: Relaunch, run: str, match: Match) -> str:
    return {Relaunch.FAULT: run, Relaunch.MATCH: f"{run} {match.id}", Relaunch.UNIT: ""}[relaunch]
