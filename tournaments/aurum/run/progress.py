"""What a run tells while it goes on; the command line shows it."""

from typing import Protocol

from aurum.spec.spec import Spec


class Progress(Protocol):
    """The runner calls these, all from one thread."""

    def begin(self, spec: Spec, commitment: str, done: int, total: int) -> None:
        """Before the first game: how many of all games are stored already, and the SHA-256 of the deals' secret."""

    def advance(self, games: int) -> None:
        """So many more games are stored."""

    def tick(self) -> None:
        """About a second has gone by."""

    def say(self, line: str) -> None:
        """What is being done before the first game."""

    def note(self, sentence: str) -> None:
        """Something the organiser should know now."""


class Silence:
    """A progress that tells nobody."""

    def begin(self, spec: Spec, commitment: str, done: int, total: int) -> None:
        """Say nothing."""

    def advance(self, games: int) -> None:
        """Say nothing."""

    def tick(self) -> None:
        """Say nothing."""

    def say(self, line: str) -> None:
        """Say nothing."""

    def note(self, sentence: str) -> None:
        """Say nothing."""
