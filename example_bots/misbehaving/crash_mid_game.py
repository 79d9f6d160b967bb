"""Plays well until an exception of its own ends its process in the middle of a trick.

Fault: CRASHED, with exit code 1; the traceback is in the tail of its stderr.
"""

from aurum.bot import Bot, Card, Turn, run


class CrashMidGame(Bot):
    def bid(self, turn: Turn) -> Card:
        return turn.hand[0]

    def play(self, turn: Turn) -> Card:
        # After the bid no hand has twelve cards: the kind of mistake that only a game finds.
        return turn.cards[0] if turn.number < 4 else turn.hand[11]


if __name__ == "__main__":
    run(CrashMidGame)
