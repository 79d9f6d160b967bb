"""What a run reports of itself while it plays; the command line shows it."""

from typing import Protocol

from aurum.formats.rounds import TournamentRound
from aurum.spec.spec import Spec


class Progress(Protocol):
    """Shows how a run goes. The run calls these methods, all on its own thread."""

    def begin(self, spec: Spec, commitment: str, done: int, total: int) -> None:
        """Before the first game: how many of all games are stored already, and the SHA-256 of the deals' secret."""

    def round_begins(self, title: str, drawn: TournamentRound) -> None:
        """The first games of a round are about to be played, or the first that this run plays of it."""

    def advance(self, games: int) -> None:
        """So many more games are stored."""

    def waiting(self, games: int) -> None:
        """So many games are over and not stored yet: they wait for others of their deal group."""

    def tick(self) -> None:
        """About a second has passed."""

    def say(self, line: str) -> None:
        """What is being done before the first game."""

    def note(self, sentence: str) -> None:
        """Something that the organiser should know now."""
