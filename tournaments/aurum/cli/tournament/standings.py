"""`arena tournament standings`."""

from pathlib import Path

import click
from aurum.standings.ratings import Model
from aurum.standings.rendering import STYLES, render
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
    default=Model.DAVIDSON_LUCE.value,
    show_default=True,
    help="The model that Elo is fitted with.",
)
def standings(folder: Path, style: str, model: str) -> None:
    """Print the standings of the tournament in DIR.

    The tournament may be unfinished, and may be running at the same time.
    """
    with Store.read(folder) as store:
        click.echo(render(standings_of(store, Model(model)), style), nl=False)
