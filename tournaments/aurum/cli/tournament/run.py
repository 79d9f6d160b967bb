"""`arena tournament run`."""

import shlex
import sys
from pathlib import Path

import click
from aurum.cli.running import play_and_print, site_of, speed_options, with_speed
from aurum.cli.sandboxes import in_sandbox, sandbox_option
from aurum.schedule.shards import Shard
from aurum.spec.loading import load_spec
from aurum.store.store import FILE


def _shard(_context: click.Context, _option: click.Parameter, text: str | None) -> Shard | None:
    try:
        return None if text is None else Shard.parse(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def _usual_folder(spec_file: Path, name: str) -> Path:
    """The folder of this name here; but if only the one beside the spec has results, that one."""
    here, beside = Path(name), spec_file.absolute().parent / name
    return beside if (beside / FILE).exists() and not (here / FILE).exists() else here


@click.command("run")
@click.argument("spec_file", metavar="SPEC.toml", type=click.Path(path_type=Path))
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Folder for the results. [default: one with the name of the tournament, here, or beside SPEC.toml if only "
    "that has any]",
)
@click.option("--shard", metavar="I/N", callback=_shard, help="Play part I of N; `arena merge` joins the parts.")
@click.option("--until-round", metavar="N", type=click.IntRange(1), help="Stop once this round is stored.")
@click.option("--allow-absent", is_flag=True, help="Play even if bots cannot start: they forfeit their games.")
@sandbox_option
@speed_options
def run(
    spec_file: Path,
    out: Path | None,
    shard: Shard | None,
    until_round: int | None,
    allow_absent: bool,
    workers: int | None,
    games_in_flight: int | None,
    relaunch: str | None,
    executor: str | None,
    sandbox: str | None,
) -> None:
    """Play a tournament and print its standings.

    If it ends early, for whatever reason, the same command goes on where it stopped: finished games are stored in DIR.
    Progress goes to standard error, the standings to standard output.
    """
    spec = with_speed(in_sandbox(load_spec(spec_file), sandbox), workers, games_in_flight, relaunch)
    folder = out or _usual_folder(
        spec_file, spec.name if shard is None else f"{spec.name}-{shard.number}-of-{shard.count}"
    )
    again = shlex.join(["arena", *sys.argv[1:]])
    go_on = f"finished games are stored in {folder}, go on with the same command: {again}"
    with site_of(executor, workers) as site:
        play_and_print(
            spec,
            folder,
            site,
            go_on,
            shard,
            until_round,
            play_without_any=allow_absent,
            hint=", or play without it by --allow-absent",
        )
    click.echo(f"results: {folder}", err=True)
