"""`arena export`."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import click
from aurum.archive.export import export_lines
from aurum.archive.trf import export_trf
from aurum.cli.reports import ReportFile
from aurum.store.store import Store

FORMATS: dict[str, Callable[[Store, bool], Iterable[str]]] = {"jsonl": export_lines, "trf": export_trf}


@click.command("export")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="jsonl",
    show_default=True,
    help="The records of all games, or a report of the matches.",
)
@click.option("--output", metavar="FILE", type=click.Path(path_type=Path), help="[default: standard output]")
@click.option("--unfinished", is_flag=True, help="Export even while games are still to be played.")
def export(folder: Path, form: str, output: Path | None, unfinished: bool) -> None:
    """Write a tournament's records as JSON Lines, or its matches as TRF.

    jsonl is one game a line, in protobuf's JSON mapping of aurum.v1.GameRecord with the names of the .proto file; a
    field that is zero, false or empty is left out. Records show every hand, so an unfinished tournament is
    exported with --unfinished only.

    trf is what programs for chess tournaments read: pairings, results of matches, points and ranks. It is for
    tournaments with matches of two bots.
    """
    with Store.read(folder) as store:
        lines = FORMATS[form](store, unfinished)
        if output is not None:
            ReportFile(output, "--output").put(f"{line}\n" for line in lines)
            return
        for line in lines:
            click.echo(line)
            if not sys.stdout.writable():
                return
