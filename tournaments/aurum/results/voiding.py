"""Games that were taken out of a store again, to be played anew."""

from dataclasses import dataclass

from aurum.common.texts import counted, printable


@dataclass(frozen=True, order=True)
class Voiding:
    """Games that a bot had lost by a fault were voided.

    Attributes:
        time: when (ISO 8601, UTC).
        bot: its name.
        games: how many, with all others of their deal groups.
        reason: what the bot had done, for the end of a sentence.
    """

    time: str
    bot: str
    games: int
    reason: str

    @property
    def note(self) -> str:
        """What the table says of it."""
        were = "was" if self.games == 1 else "were"
        return (
            f"{counted(self.games, 'game')} {were} voided at {self.time}, since {printable(self.bot)} "
            f"{printable(self.reason)}: they are played again"
        )
