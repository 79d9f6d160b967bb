"""What formats read of a spec. A spec holds its format, so this names what a format may expect of it."""

from collections.abc import Sequence
from typing import Protocol

from aurum.formats.options import Pairings, RankBy, Seatings, Seeding


class EventBot(Protocol):
    """A bot of the spec: its name, and the first and last round that it is to take part in; None is to the end."""

    @property
    def name(self) -> str: ...
    @property
    def from_round(self) -> int: ...
    @property
    def until_round(self) -> int | None: ...


class EventSpec(Protocol):
    """A tournament as a format sees it; what the fields mean is in docs/running-a-tournament.md."""

    @property
    def bots(self) -> Sequence[EventBot]: ...
    @property
    def players(self) -> int: ...
    @property
    def side_count(self) -> int:
        """Sides of a game: two teams, or three bots."""
        ...

    @property
    def rounds(self) -> int | None: ...
    @property
    def deals(self) -> int: ...
    @property
    def seatings(self) -> Seatings: ...
    @property
    def pairings(self) -> Pairings: ...
    @property
    def challengers(self) -> Sequence[str]: ...
    @property
    def seeding(self) -> Seeding: ...
    @property
    def rank_by(self) -> RankBy: ...
