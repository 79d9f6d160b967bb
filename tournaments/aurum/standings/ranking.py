"""What a table is sorted by: Elo, points, or how far a bot came in a knockout."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aurum.formats.knockout import eliminated
from aurum.formats.options import Format, RankBy
from aurum.formats.points import Games
from aurum.formats.rounds import Round
from aurum.pairing.bracket import round_count
from aurum.standings.ratings import Ratings
from aurum.standings.tie_breaks import Place, places


@dataclass(frozen=True)
class Event:
    """What games are of. `rounds` are those so far, finished or not."""

    form: Format = Format.ROUND_ROBIN
    rounds: Sequence[Round] = ()
    rank_by: RankBy = RankBy.ELO


NO_EVENT = Event()
"""Games alone, of whatever they are."""


@dataclass(frozen=True)
class Rank:
    """Where a bot stands. `number` is None without a rated game in a table that is sorted by Elo."""

    bot: str
    number: int | None
    place: Place | None = None
    reached: str | None = None


def ranks_of(event: Event, games: Games, entered: Sequence[str], ratings: Ratings) -> tuple[RankBy, list[Rank]]:
    """What the table is sorted by, and its bots, the best first. Before a round is finished that is Elo.

    Args:
        event: of which all rounds are finished.
        games: at least those of these rounds.
        entered: every bot, in the order of entry.
        ratings: of those with a rated game.
    """
    placed = places(event.rounds, games, entered, swiss=event.form is Format.SWISS) if _has_points(event) else []
    place = {found.bot: found for found in placed}
    order = _by_elo(entered, ratings)
    if event.rounds and event.rank_by is RankBy.POINTS:
        return RankBy.POINTS, [Rank(found.bot, number, found) for number, found in enumerate(placed, 1)]
    if event.rounds and event.rank_by is RankBy.PROGRESS:
        return RankBy.PROGRESS, _by_progress(event, games, entered, [bot for bot, _ in order])
    return RankBy.ELO, [Rank(bot, number, place.get(bot)) for bot, number in order]


def _has_points(event: Event) -> bool:
    return bool(event.rounds) and (event.form is Format.SWISS or event.rank_by is RankBy.POINTS)


def _by_elo(entered: Sequence[str], ratings: Ratings) -> list[tuple[str, int | None]]:
    """Each island has a first; bots without a rated game are last, by name."""
    numbers: defaultdict[int, int] = defaultdict(int)
    order: list[tuple[str, int | None]] = []
    for rating in ratings.rows:
        numbers[rating.island] += 1
        order.append((rating.bot, numbers[rating.island]))
    rated = {rating.bot for rating in ratings.rows}
    return order + [(bot, None) for bot in sorted(entered) if bot not in rated]


def _by_progress(event: Event, games: Games, entered: Sequence[str], by_elo: Sequence[str]) -> list[Rank]:
    until = eliminated(entered, event.rounds, games)
    return [
        Rank(bot, 1 + sum(until[other] > until[bot] for other in entered), None, reached(until[bot], len(entered)))
        for bot in sorted(by_elo, key=lambda bot: -until[bot])  # stable: by Elo among those who came equally far
    ]


def reached(number: int, field: int) -> str:
    """What the round of this number is called in a knockout of so many bots; the one after the final: `won`."""
    return _NAMES.get(round_count(field) - number, f"round {number}")


_NAMES: Mapping[int, str] = {-1: "won", 0: "final", 1: "semifinal", 2: "quarterfinal"}
"""By the rounds that come after."""
