"""How a comparison is shown while it runs: two rows on a terminal, elsewhere both as one line now and then."""

from collections.abc import Callable
from typing import TextIO

from aurum.cli.progress import GameCount, LiveProgress, span
from aurum.compare.report import figures_of
from aurum.compare.running_comparison import RunningComparison
from aurum.compare.wording import correlation_words, elo_words, llr_words, test_words
from aurum.spec.spec import Spec

_LINE_EVERY_S = 15.0
_BAR_CELLS = 24


class CompareProgress(LiveProgress):
    """Shows a comparison by its test. Games that were stored are shown once the comparison has taken them.

    Args:
        stream: where it is shown.
        clock: seconds, never going back.
        width: columns of the terminal, None for lines.
        comparison: the test, which is given the games elsewhere.
        preset: the name of its bounds, if they have one.
    """

    def __init__(
        self,
        stream: TextIO,
        clock: Callable[[], float],
        width: int | None,
        comparison: RunningComparison,
        preset: str | None,
    ) -> None:
        super().__init__(stream, clock, width, line_every_s=_LINE_EVERY_S, clear="\r\x1b[J")
        self._comparison = comparison
        self._preset = preset

    def begin(self, spec: Spec, commitment: str, done: int, total: int) -> None:
        """Say what is going to be played."""
        self._games = GameCount(self._clock, done, total, spec.name)
        settings = self._comparison.settings
        lines = [
            f"compare: {test_words(settings, self._preset)}; at most {total} games ({settings.max_deals} deals)",
            f"commitment to the deals: sha256 {commitment}",
        ]
        if done:
            lines.append(f"going on: {done} games are stored already")
        self._live.begin(lines)

    def enough(self, over: bool) -> bool:
        """Show what the last games have changed, and pass on whether they were enough."""
        if not over:
            self.tick()
        return over

    def rows(self) -> tuple[str, str]:
        """How the test stands, with a bar from its lower to its upper bound, and what it has measured."""
        bounds, llr = self._comparison.settings.bounds, self._comparison.test.llr
        full = round(_BAR_CELLS * (llr - bounds.lower) / (bounds.upper - bounds.lower))
        bar = ("#" * full).ljust(_BAR_CELLS, ".")[:_BAR_CELLS]
        test, measured = self._texts()
        return f"[{bar}] {test}", measured

    def line(self) -> str:
        """Both without a bar."""
        return ", ".join(self._texts())

    def _texts(self) -> tuple[str, str]:
        comparison, figures = self._comparison, figures_of(self._comparison)
        rate = self._games.rate()
        left = comparison.test.groups_left
        wait = f", about {span(left * comparison.settings.games / rate)} left" if rate and left is not None else ""
        return (
            f"LLR {llr_words(figures, comparison.settings)}, {figures.games} games, {rate:.1f} games/s{wait}",
            f"Elo of {comparison.settings.statistic} {elo_words(figures)}, "
            f"pair correlation {correlation_words(figures)}",
        )
