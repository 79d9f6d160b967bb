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

from collections.abc import Sequence
from enum import Enum, IntEnum
from functools import cache
from typing import Final, NamedTuple, NoReturn

from aurum.rules.cards import ALL_SUITS, GOLD, SUIT_MASKS, Card, by_mask, cards_of, gold_of, gold_supply, mask_of, pick
from aurum.rules.deal import RoundCards
from aurum.rules.moves import BIDS, EXCHANGES, PASS, PLAYS, Bid, Exchange, IllegalMove, Move, Pass, Play, Reason
from aurum.rules.scoring import RoundResult, score_round


class Phase(IntEnum):
    """What the seat to act is asked for; the first four as on the wire."""

    BID = 1
    EXCHANGE = 2
    LEAD = 3
    FOLLOW = 4
    OVER = 5


class RoundEnd(Enum):
    """How a round came to its end."""

    FORCED = "could not follow"
    DECLINED = "chose not to play gold"
    NO_LEAD = "had no base card to lead"


class Trick(NamedTuple):
    """A completed trick."""

    leader: int
    cards: tuple[Card, ...]
    """In play order: the seats follow the leader clockwise."""
    winner: int
    collector: int
    collected: Card | None


class BidChange(NamedTuple):
    """A bid card replaced in an exchange window."""

    trick: int
    """Before which trick, from 0."""
    seat: int
    gold: Card
    bid_seat: int
    laid: Card
    taken: Card
    """The old bid card, now in the hand of `seat`."""


_BID, _EXCHANGE, _LEAD, _FOLLOW, _OVER = Phase
_OTHER_SUITS = tuple(ALL_SUITS & ~mask for mask in SUIT_MASKS)
_NEXT = {3: (1, 2, 0), 4: (1, 2, 3, 0)}


_BIDS: Final = by_mask(BIDS)
_PLAYS: Final = by_mask(PLAYS)


@cache  # a few thousand different purses exist
def _gold_plays(purse: int) -> tuple[Move, ...]:
    return tuple(PLAYS[card] for card in dict.fromkeys(gold_of(purse)))


@cache
def _gold_exchanges(purse: int, seat: int, players: int) -> tuple[dict[Card, Exchange], ...]:
    ranks = [card.rank for card in dict.fromkeys(gold_of(purse))]
    targets = (seat, seat ^ 2) if players == 4 else (seat,)
    return tuple(EXCHANGES[rank][target] for rank in ranks for target in targets)


class Round:
    """A round under way. `play` changes it; `copy` first to keep it.

    Public facts: `players`, `number`, `first_player`, `leader`, `to_act`, `phase`, `leftover`, `tricks_taken`,
    `trick` (under way), `tricks`, `exchanges`, and once over `ended_by`, `end`, `unfinished`. Secrets: `hands`,
    and `bids` while `bids_revealed` is false. By seat: `hands` as masks, `collections` as purses (see
    `aurum.rules.cards`); `hand`, `collection` and `supply_cards` give cards.
    """

    __slots__ = (
        "_open",
        "_unasked",
        "bids",
        "collections",
        "end",
        "ended_by",
        "exchanges",
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
        "tricks",
        "tricks_taken",
        "unfinished",
    )

    def __init__(self, number: int, first_player: int, cards: RoundCards, gold_zeros: bool) -> None:
        """Round `number` (from 1) as dealt: the first player is about to bid."""
        self.players = len(cards.hands)
        self.number = number
        self.first_player = self.leader = self.to_act = first_player
        self.phase = _BID
        self.hands = [mask_of(hand) for hand in cards.hands]
        self.leftover = cards.leftover
        zero = GOLD[0].unit if gold_zeros else 0
        self.collections = [zero] * self.players
        self.supply = gold_supply(self.players, gold_zeros) - zero * self.players
        self.bids: list[Card | None] = [None] * self.players
        self.tricks_taken = [0] * self.players
        self.trick: list[Card] = []
        self.tricks: list[Trick] = []
        self.exchanges: list[BidChange] = []
        self.ended_by: int | None = None
        self.end: RoundEnd | None = None
        self.unfinished: list[Card] = []
        self._open = ALL_SUITS  # base cards of the suits not yet in the trick
        self._unasked = 0  # players still to be asked in the exchange window, after the one to act

    @classmethod
    def at(
        cls,
        *,
        number: int,
        first_player: int,
        leader: int,
        to_act: int,
        phase: Phase,
        hands: Sequence[int],
        collections: Sequence[int],
        supply: int,
        leftover: tuple[Card, ...],
        bids: Sequence[Card | None],
        tricks_taken: Sequence[int],
        trick: Sequence[Card],
        tricks: Sequence[Trick],
        exchanges: Sequence[BidChange],
    ) -> "Round":
        """A position in the middle of a round, by the facts; search bots build theirs from a view.

        `hands` are masks, `collections` and `supply` purses. The facts are taken on trust.
        """
        self = cls.__new__(cls)
        self.players = len(hands)
        self.number = number
        self.first_player = first_player
        self.leader = leader
        self.to_act = to_act
        self.phase = phase
        self.hands = list(hands)
        self.collections = list(collections)
        self.supply = supply
        self.leftover = leftover
        self.bids = list(bids)
        self.tricks_taken = list(tricks_taken)
        self.trick = list(trick)
        self.tricks = list(tricks)
        self.exchanges = list(exchanges)
        self.ended_by = self.end = None
        self.unfinished = []
        self._open = ALL_SUITS
        for card in trick:
            self._open &= ALL_SUITS if card.is_gold else _OTHER_SUITS[card.suit]
        self._unasked = (leader - to_act - 1) % self.players if phase is _EXCHANGE else 0
        return self

    def copy(self) -> "Round":
        """An independent copy."""
        other = Round.__new__(Round)
        other.players = self.players
        other.number = self.number
        other.first_player = self.first_player
        other.leader = self.leader
        other.to_act = self.to_act
        other.phase = self.phase
        other.hands = self.hands[:]
        other.collections = self.collections[:]
        other.supply = self.supply
        other.leftover = self.leftover
        other.bids = self.bids[:]
        other.tricks_taken = self.tricks_taken[:]
        other.trick = self.trick[:]
        other.tricks = self.tricks[:]
        other.exchanges = self.exchanges[:]
        other.ended_by = self.ended_by
        other.end = self.end
        other.unfinished = self.unfinished[:]
        other._open = self._open
        other._unasked = self._unasked
        return other

    def hand(self, seat: int) -> tuple[Card, ...]:
        """The base cards in hand, ascending; the bid card is not among them."""
        return cards_of(self.hands[seat])

    def collection(self, seat: int) -> tuple[Card, ...]:
        """The gold in front of a seat, ascending by rank."""
        return gold_of(self.collections[seat])

    def supply_cards(self) -> tuple[Card, ...]:
        """The gold nobody has, ascending by rank."""
        return gold_of(self.supply)

    @property
    def bids_revealed(self) -> bool:
        """Whether bid cards lie face up: four players lay them so, three turn them over together."""
        return self.players == 4 or self.phase is not _BID

    def score(self, nuggets: bool = True) -> RoundResult:
        """The result of a round that is over; `nuggets`: whether the best side gets one."""
        bids = [bid for bid in self.bids if bid is not None]
        if self.ended_by is None or len(bids) < self.players:
            raise ValueError("the round is not over")
        return score_round(bids, self.tricks_taken, self.collections, self.ended_by, nuggets)

    def legal_moves(self) -> tuple[Move, ...]:
        """All moves of the seat to act (docs/rules.md section 6), in a fixed order; empty once over."""
        seat = self.to_act
        hand = self.hands[seat]
        phase = self.phase
        if phase is _FOLLOW:
            playable = hand & self._open
            purse = self.collections[seat]
            if playable:
                return pick(_PLAYS, playable) + _gold_plays(purse) if purse else pick(_PLAYS, playable)
            return *_gold_plays(purse), PASS
        if phase is _LEAD:
            return pick(_PLAYS, hand)
        if phase is _EXCHANGE:
            cards = cards_of(hand)
            moves: list[Move] = [PASS]
            for exchange in _gold_exchanges(self.collections[seat], seat, self.players):
                moves += map(exchange.__getitem__, cards)
            return tuple(moves)
        return pick(_BIDS, hand) if phase is _BID else ()

    def play(self, move: Move) -> None:
        """Apply a move of the seat to act; raises IllegalMove and changes nothing if it is not legal."""
        phase = self.phase
        seat = self.to_act
        if phase is _FOLLOW:
            if type(move) is Play:
                card = move.card
                bit = card.bit
                if bit:
                    if not bit & self.hands[seat] & self._open:
                        self._reject(move)
                    self.hands[seat] ^= bit
                    self._open &= _OTHER_SUITS[card.suit]
                else:
                    if not self.collections[seat] >> 4 * card.rank & 15:
                        self._reject(move)
                    self.collections[seat] -= card.unit
                trick = self.trick
                trick.append(card)
                if len(trick) == self.players:
                    self._resolve()
                    return
                self.to_act = seat = _NEXT[self.players][seat]
                if not self.hands[seat] & self._open and not self.collections[seat]:
                    self._finish(seat, RoundEnd.FORCED)
            elif type(move) is Pass and not self.hands[seat] & self._open:
                self._finish(seat, RoundEnd.DECLINED)
            else:
                self._reject(move)
        elif phase is _LEAD:
            if type(move) is not Play or not move.card.bit & self.hands[seat]:
                self._reject(move)
            card = move.card
            self.hands[seat] ^= card.bit
            self._open = _OTHER_SUITS[card.suit]
            self.trick.append(card)
            self.phase = _FOLLOW
            self.to_act = seat = _NEXT[self.players][seat]
            if not self.hands[seat] & self._open and not self.collections[seat]:
                self._finish(seat, RoundEnd.FORCED)
        elif phase is _EXCHANGE:
            if type(move) is Exchange:
                self._exchange(seat, move)
            elif type(move) is not Pass:
                self._reject(move)
            self._ask(_NEXT[self.players][seat], self._unasked)
        else:
            if phase is _OVER or type(move) is not Bid or not move.card.bit & self.hands[seat]:
                self._reject(move)
            self.hands[seat] ^= move.card.bit
            self.bids[seat] = move.card
            self.to_act = seat = _NEXT[self.players][seat]
            if seat == self.first_player:
                self._ask(seat, self.players)

    def _exchange(self, seat: int, move: Exchange) -> None:
        target, gold, card = move.seat, move.gold, move.card
        own_side = target == seat or (self.players == 4 and target == seat ^ 2)
        old = self.bids[target] if own_side else None
        if old is None or not self.collections[seat] >> 4 * gold.rank & 15 or not gold.unit:
            self._reject(move)
        if not card.bit & self.hands[seat]:
            self._reject(move)
        self.collections[seat] -= gold.unit
        self.supply += gold.unit
        self.hands[seat] ^= card.bit | old.bit
        self.bids[target] = card
        self.exchanges.append(BidChange(len(self.tricks), seat, gold, target, card, old))

    def _ask(self, seat: int, unasked: int) -> None:
        """Go on with an exchange window: `seat` is the next of the `unasked` players still to be asked."""
        step = _NEXT[self.players]
        while unasked:
            unasked -= 1
            if self.collections[seat] and self.hands[seat]:
                self.phase = _EXCHANGE
                self.to_act = seat
                self._unasked = unasked
                return
            seat = step[seat]
        self.phase = _LEAD
        self.to_act = self.leader

    def _resolve(self) -> None:
        """Collect, decide the winner, return gold to the supply (docs/rules.md section 5, step 4)."""
        trick = self.trick
        step = _NEXT[self.players]
        seat = winner = collector = self.leader
        lowest, highest, spent = 16, -1, 0
        for card in trick:
            rank = card.rank
            if card.bit:
                if rank <= lowest:
                    lowest, collector = rank, seat
            else:
                rank += 16
                spent += card.unit
            if rank >= highest:
                highest, winner = rank, seat
            seat = step[seat]
        collected = None
        if lowest < 9 and self.supply >> 4 * lowest & 15:
            collected = GOLD[lowest]
            self.supply -= collected.unit
            self.collections[collector] += collected.unit
        self.supply += spent
        self.tricks_taken[winner] += 1
        self.tricks.append(Trick(self.leader, tuple(trick), winner, collector, collected))
        self.trick = []
        self._open = ALL_SUITS
        self.leader = self.to_act = collector
        if self.hands[collector]:
            self._ask(collector, self.players)
        else:
            self._finish(collector, RoundEnd.NO_LEAD)

    def _finish(self, seat: int, end: RoundEnd) -> None:
        self.phase = _OVER
        self.to_act = self.ended_by = seat
        self.end = end
        # The unfinished trick counts for nothing; gold played to it is spent.
        self.supply += sum([card.unit for card in self.trick])
        self.unfinished = self.trick
        self.trick = []

    def _reject(self, move: Move) -> NoReturn:
        raise IllegalMove(self._reason(move), move, repr(self))

    def _reason(self, move: Move) -> Reason:
        """Why a move that is not legal is not."""
        seat = self.to_act
        expected = {_BID: (Bid,), _EXCHANGE: (Exchange, Pass), _LEAD: (Play,), _FOLLOW: (Play, Pass)}
        if self.phase is _OVER:
            return Reason.OVER
        if type(move) not in expected[self.phase]:
            return Reason.WRONG_KIND
        if isinstance(move, Pass):
            return Reason.MUST_PLAY
        if isinstance(move, Exchange):
            if not move.gold.is_gold:
                return Reason.NOT_GOLD
            if move.gold not in self.collection(seat):
                return Reason.NOT_IN_COLLECTION
            if move.seat != seat and not (self.players == 4 and move.seat == seat ^ 2):
                return Reason.NOT_OWN_SIDE
            return Reason.NOT_IN_HAND
        if move.card.is_gold:
            if isinstance(move, Bid):
                return Reason.GOLD_BID
            return Reason.GOLD_LEAD if self.phase is _LEAD else Reason.NOT_IN_COLLECTION
        return Reason.SUIT_IN_TRICK if move.card.bit & self.hands[seat] else Reason.NOT_IN_HAND

    def __repr__(self) -> str:
        trick = " ".join(map(str, self.trick)) or "-"
        return (
            f"<Round {self.number}, {self.players} players, {self.phase.name} of seat {self.to_act}, "
            f"trick {len(self.tricks) + 1}: {trick}>"
        )
