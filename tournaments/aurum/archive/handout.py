"""Writes a folder for each bot that its author can be handed: its faults, its games and its figures."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from aurum.archive.export import refuse_unfinished
from aurum.archive.faults import faults_json, faults_text
from aurum.archive.transcript import transcript
from aurum.common.errors import UserError
from aurum.layout.grid import Column, grid_of
from aurum.layout.page import Page, as_text
from aurum.records.json_lines import to_line
from aurum.standings.matches import Matches, MatchResult, matches_of
from aurum.standings.rendering import COLUMNS
from aurum.standings.standings import Row, Standings
from aurum.standings.stored import standings_of
from aurum.store.store import Store
from aurum.v1.record_pb2 import GameRecord

FILES = ("faults.txt", "faults.json", "games.jsonl", "games.txt", "figures.txt", "figures.json")


def write_handouts(store: Store, bots: Iterable[str], out: Path, unfinished: bool = False) -> list[Path]:
    """Write `FILES` into a folder for each of these bots, named as it is, in `out`. Returns the folders.

    Raises:
        UserError: one of them is there already, or cannot be written; or the tournament is not finished and
            `unfinished` does not allow that: records show every hand.
    """
    refuse_unfinished(store, unfinished)
    folders = {bot: out / bot for bot in bots}
    for folder in folders.values():
        if folder.exists():
            raise UserError(f"{folder}: is there already: remove it, or give another folder")
    table, matches = standings_of(store), matches_of(store)
    rows = {row.bot: row for row in table.rows}
    for bot, folder in folders.items():
        try:
            folder.mkdir(parents=True)
            _write(folder / "faults.txt", faults_text(store, [bot]))
            _write(folder / "faults.json", [faults_json(store, [bot])])
            _write(folder / "figures.txt", _figures_text(table, matches, rows[bot]))
            _write(folder / "figures.json", [_figures_json(table, matches, rows[bot])])
            _write(folder / "games.jsonl", (to_line(record) for record in _games(store, bot)))
            _write(folder / "games.txt", _transcripts(store, bot))
        except OSError as error:
            raise UserError(f"{folder}: cannot be written: {error.strerror}") from None
    return list(folders.values())


def _write(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", errors="replace") as file:
        file.writelines(f"{line}\n" for line in lines)


def _games(store: Store, bot: str) -> Iterator[GameRecord]:
    return (GameRecord.FromString(record) for _, record in store.records(bot))


def _transcripts(store: Store, bot: str) -> Iterator[str]:
    for record in _games(store, bot):
        yield from transcript(record)
        yield ""


def _figures_text(table: Standings, matches: Matches, row: Row) -> Iterator[str]:
    figures = grid_of(
        (
            Column[Column[Row]]("figure", lambda column: column.title, left=True, key=True),
            Column("value", lambda column: column.cell(row)),
            Column("meaning", lambda column: column.meaning, left=True),
        ),
        [column for column in COLUMNS if column.cell(row) != "-" and not column.key],
    )
    met = [match for played in matches.rounds for match in played.matches if row.bot in match.bots]
    played = grid_of(
        (
            Column[MatchResult]("match", lambda match: match.id, left=True, key=True),
            Column("against", lambda match: ", ".join(bot for bot in match.bots if bot != row.bot), left=True),
            Column("score", lambda match: f"{match.score[match.bots.index(row.bot)]:.1f}"),
            Column("games", lambda match: str(match.games)),
        ),
        met,
        "its matches; score: games won, draws as half, against each opponent",
    )
    yield from as_text(Page(row.bot, (figures, played), table.notes)).splitlines()


def _figures_json(table: Standings, matches: Matches, row: Row) -> str:
    met = [asdict(match) for played in matches.rounds for match in played.matches if row.bot in match.bots]
    return json.dumps({**asdict(row), "model": table.model, "notes": table.notes, "matches": met}, indent=2)
