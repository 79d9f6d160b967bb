"""The errors that can end a bot's run, by whose mistake it is."""

import warnings
from types import TracebackType
from typing import NoReturn


class UsageError(Exception):
    """The bot was started wrongly; the message says how to start it."""


class AuthorError(Exception):
    """The author's code raised an exception, which is the `__cause__`; the message says where."""


class IllegalAnswer(ValueError):  # noqa: N818 - it names the answer, as `aurum.rules.IllegalMove` does the move
    """The author's code returned something that is no legal answer to the turn."""


class ExitCalled(Exception):  # noqa: N818 - it names what was done
    """The author's code called `sys.exit`."""


class LoopRunning(RuntimeError):  # noqa: N818 - it names what is the case
    """The author's code wanted to start an event loop in a method, which runs on one."""


class Stopped(SystemExit):
    """A signal ended the bot, whatever it was doing: nobody's mistake."""


class ProtocolError(Exception):
    """The referee said something that the protocol does not allow.

    `kind` is `malformed`, `no_welcome`, `version`, `unknown_game` or `unknown_phase`.
    """

    def __init__(self, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


class RefusedError(Exception):
    """The referee ended the stream for good; the message is its own sentence."""


class UnreachableError(Exception):
    """There is no referee at the address, or it did not come back in time."""


_NO_LOOP = ("from a running event loop", "event loop is already running", "while another loop is running")
"""In what asyncio says to those who start a loop in a method of the bot."""


def blame_author(where: str, error: BaseException) -> NoReturn:
    """Raise AuthorError for what the author's code has raised; but what a signal has raised goes on as it is."""
    if isinstance(error, Stopped):
        raise error
    if isinstance(error, SystemExit):
        called = ExitCalled(f"sys.exit({error.code!r}) was called: a bot ends only at the referee's Goodbye")
        error = called.with_traceback(error.__traceback__)
    elif isinstance(error, RuntimeError) and any(words in str(error) for words in _NO_LOOP):
        warnings.simplefilter("ignore", RuntimeWarning)  # that what was to be run "was never awaited" follows from this
        advice = "a bot's methods run on an event loop: write `async def`, and `await` instead of asyncio.run(...)"
        error = LoopRunning(f"{error}; {advice}").with_traceback(_without_asyncio(error.__traceback__))
    raise AuthorError(where) from error


def _without_asyncio(begin: TracebackType | None) -> TracebackType | None:
    """A traceback that ends where the author's code has called asyncio."""
    here = begin
    while here is not None and here.tb_next is not None:
        if str(here.tb_next.tb_frame.f_globals.get("__name__")).startswith("asyncio."):
            here.tb_next = None
        here = here.tb_next
    return begin
