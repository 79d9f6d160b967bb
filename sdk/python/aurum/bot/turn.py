"""A decision that is asked for, with everything the seat may know."""

from random import Random
from time import monotonic

from aurum.bot.events import GameInfo
from aurum.bot.lazy import lazy
from aurum.bot.sampling import Worlds
from aurum.bot.table import Table
from aurum.rules import BIDS, PASS, PLAYS, Card, Move, Phase, Round, Ruleset, exchanges_with
from aurum.v1 import play_pb2
from aurum.wire.cards import read_card, read_cards, read_phase


class Turn:
    """One turn: `legal` is what may be answered, `hand` and `table` what is known.

    A turn holds the seat's whole legal view, so a bot can be a function of it. Nothing but the phase is computed
    before it is looked at.
    """

    def __init__(self, message: play_pb2.Turn, game: GameInfo, received: float) -> None:
        """`received`: when the turn arrived, on the monotonic clock."""
        self.message = message
        """The protocol's own message."""
        self.game = game
        self.phase: Phase = read_phase(message.phase)
        """BID, EXCHANGE, LEAD or FOLLOW."""
        self._received = received

    @property
    def number(self) -> int:
        """Counts this bot's turns in the game, from 1."""
        return self.message.number

    @lazy
    def hand(self) -> tuple[Card, ...]:
        """The own base cards, ascending; the bid card is not among them."""
        return read_cards(self.message.hand)

    @lazy
    def own_bid(self) -> Card | None:
        """The own bid card; None before it is laid."""
        return read_card(self.message.own_bid)

    @lazy
    def table(self) -> Table:
        """Everything face up."""
        return Table(self.message.table)

    @lazy
    def cards(self) -> tuple[Card, ...]:
        """The cards that may be played or bid, gold included; in an exchange window those that may be laid."""
        return read_cards(self.message.legal_cards)

    @property
    def may_pass(self) -> bool:
        """In an exchange window: decline. When following: end the round."""
        return self.message.may_pass

    @lazy
    def legal(self) -> tuple[Move, ...]:
        """Every legal move: exactly those of `aurum.rules` in this position, in the same order."""
        phase = self.phase
        if phase is Phase.EXCHANGE:
            seat = self.seat
            targets = (seat, seat ^ 2) if self.players == 4 else (seat,)
            moves: list[Move] = [PASS]
            for gold in dict.fromkeys(self.table.collections[seat]):
                for target in targets:
                    exchange = exchanges_with(gold, target)
                    moves += [exchange[card] for card in self.cards]
            return tuple(moves)
        if phase is Phase.BID:
            return tuple([BIDS[card] for card in self.cards])
        plays = tuple([PLAYS[card] for card in self.cards])
        return (*plays, PASS) if self.may_pass else plays

    @property
    def seat(self) -> int:
        """The own seat, from 0; the next seat clockwise is `(seat + 1) % players`."""
        return self.game.seat

    @property
    def players(self) -> int:
        """3 or 4."""
        return self.game.players

    @property
    def partner(self) -> int | None:
        """The partner's seat; None with three players."""
        return self.game.seat ^ 2 if self.game.players == 4 else None

    @property
    def ruleset(self) -> Ruleset:
        """The rules of this game."""
        return self.game.ruleset

    @property
    def rng(self) -> Random:
        """This game's own generator, seeded by the referee: a bot that draws only from it is reproducible."""
        return self.game.rng

    @property
    def time_left(self) -> float:
        """Seconds left for this decision, now, the bank included; negative once it is too late."""
        return self.message.time_left_ms / 1000 - (monotonic() - self._received)

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The base cards of which this seat cannot know where they are, ascending."""
        return self._worlds.unseen

    def known_hand(self, seat: int) -> tuple[Card, ...]:
        """The cards this seat knows to be in a hand: the whole own hand, and bid cards others took into theirs."""
        return self._worlds.known[seat]

    def sample(self, rng: Random | None = None) -> Round:
        """A position to simulate on: this one, with the hidden cards dealt at random.

        Every deal that agrees with the view is equally likely: hand sizes, what was played, left over or
        bid face up, bid cards that exchanges put into hands. Face-down bids are drawn from the hands they
        were laid from. The legal moves of the position are `legal`. Without `rng` the game's own is drawn from.
        """
        return self._worlds.sample(rng or self.game.rng)

    @lazy
    def _worlds(self) -> Worlds:
        return Worlds(self.table, self.phase, self.seat, self.hand, self.own_bid)

    def __repr__(self) -> str:
        hand = " ".join(map(str, self.hand)) or "-"
        legal = ", ".join(map(str, self.legal))
        return (
            f"<Turn {self.number} of game {self.game.id}: {self.phase.name} of seat {self.seat}, hand {hand}, "
            f"own bid {self.own_bid or '-'}, legal: {legal}; {self.table!r}>"
        )
