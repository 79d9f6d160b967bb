"""`arena replay`."""

from pathlib import Path

import click
from aurum.archive.asked import as_json, as_text, asked
from aurum.archive.games import find
from aurum.archive.transcript import transcript
from aurum.common.errors import UserError

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
@click.option("--turn", metavar="N", type=click.IntRange(1), help="Show only this decision, as its bot was asked it.")
@click.option("--seat", metavar="SEAT", type=click.IntRange(0), help="--turn counts those of this seat, as faults do.")
@click.option("--json", "as_message", is_flag=True, help="Write the turn as JSON, for a test of the bot.")
@click.option(
    "--turn-ms",
    metavar="MS",
    type=click.IntRange(1),
    default=60_000,
    show_default=True,
    help="Time that the turn of --json has left: records do not say.",
)
def replay(
    path: Path, game: str, only: int | None, turn: int | None, seat: int | None, as_message: bool, turn_ms: int
) -> None:
    """Show a recorded game, or one turn of it.

    FILE was written by `arena export`, or is - for standard input; DIR is a tournament's folder. GAME is a number from
    1, a game's id, or the end of an id, such as r1m1/0/0.
    """
    if turn is None:
        if seat is not None or as_message:
            raise UserError(
                "--seat and --json are for one turn: add --turn N (arena export writes whole games as JSON)"
            )
        for line in transcript(find(path, game), only, _paint):
            click.echo(line)
        return
    if only is not None:
        raise UserError("--round and --turn exclude each other")
    record = find(path, game)
    found = asked(record, turn, seat, turn_ms)
    for line in [as_json(found)] if as_message else as_text(record, found):
        click.echo(line)
