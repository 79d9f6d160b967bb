"""Plays well, but writes a gigabyte to stderr while it thinks about its third turn.

Fault: FLOODED. The referee keeps the end of what a bot writes, and ends one that writes more than 64 MiB.
"""

import sys

from aurum.bot import PASS, Bot, Card, Pass, Turn, run


class StderrGigabyte(Bot):
    def bid(self, turn: Turn) -> Card:
        return turn.hand[0]

    def play(self, turn: Turn) -> Card | Pass:
        if turn.number >= 3:
            mebibyte = ("a line of a log that somebody forgot to turn off\n" * 21400)[: 1 << 20]
            for _ in range(1024):
                sys.stderr.write(mebibyte)
        return turn.cards[0] if turn.cards else PASS


if __name__ == "__main__":
    run(StderrGigabyte)
