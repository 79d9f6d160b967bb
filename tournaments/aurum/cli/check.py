"""`arena check`."""

import asyncio
import shlex
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click
from aurum.conformance import report
from aurum.conformance.stage import Subject
from aurum.conformance.suite import CHECKS, Result, run, with_needs
from aurum.conformance.table import Check
from aurum.tournaments.errors import UserError


class _Shown:
    """The checklist as it grows, on standard output, in the order of the table; on a terminal also what is under way.

    `quiet`: nothing is printed, since the report itself is to go to standard output.
    """

    def __init__(self, checks: Sequence[Check], quiet: bool) -> None:
        self._waiting = [check.name for check in checks]
        self._results: dict[str, Result] = {}
        self._running: dict[str, int] = {}
        self._quiet = quiet
        self._width = shutil.get_terminal_size().columns if sys.stderr.isatty() else None

    def begun(self, check: Check) -> None:
        """A check has begun."""
        self._running[check.name] = 0
        self._draw()

    def counted(self, check: Check, games: int) -> None:
        """So many games more of a check were played."""
        self._running[check.name] += games
        self._draw()

    def ended(self, result: Result) -> None:
        """A check has ended."""
        self._running.pop(result.check.name, None)
        self._results[result.check.name] = result
        while self._waiting and self._waiting[0] in self._results:
            for line in report.lines(self._results[self._waiting.pop(0)]):
                self.say(line)
        self._draw()

    def say(self, line: str) -> None:
        """A line of the checklist."""
        if not self._quiet:
            self.clear()
            click.echo(line)

    def clear(self) -> None:
        """Take what is under way off the terminal."""
        if self._width is not None:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def _draw(self) -> None:
        if self._width is None:
            return
        running = [f"{name} ({games} games)" if games else name for name, games in self._running.items()]
        line = f"{len(self._results)} of {len(self._results) + len(self._left())} checks done, now {', '.join(running)}"
        sys.stderr.write("\r\x1b[K" + (line[: self._width - 1] if running else ""))
        sys.stderr.flush()

    def _left(self) -> list[str]:
        return [name for name in self._waiting if name not in self._results]


@click.command("check")
@click.argument("command", nargs=-1, required=True, metavar="COMMAND...")
@click.option(
    "--folder",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=".",
    help="Where the bot is started.  [default: here]",
)
@click.option(
    "--games", metavar="N", type=click.IntRange(1, 1_000_000), default=1000, show_default=True, help="Random games."
)
@click.option("--turn-ms", metavar="MS", type=click.IntRange(1), default=5000, show_default=True, help="For each turn.")
@click.option(
    "--setup-ms", metavar="MS", type=click.IntRange(1), default=30_000, show_default=True, help="From launch to Hello."
)
@click.option(
    "--only",
    metavar="NAME",
    multiple=True,
    type=click.Choice([check.name for check in CHECKS]),
    help="Only this check and those that it needs; may be repeated.",
)
@click.option(
    "--format", "style", type=click.Choice(["text", "junit"]), default="text", show_default=True, help="Of the report."
)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the report there, and the checklist to standard output all the same.",
)
@click.pass_context
def check(
    context: click.Context,
    command: tuple[str, ...],
    folder: Path,
    games: int,
    turn_ms: int,
    setup_ms: int,
    only: tuple[str, ...],
    style: str,
    out: Path | None,
) -> None:
    """Take a bot through everything that a referee may do to it.

    COMMAND starts the bot, as in `arena check -- python my_bot.py`. Exit code 1 if it fails a check.
    """
    words = _words(command)
    subject = Subject(words, str(folder), games, turn_ms, setup_ms)
    checks = with_needs(only) if only else list(CHECKS)
    shown = _Shown(checks, quiet=style == "junit" and out is None)
    start = time.monotonic()
    results = asyncio.run(run(subject, checks, shown))
    seconds = time.monotonic() - start
    shown.say(report.summary(results, seconds))
    if style == "junit":
        _write(out, report.junit(results, seconds))
    elif out is not None:
        text = [line for result in results for line in report.lines(result)]
        _write(out, "\n".join([*text, report.summary(results, seconds)]) + "\n")
    if any(result.failure is not None for result in results):
        context.exit(1)


def _words(command: tuple[str, ...]) -> tuple[str, ...]:
    """A command of one word may be a whole command line, as in a spec."""
    if len(command) > 1:
        return command
    try:
        words = tuple(shlex.split(command[0]))
    except ValueError as error:
        raise UserError(f"{command[0]!r} is no command: {error}") from None
    if not words:
        raise UserError("the command is empty: write arena check -- COMMAND")
    return words


def _write(out: Path | None, text: str) -> None:
    if out is None:
        click.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"--out {out}: {error.strerror}") from error
