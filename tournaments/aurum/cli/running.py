"""Playing a tournament and printing its table: what `tournament run` and `play` have in common."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from aurum.cli.progress import shown_progress
from aurum.tournaments.endings import Interrupted
from aurum.tournaments.rendering import render
from aurum.tournaments.report import standings_of
from aurum.tournaments.runner import run_tournament
from aurum.tournaments.spec import Spec
from aurum.tournaments.store import Store


def speed_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say how fast to play."""
    for option in (
        click.option(
            "--games-in-flight", metavar="N", type=click.IntRange(1, 4096), help="Games at a time in each worker."
        ),
        click.option(
            "--workers", metavar="N", type=click.IntRange(1, 1024), help="Worker processes; without it, one a core."
        ),
    ):
        command = option(command)
    return command


def with_speed(spec: Spec, workers: int | None, games_in_flight: int | None) -> Spec:
    """The spec, overridden by what the command line says of speed."""
    return replace(spec, workers=workers or spec.workers, games_in_flight=games_in_flight or spec.games_in_flight)


def play_and_print(spec: Spec, folder: Path, go_on: str) -> None:
    """Play what is missing of a tournament and print its table.

    Args:
        spec: the tournament.
        folder: for its results.
        go_on: what to say to someone who interrupts it.
    """
    progress = shown_progress()
    try:
        run_tournament(spec, folder, progress=progress)
    except Interrupted:
        raise Interrupted(f"interrupted; {go_on}") from None
    finally:
        progress.end()
    with Store.read(folder) as store:
        click.echo(render(standings_of(store), "text"), nl=False)
        click.echo(f"secret of the deals: {store.secret.hex()}", err=True)
