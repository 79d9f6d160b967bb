"""What is done when the referee itself was late: the games are played again, if need be with fewer at the same time."""

from collections import Counter
from collections.abc import Collection

from aurum.common.errors import RunError
from aurum.common.texts import counted

AGAIN = 2
"""A deal group whose games were late so often is played with fewer workers, or with fewer games in flight."""
ATTEMPTS = 5
"""So often a deal group is tried where nothing can be made fewer any more."""


class Lateness:
    """Counts the attempts at deal groups that came to nothing because the referee was late, and slows the run down.

    Workers are halved until there is one, then its games in flight.

    Args:
        turn_ms: the clock's limit for a turn.
        games_in_flight: as the spec says.
    """

    def __init__(self, turn_ms: int, games_in_flight: int) -> None:
        self._turn_ms = turn_ms
        self._games_in_flight = games_in_flight
        self._halvings = 0
        self._attempts: Counter[int] = Counter()

    def workers(self, count: int) -> int:
        """How many of so many workers are to play."""
        return self._pace(count)[0]

    def games_in_flight(self, workers: int) -> int:
        """How many games each of them is to play at a time, where there are so many workers."""
        return self._pace(workers)[1]

    def add(self, deals: Collection[int], delay_ms: int, workers: int) -> str:
        """Count one more attempt at these deals, whose games were late by up to `delay_ms`, where so many workers are.

        Returns:
            What the run does about it, in a sentence; empty if it just tries once more.

        Raises:
            RunError: nothing can be made fewer, and it was the last attempt at one of them.
        """
        self._attempts.update(deals)
        attempts = max(self._attempts[deal] for deal in deals)
        before = self._pace(workers)
        if attempts < AGAIN:
            return ""
        if before == (1, 1):
            if attempts >= ATTEMPTS:
                raise RunError(
                    f"the referee itself was late {attempts} times in the same game, by up to {delay_ms} ms, though "
                    f"one game at a time is played: this machine is too busy for turns of {self._turn_ms} ms; give a "
                    "longer turn_ms, or play where nothing else runs; finished games are stored"
                )
            return ""
        self._halvings += 1
        self._attempts.clear()
        count, games = self._pace(workers)
        return (
            f"this machine cannot keep time (the referee was late by up to {delay_ms} ms): from now on "
            f"{counted(count, 'worker')} will play, {counted(games, 'game')} at a time each"
        )

    def _pace(self, workers: int) -> tuple[int, int]:
        """Workers, and games in flight of each."""
        left = self._halvings
        while left and workers > 1:
            workers //= 2
            left -= 1
        return workers, max(1, self._games_in_flight >> left)
