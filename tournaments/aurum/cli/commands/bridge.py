"""`arena bridge`."""

import os

import click
from aurum.common.errors import UserError


@click.command("bridge", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def bridge(command: tuple[str, ...]) -> None:
    """Let a bot that reads and writes JSON lines play, without gRPC.

    Starts COMMAND, a bot, and stands between it and the referee: what the referee says are lines of its standard
    input, its answers are lines of its standard output. Where the referee is stands in the environment, so this is how
    a tournament starts such a bot:

    \b
    command = "arena bridge -- python my_bot.py"

    Ends as COMMAND ends, with its exit code or by its signal.
    """
    env = dict(os.environ)  # the command's, so taken before the SDK sets a variable for gRPC
    from aurum.bridge import UsageError, end_as, run

    try:
        code = run(command, env)
    except UsageError as error:
        raise UserError(str(error)) from error
    end_as(code)
