"""The command `arena`: its subcommands, and which exit code each of them ends with.

A command says by 0 and 1, and `arena compare` also by 3 and 4, what it has found (docs/running-a-tournament.md lists
what). What keeps it from saying that has codes of its own, whatever the command: 2 for what the user can mend, 5 for an
error of our own, 130 for an interruption. An exception that nobody expected is 5 as well.
"""

import importlib
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import click
from aurum.cli.entry import INTERRUPTED
from aurum.cli.own_errors import misfit, own_error, refusal
from aurum.cli.streams import guarded_streams
from aurum.common.errors import Interrupted, RunError, UserError

USER_ERROR, RUN_ERROR = 2, 5
NO_ANSWER = {USER_ERROR, RUN_ERROR, INTERRUPTED}
"""The codes of commands that did not come to their end."""


class Source(NamedTuple):
    """Where a command is, and what it does: enough for the help of the group that it is in."""

    module: str
    attribute: str
    summary: str
    """As the help of the command begins."""


class Commands(click.Group):
    """A group of commands that imports a command only when it is used. `sources`: by name.

    Worker processes import the program that started them, and should not load what only a command needs; nor should
    whoever asks which commands there are.
    """

    def __init__(self, name: str | None = None, *, sources: dict[str, Source], **options: Any) -> None:
        super().__init__(name, invoke_without_command=True, **options)
        self.sources = sources

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of --help."""
        return list(self.sources)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; None if there is none."""
        if (source := self.sources.get(cmd_name)) is None:
            return None
        command: click.Command = getattr(importlib.import_module(source.module), source.attribute)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            # Never that of a standard stream, but click takes it for a reader who left, and exits with 1.
            raise ConnectionError(f"a pipe or a connection of ours broke: {error}") from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands in the help of the group."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, source.summary) for name, source in self.sources.items()])


def _help_if_alone(context: click.Context) -> None:
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@click.group(
    cls=Commands,
    sources={
        "tournament": Source("aurum.cli.main", "tournament", "Play or plan a tournament, or print its standings."),
        "play": Source(
            "aurum.cli.commands.play", "play", "Play a quick match, or a round robin of more than two bots."
        ),
        "compare": Source("aurum.cli.commands.compare", "compare", "Find out whether NEW is better than OLD."),
        "new": Source("aurum.cli.commands.new", "new", "Write a new bot, small but able to play."),
        "check": Source(
            "aurum.cli.commands.check", "check", "Take a bot through everything that a referee may do to it."
        ),
        "replay": Source("aurum.cli.commands.replay", "replay", "Show a recorded game."),
        "verify": Source("aurum.cli.commands.verify", "verify", "Play recorded games again and say what differs."),
        "export": Source(
            "aurum.cli.commands.export", "export", "Write a tournament's records as JSON Lines, or its matches as TRF."
        ),
        "merge": Source("aurum.cli.commands.merge", "merge", "Merge stores of one tournament."),
        "referee": Source("aurum.cli.commands.referee", "referee", "Referee games between bots that dial in."),
        "bridge": Source("aurum.cli.commands.bridge", "bridge", "Let a bot play that reads and writes lines of JSON."),
    },
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="aurum-arena", prog_name="arena", message="%(prog)s %(version)s")
@click.pass_context
def arena(context: click.Context) -> None:
    """Tournaments of bots that play the card game Aurum."""
    _help_if_alone(context)


@click.group(
    cls=Commands,
    sources={
        "run": Source("aurum.cli.tournament.run", "run", "Play a tournament and print its standings."),
        "check": Source(
            "aurum.cli.tournament.check",
            "check_command",
            "Start every bot of a tournament once, and have it play a few turns.",
        ),
        "plan": Source(
            "aurum.cli.tournament.plan", "plan_command", "Estimate how many deals per match fit into a given time."
        ),
        "standings": Source(
            "aurum.cli.tournament.standings", "standings", "Print the standings of the tournament in DIR."
        ),
        "void": Source("aurum.cli.tournament.void", "void", "Void the games that a bot lost by failing to start."),
        "pairings": Source(
            "aurum.cli.tournament.pairings",
            "pairings",
            "Print who plays whom in the tournament in DIR, and how it ended.",
        ),
        "faults": Source(
            "aurum.cli.tournament.faults",
            "faults",
            "Explain every fault in the tournament in DIR, and write what its bots' authors need.",
        ),
    },
)
@click.pass_context
def tournament(context: click.Context) -> None:
    """Play or plan a tournament, or print its standings."""
    _help_if_alone(context)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    with guarded_streams() as output:
        code = _run(arguments)
        if output.lost is not None and code not in NO_ANSWER:
            lost = f"standard output cannot be written: {output.lost.strerror}"
            return _fail(f"{lost} (the exit code would have been {code})", USER_ERROR)
        return code


def _run(arguments: Sequence[str] | None) -> int:
    try:
        return arena.main(arguments, prog_name="arena", standalone_mode=False) or 0
    except UserError as error:
        return _fail(str(error), USER_ERROR)
    except click.UsageError as error:
        hint = f" (`{error.ctx.command_path} --help` tells more)" if error.ctx else ""
        return _fail(error.format_message() + hint, USER_ERROR)
    except click.ClickException as error:
        return _fail(error.format_message(), USER_ERROR)
    except RunError as error:
        return _fail(str(error), RUN_ERROR)
    except Interrupted as interrupted:
        return _fail(str(interrupted), INTERRUPTED)
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", INTERRUPTED)
    except Exception as error:
        if sentence := refusal(error) or misfit(error):
            return _fail(sentence, USER_ERROR)
        return _fail(own_error(error), RUN_ERROR)


def _fail(sentence: str, code: int) -> int:
    click.echo(f"arena: {' '.join(sentence.split())}", err=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
