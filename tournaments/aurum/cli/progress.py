"""How a run is shown: a bar on a terminal, now and then a line elsewhere."""

import shutil
import sys
import time
from collections.abc import Callable
from typing import TextIO

from aurum.spec.spec import Spec

_LINE_EVERY_S = 5.0
_BAR_CELLS = 24


class ShownProgress:
    """A run on a stream. Lines say the same as the bar, at most one every few seconds.

    Args:
        stream: where it is shown.
        clock: seconds, never going back.
        width: columns of the terminal for a bar, None for lines.
    """

    def __init__(self, stream: TextIO, clock: Callable[[], float], width: int | None) -> None:
        self._stream = stream
        self._clock = clock
        self._width = width
        self._begun = self._said = clock()
        self._before = self._done = self._total = 0
        self._name = ""

    def begin(self, spec: Spec, commitment: str, done: int, total: int) -> None:
        """Say what is going to be played."""
        self._begun = self._said = self._clock()
        self._before, self._done, self._total, self._name = done, done, total, spec.name
        bots = ", ".join(bot.name for bot in spec.bots)
        self._say(f"{spec.name}: {spec.format.title(spec)}, {len(spec.bots)} bots ({bots}), {total} games")
        self._say(f"commitment to the deals: sha256 {commitment}")
        if done == total:
            self._say("all games are stored already")
        elif done:
            self._say(f"going on: {done} games are stored already")
        self._draw()

    def advance(self, games: int) -> None:
        """Count games that were stored."""
        self._done += games
        self.tick()

    def tick(self) -> None:
        """Draw the bar anew; write a line if it is time for one."""
        if self._width is not None:
            self._draw()
        elif self._clock() - self._said >= _LINE_EVERY_S and self._done < self._total:
            self._said = self._clock()
            self._say(self._state())

    def say(self, line: str) -> None:
        """Show a line."""
        self._clear()
        self._say(line)
        self._draw()

    def note(self, sentence: str) -> None:
        """Show a sentence."""
        self.say(f"note: {sentence}")

    def end(self) -> None:
        """Clear the bar away and say how long it took."""
        self._clear()
        if self._done > self._before:
            played, passed = self._done - self._before, self._clock() - self._begun
            self._say(f"{self._name}: {played} games in {span(passed)}, {speed(played, passed):.1f} games/s")

    def _state(self) -> str:
        played = self._done - self._before
        rate = speed(played, self._clock() - self._begun)
        left = f", {span((self._total - self._done) / rate)} left" if rate else ""
        return f"{self._done}/{self._total} games, {rate:.1f} games/s{left}"

    def _draw(self) -> None:
        if self._width is not None and self._total:
            full = _BAR_CELLS * self._done // self._total
            line = f"{self._name} [{'#' * full}{'.' * (_BAR_CELLS - full)}] {self._state()}"
            self._stream.write("\r\x1b[K" + line[: self._width - 1])
            self._stream.flush()

    def _clear(self) -> None:
        if self._width is not None:
            self._stream.write("\r\x1b[K")

    def _say(self, sentence: str) -> None:
        self._stream.write(sentence + "\n")
        self._stream.flush()


def shown_progress() -> ShownProgress:
    """On standard error, in the way that suits it: standard output is for the table."""
    width = shutil.get_terminal_size().columns if sys.stderr.isatty() else None
    return ShownProgress(sys.stderr, time.monotonic, width)


def speed(games: int, seconds: float) -> float:
    """Games in a second; 0 if no time has passed."""
    return games / seconds if seconds > 0 else 0.0


def span(seconds: float) -> str:
    """A time as `1:05`, or `2:00:09` with hours."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
