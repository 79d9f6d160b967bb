"""Standings as text, GitHub Markdown, HTML, JSON or CSV."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from aurum.common.errors import UserError
from aurum.common.texts import guess, shown
from aurum.formats.options import RankBy
from aurum.layout.grid import Column, grid_of
from aurum.layout.page import WIDTH, Page, as_csv, as_github, as_html, as_text
from aurum.standings.ratings import Bound
from aurum.standings.standings import Row, Standings

EVERY_COLUMN = "all"
"""Asks for all columns in which there is something to show."""


@dataclass(frozen=True)
class Display:
    """What standings for people show.

    Fields:
        title: of a page.
        columns: titles of columns that are shown beside the essential ones, or `EVERY_COLUMN`.
        explain: whether to say what everything means.
        width: the most columns of a terminal that text takes, but for the sentences beneath it.
    """

    title: str = "standings"
    columns: tuple[str, ...] = ()
    explain: bool = False
    width: int = WIDTH


def render(standings: Standings, style: str, display: Display = Display()) -> str:
    """The standings in one of `STYLES`, ending in a line break.

    text, github, html: columns for people, the notes beneath. json: `as_json`. csv: one line a bot with the fields of
    `Row`, unrounded, empty where there is no figure, and the model last; no notes, so that any reader takes it. A text
    that a spreadsheet would take for a formula has an apostrophe before it there.

    Raises:
        UserError: there is no such column.
    """
    return STYLES[style](standings, display)


def as_json(standings: Standings) -> dict[str, Any]:
    """The mapping that json prints. Keys are stable: one may be added, none changes its meaning.

    - model (text), ties (an object from a number of sides to how readily they finish level), anchor (a bot or null),
      games and delayed_games (counts)
    - rows: best first, each with rank, bot, elo, low, high, error, next_error, superiority, bound ("", ">" if only low
      is known, "<" if only high is, "~" if neither; always "" but for maximum likelihood), island,
      groups, points, encounter, buchholz, sonneborn_berger, clean_margin, reached, games, wins, draws, losses, score,
      margin, forfeits, faults, decisions, mean_decision_ms as `standings.Row` has them, null where there is no figure
    - islands: lists of bots, more than one when no chain of games connects them
    - circles: for each island lists of bots, more than one when all games between them went one way
    - provisional: whether there is more than one island, or a bot without a figure
    - byes: each with round and bot; benched: an object from bot to sentence; notes: the sentences under the table;
      explanations: those that say how its figures are meant
    - duplicates: what deal groups saved, by result and by margin, each an object with the fields of
      `aurum.statistics.duplicates.Duplicates`
    - rank_by: what the rows are sorted by, "elo", "points" or "progress" (a knockout's `reached`: "won", "final",
      "semifinal", "quarterfinal", before those "round 1" and so on); points and tie-breaks are those of
      `aurum.standings.tie_breaks.TieBreaks`
    - commitment: the SHA-256 of the secret that all deals follow from, in hex; secret: that itself, null until the
      tournament is finished
    """
    found = asdict(standings) | {"ties": dict(standings.ties), "benched": dict(standings.benched)}
    return {"circles" if key == "components" else key: value for key, value in found.items()}


def _json(standings: Standings, _display: Display) -> str:
    return json.dumps(as_json(standings), indent=2, allow_nan=False) + "\n"


def _csv(standings: Standings, _display: Display) -> str:
    names = [field.name for field in fields(Row)]
    rows = ([*(getattr(row, name) for name in names), standings.model] for row in standings.rows)
    return as_csv([*names, "model"], rows)


STYLES: Final[dict[str, Callable[[Standings, Display], str]]] = {
    "text": lambda standings, display: as_text(_page(standings, display), display.width),
    "github": lambda standings, display: as_github(_page(standings, display)),
    "html": lambda standings, display: as_html(_page(standings, display)),
    "json": _json,
    "csv": _csv,
}


def _shown(figure: float | None, form: str) -> str:
    return "-" if figure is None else format(figure, form)


def _elo(row: Row) -> str:
    """The figure, or the bound that stands in its place."""
    if row.bound is Bound.NONE:
        return _shown(row.elo, ".0f")
    return f"{row.bound}{_shown(row.high if row.bound is Bound.AT_MOST else row.low, '.0f')}".removesuffix("-")


COLUMNS: Final[tuple[Column[Row], ...]] = (
    Column("#", lambda row: _shown(row.rank, "d"), "rank", key=True),
    Column("bot", lambda row: row.bot, "its name", left=True, key=True, shortens=True),
    Column(
        "island",
        lambda row: _shown(None if row.island is None else row.island + 1, "d"),
        "bots that games connect; figures of two islands cannot be compared",
    ),
    Column("Elo", lambda row: _elo(row), "strength: 400 more are odds of ten to one"),
    Column(
        "95 %",
        lambda row: "-" if row.error is None else f"{row.low:.0f} to {row.high:.0f}",
        "the interval that holds the true figure in 95 % of all cases, clustered by deal group",
    ),
    Column(
        "LOS",
        lambda row: ">99.9%" if (row.superiority or 0) >= 0.9995 else _shown(row.superiority, ".1%"),
        "the likelihood that the bot is stronger than the next one",
    ),
    Column("points", lambda row: _shown(row.points, "g"), "match points, half a point for a drawn match"),
    Column(
        "DE",
        lambda row: _shown(row.encounter, "d"),
        "direct encounter: the rank among bots level on points by their own matches",
    ),
    Column("BH-C1", lambda row: _shown(row.buchholz, "g"), "Buchholz Cut-1: its opponents' points without the lowest"),
    Column(
        "SB",
        lambda row: _shown(row.sonneborn_berger, "g"),
        "Sonneborn-Berger: its opponents' points, times those taken from each",
    ),
    Column("clean margin", lambda row: _shown(row.clean_margin, "+.1f"), "margin without forfeited games"),
    Column("reached", lambda row: row.reached or "-", "how far it came"),
    Column("games", lambda row: str(row.games), "games played"),
    Column("score", lambda row: _shown(row.score, ".1%"), "the share of comparisons won, draws as half"),
    Column("W/D/L", lambda row: f"{row.wins}/{row.draws}/{row.losses}", "comparisons won, drawn and lost"),
    Column("margin", lambda row: _shown(row.margin, "+.1f"), "the mean difference in card points"),
    Column("forfeits", lambda row: str(row.forfeits), "games lost by faults"),
    Column("faults", lambda row: str(row.faults), "all faults of all its seats"),
    Column("ms/turn", lambda row: _shown(row.mean_decision_ms, ".2f"), "the mean time for a decision"),
)
"""Every column that standings for people may have, and what stands in it."""

ESSENTIAL = ("#", "bot", "island", "Elo", "95 %", "points", "reached", "games", "score", "forfeits")
"""Those that are shown unasked, where there is something to show."""


def _page(standings: Standings, display: Display) -> Page:
    columns = _columns(standings, display.columns)
    meanings = [(column.title, column.meaning) for column in columns] if display.explain else []
    return Page(
        display.title,
        (grid_of(columns, standings.rows),),
        (*standings.notes, *(standings.explanations if display.explain else ())),
        tuple(meanings),
    )


def _columns(standings: Standings, asked: Sequence[str]) -> list[Column[Row]]:
    """The essential columns and those asked for, in their own order."""
    titles = {column.title.lower(): column.title for column in COLUMNS}
    for title in asked:
        if title.lower() not in (*titles, EVERY_COLUMN):
            known = ", ".join(titles.values())
            raise UserError(f"--columns: no column {shown(title)}{guess(title, titles.values())}: {known}, or all")
    chosen = {titles.get(title.lower(), EVERY_COLUMN) for title in asked}
    empty = set(_without_content(standings))
    usual = {column.title for column in COLUMNS} if EVERY_COLUMN in chosen else set(ESSENTIAL)
    if EVERY_COLUMN not in chosen and not any(row.forfeits for row in standings.rows):
        empty.add("forfeits")
    return [column for column in COLUMNS if column.title in chosen | (usual - empty)]


def _without_content(standings: Standings) -> Iterator[str]:
    """The columns that say nothing in these standings."""
    rows, by_points = standings.rows, standings.rank_by is RankBy.POINTS
    yield from ("island",) * (len(standings.islands) < 2)
    yield from ("LOS",) * (standings.rank_by is not RankBy.ELO)
    yield from ("points",) * all(row.points is None for row in rows)
    yield from ("DE",) * (not by_points or all(row.encounter is None for row in rows))
    yield from ("BH-C1", "SB") * (not by_points)
    yield from ("clean margin",) * (not by_points or all(row.clean_margin == row.margin for row in rows))
    yield from ("reached",) * all(row.reached is None for row in rows)
