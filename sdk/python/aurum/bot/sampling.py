"""The positions that a seat's view leaves possible."""

from random import Random

from aurum.bot.table import Table
from aurum.rules import Card, Phase, Round, base_cards, mask_of, purse_of


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
        """The base cards whose place is not known, ascending."""

    def sample(self, rng: Random) -> Round:
        """One of them, all deals of the unseen cards equally likely."""
        table = self._table
        unseen = list(self.unseen)
        rng.shuffle(unseen)
        bids = list(table.bids)
        bids[self._seat] = self._own_bid
        hands = []
        for seat, size in enumerate(table.hand_sizes):
            hidden = size - len(self.known[seat])
            if seat != self._seat and self._bids_face_down(seat):
                # The bid card is one of the twelve; any of them, and the shuffle has chosen.
                dealt, unseen = unseen[:12], unseen[12:]
                if self._has_bid_before(seat):
                    bids[seat] = dealt.pop()
            else:
                dealt, unseen = unseen[:hidden], unseen[hidden:]
            hands.append(mask_of(dealt) | mask_of(self.known[seat]))
        return Round.at(
            number=table.round,
            first_player=table.first_player,
            leader=table.leader,
            to_act=self._seat,
            phase=self._phase,
            hands=hands,
            collections=[purse_of(gold) for gold in table.collections],
            supply=purse_of(table.supply),
            leftover=table.leftover,
            bids=bids,
            tricks_taken=table.tricks_taken,
            trick=[card for _, card in table.trick],
            tricks=table.tricks,
            exchanges=table.exchanges,
        )

    def _bids_face_down(self, seat: int) -> bool:
        return self._phase is Phase.BID and len(self._table.bids) == 3 and self._table.bids[seat] is None

    def _has_bid_before(self, seat: int) -> bool:
        """Whether a seat's turn to bid comes before the own one, which is how `Round` counts it as having bid."""
        first, players = self._table.first_player, len(self._table.bids)
        return (seat - first) % players < (self._seat - first) % players


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
