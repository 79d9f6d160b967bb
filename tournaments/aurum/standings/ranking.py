"""Ranks the bots: by Elo, by points, or by how far they came in a knockout."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from aurum.formats.format import Format
from aurum.formats.options import RankBy
from aurum.formats.registry import DEFAULT
from aurum.formats.rounds import TournamentRound
from aurum.results.match_totals import Totals
from aurum.standings.ratings import Ratings
from aurum.standings.tie_breaks import TieBreaks, ranked_by_points


@dataclass(frozen=True)
class Event:
    """What the games belong to: a format and its rounds so far, finished or not; and what decides the ranks."""

    format: Format = DEFAULT
    rounds: Sequence[TournamentRound] = ()
    rank_by: RankBy = RankBy.ELO


NO_EVENT = Event()
"""For games of which only the results are known."""


@dataclass(frozen=True)
class Rank:
    """A bot's rank. `number` is None for a bot without a rated game if Elo decides."""

    bot: str
    number: int | None
    tie_breaks: TieBreaks | None = None
    reached: str | None = None


def ranks_of(event: Event, totals: Totals, entered: Sequence[str], ratings: Ratings) -> tuple[RankBy, list[Rank]]:
    """What decides the ranks, and the bots, the best first. Before a round is finished, Elo decides.

    Args:
        event: of which all rounds are finished.
        totals: of the games of these rounds at least.
        entered: every bot, in the order of entry.
        ratings: of those with a rated game.
    """
    by_points = (
        ranked_by_points(event.rounds, totals, entered, event.format.byes_give_points) if _has_points(event) else []
    )
    tie_breaks = {found.bot: found for found in by_points}
    order = _by_elo(entered, ratings)
    if event.rounds and event.rank_by is RankBy.POINTS:
        return RankBy.POINTS, [Rank(found.bot, number, found) for number, found in enumerate(by_points, 1)]
    if event.rounds and event.rank_by is RankBy.PROGRESS:
        return RankBy.PROGRESS, _by_progress(event, totals, entered, [bot for bot, _ in order])
    return RankBy.ELO, [Rank(bot, number, tie_breaks.get(bot)) for bot, number in order]


def _has_points(event: Event) -> bool:
    return bool(event.rounds) and (event.format.byes_give_points or event.rank_by is RankBy.POINTS)


def _by_elo(entered: Sequence[str], ratings: Ratings) -> list[tuple[str, int | None]]:
    """The bots with their ranks, which count from 1 on each island; bots without a rated game come last, by name."""
    numbers: defaultdict[int, int] = defaultdict(int)
    order: list[tuple[str, int | None]] = []
    for rating in ratings.rows:
        numbers[rating.island] += 1
        order.append((rating.bot, numbers[rating.island]))
    rated = {rating.bot for rating in ratings.rows}
    return order + [(bot, None) for bot in sorted(entered) if bot not in rated]


def _by_progress(event: Event, totals: Totals, entered: Sequence[str], by_elo: Sequence[str]) -> list[Rank]:
    progress = event.format.progress(entered, event.rounds, totals)
    numbers = {bot: found.number for bot, found in progress.items()}
    return [
        Rank(bot, 1 + sum(numbers[other] > numbers[bot] for other in entered), None, progress[bot].name)
        for bot in sorted(by_elo, key=lambda bot: -numbers[bot])  # stable: by Elo among those who came equally far
    ]
