"""The position of one round: who holds what, what may be played, what happens then.

The moments of a round (docs/rules.md sections 3 to 7), each with the seat that acts:

    BID       from the first player clockwise            -> EXCHANGE or LEAD when all bid cards lie
    EXCHANGE  in play order from the leader, only those who can -> LEAD when all have been asked
    LEAD      the leader                                 -> FOLLOW
    FOLLOW    clockwise                                  -> EXCHANGE or LEAD when the trick is full
    OVER      a player could not or would not follow, or the leader has no base card

Nobody is asked who has no choice in the sense of the rules: the engine itself passes over players who
cannot exchange and ends the round of a follower who has neither a playable base card nor gold.
"""

# Which kind of move is legal follows from the phase, which a type checker cannot see.
# mypy: disable-error-code="union-attr"

from collections.abc import Sequence
from typing import Any

from aurum.rules.cards import BITS, GOLD, NO_CARDS, UNITS, Card, Hand, cards_of, gold_of, gold_supply, hand_of
from aurum.rules.deal import RoundCards
from aurum.rules.illegal import why_illegal
from aurum.rules.listing import ALL_SUITS, BIDS_OF, COLUMNS, OFFERS, PLAYS_OF, gold_plays, window_moves
from aurum.rules.moves import PASS, IllegalMove, Move
from aurum.rules.phase import Phase, RoundEnd
from aurum.rules.public import BidChange, PublicRound, Trick
from aurum.rules.scoring import RoundResult, score_round
from aurum.rules.seats import NEXT, ORDER

_BID, _EXCHANGE, _LEAD, _FOLLOW, _OVER = Phase

_GOLD = 16
"""Added to the rank of gold where it is compared with base cards."""

_Row = tuple[Any, ...]
"""A trick or an exchange as it is written down: a NamedTuple takes four times as long to make."""


class Round:
    """A round under way. `play` changes it, and nothing else may; `copy` first to keep it, `at` sets one up.

    Public facts: `players`, `number`, `first_player`, `leader`, `to_act`, `phase`, `leftover`, `tricks_taken`, `trick`
    (under way), `tricks`, `last_trick`, `exchanges`, `last_exchange`, and once over `ended_by`, `end`, `unfinished`.
    Secrets: `hands`, and `bids` while `bids_revealed` is false. By seat: `hands` by suit, `collections` as purses (see
    `aurum.rules.cards`), as is `supply`; `hand` and `collection` give cards.
    """

    __slots__ = (
        # The rows of `exchanges` and `tricks`; and what follows from the facts, kept because every move needs it: the
        # next seat by seat, the moves of the seat to act, the suits not yet in the trick, and who would collect and who
        # would win the trick as it stands, with the ranks that say so.
        "_collector",
        "_exchanges",
        "_highest",
        "_lowest",
        "_moves",
        "_next",
        "_suits",
        "_tricks",
        "_winner",
        "bids",
        "collections",
        "end",
        "ended_by",
        "first_player",
        "hands",
        "leader",
        "leftover",
        "number",
        "phase",
        "players",
        "supply",
        "to_act",
        "trick",
        "tricks_taken",
        "unfinished",
    )

    def __init__(self, number: int, first_player: int, cards: RoundCards, gold_zeros: bool) -> None:
        """Round `number` (from 1) as dealt: the first player is about to bid."""
        self.players = len(cards.hands)
        self.number = number
        self.first_player = self.leader = self.to_act = first_player
        self.phase = _BID
        self.hands = [hand_of(hand) for hand in cards.hands]
        self.leftover = cards.leftover
        zero = GOLD[0].unit if gold_zeros else 0
        self.collections = [zero] * self.players
        self.supply = gold_supply(self.players, gold_zeros) - zero * self.players
        self.bids: list[Card | None] = [None] * self.players
        self.tricks_taken = [0] * self.players
        self.trick: list[Card] = []
        self._tricks: list[_Row] = []
        self._exchanges: list[_Row] = []
        self.ended_by: int | None = None
        self.end: RoundEnd | None = None
        self.unfinished: list[Card] = []
        self._next = NEXT[self.players]
        self._begin_trick()
        self._await_bid(first_player)

    @classmethod
    def at(cls, public: PublicRound, hands: Sequence[Hand], bids: Sequence[Card | None]) -> "Round":
        """A position in the middle of a round: what is public of it, and what is hidden, taken on trust.

        `hands`, by seat, are as `hand_of` makes them; `bids`, by seat, None where no bid card lies. Search bots try out
        many hands and bids with one public part.
        """
        self = cls.__new__(cls)
        self.players = len(hands)
        self.number = public.number
        self.first_player = public.first_player
        self.leader = leader = public.leader
        self.to_act = to_act = public.to_act
        self.phase = phase = public.phase
        self.hands = [hand[:] for hand in hands]
        self.collections = list(public.collections)
        self.supply = public.supply
        self.leftover = public.leftover
        self.bids = list(bids)
        self.tricks_taken = list(public.tricks_taken)
        self.trick = list(public.trick)
        self._tricks = list(public.tricks)
        self._exchanges = list(public.exchanges)
        self.ended_by = self.end = None
        self.unfinished = []
        self._next = NEXT[self.players]
        self._begin_trick()
        for seat, card in zip(ORDER[self.players][leader], self.trick, strict=False):
            strength = _GOLD + card.rank if card.is_gold else card.rank
            if strength <= self._lowest:
                self._lowest, self._collector = strength, seat
            if strength >= self._highest:
                self._highest, self._winner = strength, seat
            self._suits &= ~(1 << card.suit)
        if phase is _FOLLOW:
            self._await_follower(to_act)
        elif phase is _LEAD:
            self._await_lead(to_act)
        elif phase is _EXCHANGE:
            self._await_exchange(to_act)
        elif phase is _BID:
            self._await_bid(to_act)
        return self

    def _begin_trick(self) -> None:
        self._moves: tuple[Move, ...] = ()
        self._suits = ALL_SUITS
        self._lowest, self._highest = 10, 0
        self._collector = self._winner = self.leader

    def copy(self) -> "Round":
        """An independent copy."""
        other = Round.__new__(Round)
        other.players = self.players
        other.number = self.number
        other.first_player = self.first_player
        other.leader = self.leader
        other.to_act = self.to_act
        other.phase = self.phase
        other.hands = [hand[:] for hand in self.hands]
        other.collections = self.collections[:]
        other.supply = self.supply
        other.leftover = self.leftover
        other.bids = self.bids[:]
        other.tricks_taken = self.tricks_taken[:]
        other.trick = self.trick[:]
        other._tricks = self._tricks[:]
        other._exchanges = self._exchanges[:]
        other.ended_by = self.ended_by
        other.end = self.end
        other.unfinished = self.unfinished[:]
        other._moves = self._moves
        other._next = self._next
        other._suits = self._suits
        other._lowest = self._lowest
        other._highest = self._highest
        other._collector = self._collector
        other._winner = self._winner
        return other

    def hand(self, seat: int) -> tuple[Card, ...]:
        """The base cards in hand, ascending; the bid card is not among them."""
        return cards_of(self.hands[seat])

    def collection(self, seat: int) -> tuple[Card, ...]:
        """The gold in front of a seat, ascending by rank."""
        return gold_of(self.collections[seat])

    @property
    def tricks(self) -> list[Trick]:
        """The completed tricks, in order; a list made for the caller."""
        return list(map(Trick._make, self._tricks))

    # As `_make` does it, without the check and its time: rows are of the right length.

    @property
    def last_trick(self) -> Trick | None:
        """The trick completed last; None before the first."""
        return tuple.__new__(Trick, self._tricks[-1]) if self._tricks else None

    @property
    def exchanges(self) -> list[BidChange]:
        """The exchanges that were made, in order; a list made for the caller."""
        return list(map(BidChange._make, self._exchanges))

    @property
    def last_exchange(self) -> BidChange | None:
        """The exchange made last; None before the first."""
        return tuple.__new__(BidChange, self._exchanges[-1]) if self._exchanges else None

    @property
    def bids_revealed(self) -> bool:
        """Whether bid cards lie face up: four players lay them so, three turn them over together."""
        return self.players == 4 or self.phase is not _BID

    def score(self, nuggets: bool = True) -> RoundResult:
        """The result of a round that is over; `nuggets`: whether the best side gets one."""
        if self.ended_by is None or None in self.bids:
            raise ValueError("the round is not over")
        bids: list[Card] = self.bids  # type: ignore[assignment]  # all lie
        return score_round(bids, self.tricks_taken, self.collections, self.ended_by, nuggets)

    def legal_moves(self) -> tuple[Move, ...]:
        """All moves of the seat to act (docs/rules.md section 6), in a fixed order; empty once over."""
        return self._moves

    def play(self, move: Move) -> None:
        """Apply a move of the seat to act; raises IllegalMove and changes nothing if it is not legal."""
        if move not in self._moves:
            raise IllegalMove(why_illegal(self, move), move, repr(self))
        phase = self.phase
        # Following is the one phase without a method of its own: most moves are followers', and a call for each of
        # them would cost another 0.9 % of the instructions of random play.
        if phase is _FOLLOW:
            seat = self.to_act
            column, bit, suit, rank = move.plays
            if bit:
                self.hands[seat][column] -= bit
                self._suits -= suit
                if rank <= self._lowest:
                    self._lowest = rank
                    self._collector = seat
            elif move is PASS:
                self._finish(seat, RoundEnd.DECLINED)
                return
            else:
                self.collections[seat] -= move.unit
                rank += _GOLD
            if rank >= self._highest:
                self._highest = rank
                self._winner = seat
            self.trick.append(move.card)
            seat = self._next[seat]
            if seat == self.leader:
                self._resolve(seat)
            else:
                self._await_follower(seat)
        elif phase is _LEAD:
            self._lead(self.to_act, move)
        elif phase is _EXCHANGE:
            self._exchange(self.to_act, move)
        else:
            self._bid(self.to_act, move)

    def _bid(self, seat: int, move: Move) -> None:
        """Lay a bid card; the next seat bids, or all have."""
        column, bit = move.bids
        self.hands[seat][column] -= bit
        self.bids[seat] = move.card
        seat = self._next[seat]
        if seat == self.first_player:
            self._await_exchange(seat)
        else:
            self._await_bid(seat)

    def _exchange(self, seat: int, move: Move) -> None:
        """Replace a bid card, or decline; the next seat is asked."""
        if move is not PASS:
            column, bit, target, unit = move.lays
            self.collections[seat] -= unit
            self.supply += unit
            old = self.bids[target]
            self.bids[target] = card = move.card
            hand = self.hands[seat]
            hand[column] -= bit
            hand[old >> 4] += BITS[old]  # type: ignore[operator, index]  # all bids lie
            self._exchanges.append((len(self._tricks), seat, move.gold, target, card, old))
        seat = self._next[seat]
        if seat == self.leader:
            self._await_lead(seat)
        else:
            self._await_exchange(seat)

    def _lead(self, seat: int, move: Move) -> None:
        """Begin a trick; the next seat follows."""
        column, bit, suit, rank = move.plays
        self.hands[seat][column] -= bit
        self._suits = ALL_SUITS - suit
        self._lowest = self._highest = rank
        self._collector = self._winner = seat
        self.trick.append(move.card)
        self.phase = _FOLLOW
        self._await_follower(self._next[seat])

    def _await_bid(self, seat: int) -> None:
        self.to_act = seat
        _, b, c, p, s, z = self.hands[seat]
        self._moves = BIDS_OF[b] + BIDS_OF[c] + BIDS_OF[p] + BIDS_OF[s] + BIDS_OF[z]

    def _await_exchange(self, seat: int) -> None:
        """Go on with an exchange window: from `seat` on nobody has been asked yet."""
        while True:
            if purse := self.collections[seat]:
                moves = window_moves(self.hands[seat], OFFERS[self.players][seat][purse])
                if len(moves) > 1:
                    self.phase = _EXCHANGE
                    self.to_act = seat
                    self._moves = moves
                    return
            seat = self._next[seat]
            if seat == self.leader:
                self._await_lead(seat)
                return

    def _await_lead(self, leader: int) -> None:
        self.phase = _LEAD
        self.to_act = leader
        _, b, c, p, s, z = self.hands[leader]
        self._moves = PLAYS_OF[b] + PLAYS_OF[c] + PLAYS_OF[p] + PLAYS_OF[s] + PLAYS_OF[z]

    def _await_follower(self, seat: int) -> None:
        """`seat` is to follow, or ends the round."""
        self.to_act = seat
        hand = self.hands[seat]
        i, j, k, m = COLUMNS[self._suits]
        moves = PLAYS_OF[hand[i]] + PLAYS_OF[hand[j]]
        if k:
            moves += PLAYS_OF[hand[k]] + PLAYS_OF[hand[m]]
        if purse := self.collections[seat]:
            moves = moves + gold_plays(purse) if moves else (*gold_plays(purse), PASS)
        if moves:
            self._moves = moves
        else:
            self._finish(seat, RoundEnd.FORCED)

    def _resolve(self, leader: int) -> None:
        """Collect, decide the winner, return gold to the supply (docs/rules.md section 5, step 4)."""
        trick = self.trick
        collector = self._collector
        collected = None
        unit = UNITS[self._lowest]
        if self.supply & 7 * unit:
            collected = GOLD[self._lowest]
            self.supply -= unit
            self.collections[collector] += unit
        if self._highest >= _GOLD:
            self.supply += sum([card.unit for card in trick])
        winner = self._winner
        self.tricks_taken[winner] += 1
        self._tricks.append((leader, tuple(trick), winner, collector, collected))
        self.trick = []
        self.leader = collector
        if self.hands[collector] != NO_CARDS:
            self._await_exchange(collector)
        else:
            self._finish(collector, RoundEnd.NO_LEAD)

    def _finish(self, seat: int, end: RoundEnd) -> None:
        self.phase = _OVER
        self._moves = ()
        self.to_act = self.ended_by = seat
        self.end = end
        # The unfinished trick counts for nothing; gold played to it is spent.
        self.supply += sum([card.unit for card in self.trick])
        self.unfinished = self.trick
        self.trick = []

    def __repr__(self) -> str:
        trick = " ".join(map(str, self.trick)) or "-"
        return (
            f"<Round {self.number}, {self.players} players, {self.phase.name} of seat {self.to_act}, "
            f"trick {len(self._tricks) + 1}: {trick}>"
        )
