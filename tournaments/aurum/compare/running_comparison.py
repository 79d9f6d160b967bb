"""A comparison under way: its games in the order of the schedule, the test that they go into, the verdict.

Units finish in any order, and long games are won more or less often than short ones: a test that took results as they
come would be biased, and more so with more workers. Therefore a deal group waits until all groups before it are there,
no matter whether it was played just now or before a restart. Everything that follows from the groups, including the
verdict and the fault that ends a comparison, is then a function of the deals and the bots alone.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from aurum.compare.groups import PairCorrelation, halves, step_of
from aurum.compare.settings import Settings
from aurum.results.game_row import GameRow
from aurum.statistics.confidence import ConfidenceSequence
from aurum.statistics.gsprt import SequentialTest, Verdict


class RunningComparison:
    """Takes games in any order and tests complete deal groups in schedule order.

    `test`, `interval` (of the score) and `correlation` are of the groups taken so far.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.test = SequentialTest(settings.support, settings.bounds, settings.games, settings.max_deals)
        self.interval = ConfidenceSequence()
        self.correlation = PairCorrelation(settings.games)
        self.results: Counter[int] = Counter()
        """Games by NEW's result in halves: 2 won, 1 drawn, 0 lost."""
        self.faults: Counter[str] = Counter()
        """Faults by bot, in the groups taken so far."""
        self.fault: GameRow | None = None
        """The first game with a fault, if that ends the comparison: its deal group does not count."""
        self._next = 0
        self._waiting: defaultdict[int, list[GameRow]] = defaultdict(list)

    @property
    def over(self) -> bool:
        """Whether no further game can change anything."""
        return self.fault is not None or self.test.verdict is not Verdict.UNDECIDED

    def add(self, games: Iterable[GameRow]) -> bool:
        """Take the games of whole deal groups, each once; returns whether the comparison is over."""
        for game in games:
            self._waiting[game.deal].append(game)
        while not self.over and self._next in self._waiting:
            self._take(sorted(self._waiting.pop(self._next), key=lambda game: game.seating))
            self._next += 1
        return self.over

    def _take(self, group: Sequence[GameRow]) -> None:
        for game in group:
            self.faults.update(dict(zip(game.bots, game.faults, strict=True)))
            if any(game.faults) and not self.settings.allow_faults:
                self.fault = game
                return
        results = [halves(game) for game in group]
        self.results.update(results)
        self.correlation.add(results)
        step = step_of(group, self.settings)
        self.test.add(step)
        self.interval.add(self.settings.support[step])
