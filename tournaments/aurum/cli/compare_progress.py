"""How a comparison is shown while it runs: two lines on a terminal, now and then the same as one elsewhere."""

from collections.abc import Callable
from typing import TextIO

from aurum.cli.progress import ShownProgress, span, speed
from aurum.compare.course import Course
from aurum.compare.report import figures_of
from aurum.compare.wording import correlation_words, elo_words, llr_words, test_words
from aurum.spec.spec import Spec

_LINE_EVERY_S = 15.0
_BAR_CELLS = 24


class CompareProgress(ShownProgress):
    """A comparison on a stream: arguments as those of ShownProgress, and what to show."""

    def __init__(
        self, stream: TextIO, clock: Callable[[], float], width: int | None, course: Course, preset: str | None
    ) -> None:
        super().__init__(stream, clock, width)
        self._course = course
        self._preset = preset

    def begin(self, spec: Spec, commitment: str, done: int, total: int) -> None:
        """Say what is going to be played."""
        self._begun = self._said = self._clock()
        self._before, self._done, self._total, self._name = done, done, total, spec.name
        settings = self._course.settings
        self._say(f"compare: {test_words(settings, self._preset)}; at most {total} games ({settings.max_deals} deals)")
        self._say(f"commitment to the deals: sha256 {commitment}")
        if done:
            self._say(f"going on: {done} games are stored already")

    def enough(self, over: bool) -> bool:
        """Show what the last games have changed, and pass on whether they were enough."""
        if not over:
            self.tick()
        return over

    def advance(self, games: int) -> None:
        """Count games that were stored; they are shown once the course has taken them."""
        self._done += games

    def tick(self) -> None:
        """Draw the lines anew, or write one if it is time for it."""
        if self._width is not None:
            self._draw()
        elif self._clock() - self._said >= _LINE_EVERY_S:
            self._said = self._clock()
            self._say(", ".join(self._lines()))

    def _lines(self) -> tuple[str, str]:
        course, figures = self._course, figures_of(self._course)
        rate = speed(self._done - self._before, self._clock() - self._begun)
        left = course.test.groups_left
        wait = f", about {span(left * course.settings.games / rate)} left" if rate and left is not None else ""
        return (
            f"LLR {llr_words(figures, course.settings)}, {figures.games} games, {rate:.1f} games/s{wait}",
            f"Elo of {course.settings.statistic} {elo_words(figures)}, pair correlation {correlation_words(figures)}",
        )

    def _draw(self) -> None:
        if self._width is not None:
            bounds, llr = self._course.settings.bounds, self._course.test.llr
            full = round(_BAR_CELLS * (llr - bounds.lower) / (bounds.upper - bounds.lower))
            bar = ("#" * full).ljust(_BAR_CELLS, ".")[:_BAR_CELLS]
            first, second = (line[: self._width - 1] for line in self._with_bar(bar))
            self._stream.write(f"\r\x1b[K{first}\n\x1b[K{second}\x1b[1A\r")
            self._stream.flush()

    def _with_bar(self, bar: str) -> tuple[str, str]:
        first, second = self._lines()
        return f"[{bar}] {first}", second

    def _clear(self) -> None:
        if self._width is not None:
            self._stream.write("\r\x1b[J")
