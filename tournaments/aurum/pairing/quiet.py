"""Keeps what a C library prints off standard output."""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_STDOUT = 1


@contextmanager
def silenced() -> Iterator[None]:
    """Sends what is printed to file descriptor 1 in the meantime to nowhere, as of a library that never asks Python.

    A library's text may wait in its own buffer, so that is emptied before the way out is open again. Where there is no
    standard output, or no C library to be found, nothing is done.
    """
    try:
        flush = ctypes.CDLL(None).fflush
        if sys.stdout is not None:
            sys.stdout.flush()
        flush(None)
        kept = os.dup(_STDOUT)
    except (OSError, AttributeError, TypeError, ValueError):
        yield
        return
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _STDOUT)
        os.close(nowhere)
        yield
    finally:
        flush(None)
        os.dup2(kept, _STDOUT)
        os.close(kept)
