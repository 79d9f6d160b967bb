"""Receives signals that ask a run to end; the run ends between two of its steps, never in the middle of one."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def on_interrupt(callback: Callable[[], None]) -> Iterator[None]:
    """Call `callback` at the first Ctrl-C, SIGTERM or SIGHUP; a second Ctrl-C ends the process at once.

    `callback` runs inside a signal handler. Signals that are ignored, as under nohup, stay ignored. In any thread but
    the main one this does nothing, since Python gives signals to the main thread alone.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handle(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        callback()

    before = {number: signal.getsignal(number) for number in SIGNALS}
    handled = [number for number in SIGNALS if before[number] is not signal.SIG_IGN]
    for number in handled:
        signal.signal(number, handle)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, before[number])
