"""`arena tournament standings`."""

from pathlib import Path

import click
from aurum.cli.streams import text_width
from aurum.standings.ratings import Model
from aurum.standings.rendering import EVERY_COLUMN, STYLES, Display, render
from aurum.standings.stored import standings_of
from aurum.store.store import Store


@click.command("standings")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--format", "style", type=click.Choice(list(STYLES)), default="text", show_default=True, help="The output format."
)
@click.option(
    "--model",
    type=click.Choice([model.value for model in Model]),
    default=Model.POSTERIOR.value,
    show_default=True,
    help="How Elo is computed.",
)
@click.option(
    "--columns",
    metavar=f"NAME,...|{EVERY_COLUMN}",
    default="",
    help="Columns to show beside the essential ones, as LOS,margin; or all.",
)
@click.option("--explain", is_flag=True, help="Say what each column, mark and note means.")
def standings(folder: Path, style: str, model: str, columns: str, explain: bool) -> None:
    """Print the standings of the tournament in DIR.

    The tournament may be unfinished, and may be running at the same time. Text is as wide as the terminal, at most 100
    columns; what does not fit stands below. csv and json always have every figure.
    """
    asked = tuple(name for part in columns.split(",") if (name := part.strip()))
    with Store.read(folder) as store:
        display = Display(f"{store.spec.name}: standings", asked, explain, text_width())
        click.echo(render(standings_of(store, Model(model)), style, display), nl=False)
