"""A bot for the Aurum Arena: it lays and plays its first legal card. The README tells how it is run."""

from aurum.bot import PASS, Bot, Card, Pass, Turn, run


class Minimal(Bot):
    version = "1"

    def bid(self, turn: Turn) -> Card:
        return turn.hand[0]

    def play(self, turn: Turn) -> Card | Pass:
        return turn.cards[0] if turn.cards else PASS


run(Minimal)
