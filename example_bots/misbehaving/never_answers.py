"""Plays well until it thinks about a card for ever.

Fault: TIMEOUT. The process lives on; the referee ends it with the tournament.
"""

import time

from aurum.bot import PASS, Bot, Card, Pass, Turn, run


class NeverAnswers(Bot):
    def bid(self, turn: Turn) -> Card:
        return turn.hand[0]

    def play(self, turn: Turn) -> Card | Pass:
        while turn.number >= 4:
            time.sleep(60)
        return turn.cards[0] if turn.cards else PASS


if __name__ == "__main__":
    run(NeverAnswers)
