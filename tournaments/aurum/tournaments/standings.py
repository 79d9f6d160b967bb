"""The table of a tournament: every figure of it is computed from the finished games alone."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from aurum.tournaments.duplicates import Worth, said, worth
from aurum.tournaments.points import by_match, finished, score_halves
from aurum.tournaments.ratings import CENTRE, Bound, Model, Rating, Ratings, fit
from aurum.tournaments.results import GameRow
from aurum.tournaments.rounds import Bye, Round

_BOUND_NOTES = {
    Bound.AT_LEAST: "> was never behind any of the rest: the figure has no upper end",
    Bound.AT_MOST: "< was never ahead of any of the rest: the figure has no lower end",
    Bound.LOOSE: "~ was never both ahead of and behind any of the rest: the figure has no ends",
}


@dataclass(frozen=True)
class Row:
    """One bot. Figures are None where there is nothing to compute them from.

    `elo`, `error` (half the 95 % interval), `next_error` (the same of the difference to the next row), `superiority`
    (the likelihood that it is stronger than the next row), `bound`, `island` and `groups` (deal groups) are its
    `Rating`. `points` are a Swiss tournament's. `wins`, `draws` and `losses` count comparisons with another side by
    placing: one in a game of two sides, two in a game of three; `score` is the share won of them, from 0 to 1, draws as
    half, `margin` the mean over them of its card points minus the other's. `forfeits` counts games; `faults`,
    `decisions` and `mean_decision_ms` are over all its seats.
    """

    rank: int | None
    bot: str
    elo: float | None
    error: float | None
    next_error: float | None
    superiority: float | None
    bound: Bound
    island: int | None
    groups: int
    points: float | None
    games: int
    wins: int
    draws: int
    losses: int
    score: float | None
    margin: float | None
    forfeits: int
    faults: int
    decisions: int
    mean_decision_ms: float | None


@dataclass(frozen=True)
class Standings:
    """The table, best first, bots without a rated game last; `notes` are the sentences that belong beneath it.

    `model`, `ties`, `anchor`, `islands`, `circles` and `provisional` are those of `Ratings`; `duplicates` is what
    deal groups were worth beside independent games.
    """

    model: str
    ties: tuple[tuple[int, float], ...]
    anchor: str | None
    games: int
    delayed_games: int
    rows: tuple[Row, ...]
    islands: tuple[tuple[str, ...], ...]
    circles: tuple[tuple[tuple[str, ...], ...], ...]
    provisional: bool
    byes: tuple[Bye, ...]
    benched: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    duplicates: Worth


def standings(
    games: Iterable[GameRow],
    *,
    bots: Collection[str] = (),
    anchor: str | None = None,
    swiss: Sequence[Round] = (),
    benched: Mapping[str, str] | None = None,
    model: Model = Model.DAVIDSON_LUCE,
) -> Standings:
    """Computes the table.

    Args:
        games: finished games, in any order.
        bots: the field, so that bots without a game are listed too.
        anchor: the bot whose Elo is 1500.
        swiss: the rounds of a Swiss so far (`schedule.rounds_ready`): gives points, for finished rounds.
        benched: bots that are no longer launched, and the sentence why.
        model: what Elo is fitted by.
    """
    games = tuple(games)
    ratings = fit(games, anchor, model)
    seats: defaultdict[str, list[tuple[GameRow, int]]] = defaultdict(list)
    for game in games:
        for side, bot in enumerate(game.bots):
            seats[bot].append((game, side))
    field = sorted({*bots, *seats})
    played = by_match(games)
    done = [round_ for round_ in swiss if finished(round_, played)]
    halves = score_halves(field, done, played, _sides(done)) if swiss else {}

    rows = []
    ranks: defaultdict[int, int] = defaultdict(int)
    for rating in ratings.rows:
        ranks[rating.island] += 1
        rows.append(_row(rating.bot, ranks[rating.island], rating, seats[rating.bot], halves))
    rated = {rating.bot for rating in ratings.rows}
    rows += [_row(bot, None, None, seats[bot], halves) for bot in field if bot not in rated]

    byes = tuple(bye for round_ in done for bye in round_.byes)
    out = tuple(sorted((benched or {}).items()))
    delayed = sum(game.delayed for game in games)
    saved = worth(games)
    return Standings(
        ratings.model,
        ratings.ties,
        ratings.anchor,
        len(games),
        delayed,
        tuple(rows),
        ratings.islands,
        ratings.circles,
        ratings.provisional,
        byes,
        out,
        (*_notes(ratings, rows, games, anchor, byes, out, delayed), *said(saved)),
        saved,
    )


def _row(
    bot: str, rank: int | None, rating: Rating | None, seats: Sequence[tuple[GameRow, int]], halves: Mapping[str, int]
) -> Row:
    won = drawn = lost = margin = 0
    for game, side in seats:
        for other, placed in enumerate(game.placing):
            if game.bots[other] != bot:
                won += game.placing[side] < placed
                drawn += game.placing[side] == placed
                lost += game.placing[side] > placed
                margin += game.points[side] - game.points[other]
    compared = won + drawn + lost
    decisions = sum(game.decisions[side] for game, side in seats)
    return Row(
        rank=rank,
        bot=bot,
        elo=rating.elo if rating else None,
        error=rating.error if rating else None,
        next_error=rating.next_error if rating else None,
        superiority=rating.superiority if rating else None,
        bound=rating.bound if rating else Bound.NONE,
        island=rating.island if rating else None,
        groups=rating.groups if rating else 0,
        points=halves[bot] / 2 if bot in halves else None,
        games=len(seats),
        wins=won,
        draws=drawn,
        losses=lost,
        score=_ratio(2 * won + drawn, 2 * compared),
        margin=_ratio(margin, compared),
        forfeits=sum(side in game.forfeited for game, side in seats),
        faults=sum(game.faults[side] for game, side in seats),
        decisions=decisions,
        mean_decision_ms=_ratio(sum(game.time_us[side] for game, side in seats), 1000 * decisions),
    )


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _sides(rounds: Sequence[Round]) -> int:
    return max((len(match.bots) for round_ in rounds for match in round_.matches), default=2)


def _notes(
    ratings: Ratings,
    rows: Sequence[Row],
    games: Sequence[GameRow],
    anchor: str | None,
    byes: Sequence[Bye],
    benched: Sequence[tuple[str, str]],
    delayed: int,
) -> Iterable[str]:
    marked = {row.bound for row in rows} - {Bound.NONE}
    settled = any(row.elo is not None and row.bound is Bound.NONE for row in rows)
    mean = "mean of the unmarked" if marked and settled else "mean"
    yield (
        f"Elo: {ratings.model}; {ratings.anchor or mean} = {CENTRE:.0f}; "
        "+- is half a 95 % interval, clustered by deal group"
    )
    if any(row.superiority is not None for row in rows):
        yield "LOS: the likelihood that the bot is stronger than the next one"
    if anchor and not ratings.anchor:
        yield f"the anchor {anchor} has no rated game yet: the mean is {CENTRE:.0f}"
    yield from (note for bound, note in _BOUND_NOTES.items() if bound in marked)
    yield from _provisional(ratings)
    if any(len(game.bots) > 2 for game in games):
        yield "W/D/L and score count every two sides of a game once"
    if byes:
        named = ", ".join(f"{bye.bot} (round {bye.round})" for bye in byes)
        yield f"byes, which give the points of a win and are not rated: {named}"
    yield from (f"{bot} is benched: {why}" for bot, why in benched)
    if delayed:
        yield f"in {delayed} of {len(games)} games the referee was late by more than a tenth of a turn"


def _provisional(ratings: Ratings) -> Iterable[str]:
    """Which groups of bots the games do not connect, by name."""
    if len(ratings.islands) > 1:
        named = "; ".join(f"{i}: {', '.join(island)}" for i, island in enumerate(ratings.islands, 1))
        yield f"PROVISIONAL: no chain of games connects these islands, so their figures do not compare: {named}"
    for parts in ratings.circles:
        if len(parts) > 1:
            named = "; ".join(", ".join(part) for part in parts)
            yield (
                f"PROVISIONAL: the results do not limit how far apart these groups are: {named}; "
                "half a win each way was added between those that met"
            )
