"""The table of a tournament and its five renderings."""

import csv
import html.parser
import io
import json
import random
import re
from dataclasses import asdict, fields, replace

import pytest
from aurum.common.errors import UserError
from aurum.formats.rounds import Bye, Match, TournamentRound
from aurum.formats.swiss import SWISS
from aurum.results.game_row import GameRow
from aurum.standings.ranking import Event
from aurum.standings.ratings import Model
from aurum.standings.rendering import COLUMNS, STYLES, Display, render
from aurum.standings.standings import Row, Standings, standings
from tournament_rows import game_row
from wcwidth import wcswidth


def club_night() -> list[GameRow]:
    """Three deal groups: alpha beats bravo clearly, draws one and loses one game; bravo forfeits one."""
    return [
        game_row("r1m1", 0, 0, ("alpha", "bravo"), (1, 2), points=(30, 20), time_us=(1500, 4000), decisions=(3, 2)),
        game_row("r1m1", 0, 1, ("bravo", "alpha"), (1, 1), points=(9, 9), time_us=(2000, 500), decisions=(2, 1)),
        game_row("r1m1", 1, 0, ("alpha", "bravo"), (1, 2), points=(7, 8), faults=(0, 2), forfeited=(1,)),
        game_row("r1m1", 1, 1, ("bravo", "alpha"), (1, 2), points=(12, 2), delayed=True),
    ]


def row_of(table: Standings, bot: str) -> Row:
    return next(row for row in table.rows if row.bot == bot)


def test_what_games_add_up_to() -> None:
    """Every count and mean of a bot, worked out by hand."""
    table = standings(club_night())
    bravo = row_of(table, "bravo")
    assert (4, 1, 1, 2) == (bravo.games, bravo.wins, bravo.draws, bravo.losses)
    assert 3 / 8 == bravo.score
    assert (-10 + 0 + 1 + 10) / 4 == bravo.margin
    assert (1, 2) == (bravo.forfeits, bravo.faults)
    assert (6, 1.0) == (bravo.decisions, bravo.mean_decision_ms)
    assert (["alpha", "bravo"], [1, 2]) == ([row.bot for row in table.rows], [row.rank for row in table.rows])
    assert (4, 1) == (table.games, table.delayed_games)


def test_every_two_sides_of_three_count() -> None:
    """In a game of three the second has won one comparison and lost one."""
    table = standings([game_row("m", 0, 0, "abc", (1, 2, 3), points=(9, 6, 0)), game_row("m", 0, 1, "bca", (1, 1, 3))])
    b = row_of(table, "b")
    assert (2, 2, 1, 1) == (b.games, b.wins, b.draws, b.losses)
    assert 5 / 8 == b.score
    assert (-3 + 6 + 0 + 0) / 4 == b.margin
    assert "W/D/L and score count every two sides of a game once" in table.explanations


def test_bots_without_a_game_are_listed_last() -> None:
    """They have no figures, and so no rank."""
    table = standings(club_night(), bots=("zulu", "alpha", "bravo", "mike"))
    assert ["alpha", "bravo", "mike", "zulu"] == [row.bot for row in table.rows]
    mike = row_of(table, "mike")
    assert (None, None, None, 0) == (mike.rank, mike.elo, mike.mean_decision_ms, mike.games)


def test_the_order_of_games_does_not_matter() -> None:
    """Every rendering of shuffled games is the same text."""
    chance = random.Random(1)
    games = [
        game_row(f"r1m{deal % 3}", deal, 0, chance.sample("abcd", 2), chance.choice([(1, 2), (1, 1), (2, 1)]))
        for deal in range(60)
    ]
    tables = [standings(games), standings(games[::-1]), standings(chance.sample(games, len(games)))]
    for style in STYLES:
        assert 1 == len({render(table, style) for table in tables})


def test_points_of_a_swiss() -> None:
    """Finished rounds give points, byes included; the round under way gives none."""
    first = TournamentRound(1, (Match("r1m1", 1, ("alpha", "bravo"), 0, 2),), (Bye(1, "mike"),))
    second = TournamentRound(2, (Match("r2m1", 2, ("alpha", "mike"), 2, 2),), (Bye(2, "bravo"),))
    table = standings(club_night(), bots=("alpha", "bravo", "mike"), event=Event(SWISS, [first, second]))
    assert {"alpha": 1.0, "bravo": 0.0, "mike": 1.0} == {row.bot: row.points for row in table.rows}
    assert (Bye(1, "mike"),) == table.byes
    assert "byes, which give the points of a win and are not rated: mike (round 1)" in table.notes
    assert "points" in render(table, "text").splitlines()[0]


def test_a_bye_is_not_rated() -> None:
    """A table with byes has the Elo of a table without."""
    lone = TournamentRound(1, (Match("r1m1", 1, ("alpha", "bravo"), 0, 2),), (Bye(1, "mike"),))
    assert [row.elo for row in standings(club_night()).rows] == [
        row.elo for row in standings(club_night(), event=Event(SWISS, [lone]), bots=("mike",)).rows if row.bot != "mike"
    ]


ELO = "Elo: Davidson-Luce, most probable (normal prior, 400 Elo)"
ML = Model.DAVIDSON_LUCE
BEATEN = [*club_night(), game_row("x", 9, 0, ("bravo", "zulu"), (1, 2))]

NOTES = [
    (standings(club_night()), f"{ELO}; mean = 1500; 95 %: the interval, clustered by deal group"),
    (standings(club_night(), anchor="bravo"), f"{ELO}; bravo = 1500; 95 %: the interval, clustered by deal group"),
    (standings(BEATEN), f"{ELO}; mean = 1500; 95 %: the interval, clustered by deal group"),
    (
        standings(club_night(), anchor="mike", bots=("mike",)),
        "the anchor mike has no rated game yet: the mean is 1500",
    ),
    (
        standings(club_night(), benched={"bravo": "it failed to start 5 times"}),
        "bravo is benched: it failed to start 5 times",
    ),
    (standings(club_night()), "in 1 of 4 games the referee was late by more than a tenth of a turn"),
    (
        standings([*club_night(), game_row("x", 9, 0, "yz", (1, 1))]),
        "PROVISIONAL: no chain of games connects these islands, so their figures do not compare: "
        "1: alpha, bravo; 2: y, z",
    ),
    (
        standings(BEATEN, model=ML),
        "Elo: Davidson-Luce, maximum likelihood; mean of the unmarked = 1500; 95 %: the interval, clustered by deal "
        "group",
    ),
    (
        standings(BEATEN, model=ML),
        "PROVISIONAL: the results do not limit how far apart these groups are: alpha, bravo; zulu",
    ),
    (
        standings(club_night(), model=Model.BRADLEY_TERRY),
        "Elo: Bradley-Terry, draws as half wins, maximum likelihood; mean = 1500; "
        "95 %: the interval, clustered by deal group",
    ),
]


@pytest.mark.parametrize(("table", "note"), NOTES, ids=[note for _, note in NOTES])
def test_notes(table: Standings, note: str) -> None:
    """What a reader must know stands beneath the table in text, GitHub and HTML, and in JSON as a field."""
    assert note in table.notes
    assert note in render(table, "text").splitlines()
    assert note in json.loads(render(table, "json"))["notes"]


EXPLANATIONS = [
    (
        standings(BEATEN, model=ML),
        "< was never ahead of any of the rest: at most so strong, in 95 % of such cases",
    ),
    (
        standings([*club_night(), game_row("x", 9, 0, ("zulu", "bravo"), (1, 2))], model=ML),
        "> was never behind any of the rest: at least so strong, in 95 % of such cases",
    ),
    (
        standings([game_row("x", 0, 0, "ab", (1, 1))], model=ML),
        "~ the games say nothing of its distance to the rest",
    ),
]


@pytest.mark.parametrize(("table", "sentence"), EXPLANATIONS, ids=[sentence for _, sentence in EXPLANATIONS])
def test_what_figures_mean_is_said_to_those_who_ask(table: Standings, sentence: str) -> None:
    """With `explain`, and in JSON always; the meaning of each column that is shown stands beside it."""
    assert sentence in json.loads(render(table, "json"))["explanations"]
    assert sentence not in render(table, "text")
    lines = render(table, "text", Display(explain=True)).splitlines()
    assert sentence in lines
    meanings = {column.title: column.meaning for column in COLUMNS}
    shown = re.split("  +", lines[0])
    assert [[title, meanings[title]] for title in shown] == [
        re.split("  +", line, maxsplit=1) for line in lines[-len(shown) :]
    ]


def test_text() -> None:
    """The whole of it, so that a change of the table is seen."""
    table = standings([*club_night(), game_row("x", 9, 0, ("bravo", "1e3"), (1, 2))])
    expected = """\
#  bot     Elo          95 %  games  score  forfeits
-  -----  ----  ------------  -----  -----  --------
1  alpha  1649  1330 to 2043      4  62.5%         0
2  bravo  1542  1262 to 1843      5  50.0%         1
3  1e3    1308   717 to 1751      1   0.0%         0

Elo: Davidson-Luce, most probable (normal prior, 400 Elo); mean = 1500; 95 %: the interval, clustered by deal group
in 1 of 5 games the referee was late by more than a tenth of a turn
"""
    assert expected == render(table, "text")


def test_columns_on_request() -> None:
    """In their own order, whatever was asked for first; all are those that say something; a wrong one is explained."""
    table = standings(club_night())

    def titles(*asked: str) -> list[str]:
        return re.split("  +", render(table, "text", Display(columns=asked, width=200)).splitlines()[0])

    assert ["#", "bot", "Elo", "95 %", "LOS", "games", "score", "margin", "forfeits"] == titles("margin", "los")
    whole = ["#", "bot", "Elo", "95 %", "LOS", "games", "score", "W/D/L", "margin", "forfeits", "faults", "ms/turn"]
    assert whole == titles("all")
    assert "forfeits" not in render(standings(club_night()[:2]), "text")
    with pytest.raises(UserError, match=r"no column 'margins' \(did you mean margin\?\): #, bot, .*, or all"):
        titles("margins")


@pytest.mark.parametrize("width", [40, 60, 100])
def test_text_keeps_to_the_width(width: int) -> None:
    """Whatever the names and columns: what does not fit is continued below, and no figure is lost."""
    names = {"alpha": "\u65e5\u672c\u306e\u68cb\u58eb" * 8, "bravo": "b" * 40}
    games = [replace(row, bots=tuple(names[bot] for bot in row.bots)) for row in club_night()]
    table = standings(games)
    text = render(table, "text", Display(columns=("all",), width=width)).split("\n\n")
    assert width >= max(wcswidth(line) for block in text[:-1] for line in block.splitlines())
    figures = [cell for block in text[:-1] for cell in re.split("  +", block.splitlines()[2]) if "\u2026" not in cell]
    shown = [column.cell(table.rows[0]) for column in COLUMNS if column.title not in ("bot", "island")]
    assert set(figures) >= {cell for cell in shown if cell != "-"}


def test_bounds_of_maximum_likelihood() -> None:
    """One-sided ones stand in the place of a figure, below those who have one."""
    lines = render(standings(BEATEN, model=ML), "text").splitlines()
    assert ["alpha", "bravo", "zulu"] == [line.split()[1] for line in lines[2:5]]
    assert ["<1951", "-"] == lines[4].split()[2:4]


def test_an_anchor_has_no_interval() -> None:
    """It stands at 1500 by definition, whatever it lost."""
    for model in Model:
        (row,) = (row for row in standings(BEATEN, anchor="zulu", model=model).rows if row.bot == "zulu")
        assert (1500, None, None, None, "") == (row.elo, row.low, row.high, row.error, row.bound)


def test_json_has_every_figure() -> None:
    """Its rows have the fields of Row, its other keys those documented; nothing is NaN."""
    table = standings(club_night(), bots=("mike",), benched={"mike": "why"})
    read = json.loads(render(table, "json"))
    assert [field.name for field in fields(Row)] == list(read["rows"][0])
    assert [asdict(row) for row in table.rows] == read["rows"]
    keys = ["model", "ties", "anchor", "games", "delayed_games", "rows", "islands", "circles", "provisional", "byes"]
    keys += ["benched", "notes", "explanations", "duplicates", "rank_by", "commitment", "secret"]
    assert keys == list(read)
    assert {"mike": "why"} == read["benched"]


def test_csv_has_a_line_a_bot() -> None:
    """Unrounded figures, an empty cell for none, quoted where it must be."""
    games = [replace(row, bots=tuple(bot.replace("bravo", 'b,"r"') for bot in row.bots)) for row in club_night()]
    table = standings(games, bots=("mike",))
    lines = list(csv.DictReader(io.StringIO(render(table, "csv"))))
    assert ["alpha", 'b,"r"', "mike"] == [line["bot"] for line in lines]
    assert [str(row.elo or "") for row in table.rows] == [line["elo"] for line in lines]
    assert {table.model} == {line["model"] for line in lines}


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\uff1d1+1"])
def test_no_csv_cell_is_a_formula(name: str) -> None:
    """An apostrophe before such a name makes it a text; negative figures stay numbers."""
    games = [replace(row, bots=tuple(bot.replace("bravo", name) for bot in row.bots)) for row in club_night()]
    lines = list(csv.DictReader(io.StringIO(render(standings(games), "csv"))))
    assert {"alpha", f"'{name}"} == {line["bot"] for line in lines}
    games = [replace(row, points=row.points[::-1]) for row in club_night()[:1]]
    assert {"-10.0", "10.0"} == {
        line["margin"] for line in csv.DictReader(io.StringIO(render(standings(games), "csv")))
    }


class Reader(html.parser.HTMLParser):
    """Collects the tags and the text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text.append(data.strip())


MISCHIEVOUS = ["<b>", "<script>alert(1)<", "&lt;", "a|b", "`x`", "*a*", "[x](y)", "1e3", "=1+1", "007"]


@pytest.mark.parametrize("name", MISCHIEVOUS)
def test_html_shows_names_and_never_obeys_them(name: str) -> None:
    """Every name is text, in the table and in the notes, and adds no tag."""
    games = [replace(row, bots=tuple(bot.replace("bravo", name) for bot in row.bots)) for row in club_night()]
    reader = Reader()
    reader.feed(render(standings(games, benched={name: "why"}), "html"))
    page = {"html", "head", "meta", "title", "style", "body"}
    assert page | {"table", "caption", "thead", "tbody", "tr", "th", "td", "ul", "li"} == reader.tags
    assert name in reader.text
    assert f"{name} is benched: why" in reader.text


def test_html_is_a_whole_page() -> None:
    """With its encoding, a title and a caption, whatever these are called."""
    page = render(standings(club_night()), "html", Display(title="<cup> & more"))
    assert page.startswith("<!DOCTYPE html>\n<html")
    assert '<meta charset="utf-8">' in page
    assert "<title>&lt;cup&gt; &amp; more</title>" in page
    assert "<caption>&lt;cup&gt; &amp; more</caption>" in page
    assert page.endswith("</html>\n")


@pytest.mark.parametrize("name", MISCHIEVOUS)
def test_github_names_stay_in_their_cell(name: str) -> None:
    """No name makes another cell or markup: every character that Markdown acts on is quoted."""
    games = [replace(row, bots=tuple(bot.replace("bravo", name) for bot in row.bots)) for row in club_night()]
    lines = render(standings(games), "github").splitlines()
    cells = [line.replace("\\|", "").count("|") for line in lines[:4]]
    assert [8] * 4 == cells
    cell = next(line for line in lines[2:4] if "alpha" not in line).replace("\\|", "\0").split("|")[2].strip()
    assert name == cell.replace("\0", "|").replace("\\", "")
    assert all(cell[at - 1] == "\\" for at, letter in enumerate(cell) if letter in "`*_<>[]")


@pytest.mark.parametrize("style", STYLES)
def test_nothing_played_is_a_table_too(style: str) -> None:
    """Before the first game every rendering works and ends its last line."""
    text = render(standings([], bots=("alpha",)), style)
    assert "alpha" in text
    assert text.endswith("\n")
