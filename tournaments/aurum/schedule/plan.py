"""Computes how many deals fit into a time, from the spec and from what a few units took.

Costs are counted in *worker seconds*: seconds of one worker and of the bots that play with it. A launch of the bots has
its cost, and each deal group what its bots take. What a pairing takes that was not tried is added up from its bots:
each has its own time, and an equal share of what the referee adds. The time of a whole tournament is Graham's bound for
list scheduling, which holds for every order of the units, so a plan errs on the side of too few deals.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from statistics import fmean
from typing import Any

from aurum.formats.match_points import halves_of
from aurum.formats.rounds import TournamentRound
from aurum.results.game_row import GameRow
from aurum.schedule.jobs import least_deals, unit_counts, unit_size
from aurum.schedule.schedule import group_size
from aurum.spec.spec import MOST_DEALS, Relaunch, Spec
from aurum.statistics.elo import ELO, NORMAL_95

_PRIOR_GROUPS = 8
"""How many deal groups of independent games without draws are added to those measured, of which there may be few."""

Pairing = tuple[str, ...]
"""The bots of a match."""


@dataclass(frozen=True)
class Sample:
    """A unit that was played: `launch` and `playing` are worker seconds, `rows` its games."""

    bots: Pairing
    launch: float
    playing: float
    rows: tuple[GameRow, ...]

    @property
    def groups(self) -> int:
        """Deal groups played."""
        return len({row.deal for row in self.rows})


@dataclass(frozen=True)
class Pace:
    """What a pairing takes, in worker seconds: to launch its bots once, and to play a deal group."""

    bots: Pairing
    launch: float
    group: float


class Costs:
    """Every pairing's pace, estimated from samples in which every bot occurs."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        tried: defaultdict[Pairing, list[Sample]] = defaultdict(list)
        for sample in samples:
            tried[tuple(sorted(sample.bots))].append(sample)
        self.tried = [
            Pace(
                bots,
                fmean(sample.launch for sample in found),
                math.fsum(sample.playing for sample in found) / sum(sample.groups for sample in found),
            )
            for bots, found in sorted(tried.items())
        ]
        self._by_pairing = {pace.bots: pace for pace in self.tried}
        launches: defaultdict[str, list[float]] = defaultdict(list)
        shares: defaultdict[str, list[float]] = defaultdict(list)
        for pace in self.tried:
            for bot, share in _shares(pace, tried[pace.bots]).items():
                launches[bot].append(pace.launch)
                shares[bot].append(share)
        self._launch = {bot: fmean(found) for bot, found in sorted(launches.items())}
        self._share = {bot: fmean(found) for bot, found in sorted(shares.items())}

    def of(self, bots: Pairing) -> Pace:
        """The pace of a pairing, tried or not."""
        bots = tuple(sorted(bots))
        return self._by_pairing.get(bots) or Pace(
            bots, fmean(self._launch[bot] for bot in bots), math.fsum(self._share[bot] for bot in bots)
        )

    def typical(self, sides: int) -> Pace:
        """The pace of a pairing that nobody knows yet."""
        return Pace((), fmean(self._launch.values()), sides * fmean(self._share.values()))


def _shares(pace: Pace, samples: Sequence[Sample]) -> dict[str, float]:
    """What each bot of a pairing adds to the time of a deal group.

    With many games in flight the times of the bots overlap: then they are cut down to what passed, in proportion.
    """
    used: Counter[str] = Counter(dict.fromkeys(pace.bots, 0))
    for row in (row for sample in samples for row in sample.rows):
        used.update(dict(zip(row.bots, row.time_us, strict=True)))
    groups = sum(sample.groups for sample in samples)
    own = {bot: used[bot] / 1e6 / groups for bot in pace.bots}
    total = math.fsum(own.values())
    overlap = max(1.0, total / pace.group) if pace.group else 1.0
    rest = max(0.0, pace.group - total) / len(pace.bots)
    return {bot: time / overlap + rest for bot, time in own.items()}


def pairings_in_turn(spec: Spec, ready: Sequence[TournamentRound]) -> list[list[Pairing | None]]:
    """The pairings of the whole tournament in lists, each played when the one before is; None if not known yet.

    Args:
        spec: the tournament.
        ready: its rounds before any result (`schedule.rounds_ready`).
    """
    known: list[list[Pairing | None]] = [[match.bots for match in drawn.matches] for drawn in ready]
    if not spec.format.waits:
        return [[pairing for pairings in known for pairing in pairings]]
    return known + [[None] * count for count in spec.format.matches_to_come(spec, ready)]


def seconds_for(
    in_turn: Sequence[Sequence[Pairing | None]],
    deals: int,
    costs: Costs,
    sides: int,
    unit_deals: int,
    least: int,
    workers: int,
    relaunch: Relaunch,
) -> float:
    """How long these pairings (`pairings_in_turn`) take at most, with so many deals in each match.

    Units are cut by `jobs_of`, with at most `unit_deals` and at least `least` deals. Bots are launched for each unit,
    or once for a match by each worker that plays some of it, as the spec has it; that one match may go on with the
    instances of another is left out.

    Each list takes at most its worker seconds shared out, and all but a share of its longest unit while the other
    workers have nothing left to do.
    """
    passed = []
    for pairings in in_turn:
        paces = [costs.of(pairing) if pairing else costs.typical(sides) for pairing in pairings]
        units = unit_counts(deals, len(paces), unit_deals, least, workers)
        launches = units if relaunch is Relaunch.UNIT else [min(count, workers) for count in units]
        work = math.fsum(count * pace.launch + deals * pace.group for count, pace in zip(launches, paces, strict=True))
        size = min(deals, unit_size(deals * len(paces) or 1, unit_deals, least, workers))
        longest = max((pace.launch + size * pace.group for pace in paces), default=0.0)
        passed.append(work / workers + (1 - 1 / workers) * longest)
    return math.fsum(passed)


@dataclass(frozen=True)
class Plan:
    """What fits.

    Fields:
        deals: in each match; 0 if not even one fits.
        matches, games: of the whole tournament, with `deals`, or with 1 if that is 0.
        minutes: what those games take, at most.
        error: half of the 95 % interval of a bot's Elo, roughly: of a bot that plays as many deal groups as the
            average one, against bots of its strength.
        games_per_second: while everything plays, launching left out.
        workers, games_in_flight: how it is played.
        tried: the pace of each pairing that was tried.
        calibration_games: what that rests on.
        faults: of the bots in those games, by bot.
    """

    deals: int
    matches: int
    games: int
    minutes: float
    error: float
    games_per_second: float
    workers: int
    games_in_flight: int
    tried: tuple[Pace, ...]
    calibration_games: int
    faults: Mapping[str, int]


def plan(spec: Spec, ready: Sequence[TournamentRound], samples: Sequence[Sample], minutes: float, workers: int) -> Plan:
    """The plan for so many minutes.

    Args:
        spec: the tournament; its `deals` are not looked at.
        ready: its rounds before any result.
        samples: units that were played, every bot in one of them at least.
        minutes: the time there is.
        workers: so many units are played at the same time.
    """
    costs, sides, size = Costs(samples), spec.side_count, group_size(spec)
    pairings = pairings_in_turn(spec, ready)

    def seconds(deals: int) -> float:
        return seconds_for(pairings, deals, costs, sides, spec.unit_deals, least_deals(spec), workers, spec.relaunch)

    deals = _most(lambda deals: seconds(deals) <= 60 * minutes)
    matches = sum(map(len, pairings))
    played = max(deals, 1)
    rows = [row for sample in samples for row in sample.rows]
    faults: Counter[str] = Counter()
    for row in rows:
        faults.update({bot: count for bot, count in zip(row.bots, row.faults, strict=True) if count})
    per_bot = played * matches * sides / len(spec.bots)
    return Plan(
        deals=deals,
        matches=matches,
        games=played * matches * size,
        minutes=seconds(played) / 60,
        error=NORMAL_95 * 4 * ELO * math.sqrt(_variance(rows, size) / per_bot),  # Elo rises by 4 ELO in a score of 1
        games_per_second=workers * size / fmean(pace.group for pace in costs.tried),
        workers=workers,
        games_in_flight=spec.most_in_flight,
        tried=tuple(costs.tried),
        calibration_games=len(rows),
        faults=dict(sorted(faults.items())),
    )


def _most(fits: Callable[[int], bool]) -> int:
    """The largest number of deals that fits; 0 if not one does."""
    low, high = 0, 1
    while high <= MOST_DEALS and fits(high):
        low, high = high, 2 * high
    high = min(high, MOST_DEALS + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _variance(rows: Sequence[GameRow], size: int) -> float:
    """Of the score of a deal group, within pairings; the few that were measured count beside a prior."""
    scores: defaultdict[Pairing, list[float]] = defaultdict(list)
    for (bots, _), games in groupby(
        sorted(rows, key=lambda row: (sorted(row.bots), row.match, row.deal)),
        key=lambda row: (tuple(sorted(row.bots)), (row.match, row.deal)),
    ):
        scores[bots].append(fmean(_score(row, bots[0]) for row in games))
    squares = [(score - fmean(found)) ** 2 for found in scores.values() for score in found]
    freedom = sum(len(found) - 1 for found in scores.values())
    return (_PRIOR_GROUPS / (4 * size) + math.fsum(squares)) / (_PRIOR_GROUPS + freedom)


def _score(row: GameRow, bot: str) -> float:
    return halves_of(row.placing)[row.bots.index(bot)] / 2 / (len(row.placing) - 1)


def as_json(found: Plan) -> dict[str, Any]:
    """What json prints: the fields of `Plan`, `tried` with the fields of `Pace`; and `spec`, the line for the spec."""
    return asdict(found) | {"spec": spec_line(found)}


def spec_line(found: Plan) -> str | None:
    """What to write into the spec; None if nothing fits."""
    return f"deals = {found.deals}" if found.deals else None
