"""Collects the records of a unit's games until the deal groups they belong to are whole."""

from collections import defaultdict
from collections.abc import Sequence

from aurum.referee.unit import GameTask


class FinishedGroups:
    """The games of a unit that are over, by deal group: `add` each, and `take` the groups that have become whole."""

    def __init__(self, games: Sequence[GameTask]) -> None:
        self._games = games
        self._groups: defaultdict[int, list[int]] = defaultdict(list)
        """By deal, the indexes of its games."""
        for index, task in enumerate(games):
            self._groups[task.deal].append(index)
        self._records: dict[int, bytes] = {}
        """By index, of the games whose groups have not been taken."""
        self._whole: list[int] = []
        """The indexes of the games of whole groups."""

    @property
    def whole(self) -> int:
        """How many games are over and can be taken."""
        return len(self._whole)

    @property
    def waiting(self) -> int:
        """How many games are over and wait for others of their deal group."""
        return len(self._records) - len(self._whole)

    def add(self, index: int, record: bytes) -> None:
        """The game of this index is over."""
        self._records[index] = record
        group = self._groups[self._games[index].deal]
        if all(other in self._records for other in group):
            self._whole += group

    def take(self) -> tuple[bytes, ...]:
        """The records of the groups that have become whole since the last call, in the order of the unit's games."""
        whole, self._whole = sorted(self._whole), []
        return tuple(self._records.pop(index) for index in whole)
