"""What a seat may see: its game, the public table, and its own turn (docs/rules.md section 11).

Built by allow-list: `TableView` copies public facts, one by one, into a `Table` message, and a turn adds
the four private fields of its own seat. Nothing is ever taken out of a fuller message.

The table moves along with the game, since building it afresh for every turn would cost more than all the
rest of a turn; `TableView(game)` at any moment equals the one that moved along. So does the turn that it is part of:
`fill_turn` writes all the rest of it, so that nothing stays of what another seat was asked.
"""

import hmac
from hashlib import sha256

from aurum.rules import (
    PASS,
    Bid,
    BidChange,
    Card,
    Exchange,
    Game,
    Move,
    Phase,
    Play,
    Round,
    RoundResult,
    Trick,
    gold_of,
    hand_size,
    side_of,
)
from aurum.v1 import game_pb2, play_pb2
from aurum.wire.cards import all_to_wire, to_wire
from aurum.wire.game import write_bid_change, write_round_result, write_ruleset, write_trick

_EXCHANGE, _FOLLOW = Phase.EXCHANGE, Phase.FOLLOW


def game_number(deal_key: bytes, game: str) -> int:
    """The opaque number that names a game of this id on the wire: below 2^53, the same at every run."""
    return int.from_bytes(sha256(deal_key + b"game:" + game.encode()).digest()[:6], "big")


def bot_seed(deal_key: bytes, seat: int) -> int:
    """The seed of a bot's own chance: below 2^53; from it nothing of the deal can be computed."""
    return int.from_bytes(hmac.digest(deal_key, b"seed:%d" % seat, "sha256")[:6], "big")


def fill_game_start(start: play_pb2.GameStart, game: Game, seat: int) -> None:
    """Write the start of a game, as a seat is told it; left to the caller: `game`, `clock` and `names`."""
    deal = game.deal
    start.seat, start.players, start.seed = seat, deal.players, bot_seed(deal.key, seat)
    write_ruleset(start.ruleset, game.ruleset)


class TableView:
    """The public `Table` of a game, kept up to date move by move: `message`, a new one unless it is given."""

    def __init__(self, game: Game, message: game_pb2.Table | None = None) -> None:
        self.message = game_pb2.Table() if message is None else message
        self.deal(game)
        if game.round.ended_by is None:
            self._catch_up(game.round)

    def deal(self, game: Game) -> None:
        """Show the round that was just dealt."""
        current = game.round
        table = self.message
        table.Clear()
        table.round = current.number
        table.first_player = current.first_player
        table.leader = table.to_act = current.first_player
        table.leftover.extend(all_to_wire(sorted(current.leftover)))
        self._seats = []
        for seat in range(current.players):
            side = side_of(seat, current.players)
            state = table.seats.add()
            state.nuggets = game.nuggets[side]
            state.points.extend([result.points[side] for result in game.results])
            state.hand_size = hand_size(current.hands[seat])
            self._seats.append(state)
        self._purses = [-1] * current.players
        self._supply = -1
        self._bids: list[Card | None] = [None] * current.players
        self._set_gold(current)

    def advance(self, current: Round, seat: int, move: Move) -> None:
        """Show what `move` of `seat` in the round `current` has changed."""
        table = self.message
        table.to_act = current.to_act
        if type(move) is Play:
            if not move.card.is_gold:
                self._seats[seat].hand_size -= 1
            played = current.trick
            if played:
                trick = table.trick
                trick.cards.append(move.card)  # type: ignore[arg-type]
                if len(played) == 1:
                    trick.leader = seat
                if move.card.is_gold:
                    self._set_gold(current)
            else:
                self._end_trick(current)
        elif type(move) is Bid:
            self._seats[seat].hand_size -= 1
            self._set_bids(current)
        elif type(move) is Exchange:
            self._set_gold(current)
            self._set_bids(current)
            self._add_exchange(current.exchanges[-1])
        elif current.ended_by is not None:
            self._end_trick(current)

    def _end_trick(self, current: Round) -> None:
        """The trick under way is complete, or counts for nothing since the round is over."""
        table = self.message
        table.ClearField("trick")
        last = current.last_trick
        if last is not None and len(table.tricks) < sum(current.tricks_taken):
            self._add_trick(last)
            table.leader = current.leader
        self._set_gold(current)

    def _catch_up(self, current: Round) -> None:
        table = self.message
        table.leader = current.leader
        table.to_act = current.to_act
        for seat, state in enumerate(self._seats):
            state.hand_size = hand_size(current.hands[seat])
        for trick in current.tricks:
            self._add_trick(trick)
        for change in current.exchanges:
            self._add_exchange(change)
        for state, taken in zip(self._seats, current.tricks_taken, strict=True):
            state.tricks_taken = taken  # a position may be set up without the tricks that led to it
        self._set_bids(current)
        if current.trick:
            table.trick.leader = current.leader
            table.trick.cards.extend(all_to_wire(current.trick))

    def _set_gold(self, current: Round) -> None:
        for seat, purse in enumerate(current.collections):
            if purse != self._purses[seat]:
                self._purses[seat] = purse
                self._seats[seat].collection[:] = all_to_wire(gold_of(purse))
        if current.supply != self._supply:
            self._supply = current.supply
            self.message.supply[:] = all_to_wire(gold_of(current.supply))

    def _set_bids(self, current: Round) -> None:
        if current.bids_revealed:
            for seat, bid in enumerate(current.bids):
                if bid is not None and bid is not self._bids[seat]:
                    self._bids[seat] = bid
                    self._seats[seat].bid = to_wire(bid)

    def _add_trick(self, trick: Trick) -> None:
        write_trick(self.message.tricks.add(), trick)
        self._seats[trick.winner].tricks_taken += 1

    def _add_exchange(self, change: BidChange) -> None:
        write_bid_change(self.message.exchanges.add(), change)


def fill_turn(turn: play_pb2.Turn, current: Round) -> None:
    """Write the view of the seat to act into a turn whose table shows the round `current`: what is private to the seat.

    Whatever else the turn held is written over, but for what is left to the caller: `game`, `number` and
    `time_left_ms`.
    """
    seat = current.to_act
    phase = current.phase
    hand = legal = current.hand(seat)
    may_pass = phase is _EXCHANGE
    if phase is _FOLLOW:
        moves = current.legal_moves()
        if may_pass := moves[-1] is PASS:
            moves = moves[:-1]
        legal = tuple([move.card for move in moves])  # type: ignore[union-attr]
    # Phases, as cards, have the same values on the wire.
    turn.phase = phase  # type: ignore[assignment]
    turn.own_bid = current.bids[seat] or 0  # type: ignore[assignment]
    turn.may_pass = may_pass
    turn.hand[:] = hand  # type: ignore[assignment]
    turn.legal_cards[:] = legal  # type: ignore[assignment]


def fill_round_end(message: play_pb2.RoundEnd, table: game_pb2.Table, ended: Round, result: RoundResult) -> None:
    """Write the end of a round, as everyone is told it; left to the caller: `game`."""
    message.table.CopyFrom(table)
    write_round_result(message.result, result)
    message.shown_hand.extend(all_to_wire(ended.hand(result.ended_by)))
    message.unfinished_trick.extend(all_to_wire(ended.unfinished))
