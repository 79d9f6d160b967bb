"""The class that a bot's author derives from."""

import sys
from collections.abc import Awaitable
from typing import ClassVar

from aurum.bot.events import Fault, GameEnded, GameInfo, RoundEnded
from aurum.bot.turn import Turn
from aurum.rules import PASS, Card, Exchange, Move, Pass, Phase


class Bot:
    """A player of Aurum: override `bid` and `play` (and `exchange`), or `choose` alone; with `def` or `async def`.

    One object plays all games of a process, often many at a time and their turns interleaved: keep what
    belongs to one game in `turn.game.memory`, and draw chance from `turn.rng`.
    """

    name: ClassVar[str] = ""
    """As the bot calls itself; the class's name if empty."""
    version: ClassVar[str] = ""
    strict: ClassVar[bool] = True
    """Whether an answer that is not legal stops the bot with an error that says so, before it is sent."""

    def bid(self, turn: Turn) -> Card | Awaitable[Card]:
        """The card of the hand to lay as the bid card: its rank is the number of tricks aimed at."""
        raise NotImplementedError

    def play(self, turn: Turn) -> Card | Pass | Awaitable[Card | Pass]:
        """The card to lead or follow with, one of `turn.cards`; or `PASS`, if `turn.may_pass`, to end the round."""
        raise NotImplementedError

    def exchange(self, turn: Turn) -> Exchange | Pass | Awaitable[Exchange | Pass]:
        """Before a trick: gold to spend for another bid card, or `PASS`. Declines unless overridden."""
        return PASS

    def choose(self, turn: Turn) -> Move | Card | Awaitable[Move | Card]:
        """Any decision. Asks `bid`, `play` or `exchange` unless overridden."""
        phase = turn.phase
        if phase is Phase.BID:
            return self.bid(turn)
        if phase is Phase.EXCHANGE:
            return self.exchange(turn)
        return self.play(turn)

    def setup(self) -> Awaitable[None] | None:
        """Called once, before the bot says that it is ready: the place to load and compute at leisure."""
        return None

    def game_start(self, game: GameInfo) -> Awaitable[None] | None:
        """A game begins."""
        return None

    def round_end(self, end: RoundEnded) -> Awaitable[None] | None:
        """A round is over."""
        return None

    def game_end(self, end: GameEnded) -> Awaitable[None] | None:
        """A game is over."""
        return None

    def fault(self, fault: Fault) -> Awaitable[None] | None:
        """The referee recorded a fault of this bot. Says so on stderr unless overridden."""
        where = f" in game {fault.game.id}, turn {fault.number}" if fault.game else ""
        print(f"aurum: {fault.kind}{where}: {fault.detail}", file=sys.stderr)
        return None


def overrides(bot: Bot, method: str) -> bool:
    """Whether a bot's class has a method of its own."""
    return getattr(type(bot), method) is not getattr(Bot, method)
