"""A status beneath lines of output: drawn anew in place on a terminal, elsewhere a line now and then."""

from collections.abc import Callable, Sequence
from typing import Protocol, TextIO


class Status(Protocol):
    """What there is to show at this moment."""

    def rows(self) -> Sequence[str]:
        """On a terminal: always the same number of rows, or none if there is nothing to show yet."""

    def line(self) -> str:
        """Elsewhere: one line, or nothing if there is none to be written now."""


class LiveStatus:
    """Writes lines to a stream and keeps a status beneath them.

    Args:
        stream: where to write.
        clock: seconds, never going back.
        width: columns of the terminal; None if the stream is none.
        status: what to show.
        line_every_s: seconds between two lines of the status where there is no terminal.
        clear: the control characters that clear the status away, from its first row.
    """

    def __init__(
        self,
        stream: TextIO,
        clock: Callable[[], float],
        width: int | None,
        status: Status,
        *,
        line_every_s: float,
        clear: str,
    ) -> None:
        self._stream = stream
        self._clock = clock
        self._width = width
        self._status = status
        self._line_every_s = line_every_s
        self._clear = clear
        self._last_line = clock()

    def begin(self, lines: Sequence[str]) -> None:
        """Write the first lines; the time to the first line of the status counts from here."""
        self._last_line = self._clock()
        for line in lines:
            self._write(line)

    def tick(self) -> None:
        """Draw the status anew; without a terminal, write its line if it is time for it."""
        if self._width is not None:
            self.draw()
        elif self._clock() - self._last_line >= self._line_every_s and (line := self._status.line()):
            self._last_line = self._clock()
            self._write(line)

    def say(self, line: str) -> None:
        """Write a line above the status."""
        self.clear()
        self._write(line)
        self.draw()

    def end(self, lines: Sequence[str]) -> None:
        """Clear the status away and write the last lines."""
        self.clear()
        for line in lines:
            self._write(line)

    def draw(self) -> None:
        """Draw the status, if there is a terminal; the cursor stays in its first row."""
        if self._width is not None and (rows := self._status.rows()):
            up = f"\x1b[{len(rows) - 1}A\r" if len(rows) > 1 else ""
            self._stream.write("\r" + "\n".join(f"\x1b[K{row[: self._width - 1]}" for row in rows) + up)
            self._stream.flush()

    def clear(self) -> None:
        """Clear the status away, if there is a terminal."""
        if self._width is not None:
            self._stream.write(self._clear)

    def _write(self, line: str) -> None:
        self._stream.write(line + "\n")
        self._stream.flush()
