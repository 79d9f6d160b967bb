"""The command `arena`: its subcommands, and which exit code each of them ends with.

A command says by 0 and 1, and `arena compare` also by 3 and 4, what it has found (docs/running-a-tournament.md lists
what). What keeps it from saying that has codes of its own, whatever the command: 2 for what the user can mend, 5 for an
error of our own, 130 for an interruption. An exception that nobody expected is 5 as well.
"""

import importlib
import sys
from collections.abc import Sequence
from typing import Any

import click
from aurum.cli.own_errors import own_error, refusal
from aurum.cli.streams import guarded_streams
from aurum.common.errors import Interrupted, RunError, UserError

USER_ERROR, RUN_ERROR, INTERRUPTED = 2, 5, 130
NO_ANSWER = {USER_ERROR, RUN_ERROR, INTERRUPTED}
"""The codes of commands that did not come to their end."""


class Commands(click.Group):
    """A group of commands that imports a command only when it is used. `sources`: by name, its `module:attribute`.

    Worker processes import the program that started them, and should not load what only a command needs.
    """

    def __init__(self, name: str | None = None, *, sources: dict[str, str], **options: Any) -> None:
        super().__init__(name, invoke_without_command=True, **options)
        self._sources = sources

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of --help."""
        return list(self._sources)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; None if there is none."""
        if cmd_name not in self._sources:
            return None
        module, _, attribute = self._sources[cmd_name].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            # Never that of a standard stream, but click takes it for a reader who left, and exits with 1.
            raise ConnectionError(f"a pipe or a connection of ours broke: {error}") from error


def _help_if_alone(context: click.Context) -> None:
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@click.group(
    cls=Commands,
    sources={
        "tournament": "aurum.cli.main:tournament",
        "play": "aurum.cli.commands.play:play",
        "compare": "aurum.cli.commands.compare:compare",
        "new": "aurum.cli.commands.new:new",
        "check": "aurum.cli.commands.check:check",
        "replay": "aurum.cli.commands.replay:replay",
        "verify": "aurum.cli.commands.verify:verify",
        "export": "aurum.cli.commands.export:export",
        "merge": "aurum.cli.commands.merge:merge",
        "referee": "aurum.cli.commands.referee:referee",
        "bridge": "aurum.cli.commands.bridge:bridge",
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
        "run": "aurum.cli.tournament.run:run",
        "plan": "aurum.cli.tournament.plan:plan_command",
        "standings": "aurum.cli.tournament.standings:standings",
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
        if sentence := refusal(error):
            return _fail(sentence, USER_ERROR)
        return _fail(own_error(error), RUN_ERROR)


def _fail(sentence: str, code: int) -> int:
    click.echo(f"arena: {' '.join(sentence.split())}", err=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
