"""`arena play`."""

from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from aurum.cli.running import grace_option, in_flight_chosen, play_and_print, site_of, speed_options, with_speed
from aurum.cli.sandboxes import in_sandbox, sandbox_option
from aurum.formats.registry import DEFAULT
from aurum.rules import PRESETS
from aurum.schedule.schedule import group_size
from aurum.spec.loading import spec_from
from aurum.spec.spec import Spec


def _entry(_context: click.Context, _option: click.Parameter, values: tuple[str, ...]) -> list[dict[str, str]]:
    entries = []
    for value in values:
        name, equals, command = value.partition("=")
        if not equals:
            raise click.BadParameter(f"{value!r} is not NAME=COMMAND, as in me='python my_bot.py'")
        entries.append({"name": name, "command": command})
    return entries


@click.command("play")
@click.option(
    "--bot",
    "bots",
    metavar="NAME=COMMAND",
    multiple=True,
    required=True,
    callback=_entry,
    help="A bot's name and the command that starts it; give two or more.",
)
@click.option(
    "--games",
    metavar="N",
    type=click.IntRange(1, 1_000_000),
    default=20,
    show_default=True,
    help="Games in each match.",
)
@click.option("--players", type=click.Choice(["4", "3"]), default="4", show_default=True, help="Players in a game.")
@click.option("--ruleset", type=click.Choice(list(PRESETS)), default="designer", show_default=True)
@click.option("--seed", metavar="TEXT", help="A text that decides the deals. [default: new deals each time]")
@click.option(
    "--turn-ms", metavar="MS", type=click.IntRange(1), default=1000, show_default=True, help="Time for each turn."
)
@grace_option()
@click.option("--out", metavar="DIR", type=click.Path(path_type=Path), help="Keep the results in this folder.")
@sandbox_option
@speed_options
@click.pass_context
def play(
    context: click.Context,
    /,
    bots: list[dict[str, str]],
    games: int,
    players: str,
    ruleset: str,
    seed: str | None,
    turn_ms: int,
    reconnect_grace_ms: int,
    out: Path | None,
    workers: int | None,
    games_in_flight: int | None,
    relaunch: str | None,
    executor: str | None,
    sandbox: str | None,
) -> None:
    """Play a quick match, or a round robin of more than two bots, and print the standings.

    Each deal is played in every seating, so the number of games is rounded up to whole deal groups: to an even number
    with four players, to a multiple of three with three.
    """
    spec = _spec(bots, games, players, ruleset, seed, {"turn_ms": turn_ms, "reconnect_grace_ms": reconnect_grace_ms})
    spec = in_sandbox(spec, sandbox)
    spec = with_speed(spec, workers, in_flight_chosen(games_in_flight, context), relaunch)
    rounded = spec.deals * group_size(spec)
    if rounded != games:
        click.echo(f"{games} games are rounded up to {rounded}: each deal is played in every seating", err=True)
    with site_of(executor, workers) as site:
        if out is not None:
            play_and_print(spec, out, site, f"finished games are stored in {out}, go on with the same command")
            return
        with TemporaryDirectory(prefix="arena-") as folder:
            play_and_print(spec, Path(folder), site, "nothing is kept without --out", kept=False)


def _spec(
    bots: list[dict[str, str]],
    games: int,
    players: str,
    ruleset: str,
    seed: str | None,
    clock: dict[str, int],
) -> Spec:
    sides = 3 if players == "3" else 2
    tournament = {"name": "play", "format": str(DEFAULT), "players": int(players), "deals": ceil(games / sides)}
    if seed is not None:
        tournament["seed"] = seed
    sections = {
        "tournament": tournament,
        "ruleset": {"preset": ruleset},
        "clock": clock,
        "bots": bots,
    }
    return spec_from(sections, "command line", Path.cwd())
