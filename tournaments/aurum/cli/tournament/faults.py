"""`arena tournament faults`."""

from pathlib import Path

import click
from aurum.archive.faults import at_fault, faults_json, faults_text
from aurum.archive.handout import FILES, write_handouts
from aurum.common.texts import counted
from aurum.store.store import Store


@click.command("faults")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--bot", metavar="NAME", help="Only this bot. [default: all that had faults; with --out, all]")
@click.option(
    "--out",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Write there a folder for each bot, for its author.",
)
@click.option("--unfinished", is_flag=True, help="With --out: even while games are still to be played.")
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
def faults(folder: Path, bot: str | None, out: Path | None, unfinished: bool, style: str) -> None:
    """Explain every fault in the tournament in DIR, and write what its bots' authors need.

    Of each fault the game, the turn, a sentence, and the end of what the process wrote. With --out, each bot has a
    folder with its faults, its games as records and as readable text, and its figures.
    """
    with Store.read(folder) as store:
        bots = at_fault(store, bot)
        if out is not None:
            handed = bots if bot is not None else [entry.name for entry in store.spec.bots]
            written = write_handouts(store, handed, out, unfinished)
            click.echo(f"{counted(len(written), 'folder')} in {out}, each with {', '.join(FILES)}")
        elif style == "json":
            click.echo(faults_json(store, bots))
        elif not bots:
            click.echo("no faults")
        else:
            for line in faults_text(store, bots):
                click.echo(line)
