"""Plays well, and writes a gigabyte to stderr before its first game.

No fault: the referee reads it all, so that the bot is not stopped by a full pipe, and keeps the end of it.
"""

import sys

from aurum.bot import PASS, Bot, Card, Pass, Turn, run


class StderrGigabyte(Bot):
    def setup(self) -> None:
        mebibyte = ("a line of a log that somebody forgot to turn off\n" * 21400)[: 1 << 20]
        for _ in range(1024):
            sys.stderr.write(mebibyte)

    def bid(self, turn: Turn) -> Card:
        return turn.hand[0]

    def play(self, turn: Turn) -> Card | Pass:
        return turn.cards[0] if turn.cards else PASS


if __name__ == "__main__":
    run(StderrGigabyte)
