"""What a run reports of itself while it plays; the command line shows it."""

from typing import Protocol

from aurum.formats.rounds import TournamentRound
from aurum.spec.spec import Spec


class WorkProgress(Protocol):
    """Shows how games are played, of a run or of a calibration. All methods are called on one thread."""

    def advance(self, games: int) -> None:
        """So many more games are stored, or played where none are."""

    def tick(self) -> None:
        """About a second has passed."""

    def say(self, line: str) -> None:
        """What is being done before the first game."""

    def note(self, sentence: str) -> None:
        """Something that the organiser should know now."""


class Progress(WorkProgress, Protocol):
    """Shows how a run goes."""

    def begin(self, spec: Spec, commitment: str, done: int, total: int) -> None:
        """Before the first game: how many of all games are stored already, and the SHA-256 of the deals' secret."""

    def round_begins(self, title: str, drawn: TournamentRound) -> None:
        """The first games of a round are about to be played, or the first that this run plays of it."""

    def waiting(self, games: int) -> None:
        """So many games are over and not stored yet: they wait for others of their deal group."""
