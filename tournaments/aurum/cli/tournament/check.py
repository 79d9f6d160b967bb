"""`arena tournament check`."""

from collections.abc import Mapping
from pathlib import Path

import click
from aurum.cli.progress import shown_progress
from aurum.cli.running import executor_option, site_of
from aurum.cli.sandboxes import in_sandbox, sandbox_option
from aurum.common.errors import UserError
from aurum.common.texts import counted, printable
from aurum.layout.widths import padded, width
from aurum.referee.unit import TrialOutcome
from aurum.run.trial import try_all
from aurum.spec.loading import load_spec
from aurum.spec.spec import Spec


@click.command("check")
@click.argument("spec_file", metavar="SPEC.toml", type=click.Path(path_type=Path))
@sandbox_option
@executor_option
def check_command(spec_file: Path, sandbox: str | None, executor: str | None) -> None:
    """Start every bot of a tournament once, and have it play a few turns.

    Builds the bots and stores nothing. `run` does the same before the first game. Exit code 2 if a bot cannot play.
    """
    spec = in_sandbox(load_spec(spec_file), sandbox)
    with site_of(executor) as site:
        outcomes = try_all(spec, progress=shown_progress(), site=site)
        cores = site.worker_count(spec)
    click.echo("\n".join(_lines(spec, outcomes, cores)))
    bad = sum(bool(outcome.problem) for outcome in outcomes.values())
    if bad:
        raise UserError(f"{spec.source}: {bad} of {counted(len(outcomes), 'bot')} cannot play: mend them first")


def _lines(spec: Spec, outcomes: Mapping[str, TrialOutcome], workers: int) -> list[str]:
    wide = max(map(width, outcomes))
    lines = [f"{padded(bot, wide)}  {_words(outcome)}" for bot, outcome in outcomes.items()]
    cpu = sorted(outcome.loading_cpu_s for outcome in outcomes.values() if not outcome.cannot_start)
    if len(cpu) >= spec.side_count:
        # A bot has an instance for each seat of the table.
        seconds = spec.players * sum(cpu[-spec.side_count :])
        lines.append(
            f"loading: a worker launches {spec.players * spec.side_count} instances for a match, which takes up to "
            f"{seconds:.1f} s of a core; {counted(workers, 'worker')} play at the same time"
        )
    return lines


def _words(outcome: TrialOutcome) -> str:
    loading = f"loads in {outcome.loading_s:.1f} s, {outcome.loading_cpu_s:.1f} s of it processor time"
    if outcome.cannot_start:
        return f"FAIL  cannot start: {printable(outcome.cannot_start)}"
    if outcome.fault:
        return f"FAIL  {printable(outcome.fault)} ({loading})"
    return f"ok    {loading}"
