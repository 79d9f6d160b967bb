"""Draws positions at random that agree with what a seat has seen."""

from random import Random

from aurum.bot.lazy import lazy
from aurum.bot.table import Table
from aurum.rules import Card, Phase, PublicRound, Round, base_cards, hand_of, purse_of


class Worlds:
    """All rounds that look, from one seat, as its turn does."""

    def __init__(self, table: Table, phase: Phase, seat: int, hand: tuple[Card, ...], own_bid: Card | None) -> None:
        self._table = table
        self._phase = phase
        self._seat = seat
        self._own_bid = own_bid
        players = len(table.bids)
        known = _taken_into_hands(table)
        known[seat] = set(hand)
        self.known = tuple(tuple(sorted(cards)) for cards in known)
        """By seat: the cards known to be in its hand."""
        placed = _face_up(table).union(*known)
        if own_bid is not None:
            placed.add(own_bid)
        self.unseen = tuple([card for card in base_cards(players) if card not in placed])
        """The base cards of which it is not known where they are, ascending."""

    def sample(self, rng: Random) -> Round:
        """One of them, all deals of the unseen cards equally likely."""
        unseen = list(self.unseen)
        rng.shuffle(unseen)
        bids = list(self._table.bids)
        bids[self._seat] = self._own_bid
        hands = []
        for seat, (known, hidden) in enumerate(self._hands):
            dealt, unseen = unseen[:hidden], unseen[hidden:]
            if seat in self._bidders:
                # One of the twelve cards is the bid card: any of them, and the shuffle has chosen.
                bids[seat] = dealt.pop()
            hands.append(hand_of([*known, *dealt]))
        return Round.at(self._public, hands, bids)

    @lazy
    def _hands(self) -> list[tuple[tuple[Card, ...], int]]:
        """By seat: its known cards, and how many others it was dealt."""
        return [
            (known, 12 if seat in self._face_down else size - len(known))
            for seat, (known, size) in enumerate(zip(self.known, self._table.hand_sizes, strict=True))
        ]

    @lazy
    def _face_down(self) -> set[int]:
        """Three players, bidding: the others, who may or may not have laid a card face down."""
        bidding = self._phase is Phase.BID and len(self._table.bids) == 3
        return {0, 1, 2} - {self._seat} if bidding else set()

    @lazy
    def _bidders(self) -> set[int]:
        """Those of them who bid before the own seat: a `Round` takes bids in that order."""
        first, players = self._table.first_player, len(self._table.bids)
        return {seat for seat in self._face_down if (seat - first) % players < (self._seat - first) % players}

    @lazy
    def _public(self) -> PublicRound:
        """What is the same in all of them."""
        table = self._table
        return PublicRound(
            number=table.round,
            first_player=table.first_player,
            leader=table.leader,
            to_act=self._seat,
            phase=self._phase,
            collections=[purse_of(gold) for gold in table.collections],
            supply=purse_of(table.supply),
            leftover=table.leftover,
            tricks_taken=table.tricks_taken,
            trick=[card for _, card in table.trick],
            tricks=table.tricks,
            exchanges=table.exchanges,
        )


def _face_up(table: Table) -> set[Card]:
    """The base cards that everyone sees."""
    cards = {card for _, card in table.trick}
    cards.update(table.leftover, *[trick.cards for trick in table.tricks])
    cards.update([bid for bid in table.bids if bid is not None])
    return cards


def _taken_into_hands(table: Table) -> list[set[Card]]:
    """By seat: bid cards that an exchange put into its hand and that have not left it since."""
    hands: list[set[Card]] = [set() for _ in table.bids]
    for change in table.exchanges:
        hands[change.seat].add(change.taken)
        hands[change.seat].discard(change.laid)
    gone = _face_up(table)
    return [hand - gone for hand in hands]
