"""Runs a bridge for a command, and ends it as the command has ended."""

import asyncio
import os
import resource
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NoReturn

from aurum.bot.address import RefereeAddress, referee_address
from aurum.bot.errors import ProtocolError, RefusedError, UnreachableError
from aurum.bridge.bridge import Bridge, say
from aurum.bridge.command import Command

PATIENCE = 2.0
"""Seconds that a command may take to end once its input is closed; the referee gives a bot one, from the Goodbye."""

LAST_WORDS = 0.5
"""Seconds in which what a command has written before it ended is passed on."""

NO_COMMAND = 127
"""Exit code where the command cannot be run, as a shell's."""

_HINT = 'the arena starts bridges, as in arena play --bot NAME="arena bridge -- COMMAND" ...'


def run(command: Sequence[str], env: Mapping[str, str]) -> int:
    """Be the bridge between a command and the referee at the address in `env`, which is the command's environment too.

    Returns what the command ended with, as `Popen.returncode` does; 127 if it cannot be run; 1 if the referee refused
    it or was not reached; 128 and the signal's number after Ctrl-C or SIGTERM. Raises UsageError if `env` names no
    referee.
    """
    where = referee_address(env.get("AURUM_ADDRESS", ""), env.get("AURUM_TOKEN", ""), _HINT)
    return asyncio.run(_bridge(command, env, where))


def end_as(code: int) -> NoReturn:
    """End as the command has: with its exit code, or by the signal that ended it."""
    if code < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the command may have dumped one; it is not ours
        with suppress(OSError):  # SIGKILL has no handler
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.exit(code)


async def _bridge(command: Sequence[str], env: Mapping[str, str], where: RefereeAddress) -> int:
    loop = asyncio.get_running_loop()
    stopped: asyncio.Future[int] = loop.create_future()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, _stop, stopped, number)
    try:
        child = Command(command, env)
    except OSError as error:
        say(f"cannot run {command[0]!r}: {error.strerror}")
        return NO_COMMAND
    bridge = Bridge(child)
    talking, hearing = asyncio.create_task(bridge.converse(where)), asyncio.create_task(bridge.hear())
    try:
        events: set[asyncio.Future[Any]] = {talking, hearing, stopped, child.exited}
        await asyncio.wait(events, return_when=asyncio.FIRST_COMPLETED)
        if child.exited.done():
            await asyncio.wait({hearing}, timeout=LAST_WORDS)
        elif stopped.done():
            return 128 + stopped.result()
        for task in (talking, hearing):
            if task.done() and (sentence := _trouble(task, bridge)):
                say(sentence)  # before the command is ended, which may have much to say about that
                return 1
    finally:
        code = await child.end(PATIENCE)
    return code


def _trouble(task: "asyncio.Task[Any]", bridge: Bridge) -> str:
    """What has gone wrong with the referee, as a sentence; empty if nothing. Raises what is a bug of ours."""
    try:
        task.result()
    except RefusedError as error:
        return f"the referee refused: {error}{f' ({bridge.first_note})' if bridge.first_note else ''}"
    except (ProtocolError, UnreachableError) as error:
        return str(error)
    return ""


def _stop(stopped: "asyncio.Future[int]", number: int) -> None:
    # The organiser's Ctrl-C reaches every bot, and is no news to its author.
    if not stopped.done():
        stopped.set_result(number)
