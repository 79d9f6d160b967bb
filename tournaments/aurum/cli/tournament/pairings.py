"""`arena tournament pairings`."""

from pathlib import Path

import click
from aurum.cli.streams import text_width
from aurum.standings.matches import matches_of
from aurum.standings.pairings import PAIRING_STYLES, render_pairings
from aurum.store.store import Store


@click.command("pairings")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--round", "number", metavar="N", type=click.IntRange(1), help="Show only this round.")
@click.option("--cross-table", is_flag=True, help="Show only the cross table, which is left out of large fields.")
@click.option("--format", "style", type=click.Choice(PAIRING_STYLES), default="text", show_default=True)
def pairings(folder: Path, number: int | None, cross_table: bool, style: str) -> None:
    """Print who plays whom in the tournament in DIR, and how it ended.

    For each round that is paired its matches with their results so far and its byes, then a cross table. The
    tournament may be unfinished, and may be running at the same time.
    """
    if cross_table and (number is not None or style in ("json", "csv")):
        raise click.UsageError("--cross-table is for all rounds, in text, github or html: json has it anyway")
    with Store.read(folder) as store:
        click.echo(render_pairings(matches_of(store), style, number, cross_table, text_width()), nl=False)
