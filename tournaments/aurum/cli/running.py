"""Plays a tournament and prints its standings: what `tournament run` and `play` have in common."""

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from aurum.archive.faults import first_faults
from aurum.cli.progress import shown_progress
from aurum.cli.streams import text_width
from aurum.common.errors import Interrupted, UserError
from aurum.referee.unit import DAY_MS
from aurum.run.runner import run_tournament
from aurum.run.trial import CannotPlayError
from aurum.schedule.shards import Shard
from aurum.spec.keys import CLOCK, RUN
from aurum.spec.readers import Refused
from aurum.spec.spec import AUTO, Relaunch, Spec
from aurum.standings.rendering import Display, render
from aurum.standings.stored import standings_of
from aurum.store.store import Store
from aurum.workers.cluster import address_of, connected
from aurum.workers.site import THIS_MACHINE, Site
from click.core import ParameterSource


def _address(_context: click.Context, _option: click.Parameter, url: str | None) -> str | None:
    try:
        if url is not None:
            address_of(url)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    return url


def _in_flight(_context: click.Context, _option: click.Parameter, text: str | None) -> int | None:
    if text is None:
        return None
    try:
        return int(RUN["games_in_flight"].read(int(text) if text.isdecimal() else text))
    except Refused as refused:
        raise click.BadParameter(refused.sentence) from None


executor_option = click.option(
    "--executor",
    metavar="dask://HOST:PORT",
    callback=_address,
    help="Play on the workers of this Dask cluster. [default: on this machine]",
)
"""The option that says where units are played."""


def grace_option(default: int = CLOCK["reconnect_grace_ms"].default, metavar: str | None = "MS") -> Callable[..., Any]:
    """The option that says how long a bot has to come back; `default` in milliseconds."""
    return click.option(
        "--reconnect-grace-ms",
        metavar=metavar,
        type=click.IntRange(0, DAY_MS),
        default=default,
        show_default=True,
        help="Time for a bot that has lost its connection to come back.",
    )


def speed_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say how fast to play."""
    for option in (
        executor_option,
        click.option(
            "--relaunch",
            type=click.Choice([*map(str, Relaunch)]),
            help="How long a bot's processes play: until a fault, for a match or for a unit.",
        ),
        click.option(
            "--games-in-flight",
            metavar="N|auto",
            callback=_in_flight,
            help="Games at a time in each worker; auto: as many as make play faster and let no turn get late.",
        ),
        click.option(
            "--workers", metavar="N", type=click.IntRange(1, 1024), help="Worker processes; without it, one a core."
        ),
    ):
        command = option(command)
    return command


def in_flight_chosen(games_in_flight: int | None, context: click.Context) -> int | None:
    """The value of --games-in-flight; AUTO if neither that nor --turn-ms is given, since then no clock matters."""
    if games_in_flight is None and context.get_parameter_source("turn_ms") is ParameterSource.DEFAULT:
        return AUTO
    return games_in_flight


def with_speed(spec: Spec, workers: int | None, games_in_flight: int | None, relaunch: str | None) -> Spec:
    """The spec with what the command line says of speed instead of its own values."""
    return replace(
        spec,
        workers=workers or spec.workers,
        games_in_flight=spec.games_in_flight if games_in_flight is None else games_in_flight,
        relaunch=Relaunch(relaunch or spec.relaunch),
    )


@contextmanager
def site_of(executor: str | None, workers: int | None = None) -> Iterator[Site]:
    """Where units are played, by the command line: on this machine, or on a cluster.

    Args:
        executor: the cluster's URL; without it, this machine.
        workers: the value of --workers, which a cluster refuses.

    Raises:
        UserError: the cluster cannot be used.
    """
    if executor is None:
        yield THIS_MACHINE
        return
    if workers is not None:
        raise click.UsageError("--workers is for this machine: a cluster plays as many units as it has workers")
    with connected(executor) as cluster:
        yield cluster.site


def play_and_print(
    spec: Spec,
    folder: Path,
    site: Site,
    go_on: str,
    shard: Shard | None = None,
    until_round: int | None = None,
    play_without_any: bool = False,
    hint: str = "",
    kept: bool = True,
) -> None:
    """Play what is missing of a tournament and print its standings.

    Args:
        spec: the tournament.
        folder: for its results.
        site: where it is played.
        go_on: what to say to someone who interrupts it.
        shard: the part of it that is played; without it, all of it.
        until_round: the last round that is played now; without it, all of them.
        play_without_any: play whichever bots cannot start.
        hint: what else can be done if some cannot, for the end of a sentence.
        kept: whether the folder outlives the command.
    """
    progress = shown_progress(folder if kept else None)
    try:
        run_tournament(
            spec,
            folder,
            progress=progress,
            site=site,
            shard=shard,
            until_round=until_round,
            play_without=lambda bots: play_without_any,
        )
    except CannotPlayError as error:
        raise UserError(f"{error}{hint}") from None
    except Interrupted:
        raise Interrupted(f"interrupted; {go_on}") from None
    finally:
        progress.end()
    with Store.read(folder) as store:
        click.echo(render(standings_of(store), "text", Display(width=text_width())), nl=False)
        faults = list(first_faults(store))
        click.echo("".join(f"{sentence}\n" for sentence in faults), nl=False)
        if faults and kept:
            click.echo(f"all faults: {shlex.join(['arena', 'tournament', 'faults', str(folder)])}", err=True)
        if store.finished is not None:  # what is still to be dealt is nobody's to know
            click.echo(f"secret of the deals: {store.secret.hex()}", err=True)
