"""Where `arena` begins: a request to end that comes while it is still loading ends it like one that comes later."""

import signal
import sys
from types import FrameType
from typing import NoReturn

INTERRUPTED = 130


def arena() -> int:
    """Run the command line; returns the exit code."""
    try:
        for number in signal.SIGTERM, signal.SIGHUP:
            if signal.getsignal(number) is signal.SIG_DFL:  # under nohup it is ignored, and stays so
                signal.signal(number, _interrupt)
        from aurum.cli.main import main

        return main()
    except KeyboardInterrupt:
        sys.stderr.write("arena: interrupted\n")
        return INTERRUPTED


def _interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
