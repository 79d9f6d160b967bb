"""`arena verify`."""

import time
from pathlib import Path

import click
from aurum.archive.audit import Audit
from aurum.common.errors import UserError
from aurum.common.texts import counted
from aurum.processes.cores import cores
from aurum.rules import commitment


def _secret(_context: click.Context, _option: click.Parameter, value: str | None) -> bytes | None:
    try:
        return None if value is None else bytes.fromhex(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a hexadecimal number") from None


@click.command("verify")
@click.argument("path", metavar="FILE|DIR", type=click.Path(path_type=Path))
@click.option("--secret", metavar="HEX", callback=_secret, help="The published secret that the deals must follow from.")
@click.option("--commitment", "committed", metavar="HEX", help="The commitment that was published at the start.")
@click.option("--workers", metavar="N", type=click.IntRange(1, 1024), help="Worker processes; without it, one a core.")
@click.pass_context
def verify(
    context: click.Context, path: Path, secret: bytes | None, committed: str | None, workers: int | None
) -> None:
    """Play recorded games again and say what differs.

    FILE was written by `arena export`, or is - for standard input. DIR is a tournament's folder: its deals, pairings
    and figures are verified too. Exit code 1 if anything differs.
    """
    begun = time.perf_counter()
    audit = Audit(path, secret, processes=workers or len(cores()))
    found = 0
    for problem in audit.problems():
        found += 1
        click.echo(problem)
    if committed is not None:
        if audit.secret is None:
            raise UserError(f"{path}: a file holds no secret to compare the commitment with: give one with --secret")
        if commitment(audit.secret) != committed.lower():
            found += 1
            click.echo(f"{path}: the secret is not the one that was committed to")
    rate = audit.games / (time.perf_counter() - begun)
    verdict = counted(found, "difference") if found else "no difference"
    click.echo(f"{counted(audit.games, 'game')} played again, {verdict} ({rate:.0f} games/s)")
    if found:
        context.exit(1)
