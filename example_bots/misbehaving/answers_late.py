"""Plays well, but every fifth answer comes a tenth of a second after its time was up.

Fault: TIMEOUT. The late answer names a turn that is no longer open; it is counted and dropped.
"""

import time

from aurum.bot import PASS, Bot, Card, Pass, Turn, run


class AnswersLate(Bot):
    def bid(self, turn: Turn) -> Card:
        return turn.hand[0]

    def play(self, turn: Turn) -> Card | Pass:
        if turn.number % 5 == 0:
            time.sleep(max(turn.time_left, 0) + 0.1)
        return turn.cards[0] if turn.cards else PASS


if __name__ == "__main__":
    run(AnswersLate)
