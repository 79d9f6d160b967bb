"""Write a bot for the Aurum Arena.

from aurum.bot import Bot, run

class LowestCard(Bot):
    def bid(self, turn):
        return turn.hand[0]

    def play(self, turn):
        return turn.cards[0]

run(LowestCard)
"""

import os

# Before gRPC is loaded, also by a bot that uses it itself: its handlers crash the children that a bot forks.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

from aurum.bot.base import Bot
from aurum.bot.errors import IllegalAnswer
from aurum.bot.events import Clock, Fault, GameEnded, GameInfo, RoundEnded
from aurum.bot.main import run
from aurum.bot.session import VERSION
from aurum.bot.table import Table
from aurum.bot.turn import Turn
from aurum.rules import PASS, Bid, Card, Exchange, Move, Pass, Phase, Play, Round, Ruleset, Suit

__version__ = VERSION

__all__ = [
    "PASS",
    "Bid",
    "Bot",
    "Card",
    "Clock",
    "Exchange",
    "Fault",
    "GameEnded",
    "GameInfo",
    "IllegalAnswer",
    "Move",
    "Pass",
    "Phase",
    "Play",
    "Round",
    "RoundEnded",
    "Ruleset",
    "Suit",
    "Table",
    "Turn",
    "run",
]
