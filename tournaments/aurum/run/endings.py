"""How a run ends before its time: interrupted by the user, or by an error of our own.

Ctrl-C and requests to end are events that arrive between two steps of a run and never in the middle of one.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(Exception):  # noqa: N818 - an event, not an error
    """The user ended the run. What was finished is stored; the same command goes on."""


class RunError(Exception):
    """The run cannot go on, and no bot is to blame. What was finished is stored; the message names the log."""


@contextmanager
def on_interrupt(tell: Callable[[], None]) -> Iterator[None]:
    """Have `tell` called at the first Ctrl-C, SIGTERM or SIGHUP; a second Ctrl-C ends the process at once.

    `tell` runs inside a signal handler. Signals that are ignored, as under nohup, stay so. In any thread but the main
    one this does nothing: signals are not its to hear.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handle(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        tell()

    before = {number: signal.getsignal(number) for number in SIGNALS}
    heard = [number for number in SIGNALS if before[number] is not signal.SIG_IGN]
    for number in heard:
        signal.signal(number, handle)
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, before[number])
