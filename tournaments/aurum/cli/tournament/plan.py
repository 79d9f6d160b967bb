"""`arena tournament plan`."""

import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

import click
from aurum.cli.progress import LiveProgress, span
from aurum.cli.running import site_of, speed_options, with_speed
from aurum.cli.sandboxes import in_sandbox, sandbox_option
from aurum.cli.streams import terminal_width
from aurum.common.texts import counted
from aurum.run.calibration import calibrate
from aurum.schedule.plan import Plan, as_json, plan, spec_line
from aurum.schedule.schedule import rounds_ready
from aurum.spec.loading import load_spec
from aurum.spec.spec import Spec

_LINE_EVERY_S = 5.0


class PlanProgress(LiveProgress):
    """Shows how long a calibration has taken, of about how long it is to take, and how many games it has played."""

    def __init__(self, stream: TextIO, clock: Callable[[], float], width: int | None, seconds: float) -> None:
        super().__init__(stream, clock, width, line_every_s=_LINE_EVERY_S, clear="\r\x1b[K")
        self._seconds = seconds
        self._begun = clock()

    def rows(self) -> Sequence[str]:
        """The same as the line."""
        return (self.line(),)

    def line(self) -> str:
        """The time and the games."""
        passed = self._clock() - self._begun
        return f"planning: {span(passed)} of about {span(self._seconds)}, {counted(self._games.stored, 'game')} played"

    def end(self) -> None:
        """Clear the row away."""
        self._live.end([])


@click.command("plan")
@click.argument("spec_file", metavar="SPEC.toml", type=click.Path(path_type=Path))
@click.option(
    "--minutes",
    metavar="N",
    type=click.FloatRange(0, min_open=True),
    required=True,
    help="The time available for the whole tournament.",
)
@click.option(
    "--calibrate-seconds",
    metavar="N",
    type=click.FloatRange(0, 3600, min_open=True),
    default=10,
    show_default=True,
    help="About how long to play for the estimate.",
)
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@sandbox_option
@speed_options
def plan_command(
    spec_file: Path,
    minutes: float,
    calibrate_seconds: float,
    style: str,
    workers: int | None,
    games_in_flight: int | None,
    relaunch: str | None,
    executor: str | None,
    sandbox: str | None,
) -> None:
    """Estimate how many deals per match fit into a given time.

    Builds the bots, plays some deals with them as in the tournament, and stores nothing.
    """
    spec = with_speed(in_sandbox(load_spec(spec_file), sandbox), workers, games_in_flight, relaunch)
    ready = rounds_ready(spec, bytes(32), {})
    with site_of(executor, workers) as site:
        progress = PlanProgress(sys.stderr, time.monotonic, terminal_width(), calibrate_seconds)
        try:
            samples = calibrate(spec, ready, calibrate_seconds, progress=progress, site=site)
        finally:
            progress.end()
        found = plan(spec, ready, samples, minutes, site.worker_count(spec))
    if style == "json":
        click.echo(json.dumps(as_json(found), indent=2, allow_nan=False))
    else:
        click.echo("\n".join(_lines(spec, found, minutes)))


def _lines(spec: Spec, found: Plan, minutes: float) -> list[str]:
    slowest = max(found.tried, key=lambda pace: pace.group)
    games = found.games // max(found.deals, 1) // found.matches
    lines = [
        f"{spec.name}: {counted(len(spec.bots), 'bot')}, {found.matches} matches, {counted(games, 'game')} a deal",
        f"measured: {found.games_per_second:.1f} games/s by {counted(found.workers, 'worker')} with "
        f"{counted(found.games_in_flight, 'game')} in flight each, from {counted(found.calibration_games, 'game')}",
        f"slowest:  {' - '.join(slowest.bots)}, {slowest.group:.2f} s a deal and {slowest.launch:.2f} s to launch",
    ]
    lines += [
        f"note: {bot} was at fault {counted(count, 'time')} in them: mend it first, a fault can take long"
        for bot, count in found.faults.items()
    ]
    lines += [f"note: {sentence}" for sentence in spec.format.warnings(spec)]
    if not found.deals:
        return [*lines, f"fits:     nothing: one deal in each match takes about {span(60 * found.minutes)}"]
    return [
        *lines,
        f"fits:     {counted(found.deals, 'deal')} in each match, {counted(found.games, 'game')} in "
        f"about {span(60 * found.minutes)} of {span(60 * minutes)}",
        f"Elo:      +- {found.error:.0f}, roughly (95 %, a bot that plays the average number of deals)",
        "",
        f"{spec_line(found)}",
    ]
