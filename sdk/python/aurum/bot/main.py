"""Starts a bot from the command line and the environment, and turns its end into an exit code."""

import atexit
import os
import signal
import sys
from collections.abc import Awaitable, Mapping, Sequence
from types import FrameType, TracebackType
from typing import NoReturn

from aurum.bot.address import RefereeAddress, bots_address
from aurum.bot.base import Bot, overrides
from aurum.bot.errors import (
    AuthorError,
    ProtocolError,
    RefusedError,
    Stopped,
    UnreachableError,
    UsageError,
    blame_author,
)
from aurum.bot.session import Session, is_awaitable


def run(bot: type[Bot], argv: Sequence[str] | None = None, env: Mapping[str, str] | None = None) -> None:
    """Play as `bot` until the referee is done with it, and exit.

    The arena says where the referee is in the environment: AURUM_ADDRESS (`host:port` or `unix:/path`),
    AURUM_TOKEN, AURUM_SEAT, and AURUM_SEED, a number for whatever chance a bot needs before its first game.
    `argv` and `env` stand in for the command line and the environment.

    Exit codes: 0 after the referee's Goodbye; 1 if the bot's code failed or the referee refused or was not
    reached; 2 if the bot was started wrongly; 128 + the signal's number after Ctrl-C or SIGTERM.

    Does nothing, and returns, where a module that ends with it is only imported: by a test, or by a process that the
    bot has started.
    """
    _Runs.begun = True
    if argv is None and env is None and _is_import(sys._getframe(1)):
        return
    sys.exit(_run(bot, sys.argv[1:] if argv is None else argv, os.environ if env is None else env))


def _is_import(caller: FrameType) -> bool:
    """Whether the code that calls is that of a module on its import, and no bot is to be started by that."""
    name = caller.f_globals.get("__name__")
    if caller.f_code.co_name != "<module>" or name == "__main__":
        return False
    if (processes := sys.modules.get("multiprocessing.process")) is not None:
        # While a process that was spawned imports what its parent has, it does not know its parent yet.
        importing = getattr(processes.current_process(), "_inheriting", False)
        if importing or processes.parent_process() is not None:
            return True
    return "AURUM_ADDRESS" not in os.environ and not any(word.startswith("--address") for word in sys.argv[1:])


def _run(bot_class: type[Bot], argv: Sequence[str], env: Mapping[str, str]) -> int:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _quit)
    try:
        where = bots_address(argv, env)
        bot, loading = _ready(bot_class)
        # Not loaded before: it takes as long as all the rest, and whoever searches or tests needs none of it.
        import asyncio

        asyncio.run(_play(bot, loading, where))
    except UsageError as error:
        return _fail(str(error), 2)
    except AuthorError as error:
        return _fail(f"{error}\n{_authors_traceback(error.__cause__)}", 1)
    except RefusedError as error:
        return _fail(f"the referee refused: {error}", 1)
    except (ProtocolError, UnreachableError) as error:
        return _fail(str(error), 1)
    return 0


def _ready(bot_class: type[Bot]) -> tuple[Bot, Awaitable[None] | None]:
    """Make the bot and set it up; what is still to be awaited of that comes beside it."""
    if not (isinstance(bot_class, type) and issubclass(bot_class, Bot)):
        from aurum.bot.advice.starting import wrong_bot

        raise UsageError(wrong_bot(bot_class, Bot))
    try:
        bot = bot_class()
        loading = bot.setup()
    except (Exception, SystemExit) as error:
        if isinstance(error, TypeError) and error.__traceback__ and error.__traceback__.tb_next is None:
            from aurum.bot.advice.starting import needed_arguments

            if sentence := needed_arguments(bot_class):
                raise UsageError(sentence) from None
        blame_author(_before(bot_class), error)
    missing = [method for method in ("bid", "play") if not overrides(bot, method)]
    if missing and not overrides(bot, "choose"):
        from aurum.bot.advice.starting import missing_methods

        raise UsageError(missing_methods(bot_class.__name__, missing))
    return bot, loading if is_awaitable(loading) else None


async def _play(bot: Bot, loading: Awaitable[None] | None, where: RefereeAddress) -> None:
    from aurum.bot.connection import converse

    if loading is not None:
        try:
            await loading
        except (Exception, SystemExit) as error:
            blame_author(_before(type(bot)), error)
    await converse(Session(bot), where)


def _before(bot_class: type[Bot]) -> str:
    return f"{bot_class.__name__} failed before its first game"


def _quit(number: int, frame: FrameType | None) -> NoReturn:
    # Not KeyboardInterrupt: the organiser's Ctrl-C reaches every bot, and is no news to its author.
    raise Stopped(128 + number)


def _fail(message: str, code: int) -> int:
    sys.stdout.flush()  # what the bot has printed comes first: the reason of its end should be the last of its words
    print(f"aurum: {message}", file=sys.stderr, flush=True)
    return code


def _authors_traceback(error: BaseException | None) -> str:
    """The traceback from the author's first frame on; without one, what is wrong with the answer alone."""
    if error is None:
        return ""
    import traceback

    tb: TracebackType | None = error.__traceback__
    while tb is not None and tb.tb_frame.f_globals.get("__package__") == __package__:
        tb = tb.tb_next
    if tb is None:
        return "".join(traceback.format_exception_only(error)).rstrip()
    return "".join(traceback.format_exception(error.with_traceback(tb))).rstrip()


class _Runs:
    """Whether this program has called `run`."""

    begun = False


@atexit.register
def _remind() -> None:
    """Tell the author of a bot that the arena has started, and nothing has run, what is missing."""
    if _Runs.begun or "AURUM_ADDRESS" not in os.environ or getattr(sys, "last_value", None) is not None:
        return
    bots = [bot for bot in Bot.__subclasses__() if bot.__module__ == "__main__"]
    if bots:
        from aurum.bot.advice.starting import never_run

        _fail(never_run(bots[-1].__name__, os.path.basename(sys.argv[0]) or "the program"), 0)  # noqa: PTH119 - no pathlib
