"""Standard streams that never end a command: what cannot be written is dropped, and the loss remembered.

An exit code is a verdict, so no command may end with another one because nobody looks on. A terminal that was closed, a
reader that has left (`| head -1`), a stream that the command never had: it goes on in silence. Only text that was asked
for and is lost on a full disk is an error: `main` asks standard output for it at the end.
"""

import codecs
import errno
import io
import json
import os
import select
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

_ESCAPED = "escaped-as-in-json"


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """What an encoding lacks, as JSON writes it within a text: so JSON stays what it is."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


codecs.register_error(_ESCAPED, _escaped)


class GuardedStream(io.TextIOBase):
    """Writes to a standard stream at once, and never raises.

    Characters that its encoding lacks are written as JSON's escapes. `open` says whether anybody may still read what is
    written; `lost` is the error that the first text was lost by, unless the reader had left.

    Args:
        stream: the standard stream; None if the process has none.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._number: int | None = None
        self._terminal = False
        self.open = stream is not None and not stream.closed
        self.lost: OSError | None = None
        if stream is not None and self.open:
            with suppress(OSError, ValueError):
                self._terminal = stream.isatty()
            with suppress(OSError, ValueError):  # one of a test has no number
                stream.flush()
                self._number = stream.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override] # a plain attribute there
        """That of the stream."""
        return getattr(self._stream, "encoding", None) or "utf-8"

    @property
    def errors(self) -> str:  # type: ignore[override] # a plain attribute there
        """What becomes of characters that the encoding lacks."""
        return _ESCAPED

    def writable(self) -> bool:
        """Whether what is written may still be read by anyone."""
        return self.open

    def isatty(self) -> bool:
        """Whether a person looks on."""
        return self._terminal and self.open

    def fileno(self) -> int:
        """The stream's file descriptor. Raises UnsupportedOperation (an OSError) if it has none."""
        if self._number is None:
            raise io.UnsupportedOperation("fileno")
        return self._number

    def write(self, text: str) -> int:
        """Write the text, or drop it."""
        if not isinstance(text, str):
            raise TypeError(f"text expected, not {type(text).__name__}")  # click asks so whether a stream is for bytes
        if self.open and text:
            try:
                self._put(text.encode(self.encoding, self.errors))
            except (OSError, ValueError) as error:
                self.open = False
                if isinstance(error, OSError) and error.errno != errno.EPIPE and not self._terminal:
                    self.lost = error
        return len(text)

    def _put(self, content: bytes) -> None:
        assert self._stream is not None
        if self._number is None:
            self._stream.write(content.decode(self.encoding))
            self._stream.flush()
            return
        # Past the stream's own buffer: what stays there after an error would fail once more when Python exits, with an
        # exit code of its own.
        rest = memoryview(content)
        while rest:
            try:
                rest = rest[os.write(self._number, rest) :]
            except BlockingIOError:  # a pipe that its other users have made non-blocking is full
                select.select([], [self._number], [])


@contextmanager
def guarded_streams() -> Iterator[GuardedStream]:
    """Put guarded streams in the place of `sys.stdout`, which is yielded, and `sys.stderr`."""
    _fill_descriptors()
    before = sys.stdout, sys.stderr
    output, errors = GuardedStream(sys.stdout), GuardedStream(sys.stderr)
    sys.stdout, sys.stderr = output, errors
    try:
        yield output
    finally:
        sys.stdout, sys.stderr = before


def _fill_descriptors() -> None:
    """Lead closed standard streams nowhere, so that no socket or file of ours gets their numbers, which others use."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
            os.set_inheritable(opened, True)


def terminal_width() -> int | None:
    """The columns of the terminal that standard error leads to; None if it leads elsewhere."""
    return shutil.get_terminal_size().columns if sys.stderr.isatty() else None


def text_width() -> int:
    """The columns that text for people may take on standard output: those of the terminal, from 40 to 100.

    As everywhere, the environment's COLUMNS counts before the terminal; where there is neither, it is 100.
    """
    return min(100, max(40, shutil.get_terminal_size((100, 24)).columns))
