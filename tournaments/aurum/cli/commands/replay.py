"""`arena replay`."""

from pathlib import Path

import click
from aurum.archive.games import find
from aurum.archive.transcript import transcript

_COLOURS = {
    "B": "magenta",
    "C": "bright_red",
    "P": "green",
    "S": "cyan",
    "Z": "blue",
    "G": "bright_yellow",
    "fault": "red",
    "win": "green",
}


def _paint(text: str, role: str) -> str:
    return click.style(text, bold=True) if role == "head" else click.style(text, fg=_COLOURS[role])


@click.command("replay")
@click.argument("path", metavar="FILE|DIR", type=click.Path(path_type=Path))
@click.argument("game")
@click.option("--round", "only", metavar="N", type=click.IntRange(1), help="Show only this round.")
def replay(path: Path, game: str, only: int | None) -> None:
    """Show a recorded game.

    FILE was written by `arena export`, or is - for standard input; DIR is a tournament's folder. GAME is a number from
    1, a game's id, or the end of an id, such as r1m1/0/0.
    """
    for line in transcript(find(path, game), only, _paint):
        click.echo(line)
