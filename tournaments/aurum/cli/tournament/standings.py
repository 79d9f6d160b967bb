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
    "--format", "style", type=click.Choice(list(STYLES)), default="text", show_default=True, help="How to print it."
)
@click.option(
    "--model",
    type=click.Choice([model.value for model in Model]),
    default=Model.DAVIDSON_LUCE.value,
    show_default=True,
    help="What Elo is fitted by.",
)
def standings(folder: Path, style: str, model: str) -> None:
    """Print the table of the tournament in DIR.

    It need not be finished, and may be played at the same time.
    """
    with Store.read(folder) as store:
        click.echo(render(standings_of(store, Model(model)), style), nl=False)
