"""`arena new`."""

import shlex
from pathlib import Path

import click
from aurum.common.errors import UserError
from aurum.languages import begin, find, languages


@click.command("new")
@click.option("--language", metavar="NAME", help="Language of the bot: a folder of sdk/, such as go or rust.")
@click.option(
    "--dir",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Folder of the bot. [default: one called NAME]",
)
@click.argument("name")
def new(language: str | None, folder: Path | None, name: str) -> None:
    """Write a new bot, small but able to play, into a folder of its own.

    It builds, passes `arena check` and can take part in tournaments as it is; the command prints how.
    """
    if language is None:
        raise UserError(f"--language is missing: choose one of {', '.join(languages())}")
    chosen = find(language)
    folder = folder or Path(name)
    begin(chosen, name, folder)
    command = shlex.join(chosen.run(name))
    click.echo(f"{folder}: a bot in {chosen.title}; its README.md tells the rest")
    click.echo(f"  cd {shlex.quote(str(folder))}")
    if chosen.build:
        click.echo(f"  {shlex.join(chosen.build)}")
    click.echo(f"  arena check -- {command}")
    click.echo(f'  arena play --bot {name}="{command}" --bot twin="{command}"')
    if lack := chosen.lacks():
        debian = f" (Debian: apt-get install {' '.join(chosen.packages)})" if chosen.packages else ""
        click.echo(f"note: {lack}, which it takes to build it{debian}", err=True)
