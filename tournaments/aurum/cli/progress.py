"""How a run is shown: a bar on a terminal, elsewhere a line now and then."""

import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

from aurum.cli.live_status import LiveStatus
from aurum.cli.streams import terminal_width
from aurum.formats.rounds import TournamentRound
from aurum.spec.spec import Spec

_LINE_EVERY_S = 5.0
_BAR_CELLS = 24
_LINE = 100
_MOST_PAIRINGS = 50


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


class LiveProgress(ABC):
    """A run shown on a stream, as what counts its games says: what all displays of a run have in common.

    Args:
        stream: where it is shown.
        clock: seconds, never going back.
        width: columns of the terminal for rows, None for lines.
        line_every_s: seconds between two lines of the status.
        clear: the control characters that clear the rows away.
    """

    def __init__(
        self, stream: TextIO, clock: Callable[[], float], width: int | None, *, line_every_s: float, clear: str
    ) -> None:
        self._clock = clock
        self._games = GameCount(clock)
        self._live = LiveStatus(stream, clock, width, self, line_every_s=line_every_s, clear=clear)

    @abstractmethod
    def rows(self) -> Sequence[str]:
        """The status on a terminal."""

    @abstractmethod
    def line(self) -> str:
        """The status elsewhere; empty if there is none."""

    def round_begins(self, title: str, drawn: TournamentRound) -> None:  # noqa: B027 - not everyone shows rounds
        """Note that a round begins."""

    def advance(self, games: int) -> None:
        """Count games that were stored."""
        self._games.stored += games

    def waiting(self, games: int) -> None:
        """Note that so many more games are over: for the speed."""
        self._games.waiting = games

    def tick(self) -> None:
        """Draw the rows anew; write a line if it is time for one."""
        self._live.tick()

    def say(self, line: str) -> None:
        """Show a line."""
        self._live.say(line)

    def note(self, sentence: str) -> None:
        """Show a sentence."""
        self.say(f"note: {sentence}")

    def end(self) -> None:
        """Clear the rows away and say how long it took."""
        self._live.end(self._games.summary())


class ShownProgress(LiveProgress):
    """Shows a run by its games: a bar, or lines that say the same, at most one every few seconds.

    Args:
        stream, clock, width: as in `LiveProgress`.
        folder: where the results are kept; None if they are not.
    """

    def __init__(
        self, stream: TextIO, clock: Callable[[], float], width: int | None, folder: Path | None = None
    ) -> None:
        super().__init__(stream, clock, width, line_every_s=_LINE_EVERY_S, clear="\r\x1b[K")
        self._folder = folder

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
        elif self._folder is not None:
            lines.append(f"nothing is stored in {self._folder.absolute()} yet: the tournament begins anew")
        self._live.begin(lines)
        self._live.draw()
        self._resting_word = "bye" if spec.format.bye_note else "rests"
        self._pairings_shown = spec.format.match_count(spec) > 1

    def round_begins(self, title: str, drawn: TournamentRound) -> None:
        """Show who meets whom, unless the whole tournament is one match."""
        if self._pairings_shown:
            for line in pairing_lines(title, drawn, self._resting_word):
                self.say(line)

    def advance(self, games: int) -> None:
        """Count games that were stored, and show them."""
        super().advance(games)
        self.tick()

    def waiting(self, games: int) -> None:
        """Note that so many more games are over, and show them."""
        super().waiting(games)
        self.tick()

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


def pairing_lines(title: str, drawn: TournamentRound, resting: str) -> list[str]:
    """Who meets whom in a round, in lines of at most 100 characters where names allow it; of a large round a part."""
    pairings = [" - ".join(match.bots) for match in drawn.matches]
    if len(pairings) > _MOST_PAIRINGS:
        more = len(pairings) - _MOST_PAIRINGS
        pairings[_MOST_PAIRINGS:] = [f"and {more} more (`arena tournament pairings` lists them)"]
    pairings += [f"{resting}: {', '.join(bye.bot for bye in drawn.byes)}"] if drawn.byes else []
    lines = [f"{title}: "]
    for number, pairing in enumerate(pairings):
        text = pairing + ("," if number + 1 < len(pairings) else "")
        if len(lines[-1]) + len(text) > _LINE and lines[-1].strip():
            lines.append(" " * 4)
        lines[-1] += f"{text} "
    return [line.rstrip() for line in lines]


def shown_progress(folder: Path | None = None) -> ShownProgress:
    """On standard error, as a bar if that is a terminal, else as lines: standard output is for the standings.

    Args:
        folder: where the results are kept; None if they are not.
    """
    return ShownProgress(sys.stderr, time.monotonic, terminal_width(), folder)


def speed(games: int, seconds: float) -> float:
    """Games in a second; 0 if no time has passed."""
    return games / seconds if seconds > 0 else 0.0


def span(seconds: float) -> str:
    """A time as `1:05`, or `2:00:09` with hours."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
