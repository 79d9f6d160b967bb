"""`arena merge`."""

from pathlib import Path

import click
from aurum.archive.merging import merge as merge_stores
from aurum.cli.streams import text_width
from aurum.common.texts import counted
from aurum.standings.rendering import Display, render
from aurum.standings.stored import standings_of
from aurum.store.store import Store


@click.command("merge")
@click.argument("folders", metavar="DIR...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out", metavar="DIR", required=True, type=click.Path(path_type=Path), help="Folder for the merged store."
)
def merge(folders: tuple[Path, ...], out: Path) -> None:
    """Merge stores of one tournament, usually its shards, and print the standings.

    The order of the stores does not matter, and a store may be given twice. What is missing can be merged later into
    the same folder, or played there by `arena tournament run`.
    """
    merged = merge_stores(folders, out)
    with Store.read(out) as store:
        click.echo(render(standings_of(store), "text", Display(width=text_width())), nl=False)
    click.echo(f"{counted(len(folders), 'store')} merged: {merged.games} of {merged.total} games", err=True)
    if merged.lacking:
        click.echo(f"missing: {', '.join(merged.lacking)}", err=True)
    click.echo(f"results: {out}", err=True)
