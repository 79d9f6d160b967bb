"""What lies face up: the public part of a turn's view."""

from aurum.bot.lazy import lazy
from aurum.rules import BidChange, Card, Trick
from aurum.v1 import game_pb2
from aurum.wire.cards import read_card, read_cards
from aurum.wire.game import read_bid_change, read_trick


class Table:
    """Everything face up in the round under way, the same for every seat.

    What belongs to a seat stands in a tuple by seat: `table.bids[2]` is the bid card of seat 2.
    """

    def __init__(self, message: game_pb2.Table) -> None:
        self.message = message
        """The protocol's own message."""

    @lazy
    def round(self) -> int:
        """The number of the round, from 1."""
        return self.message.round

    @lazy
    def first_player(self) -> int:
        """The seat that bid first and led the first trick."""
        return self.message.first_player

    @lazy
    def leader(self) -> int:
        """The seat that leads the trick under way, or the next one."""
        return self.message.leader

    @lazy
    def to_act(self) -> int:
        """The seat that is asked."""
        return self.message.to_act

    @lazy
    def leftover(self) -> tuple[Card, ...]:
        """Four players: the two cards nobody was dealt."""
        return read_cards(self.message.leftover)

    @lazy
    def supply(self) -> tuple[Card, ...]:
        """The gold nobody has, ascending."""
        return read_cards(self.message.supply)

    @lazy
    def collections(self) -> tuple[tuple[Card, ...], ...]:
        """By seat: the gold in front of it, ascending."""
        return tuple([read_cards(seat.collection) for seat in self.message.seats])

    @lazy
    def bids(self) -> tuple[Card | None, ...]:
        """By seat: the bid card, if it lies face up; the own face-down one is `turn.own_bid`."""
        return tuple([read_card(seat.bid) for seat in self.message.seats])

    @lazy
    def tricks_taken(self) -> tuple[int, ...]:
        """By seat: how many tricks it won in this round."""
        return tuple([seat.tricks_taken for seat in self.message.seats])

    @lazy
    def hand_sizes(self) -> tuple[int, ...]:
        """By seat: base cards in hand, the bid card not counted."""
        return tuple([seat.hand_size for seat in self.message.seats])

    @lazy
    def nuggets(self) -> tuple[int, ...]:
        """By seat: the nuggets of its side in this game."""
        return tuple([seat.nuggets for seat in self.message.seats])

    @lazy
    def points(self) -> tuple[tuple[int, ...], ...]:
        """By seat: the points of its side in each finished round of this game."""
        return tuple([tuple(seat.points) for seat in self.message.seats])

    @lazy
    def trick(self) -> tuple[tuple[int, Card], ...]:
        """The trick under way: (seat, card) in play order; empty between tricks."""
        played = self.message.trick
        players = len(self.message.seats)
        return tuple([((played.leader + i) % players, card) for i, card in enumerate(read_cards(played.cards))])

    @lazy
    def tricks(self) -> tuple[Trick, ...]:
        """The completed tricks of this round, in order."""
        return tuple([read_trick(trick) for trick in self.message.tricks])

    @lazy
    def exchanges(self) -> tuple[BidChange, ...]:
        """The exchanges made in this round, in order."""
        return tuple([read_bid_change(change) for change in self.message.exchanges])

    def __repr__(self) -> str:
        seats = "; ".join(
            f"{seat}: bid {self.bids[seat] or '-'}, {self.tricks_taken[seat]} tricks, {self.hand_sizes[seat]} cards"
            + "".join(f" {card}" for card in self.collections[seat])
            for seat in range(len(self.bids))
        )
        trick = " ".join(f"{seat}:{card}" for seat, card in self.trick) or "-"
        return f"<Table of round {self.round}, trick {len(self.tricks) + 1}: {trick} ({seats})>"
