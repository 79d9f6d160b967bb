"""How a run is shown: a bar on a terminal, elsewhere a line now and then."""

import shutil
import sys
import time
from collections.abc import Callable, Sequence
from typing import TextIO

from aurum.cli.live_status import LiveStatus
from aurum.spec.spec import Spec

_LINE_EVERY_S = 5.0
_BAR_CELLS = 24


class GameCount:
    """Counts a run's games, and says how fast they are played.

    Args:
        clock: seconds, never going back; the run begins now.
        stored: games that were stored before.
        total: games of the whole run.
        name: the tournament's.
    """

    def __init__(self, clock: Callable[[], float], stored: int = 0, total: int = 0, name: str = "") -> None:
        self._clock = clock
        self._begun = clock()
        self._stored_before = stored
        self.stored = stored
        self.waiting = 0
        self.total = total
        self.name = name

    @property
    def over(self) -> int:
        """Games that are stored, or over and waiting for others of their deal group."""
        return self.stored + self.waiting

    def rate(self) -> float:
        """Games that were played in a second."""
        return speed(self.over - self._stored_before, self._clock() - self._begun)

    def summary(self) -> list[str]:
        """How long it all took, in a line; none if no game was played."""
        played, passed = self.stored - self._stored_before, self._clock() - self._begun
        if not played:
            return []
        return [f"{self.name}: {played} games in {span(passed)}, {speed(played, passed):.1f} games/s"]


class ShownProgress:
    """Shows a run on a stream. Lines say the same as the bar, at most one every few seconds.

    Args:
        stream: where it is shown.
        clock: seconds, never going back.
        width: columns of the terminal for a bar, None for lines.
    """

    def __init__(self, stream: TextIO, clock: Callable[[], float], width: int | None) -> None:
        self._clock = clock
        self._games = GameCount(clock)
        self._live = LiveStatus(stream, clock, width, self, line_every_s=_LINE_EVERY_S, clear="\r\x1b[K")

    def begin(self, spec: Spec, commitment: str, done: int, total: int) -> None:
        """Say what is going to be played."""
        self._games = GameCount(self._clock, done, total, spec.name)
        bots = ", ".join(bot.name for bot in spec.bots)
        lines = [
            f"{spec.name}: {spec.format.title(spec)}, {len(spec.bots)} bots ({bots}), {total} games",
            f"commitment to the deals: sha256 {commitment}",
        ]
        if done == total:
            lines.append("all games are stored already")
        elif done:
            lines.append(f"going on: {done} games are stored already")
        self._live.begin(lines)
        self._live.draw()

    def advance(self, games: int) -> None:
        """Count games that were stored."""
        self._games.stored += games
        self.tick()

    def waiting(self, games: int) -> None:
        """Show that so many more games are over."""
        self._games.waiting = games
        self.tick()

    def tick(self) -> None:
        """Draw the bar anew; write a line if it is time for one."""
        self._live.tick()

    def say(self, line: str) -> None:
        """Show a line."""
        self._live.say(line)

    def note(self, sentence: str) -> None:
        """Show a sentence."""
        self.say(f"note: {sentence}")

    def end(self) -> None:
        """Clear the bar away and say how long it took."""
        self._live.end(self._games.summary())

    def rows(self) -> Sequence[str]:
        """The bar."""
        games = self._games
        if not games.total:
            return ()
        full = _BAR_CELLS * games.over // games.total
        return (f"{games.name} [{'#' * full}{'.' * (_BAR_CELLS - full)}] {self._state()}",)

    def line(self) -> str:
        """The same without a bar, as long as something is missing."""
        return self._state() if self._games.over < self._games.total else ""

    def _state(self) -> str:
        games, rate = self._games, self._games.rate()
        left = f", {span((games.total - games.over) / rate)} left" if rate else ""
        return f"{games.over}/{games.total} games, {rate:.1f} games/s{left}"


def shown_progress() -> ShownProgress:
    """On standard error, as a bar if that is a terminal, else as lines: standard output is for the standings."""
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
