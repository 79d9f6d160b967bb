"""The command `arena`: its subcommands, and how errors are shown.

Exit codes: 0 success, 1 a problem was found (see `arena verify`) or nobody reads the output, 2 the user can mend it,
5 an error of the arena ended a run, 130 interrupted; `arena compare` has a code for each verdict (`compare/report.py`).
Any other exception is a bug and is shown as one.
"""

import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any

import click
from aurum.common.errors import Interrupted, RunError, UserError

BROKEN_PIPE, USER_ERROR, RUN_ERROR, INTERRUPTED = 1, 2, 5, 130


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
    try:
        code = arena.main(arguments, prog_name="arena", standalone_mode=False)
        sys.stdout.flush()  # here, where a broken pipe is handled
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
    except BrokenPipeError:  # `arena export ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python reports it once more when it exits
        return BROKEN_PIPE
    return code or 0


def _fail(sentence: str, code: int) -> int:
    click.echo(f"arena: {' '.join(sentence.split())}", err=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
