"""A page of grids and sentences as text, GitHub Markdown or HTML; rows of values as CSV."""

import csv
import html
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from aurum.layout.grid import GAP, Grid, fitted
from aurum.layout.widths import padded, width
from tabulate import SEPARATING_LINE, DataRow, Line, TableFormat, tabulate

WIDTH = 100
"""The most columns of a terminal that a grid takes as text, unless its user asks for another width."""

_PLAIN = TableFormat(
    lineabove=None,
    linebelowheader=Line("", "-", " " * GAP, ""),
    linebetweenrows=None,
    linebelow=None,
    headerrow=DataRow("", " " * GAP, ""),
    datarow=DataRow("", " " * GAP, ""),
    padding=0,
    with_header_hide=None,
)
_STYLE = """\
body { font-family: sans-serif; margin: 2em; }
table { border-collapse: collapse; margin-bottom: 1.5em; }
caption { text-align: left; font-weight: bold; padding: 0.4em 0; }
th, td { padding: 0.2em 0.7em; border-bottom: 1px solid #ccc; font-variant-numeric: tabular-nums; }
tbody tr:nth-child(even) { background: #f4f4f4; }"""
_FORMULA = re.compile("[=+\\-@\t\r\uff1d\uff0b\uff0d\uff20]")
"""What a cell begins with that a spreadsheet takes for a formula (OWASP, CSV injection; the last four are wide)."""


@dataclass(frozen=True)
class Page:
    """What is shown together.

    Fields:
        title: of the whole; text does not show it.
        grids: one after another.
        notes: sentences beneath them.
        meanings: terms and what they mean, for readers who ask.
    """

    title: str
    grids: tuple[Grid, ...]
    notes: tuple[str, ...] = ()
    meanings: tuple[tuple[str, str], ...] = ()


def as_text(page: Page, limit: int = WIDTH) -> str:
    """Grids of at most `limit` columns of a terminal, each under its caption; a sentence is one line, however long."""
    blocks = [_text_lines(grid, limit) for grid in page.grids]
    if page.notes:
        blocks.append(list(page.notes))
    if page.meanings:
        space = max(width(term) for term, _ in page.meanings)
        blocks.append([f"{padded(term, space)}  {meaning}" for term, meaning in page.meanings])
    return "".join(f"{line}\n" for line in "\n\n".join("\n".join(block) for block in blocks).splitlines())


def as_github(page: Page) -> str:
    """Markdown: captions as headings, sentences and meanings as lists."""
    blocks = []
    for grid in page.grids:
        heading = [f"### {_markdown(grid.caption)}", ""] if grid.caption else []
        cells = [[_markdown(cell) for cell in row] for row in grid.rows]
        blocks.append([*heading, _tabulated(grid, cells, "github")])
    blocks.append([f"- {_markdown(note)}" for note in page.notes])
    blocks.append([f"- **{_markdown(term)}**: {_markdown(meaning)}" for term, meaning in page.meanings])
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def as_html(page: Page) -> str:
    """A whole page, with nothing in it from elsewhere."""
    title = html.escape(page.title)
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>\n{_STYLE}\n</style>",
            "</head>",
            "<body>",
            *(_html_table(grid, grid.caption or page.title) for grid in page.grids),
            *_html_list("ul", [f"<li>{html.escape(note)}</li>" for note in page.notes]),
            *_html_list(
                "dl",
                [f"<dt>{html.escape(term)}</dt><dd>{html.escape(meaning)}</dd>" for term, meaning in page.meanings],
            ),
            "</body>",
            "</html>",
            "",
        ]
    )


def as_csv(names: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """A line of names and a line for each row; None is empty.

    A text that a spreadsheet would take for a formula gets an apostrophe before it; numbers stay what they are.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_no_formula(value) for value in row] for row in rows)
    return out.getvalue()


def _no_formula(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def _text_lines(grid: Grid, limit: int) -> list[str]:
    lines = [grid.caption] if grid.caption else []
    for number, piece in enumerate(fitted(grid, limit)):
        if number:
            lines.append("")
        # Titles as a row, since tabulate gives headers two more blanks each.
        rows = [[head.title for head in piece.heads], SEPARATING_LINE, *piece.rows]
        lines += [line.rstrip() for line in _tabulated(piece, rows, _PLAIN, headers=False).splitlines()]
    return lines


def _tabulated(grid: Grid, cells: Sequence[Sequence[str]], style: str | TableFormat, headers: bool = True) -> str:
    return tabulate(
        cells,
        headers=[head.title for head in grid.heads] if headers else (),
        tablefmt=style,
        colalign=["left" if head.left else "right" for head in grid.heads],
        disable_numparse=True,  # a bot called 1e3 keeps its name
    )


def _html_table(grid: Grid, caption: str) -> str:
    table = _tabulated(grid, grid.rows, "html")  # tabulate escapes the cells
    return table.replace("<table>", f"<table>\n<caption>{html.escape(caption)}</caption>", 1)


def _html_list(tag: str, items: Sequence[str]) -> list[str]:
    return [f"<{tag}>", *items, f"</{tag}>"] if items else []


def _markdown(text: str) -> str:
    """The text with every character quoted that Markdown or HTML in it would act on."""
    return re.sub(r"([\\`*_~|<>\[\]])", r"\\\1", text)
