"""When a bot that fails to start is benched: for one unit, and for a whole tournament."""

from collections.abc import Callable

START_LIMIT = 5
"""After so many failures to start in a row, a bot is benched."""


class StartFailures:
    """One bot's consecutive failures to start, counted over all its seats.

    `benched` is empty as long as it is started; else it says why it is not started any more, and never changes.
    """

    def __init__(self, benched: str = "") -> None:
        self.benched = benched
        self._in_a_row = 0

    def add(self, failures: int, came_up: bool, reason: Callable[[int], str]) -> None:
        """Count so many more failures in a row, and bench the bot when they are START_LIMIT.

        Args:
            failures: since its last good start, or since the last call if there was none.
            came_up: whether there was a good start before them.
            reason: makes the sentence from the number of failures in a row.
        """
        self._in_a_row = failures if came_up else self._in_a_row + failures
        if self._in_a_row >= START_LIMIT and not self.benched:
            self.benched = reason(self._in_a_row)
