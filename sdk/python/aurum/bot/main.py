"""Starts a bot from the command line and the environment, and turns its end into an exit code."""

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from types import FrameType, TracebackType
from typing import NoReturn

from aurum.bot.address import bots_address
from aurum.bot.base import Bot, overrides
from aurum.bot.errors import AuthorError, ProtocolError, RefusedError, UnreachableError, UsageError
from aurum.bot.session import Session


def run(bot: type[Bot], argv: Sequence[str] | None = None, env: Mapping[str, str] | None = None) -> NoReturn:
    """Play as `bot` until the referee is done with it, and exit.

    The arena says where the referee is in the environment: AURUM_ADDRESS (`host:port` or `unix:/path`),
    AURUM_TOKEN, AURUM_SEAT, and AURUM_SEED, a number for whatever chance a bot needs before its first game.
    `argv` and `env` stand in for the command line and the environment.

    Exit codes: 0 after the referee's Goodbye; 1 if the bot's code failed or the referee refused or was not
    reached; 2 if the bot was started wrongly; 128 + the signal's number after Ctrl-C or SIGTERM.
    """
    sys.exit(_run(bot, sys.argv[1:] if argv is None else argv, os.environ if env is None else env))


def _run(bot_class: type[Bot], argv: Sequence[str], env: Mapping[str, str]) -> int:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _quit)
    try:
        where = bots_address(argv, env)
        bot = _ready(bot_class)
        # Not loaded before: they take as long as all the rest, and whoever searches or tests needs neither of them.
        import asyncio

        from aurum.bot.connection import converse

        asyncio.run(converse(Session(bot), where))
    except UsageError as error:
        return _fail(str(error), 2)
    except AuthorError as error:
        return _fail(f"{error}\n{_authors_traceback(error.__cause__)}", 1)
    except RefusedError as error:
        return _fail(f"the referee refused: {error}", 1)
    except (ProtocolError, UnreachableError) as error:
        return _fail(str(error), 1)
    return 0


def _ready(bot_class: type[Bot]) -> Bot:
    try:
        bot = bot_class()
        bot.setup()
    except Exception as error:
        raise AuthorError(f"{bot_class.__name__} failed before its first game") from error
    if not overrides(bot, "choose"):
        missing = [method for method in ("bid", "play") if not overrides(bot, method)]
        if missing:
            raise UsageError(
                f"{bot_class.__name__} has no {' and no '.join(missing)}: override bid and play, or choose"
            )
    return bot


def _quit(number: int, frame: FrameType | None) -> NoReturn:
    # Not KeyboardInterrupt: the organiser's Ctrl-C reaches every bot, and is no news to its author.
    raise SystemExit(128 + number)


def _fail(message: str, code: int) -> int:
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
