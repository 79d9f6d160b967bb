"""A bot that plays sensibly without looking ahead: it weighs every move by what it is likely to lead to.

What it teaches: all that a turn offers (`legal`, `hand`, `table`, `unseen`), one measure for all decisions, and
partnership play without a word. The measure is points: those a side can still expect from its bid (`prospect`),
gold, and gold that its hand may yet collect; less what the opponents can expect. So one bot bids, changes its bid,
tries to win tricks or to lose them, spoils what others aim at, and ends a round when that is the best it can get.
"""

from functools import cache

from aurum.bot import Bid, Bot, Card, Exchange, Move, Phase, Play, Turn, run
from aurum.rules import GOLD_POINTS, points_for_bid

# By number of players. A side's share of the tricks if it tries to lose them, and to win them, with an average hand;
# what a hand that beats all unseen cards adds to both.
LOSING = {3: 0.14, 4: 0.3}
WINNING = {3: 0.4, 4: 0.52}
STRENGTH = {3: 0.8, 4: 0.5}
# How likely a trick is completed, by the size of the shortest hand: a round ends when someone cannot follow.
COMPLETED = {
    3: (0.0, 0.5, 0.92, 0.98, 0.98, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    4: (0.0, 0.48, 0.84, 0.94, 0.97, 0.98, 0.99, 0.99, 1.0, 1.0, 1.0, 1.0, 1.0),
}

EAGER = 0.55  # how likely a player who needs tricks beats a card if its hand can
RELUCTANT = 0.35  # and one who needs none
UNDERCUT = 0.5  # how likely a player goes below the lowest card if its hand can
RESERVE = 0.5  # the value of gold beyond its points: it can win a trick or change a bid
PATIENCE = 3.0  # how many points better another bid must be: the next window knows more
HOPE = 0.5  # what becomes of the gold that a hand could collect


@cache
def prospect(bid: int, taken: int, tricks: int, losing: float, winning: float, players: int) -> float:
    """Expected bid points of a side that has taken so many tricks, with `tricks` cards in the shortest hand.

    In each trick it aims at what is better for it, to win or to lose, and wins with that chance.
    """
    now = points_for_bid(bid, taken)
    if tricks == 0:
        return now
    if_won = prospect(bid, taken + 1, tricks - 1, losing, winning, players)
    if_lost = prospect(bid, taken, tricks - 1, losing, winning, players)
    after = if_lost + (winning if if_won > if_lost else losing) * (if_won - if_lost)
    return now + COMPLETED[players][tricks] * (after - now)


class Judge:
    """Values the moves of a turn, in points."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.players = turn.players
        self.table = turn.table
        self.supply = {card.rank for card in turn.table.supply}
        self.beaten = self._shares_beaten()
        self.hopes = [self._hope(rank) for rank in range(11)]
        if turn.partner is None:
            self.side: tuple[int, ...] = (turn.seat,)
            self.opponents: tuple[tuple[int, ...], ...] = tuple((seat,) for seat in range(3) if seat != turn.seat)
        else:
            self.side = (turn.seat, turn.partner)
            self.opponents = (((turn.seat + 1) % 4, (turn.seat + 3) % 4),)
        self.bids = [bid.rank if bid else 0 for bid in self.table.bids]
        if turn.own_bid:
            self.bids[turn.seat] = turn.own_bid.rank

    def value(self, move: Move) -> float:
        """The points by which the own side can expect to be ahead after this move."""
        if isinstance(move, Play):
            return self._play(move.card)
        if isinstance(move, Bid):
            return self._own(self._without(move.card), 11, bids={self.turn.seat: move.card.rank})
        tricks = min(self.table.hand_sizes)
        if isinstance(move, Exchange):
            return self._exchange(move, tricks)
        if self.turn.phase is Phase.EXCHANGE:
            return self._own(self.turn.hand, tricks) + PATIENCE
        return self._own((), 0) - self._theirs(0)

    def _play(self, card: Card) -> float:
        table = self.table
        wins, collects, lowest = self._chances(card)
        played = {seat for seat, _ in table.trick}
        to_come = [size - (seat not in played) for seat, size in enumerate(table.hand_sizes)]
        to_come[self.turn.seat] += card.is_gold
        tricks = max(min(to_come), 0)  # a seat without base cards can still play gold
        hand = self._without(card)
        if_won, if_lost = self._own(hand, tricks, self.turn.seat), self._own(hand, tricks)
        value = 0.0
        for seat, chance in enumerate(wins):
            if chance:
                value += chance * ((if_won if seat in self.side else if_lost) - self._theirs(tricks, seat))
        if lowest in self.supply:
            ours = sum(collects[seat] for seat in self.side)
            value += (GOLD_POINTS[lowest] + RESERVE) * (ours - (1 - ours) / len(self.opponents))
        if card.is_gold:
            value -= GOLD_POINTS[card.rank] + RESERVE
        return value

    def _exchange(self, move: Exchange, tricks: int) -> float:
        taken = self.turn.own_bid if move.seat == self.turn.seat else self.table.bids[move.seat]
        hand = self._without(move.card) + ((taken,) if taken else ())
        cost = GOLD_POINTS[move.gold.rank] + RESERVE
        return self._own(hand, tricks, bids={move.seat: move.card.rank}) - cost

    def _own(self, hand: tuple[Card, ...], tricks: int, winner: int = -1, bids: dict[int, int] | None = None) -> float:
        """What the own side can expect with this hand, if `winner` wins the trick and with some bids changed."""
        strength = hope = 0.0
        if hand:
            strength = sum([self.beaten[card.rank] for card in hand]) / len(hand) - 0.5
            hope = sum([self.hopes[card.rank] for card in hand]) * min(tricks / len(hand), 1)
        extra = STRENGTH[self.players] * strength
        losing = max(round(LOSING[self.players] + extra, 2), 0.02)
        winning = min(round(WINNING[self.players] + extra, 2), 0.98)
        bid = max([(bids or {}).get(seat, self.bids[seat]) for seat in self.side])
        taken = self._taken(self.side, winner)
        return prospect(bid, taken, tricks, losing, winning, self.players) + HOPE * hope

    def _theirs(self, tricks: int, winner: int = -1) -> float:
        """What an opposing side can expect, on average."""
        total = 0.0
        for side in self.opponents:
            bid = max([self.bids[seat] for seat in side])
            taken = self._taken(side, winner)
            total += prospect(bid, taken, tricks, LOSING[self.players], WINNING[self.players], self.players)
        return total / len(self.opponents)

    def _chances(self, card: Card) -> tuple[list[float], list[float], int]:
        """If a card is played: by seat the chance to win the trick, and to collect; and the lowest rank so far."""
        trick = [*self.table.trick, (self.turn.seat, card)]
        best, holder, lowest, collector = -1, -1, 99, -1
        for seat, played in trick:
            rank = played.rank + 16 if played.is_gold else played.rank
            if rank >= best:
                best, holder = rank, seat
            if not played.is_gold and played.rank <= lowest:
                lowest, collector = played.rank, seat
        suits = {played.suit for _, played in trick}
        ranks = [unseen.rank for unseen in self.turn.unseen if unseen.suit not in suits]
        total = max(len(self.turn.unseen), 1)
        higher = sum([rank >= best for rank in ranks]) / total
        lower = sum([rank <= lowest for rank in ranks]) / total
        wins = [float(seat == holder) for seat in range(self.players)]
        collects = [float(seat == collector) for seat in range(self.players)]
        for step in range(1, self.players - len(trick) + 1):
            seat = (self.turn.seat + step) % self.players
            size = self.table.hand_sizes[seat]
            _shift(wins, seat, self._eagerness(seat) * (1 - (1 - higher) ** size))
            _shift(collects, seat, UNDERCUT * (1 - (1 - lower) ** size))
        return wins, collects, lowest

    def _eagerness(self, seat: int) -> float:
        side = self.side if seat in self.side else next(side for side in self.opponents if seat in side)
        needs = max(self.bids[member] for member in side) > self._taken(side)
        return EAGER if needs else RELUCTANT

    def _hope(self, rank: int) -> float:
        """The gold that a base card of a rank may collect, if nobody goes below it."""
        if rank not in self.supply:
            return 0.0
        return (GOLD_POINTS[rank] + RESERVE) * (1 - self.beaten[rank]) ** (self.players - 1)

    def _taken(self, side: tuple[int, ...], winner: int = -1) -> int:
        return sum([self.table.tricks_taken[seat] for seat in side]) + (winner in side)

    def _without(self, card: Card) -> tuple[Card, ...]:
        return tuple([other for other in self.turn.hand if other is not card])

    def _shares_beaten(self) -> list[float]:
        """By rank: the share of the unseen cards that a base card of that rank beats."""
        ranks = [card.rank for card in self.turn.unseen]
        total = max(len(ranks), 1)
        return [
            (sum(other < rank for other in ranks) + sum(other == rank for other in ranks) / 2) / total
            for rank in range(11)
        ]


def _shift(chances: list[float], seat: int, share: float) -> None:
    """Move a share of everyone's chance to one seat."""
    for other, chance in enumerate(chances):
        chances[other] = chance * (1 - share)
    chances[seat] += share


class Heuristic(Bot):
    version = "1"

    def choose(self, turn: Turn) -> Move:
        return max(turn.legal, key=Judge(turn).value)


if __name__ == "__main__":
    run(Heuristic)
