"""When a bot that fails to start is benched: for one unit, and for a whole tournament."""

from collections.abc import Callable

START_LIMIT = 5
"""After so many failures to start in a row, a bot is benched."""


class StartFailures:
    """One bot's consecutive failures to start, counted over all its seats.

    `in_a_row` is how many there are since the last good start. `benched` is empty as long as it is started; else it
    says why it is not started any more, and never changes.
    """

    def __init__(self, benched: str = "", in_a_row: int = 0) -> None:
        self.benched = benched
        self.in_a_row = in_a_row

    def add(self, failures: int, came_up: bool, reason: Callable[[int], str]) -> None:
        """Count so many more failures in a row, and bench the bot when they are START_LIMIT.

        Args:
            failures: since its last good start, or since the last call if there was none.
            came_up: whether there was a good start before them.
            reason: makes the sentence from the number of failures in a row.
        """
        self.in_a_row = failures if came_up else self.in_a_row + failures
        if self.in_a_row >= START_LIMIT and not self.benched:
            self.benched = reason(self.in_a_row)
