"""`arena tournament void`."""

from pathlib import Path

import click
from aurum.archive.failed_starts import void_failed_starts
from aurum.common.texts import counted


@click.command("void")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--bot", metavar="NAME", required=True, help="The bot that could not start, and now can.")
def void(folder: Path, bot: str) -> None:
    """Void the games that a bot lost by failing to start.

    The next `arena tournament run` plays them again, with all games of the same deals, and the table says so. In a
    Swiss or a knockout only those of the last round can be voided, since pairings follow from the others.
    """
    voided = void_failed_starts(folder, bot)
    click.echo(voided.voiding.note)
    if voided.kept:
        click.echo(f"{counted(voided.kept, 'game')} of earlier rounds stay lost: the pairings since follow from them")
    click.echo("to play them: arena tournament run, with the same spec and folder")
