"""Computes the standings of a tournament, every figure from the finished games alone."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from aurum.formats.options import RankBy
from aurum.formats.rounds import Bye, by_match, finished
from aurum.results.game_row import GameRow
from aurum.standings.deal_groups import DuplicateSavings, duplicate_savings, savings_note
from aurum.standings.ranking import NO_EVENT, Event, Rank, ranks_of
from aurum.standings.ratings import CENTRE, Bound, Model, Rating, Ratings, fit
from aurum.standings.tie_breaks import tie_break_note

_BOUND_NOTES = {
    Bound.AT_LEAST: "> was never behind any of the rest: the figure has no upper end",
    Bound.AT_MOST: "< was never ahead of any of the rest: the figure has no lower end",
    Bound.LOOSE: "~ was never both ahead of and behind any of the rest: the figure has no ends",
}


@dataclass(frozen=True)
class Row:
    """One bot's row. Figures are None where there is nothing to compute them from.

    `elo`, `error` (half the 95 % interval), `next_error` (the same of the difference to the next row), `superiority`
    (the likelihood that it is stronger than the next row), `bound`, `island` and `groups` (deal groups) are its
    `Rating`; `next_error` and `superiority` only where rows are sorted by Elo. `points` and the tie-breaks `encounter`,
    `buchholz`, `sonneborn_berger` and `clean_margin` are its `TieBreaks`, in a Swiss and where points decide. `reached`
    is what its `Reached` is called. `wins`, `draws` and `losses` count comparisons with another side by placing: one
    in a game of two sides, two in a game of three; `score` is the share won of them, from 0 to 1, draws as half,
    `margin` the mean over them of its card points minus the other's. `forfeits` counts games; `faults`, `decisions` and
    `mean_decision_ms` are over all its seats.
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
    encounter: int | None
    buchholz: float | None
    sonneborn_berger: float | None
    clean_margin: float | None
    reached: str | None
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
    """The rows, best first, bots without a rated game last; `notes` are the sentences that belong beneath them.

    `model`, `ties`, `anchor`, `islands`, `components` and `provisional` are those of `Ratings`; `duplicates` is what
    deal groups saved, compared with independent games; `rank_by` is what the rows are sorted by.
    """

    model: str
    ties: tuple[tuple[int, float], ...]
    anchor: str | None
    games: int
    delayed_games: int
    rows: tuple[Row, ...]
    islands: tuple[tuple[str, ...], ...]
    components: tuple[tuple[tuple[str, ...], ...], ...]
    provisional: bool
    byes: tuple[Bye, ...]
    benched: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    duplicates: DuplicateSavings
    rank_by: RankBy


def standings(
    games: Iterable[GameRow],
    *,
    bots: Collection[str] = (),
    anchor: str | None = None,
    event: Event = NO_EVENT,
    benched: Mapping[str, str] | None = None,
    model: Model = Model.DAVIDSON_LUCE,
) -> Standings:
    """Computes the standings.

    Args:
        games: finished games, in any order.
        bots: the field in the order of entry, so that bots without a game are listed too.
        anchor: the bot whose Elo is 1500.
        event: what the games are of: its format, its rounds so far, and what to sort by.
        benched: bots that are no longer launched, and the sentence why.
        model: what Elo is fitted by.
    """
    games = tuple(games)
    ratings = fit(games, anchor, model)
    seats: defaultdict[str, list[tuple[GameRow, int]]] = defaultdict(list)
    for game in games:
        for side, bot in enumerate(game.bots):
            seats[bot].append((game, side))
    played = by_match(games)
    done = [round_ for round_ in event.rounds if finished(round_, played)]
    entered = [*dict.fromkeys([*bots, *sorted(seats)])]
    rank_by, ranks = ranks_of(replace(event, rounds=done), played, entered, ratings)
    rated = {rating.bot: rating for rating in ratings.rows}
    rows = [_row(rank, rated.get(rank.bot), seats[rank.bot], rank_by) for rank in ranks]

    byes = tuple(bye for round_ in done for bye in round_.byes) if event.format.bye_note else ()
    out = tuple(sorted((benched or {}).items()))
    delayed = sum(game.delayed for game in games)
    savings = duplicate_savings(games)
    return Standings(
        ratings.model,
        ratings.ties,
        ratings.anchor,
        len(games),
        delayed,
        tuple(rows),
        ratings.islands,
        ratings.components,
        ratings.provisional,
        byes,
        out,
        (
            *_order_notes(rank_by, rows),
            *_notes(ratings, rows, games, anchor, out, delayed),
            *_bye_notes(event.format.bye_note, byes),
            *savings_note(savings),
        ),
        savings,
        rank_by,
    )


def _row(rank: Rank, rating: Rating | None, seats: Sequence[tuple[GameRow, int]], rank_by: RankBy) -> Row:
    bot, tie_breaks = rank.bot, rank.tie_breaks
    next_to = rating if rank_by is RankBy.ELO else None
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
        rank=rank.number,
        bot=bot,
        elo=rating.elo if rating else None,
        error=rating.error if rating else None,
        next_error=next_to.next_error if next_to else None,
        superiority=next_to.superiority if next_to else None,
        bound=rating.bound if rating else Bound.NONE,
        island=rating.island if rating else None,
        groups=rating.groups if rating else 0,
        points=tie_breaks.points if tie_breaks else None,
        encounter=tie_breaks.encounter if tie_breaks else None,
        buchholz=tie_breaks.buchholz if tie_breaks else None,
        sonneborn_berger=tie_breaks.sonneborn_berger if tie_breaks else None,
        clean_margin=tie_breaks.margin if tie_breaks else None,
        reached=rank.reached,
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


def _order_notes(rank_by: RankBy, rows: Sequence[Row]) -> Iterable[str]:
    if rank_by is RankBy.POINTS:
        yield tie_break_note(any(row.clean_margin != row.margin for row in rows))
    elif rank_by is RankBy.PROGRESS:
        yield "sorted by how far a bot came; bots that came equally far share a rank, the one with more Elo first"


def _bye_notes(note: str, byes: Sequence[Bye]) -> Iterable[str]:
    if byes:
        named = ", ".join(f"{bye.bot} (round {bye.round})" for bye in byes)
        yield f"{note}: {named}"


def _notes(
    ratings: Ratings,
    rows: Sequence[Row],
    games: Sequence[GameRow],
    anchor: str | None,
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
    yield from (f"{bot} is benched: {why}" for bot, why in benched)
    if delayed:
        yield f"in {delayed} of {len(games)} games the referee was late by more than a tenth of a turn"


def _provisional(ratings: Ratings) -> Iterable[str]:
    """Which groups of bots the games do not connect, by name."""
    if len(ratings.islands) > 1:
        named = "; ".join(f"{i}: {', '.join(island)}" for i, island in enumerate(ratings.islands, 1))
        yield f"PROVISIONAL: no chain of games connects these islands, so their figures do not compare: {named}"
    for parts in ratings.components:
        if len(parts) > 1:
            named = "; ".join(", ".join(part) for part in parts)
            yield (
                f"PROVISIONAL: the results do not limit how far apart these groups are: {named}; "
                "half a win each way was added between those that met"
            )
