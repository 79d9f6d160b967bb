"""Pairings and results of matches, and a cross table, as text, GitHub Markdown, HTML, JSON or CSV."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any, Final

from aurum.common.errors import UserError
from aurum.layout.grid import Column, Grid, grid_of
from aurum.layout.page import WIDTH, Page, as_csv, as_github, as_html, as_text
from aurum.standings.matches import Matches, MatchResult, RoundMatches

_ORDINALS = ("first", "second", "third")
_MOST_CROSSED = 20
"""Bots of a cross table that is shown unasked."""


def render_pairings(
    matches: Matches, style: str, number: int | None = None, cross_only: bool = False, width: int = WIDTH
) -> str:
    """What is known of the matches, in one of `PAIRING_STYLES`, ending in a line break.

    Args:
        matches: of a tournament.
        style: text, github, html: a grid for each round, and the cross table of a small field. json: `matches_json`.
            csv: a line for each bot of each match.
        number: the round to show; without it, all of them.
        cross_only: show the cross table alone, however large.
        width: the most columns of a terminal that text takes.

    Raises:
        UserError: there is no such round.
    """
    known = [played.number for played in matches.rounds]
    if number is not None and number not in known:
        paired = f"rounds {known[0]} to {known[-1]} are" if known else "none is"
        raise UserError(f"{matches.name}: no round {number}: {paired} paired")
    if style == "json":
        return json.dumps(matches_json(matches, number), indent=2, allow_nan=False) + "\n"
    if style == "csv":
        return _csv(matches, number)
    page = _page(matches, number, cross_only)
    return as_text(page, width) if style == "text" else _PAGES[style](page)


_PAGES: Final[dict[str, Callable[[Page], str]]] = {"github": as_github, "html": as_html}
PAIRING_STYLES: Final = ("text", *_PAGES, "json", "csv")


def matches_json(matches: Matches, number: int | None = None) -> dict[str, Any]:
    """The mapping that json prints. Keys are stable: one may be added, none changes its meaning.

    - name (text), finished (whether all games of the tournament are there), rounds_to_come (so many are not paired yet)
    - rounds: each with number, title, finished and byes (names)
    - matches: each with the fields of `MatchResult`
    - cross_table: for every two bots that met, both ways, bot, other, score and games, as `Encounter` has them; of the
      whole tournament
    """
    rounds = [played for played in matches.rounds if number in (None, played.number)]
    return {
        "name": matches.name,
        "finished": matches.done,
        "rounds_to_come": matches.to_come,
        "rounds": [
            {
                "number": played.number,
                "title": played.title,
                "finished": played.finished,
                "byes": [bye.bot for bye in played.byes],
            }
            for played in rounds
        ],
        "matches": [asdict(match) for played in rounds for match in played.matches],
        "cross_table": [
            {"bot": bot, "other": other, **asdict(found)} for (bot, other), found in sorted(matches.encounters.items())
        ],
    }


def _csv(matches: Matches, number: int | None) -> str:
    names = ("round", "match", "games", "planned", "bot", "score", "card_points", "forfeits", "points", "advances")
    rows = [
        (
            *(played.number, match.id, match.games, match.planned, bot, match.score[place], match.card_points[place]),
            *(match.forfeits[place], match.points and match.points[place]),
            match.advances and int(match.advances == bot),
        )
        for played in matches.rounds
        if number in (None, played.number)
        for match in played.matches
        for place, bot in enumerate(match.bots)
    ]
    return as_csv(names, rows)


def _page(matches: Matches, number: int | None, cross_only: bool) -> Page:
    rounds = [] if cross_only else [played for played in matches.rounds if number in (None, played.number)]
    grids = [_round_grid(matches, played) for played in rounds]
    crossed = cross_only or (number is None and 2 < len(matches.bots) <= _MOST_CROSSED)
    if crossed and matches.encounters:
        grids.append(_cross_grid(matches))
    return Page(f"{matches.name}: pairings", tuple(grids), tuple(_notes(matches, crossed, bool(rounds))))


def _notes(matches: Matches, crossed: bool, listed: bool) -> Iterator[str]:
    if listed or (crossed and matches.encounters):
        yield "score: games won, draws as half; in a game of three, against each of the other two"
    if not matches.rounds:
        yield "no round is paired yet"
    elif matches.to_come:
        last = matches.rounds[-1].number
        yield f"round {last + 1} is paired when round {last} is finished"


def _round_grid(matches: Matches, played: RoundMatches) -> Grid:
    sides = len(played.matches[0].bots) if played.matches else 2
    columns = [Column[MatchResult]("match", lambda match: match.id, left=True, key=True)]
    columns += [_bot_column(title, side) for side, title in enumerate(_ORDINALS[:sides])]
    columns.append(Column("score", lambda match: _dashed(match.score) if match.games else "-", left=True))
    if any(match.points for match in played.matches):
        columns.append(Column("points", lambda match: _dashed(match.points or ()) or "-", left=True))
    columns.append(Column("games", _games))
    if any(_remarks(match) for match in played.matches):
        columns.append(Column("remarks", _remarks, left=True, shortens=True))
    grid = grid_of(columns, played.matches, played.title if played.finished else f"{played.title}, unfinished")
    rests = tuple((matches.resting, bye.bot, *("",) * (len(columns) - 2)) for bye in played.byes)
    return Grid(grid.caption, grid.heads, grid.rows + rests)


def _bot_column(title: str, side: int) -> Column[MatchResult]:
    return Column(title, lambda match: match.bots[side], left=True, shortens=True)


def _games(match: MatchResult) -> str:
    return str(match.games) if match.games == match.planned else f"{match.games} of {match.planned}"


def _dashed(figures: tuple[float, ...]) -> str:
    return " - ".join(map(_halved, figures))


def _halved(figure: float) -> str:
    """A number of halves, exactly."""
    return f"{figure:.1f}".removesuffix(".0")


def _remarks(match: MatchResult) -> str:
    found = [f"{match.advances} goes on"] if match.advances else []
    found += [f"{bot} forfeits {times}" for bot, times in zip(match.bots, match.forfeits, strict=True) if times]
    return ", ".join(found)


def _cross_grid(matches: Matches) -> Grid:
    places = {bot: place for place, bot in enumerate(matches.bots, 1)}
    score, games = Counter[str](), Counter[str]()
    for (bot, _), found in matches.encounters.items():
        score[bot] += int(2 * found.score)
        games[bot] += found.games
    columns = [
        Column[str]("#", lambda bot: str(places[bot]), key=True),
        Column[str]("bot", str, left=True, key=True, shortens=True),
        *(_cross_column(matches, other, place) for other, place in places.items()),
        Column[str]("score", lambda bot: _halved(score[bot] / 2)),
        Column[str]("of", lambda bot: str(games[bot])),
    ]
    return grid_of(columns, matches.bots, "cross table: each row's score against each column's")


def _cross_column(matches: Matches, other: str, place: int) -> Column[str]:
    def cell(bot: str) -> str:
        if bot == other:
            return "x"
        found = matches.encounters.get((bot, other))
        return _halved(found.score) if found else "."

    return Column(str(place), cell)
