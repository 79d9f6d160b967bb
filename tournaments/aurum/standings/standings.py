"""Computes the standings of a tournament, every figure from the finished games alone."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from aurum.formats.options import RankBy
from aurum.formats.rounds import Bye, finished
from aurum.results.game_arrays import GameArrays, arrays_of
from aurum.results.game_row import GameRow
from aurum.results.match_totals import by_match
from aurum.standings.bot_figures import NAMES, figures_by_bot
from aurum.standings.deal_groups import DuplicateSavings, duplicate_savings, savings_note
from aurum.standings.ranking import NO_EVENT, Event, Rank, ranks_of
from aurum.standings.ratings import CENTRE, Bound, Model, Rating, Ratings, fit
from aurum.standings.tie_breaks import tie_break_note

_NONE = dict.fromkeys(NAMES, 0)
"""The figures of a bot that has not played."""
_BOUND_NOTES = {
    Bound.AT_LEAST: "> was never behind any of the rest: at least so strong, in 95 % of such cases",
    Bound.AT_MOST: "< was never ahead of any of the rest: at most so strong, in 95 % of such cases",
    Bound.OPEN: "~ the games say nothing of its distance to the rest",
}


@dataclass(frozen=True)
class Row:
    """One bot's row. Figures are None where there is nothing to compute them from.

    `elo`, `low` and `high` (the ends of its 95 % interval), `error` (half of its width), `next_error` (the same of the
    difference to the next row), `superiority` (the likelihood that it is stronger than the next row), `bound` (what
    stands in the place of a figure), `island` and `groups` (deal groups) are its `Rating`; `next_error` and
    `superiority` only where rows are sorted by Elo. `points` and the tie-breaks `encounter`, `buchholz`,
    `sonneborn_berger` and `clean_margin` are its `TieBreaks`, in a Swiss and where points decide. `reached` is what its
    `Reached` is called. `wins`, `draws` and `losses` count comparisons with another side by placing: one in a game of
    two sides, two in a game of three; `score` is the share won of them, from 0 to 1, draws as half, `margin` the mean
    over them of its card points minus the other's. `forfeits` counts games; `faults`, `decisions` and
    `mean_decision_ms` are over all its seats.
    """

    rank: int | None
    bot: str
    elo: float | None
    low: float | None
    high: float | None
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
    """The rows, best first, bots without a rated game last; `notes` are the sentences that belong beneath them,
    `explanations` those for readers who ask how its figures are meant.

    `model`, `ties`, `anchor`, `islands`, `components` and `provisional` are those of `Ratings`; `duplicates` is what
    deal groups saved, compared with independent games; `rank_by` is what the rows are sorted by. `commitment` is what
    was published of the deals' secret when the tournament began, `secret` that itself, in hex, once nothing is left to
    be dealt; None where it is not known, or nobody's to know.
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
    explanations: tuple[str, ...]
    duplicates: DuplicateSavings
    rank_by: RankBy
    commitment: str | None = None
    secret: str | None = None


def standings(
    games: Iterable[GameRow] | Iterable[GameArrays],
    *,
    bots: Collection[str] = (),
    anchor: str | None = None,
    event: Event = NO_EVENT,
    benched: Mapping[str, str] | None = None,
    model: Model = Model.POSTERIOR,
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
    arrays = arrays_of(games)
    ratings = fit(arrays, anchor, model)
    figures = figures_by_bot(arrays)
    totals = by_match(arrays)
    done = [round_ for round_ in event.rounds if finished(round_, totals)]
    entered = [*dict.fromkeys([*bots, *sorted(figures)])]
    rank_by, ranks = ranks_of(replace(event, rounds=done), totals, entered, ratings)
    rated = {rating.bot: rating for rating in ratings.rows}
    rows = [_row(rank, rated.get(rank.bot), figures.get(rank.bot, _NONE), rank_by) for rank in ranks]

    byes = tuple(bye for round_ in done for bye in round_.byes) if event.format.bye_note else ()
    out = tuple(sorted((benched or {}).items()))
    played = sum(map(len, arrays))
    delayed = sum(int(found.delayed.sum()) for found in arrays)
    savings = duplicate_savings(arrays)
    return Standings(
        ratings.model,
        ratings.ties,
        ratings.anchor,
        played,
        delayed,
        tuple(rows),
        ratings.islands,
        ratings.components,
        ratings.provisional,
        byes,
        out,
        (
            *_notes(ratings, rows, anchor, out),
            *_delay_notes(delayed, played),
            *_bye_notes(event.format.bye_note, byes),
        ),
        (
            *_order_notes(rank_by, rows),
            *_figure_notes(rows, max((found.sides for found in arrays), default=2)),
            *savings_note(savings),
        ),
        savings,
        rank_by,
    )


def _row(rank: Rank, rating: Rating | None, figures: Mapping[str, int], rank_by: RankBy) -> Row:
    tie_breaks = rank.tie_breaks
    next_to = rating if rank_by is RankBy.ELO else None
    won, drawn, lost = figures["won"], figures["drawn"], figures["lost"]
    compared = won + drawn + lost
    return Row(
        rank=rank.number,
        bot=rank.bot,
        elo=rating.elo if rating else None,
        low=rating.low if rating else None,
        high=rating.high if rating else None,
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
        games=figures["games"],
        wins=won,
        draws=drawn,
        losses=lost,
        score=_ratio(2 * won + drawn, 2 * compared),
        margin=_ratio(figures["margin"], compared),
        forfeits=figures["forfeits"],
        faults=figures["faults"],
        decisions=figures["decisions"],
        mean_decision_ms=_ratio(figures["time_us"], 1000 * figures["decisions"]),
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
    anchor: str | None,
    benched: Sequence[tuple[str, str]],
) -> Iterable[str]:
    marked = _bounds(rows)
    mean = "mean of the unmarked" if marked else "mean"
    yield (
        f"Elo: {ratings.model}; {ratings.anchor or mean} = {CENTRE:.0f}; 95 %: the interval, clustered by deal group"
    )
    if anchor and not ratings.anchor:
        yield f"the anchor {anchor} has no rated game yet: the mean is {CENTRE:.0f}"
    yield from _provisional(ratings, bool(marked))
    yield from (f"{bot} is benched: {why}" for bot, why in benched)


def _figure_notes(rows: Sequence[Row], sides: int) -> Iterable[str]:
    marked = _bounds(rows)
    yield from (note for bound, note in _BOUND_NOTES.items() if bound in marked)
    if sides > 2:
        yield "W/D/L and score count every two sides of a game once"


def _bounds(rows: Sequence[Row]) -> set[Bound]:
    """The marks that there are."""
    return {row.bound for row in rows} - {Bound.NONE}


def _delay_notes(delayed: int, played: int) -> Iterable[str]:
    if delayed:
        yield f"in {delayed} of {played} games the referee was late by more than a tenth of a turn"


def _provisional(ratings: Ratings, marked: bool) -> Iterable[str]:
    """Which groups of bots the games do not connect, by name."""
    if len(ratings.islands) > 1:
        named = "; ".join(f"{i}: {', '.join(island)}" for i, island in enumerate(ratings.islands, 1))
        yield f"PROVISIONAL: no chain of games connects these islands, so their figures do not compare: {named}"
    for parts in ratings.components if marked else ():
        if len(parts) > 1:
            named = "; ".join(", ".join(part) for part in parts)
            yield f"PROVISIONAL: the results do not limit how far apart these groups are: {named}"
