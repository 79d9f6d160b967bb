"""`arena export`."""

from contextlib import ExitStack
from pathlib import Path

import click
from aurum.tournaments.errors import UserError
from aurum.tournaments.export import export_lines
from aurum.tournaments.store import Store


@click.command("export")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--output", metavar="FILE", type=click.Path(path_type=Path), help="[default: standard output]")
@click.option("--unfinished", is_flag=True, help="Also while games are still to be played.")
def export(folder: Path, output: Path | None, unfinished: bool) -> None:
    """Write the records of a tournament as JSON Lines, one game a line.

    It is protobuf's JSON mapping of aurum.v1.GameRecord with the names of the .proto file; a field that is zero, false
    or empty is left out. Records show every hand, so an unfinished tournament is not exported without being asked to.
    """
    with Store.read(folder) as store, ExitStack() as stack:
        lines = export_lines(store, unfinished)
        if output is None:
            for line in lines:
                click.echo(line)
            return
        try:
            file = stack.enter_context(output.open("w", encoding="utf-8"))
        except OSError as error:
            raise UserError(f"{output}: cannot be written: {error.strerror}") from None
        file.writelines(f"{line}\n" for line in lines)
