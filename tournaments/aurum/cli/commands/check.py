"""`arena check`."""

import asyncio
import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click
from aurum.cli.junit import Case, junit
from aurum.cli.reports import ReportFile
from aurum.cli.running import grace_option
from aurum.cli.sandboxes import mode_of, sandbox_option, say_shortage
from aurum.cli.streams import terminal_width
from aurum.common.errors import RunError, UserError
from aurum.conformance import checklist
from aurum.conformance.checks.registry import Check
from aurum.conformance.scripted.referee import CheckedBot
from aurum.conformance.scripted.stream import GRACE_MS
from aurum.conformance.suite import CHECKS, Result, run, with_needs
from aurum.referee.unit import RefereeError
from aurum.sandbox.sandbox import sandbox_of

_COLOURS = {"ok": "green", "FAIL": "red", "warn": "yellow", "skip": "yellow"}


class _GrowingChecklist:
    """Prints the checklist as it grows, in the order of the checks; on a terminal also which checks are under way."""

    def __init__(self, checks: Sequence[Check], quiet: bool) -> None:
        self._names = [check.name for check in checks]
        self._shown = 0
        self._results: dict[str, Result] = {}
        self._running: dict[str, int] = {}
        self._quiet = quiet
        self._width = terminal_width()

    def begun(self, check: Check) -> None:
        """A check has begun."""
        self._running[check.name] = 0
        self._draw()

    def counted(self, check: Check, games: int) -> None:
        """A check has played so many more games."""
        self._running[check.name] += games
        self._draw()

    def ended(self, result: Result) -> None:
        """A check has ended: print its result once all before it are printed, then those that waited for it."""
        self._running.pop(result.check.name, None)
        self._results[result.check.name] = result
        while self._shown < len(self._names) and (next_one := self._results.get(self._names[self._shown])):
            self._shown += 1
            self.print_lines(*checklist.lines(next_one))
        self._draw()

    def print_lines(self, *lines: str) -> None:
        """Print lines of the checklist, unless only the report is wanted on standard output."""
        if self._quiet:
            return
        if self._width is not None:
            self._write("")
        for line in lines:
            word = line.split(" ", 1)[0]
            click.echo(click.style(word, fg=_COLOURS[word]) + line[len(word) :] if word in _COLOURS else line)

    def _draw(self) -> None:
        if self._width is not None:
            running = [f"{name} ({games} games)" if games else name for name, games in self._running.items()]
            line = f"{len(self._results)} of {len(self._names)} checks done, now {', '.join(running)}"
            self._write(line[: self._width - 1] if running else "")

    def _write(self, line: str) -> None:
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()


@click.command("check")
@click.argument("command", nargs=-1, required=True, metavar="COMMAND...")
@click.option(
    "--folder",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=".",
    help="Folder in which the bot is started.  [default: this one]",
)
@click.option(
    "--games",
    metavar="N",
    type=click.IntRange(2, 1_000_000),
    default=1000,
    show_default=True,
    help="Number of random games.",
)
@click.option(
    "--turn-ms", metavar="MS", type=click.IntRange(1), default=5000, show_default=True, help="Time for each turn."
)
@click.option(
    "--setup-ms",
    metavar="MS",
    type=click.IntRange(1),
    default=30_000,
    show_default=True,
    help="Time from launch to Hello.",
)
@grace_option(GRACE_MS)
@click.option(
    "--only",
    metavar="NAME",
    multiple=True,
    type=click.Choice([check.name for check in CHECKS]),
    help="Only this check and those that it needs; may be repeated.",
)
@click.option("--strict", is_flag=True, help="Exit code 1 also for what a bot only should do.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "junit"]),
    default="text",
    show_default=True,
    help="Format of the report.",
)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the report to this file, and the checklist still to standard output.",
)
@sandbox_option
@click.pass_context
def check(
    context: click.Context,
    command: tuple[str, ...],
    folder: Path,
    games: int,
    turn_ms: int,
    setup_ms: int,
    reconnect_grace_ms: int,
    only: tuple[str, ...],
    strict: bool,
    style: str,
    out: Path | None,
    sandbox: str | None,
) -> None:
    """Take a bot through everything that a referee may do to it.

    COMMAND starts the bot, as in `arena check -- python my_bot.py`. Exit code 1 if it fails a check of what it must do.
    What it only should do is marked so: a bot that does not may lose games when a connection is lost, or leaves its
    author without a word.
    """
    mode = mode_of(sandbox)
    bot = CheckedBot(
        _words(command), str(folder), games, turn_ms, setup_ms, reconnect_grace_ms, sandbox=sandbox_of(mode)
    )
    checks = with_needs(only) if only else list(CHECKS)
    file = None if out is None else ReportFile(out, fresh=True)
    say_shortage(mode)
    shown = _GrowingChecklist(checks, quiet=style == "junit" and file is None)
    start = time.monotonic()
    try:
        results = asyncio.run(run(bot, checks, shown))
    except RefereeError as error:
        raise RunError(f"{error}; the bot is not to blame") from error
    seconds = time.monotonic() - start
    shown.print_lines(checklist.summary(results, seconds))
    if style == "junit":
        report = junit("arena check", [_case(result, strict) for result in results], seconds)
    else:
        report = checklist.text(results, seconds)
    if file is not None:
        file.put([report])
    elif style == "junit":
        click.echo(report, nl=False)
    if any(result.failure is not None and (strict or result.check.must) for result in results):
        context.exit(1)


def _case(result: Result, strict: bool) -> Case:
    name, failure = result.check.name, result.failure
    if result.skipped:
        return Case(name, result.seconds, "skipped", result.skipped)
    if failure is None:
        return Case(name, result.seconds)
    message = f"the bot {result.check.demand}: expected {failure.expected}, came {failure.came}"
    details = "\n".join(checklist.explained(failure))
    if result.check.must or strict:
        return Case(name, result.seconds, "failure", message, details)
    return Case(name, result.seconds, "skipped", f"a warning: {message}", details)


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
