"""Games in flight where the referee decides, on a simulated machine that makes use of some number of them."""

import pytest
from aurum.referee.throttle import SHARE, Throttle
from aurum.rules import Pass
from hypothesis import given, settings
from hypothesis import strategies as st

TURN_MS = 1000


class Machine:
    """Plays decisions; `best` games in flight are the fastest, and each game adds to the time of a turn."""

    def __init__(self, throttle_most: int, best: int, *, think_ms: float = 1.0, a_second: float = 1000.0) -> None:
        self.now = 0.0
        self.throttle = Throttle(throttle_most, TURN_MS, lambda: self.now)
        self._best = best
        self._think_ms = think_ms
        self._a_second = a_second

    def play(self, decisions: int) -> int:
        """Play on, and say how many games are in flight after it."""
        for _ in range(decisions):
            limit = self.throttle.limit
            self.now += 1 / (self._a_second * min(limit, self._best))
            self.throttle.moved(0, Pass(), round(self._think_ms * limit), by_referee=False)
        return self.throttle.limit


@settings(max_examples=25)
@given(st.integers(1, 128), st.integers(1, 200))
def test_it_grows_to_what_the_machine_makes_use_of(most: int, best: int) -> None:
    """Within a step of it, and never beyond what is allowed."""
    limit = Machine(most, best).play(40_000)
    assert 1 <= limit <= most
    assert min(best, most) / 2 <= limit <= max(1, 2 * best)


@pytest.mark.parametrize("think_ms", [30.0, 100.0, 240.0, 900.0])
def test_no_turn_comes_near_its_limit(think_ms: float) -> None:
    """It goes back once turns get long, and stays there; a bot that thinks long plays one game at a time."""
    machine = Machine(128, 128, think_ms=think_ms, a_second=100_000.0)
    limit = machine.play(40_000)
    assert limit == 1 or think_ms * limit <= SHARE * TURN_MS
    assert machine.play(20_000) <= limit


def test_one_slow_turn_halves_it_for_good() -> None:
    """However fast the others are."""
    machine = Machine(128, 128, a_second=100_000.0)
    before = machine.play(60_000)
    machine.throttle.moved(0, Pass(), round(SHARE * TURN_MS) + 1, by_referee=False)
    assert machine.throttle.limit == before // 2
    assert machine.play(60_000) == before // 2
