"""Plays well until its process ends in mid-game with exit code 0 and not a word.

Fault: CRASHED, with exit code 0: only the referee's Goodbye is a reason to leave.
"""

import os

from aurum.bot import PASS, Bot, Card, Pass, Turn, run


class ExitsSilently(Bot):
    def bid(self, turn: Turn) -> Card:
        return turn.hand[0]

    def play(self, turn: Turn) -> Card | Pass:
        if turn.number >= 4:
            os._exit(0)
        return turn.cards[0] if turn.cards else PASS


if __name__ == "__main__":
    run(ExitsSilently)
