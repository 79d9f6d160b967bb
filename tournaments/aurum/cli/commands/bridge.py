"""`arena bridge`."""

import os

import click
from aurum.common.errors import UserError


@click.command("bridge", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def bridge(command: tuple[str, ...]) -> None:
    """Let a bot play that reads and writes lines of JSON instead of using gRPC.

    Starts COMMAND, a bot, and connects it to the referee: it reads what the referee sends from its standard input and
    writes its answers to its standard output. The environment says where the referee is, so a tournament starts such a
    bot with:

    \b
    command = "arena bridge -- python my_bot.py"

    Ends as COMMAND ends, with its exit code or by its signal.
    """
    env = dict(os.environ)  # for the command, so copied before the SDK sets a variable for gRPC
    from aurum.bridge import UsageError, end_as, run

    try:
        code = run(command, env)
    except UsageError as error:
        raise UserError(str(error)) from error
    end_as(code)
