"""Standings as text, GitHub Markdown, HTML, JSON or CSV."""

import csv
import html
import io
import json
import re
from collections.abc import Callable
from dataclasses import asdict, fields
from typing import Any, Final

from aurum.formats.options import RankBy
from aurum.standings.standings import Row, Standings
from tabulate import tabulate


def render(standings: Standings, style: str) -> str:
    """The standings in one of `STYLES`, ending in a line break.

    text, github, html: columns for people, the notes beneath. json: `as_json`. csv: one line a bot with the fields of
    `Row`, unrounded, empty where there is no figure, and the model last; no notes, so that any reader takes it.
    """
    return STYLES[style](standings)


def as_json(standings: Standings) -> dict[str, Any]:
    """The mapping that json prints. Keys are stable: one may be added, none changes its meaning.

    - model (text), ties (an object from a number of sides to how readily they finish level), anchor (a bot or null),
      games and delayed_games (counts)
    - rows: best first, each with rank, bot, elo, error, next_error, superiority, bound ("", ">", "<" or "~"), island,
      groups, points, encounter, buchholz, sonneborn_berger, clean_margin, reached, games, wins, draws, losses, score,
      margin, forfeits, faults, decisions, mean_decision_ms as `standings.Row` has them, null where there is no figure
    - islands: lists of bots, more than one when no chain of games connects them
    - circles: for each island lists of bots, more than one when the results do not limit the difference between them
    - provisional: whether there is more than one island, or an island has several such lists
    - byes: each with round and bot; benched: an object from bot to sentence; notes: the sentences under the table
    - duplicates: what deal groups saved, by result and by margin, each an object with the fields of
      `aurum.statistics.duplicates.Duplicates`
    - rank_by: what the rows are sorted by, "elo", "points" or "progress" (a knockout's `reached`: "won", "final",
      "semifinal", "quarterfinal", before those "round 1" and so on); points and tie-breaks are those of
      `aurum.standings.tie_breaks.TieBreaks`
    """
    found = asdict(standings) | {"ties": dict(standings.ties), "benched": dict(standings.benched)}
    return {"circles" if key == "components" else key: value for key, value in found.items()}


def _text(standings: Standings) -> str:
    return "\n".join([_table(standings, "simple"), "", *standings.notes, ""])


def _github(standings: Standings) -> str:
    notes = [f"- {_markdown(note)}" for note in standings.notes]
    return "\n".join([_table(standings, "github", _markdown), "", *notes, ""])


def _html(standings: Standings) -> str:
    notes = [f"<li>{html.escape(note)}</li>" for note in standings.notes]
    return "\n".join([_table(standings, "html"), "<ul>", *notes, "</ul>", ""])  # tabulate escapes the cells


def _json(standings: Standings) -> str:
    return json.dumps(as_json(standings), indent=2, allow_nan=False) + "\n"


def _csv(standings: Standings) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [field.name for field in fields(Row)]
    writer.writerow([*names, "model"])
    writer.writerows([*(getattr(row, name) for name in names), standings.model] for row in standings.rows)
    return out.getvalue()


STYLES: Final[dict[str, Callable[[Standings], str]]] = {
    "text": _text,
    "github": _github,
    "html": _html,
    "json": _json,
    "csv": _csv,
}


def _shown(figure: float | None, form: str) -> str:
    return "-" if figure is None else format(figure, form)


COLUMNS: Final[tuple[tuple[str, Callable[[Row], str]], ...]] = (
    ("#", lambda row: _shown(row.rank, "d")),
    ("bot", lambda row: row.bot),
    ("island", lambda row: _shown(None if row.island is None else row.island + 1, "d")),
    ("Elo", lambda row: row.bound + _shown(row.elo, ".0f")),
    ("+-", lambda row: _shown(row.error, ".0f")),
    ("LOS", lambda row: ">99.9%" if (row.superiority or 0) >= 0.9995 else _shown(row.superiority, ".1%")),
    ("points", lambda row: _shown(row.points, "g")),
    ("DE", lambda row: _shown(row.encounter, "d")),
    ("BH-C1", lambda row: _shown(row.buchholz, "g")),
    ("SB", lambda row: _shown(row.sonneborn_berger, "g")),
    ("clean margin", lambda row: _shown(row.clean_margin, "+.1f")),
    ("reached", lambda row: row.reached or "-"),
    ("games", lambda row: str(row.games)),
    ("score", lambda row: _shown(row.score, ".1%")),
    ("W/D/L", lambda row: f"{row.wins}/{row.draws}/{row.losses}"),
    ("margin", lambda row: _shown(row.margin, "+.1f")),
    ("forfeits", lambda row: str(row.forfeits)),
    ("faults", lambda row: str(row.faults)),
    ("ms/turn", lambda row: _shown(row.mean_decision_ms, ".2f")),
)
"""Every column that a table for people may have, and what stands in it."""


def _table(standings: Standings, style: str, escape: Callable[[str], str] = str) -> str:
    rows, by_points = standings.rows, standings.rank_by is RankBy.POINTS
    left_out = {
        "island": len(standings.islands) < 2,
        "LOS": standings.rank_by is not RankBy.ELO,
        "points": all(row.points is None for row in rows),
        "DE": not by_points or all(row.encounter is None for row in rows),
        "BH-C1": not by_points,
        "SB": not by_points,
        "clean margin": not by_points or all(row.clean_margin == row.margin for row in rows),
        "reached": all(row.reached is None for row in rows),
    }
    columns = [(title, cell) for title, cell in COLUMNS if not left_out.get(title)]
    return tabulate(
        [[escape(cell(row)) for _, cell in columns] for row in rows],
        headers=[title for title, _ in columns],
        tablefmt=style,
        colalign=["left" if title == "bot" else "right" for title, _ in columns],
        disable_numparse=True,  # a bot called 1e3 keeps its name
    )


def _markdown(text: str) -> str:
    """The text with every character quoted that Markdown or HTML in it would act on."""
    return re.sub(r"([\\`*_~|<>\[\]])", r"\\\1", text)
