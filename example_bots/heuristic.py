"""A bot that plays sensibly without looking ahead: it weighs each move by what it is likely to lead to.

What it teaches: everything a turn offers (`table`, `hand`, `unseen`, `legal`), one judgement for all decisions, and
partnership play without talking. The judgement is `prospect`: how many bid points a side may expect from a bid, the
tricks it has, and those still to come, if it then tries to win or to lose tricks as suits it. A bid, an exchange, a
card and the end of a round are all chosen by how they change the own prospects, those of the opponents, and the
gold on either side.
"""

from functools import cache

from aurum.bot import PASS, Bot, Card, Exchange, Pass, Turn, run

GOLD_POINTS = (0, 1, 1, 1, 2, 2, 2, 3, 3)

# How likely a trick is to be completed when the shortest hand has so many cards: rounds end when one cannot follow.
COMPLETED = {
    3: (0.0, 0.5, 0.92, 0.98, 0.98, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    4: (0.0, 0.48, 0.84, 0.94, 0.97, 0.98, 0.99, 0.99, 1.0, 1.0, 1.0, 1.0, 1.0),
}
# A side's share of the tricks when it tries to lose them, and when it tries to win them; and what a hand adds.
WEAK = {3: 0.2, 4: 0.38}
STRONG = {3: 0.47, 4: 0.62}
SLOPE = {3: 0.6, 4: 0.4}
WILLING = 0.75
UNWILLING = 0.35
GOLD_EXTRA = 0.5
EXCHANGE_GAIN = 1.0
POTENTIAL = 1.0


@cache
def prospect(bid: int, taken: int, tricks: int, weak: float, strong: float, players: int) -> float:
    """Expected bid points of a side that has `taken` tricks, with hands of `tricks` cards to come."""
    now = 0.0 if taken < bid else 2.0 * bid if taken == bid else 1.0 * bid
    if tricks == 0:
        return now
    won = prospect(bid, taken + 1, tricks - 1, weak, strong, players)
    lost = prospect(bid, taken, tricks - 1, weak, strong, players)
    later = lost + (won - lost) * (strong if won > lost else weak)
    return now + (later - now) * COMPLETED[players][tricks]


class Judge:
    """Judges what one seat may do at one turn."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.players = turn.players
        self.seat = turn.seat
        self.table = turn.table
        self.hand = turn.hand
        self.unseen = turn.unseen
        ranks = [0] * 12
        for card in self.unseen:
            ranks[card.rank] += 1
        total = max(len(self.unseen), 1)
        below = 0
        self.standing = []
        """By rank: the share of the unseen cards that a card of that rank beats."""
        for count in ranks:
            self.standing.append((below + count / 2) / total)
            below += count
        sides = ((0, 2), (1, 3), (0, 2), (1, 3)) if self.players == 4 else ((0,), (1,), (2,))
        self.sides = sides
        bids = [bid.rank if bid else 0 for bid in self.table.bids]
        if turn.own_bid:
            bids[self.seat] = turn.own_bid.rank
        self.bids = bids
        taken = self.table.tricks_taken
        self.taken = [sum(taken[s] for s in sides[seat]) for seat in range(self.players)]
        self.gold = {card.rank for card in self.table.supply}

    def side_bid(self, seat: int) -> int:
        return max(self.bids[s] for s in self.sides[seat])

    def own(self, bid: int, taken: int, tricks: int, hand: tuple[Card, ...]) -> float:
        players = self.players
        quality = sum(self.standing[card.rank] for card in hand) / len(hand) if hand else 0.5
        add = SLOPE[players] * (quality - 0.5)
        weak = min(max(round(WEAK[players] + add, 2), 0.05), 0.9)
        strong = min(max(round(STRONG[players] + add, 2), weak), 0.95)
        potential = sum(self.potential(card) for card in hand)
        return prospect(bid, taken, tricks, weak, strong, players) + POTENTIAL * potential * min(
            tricks, len(hand)
        ) / max(len(hand), 1)

    def potential(self, card: Card) -> float:
        """Gold points a card of the hand may yet collect."""
        if card.rank not in self.gold:
            return 0.0
        return (GOLD_POINTS[card.rank] + GOLD_EXTRA) * (1 - self.standing[card.rank]) ** (self.players - 1)

    def others(self, winner: int, tricks: int) -> float:
        """What the opponents may expect if `winner` (-1: nobody) wins this trick, per opponent side."""
        players = self.players
        weight = 1.0 if players == 4 else 0.5
        opponents = ((self.seat + 1) % 4,) if players == 4 else ((self.seat + 1) % 3, (self.seat + 2) % 3)
        value = 0.0
        for seat in opponents:
            won = winner in self.sides[seat]
            value += prospect(
                self.side_bid(seat), self.taken[seat] + won, tricks, WEAK[players], STRONG[players], players
            )
        return weight * value

    def wants(self, seat: int) -> float:
        return WILLING if self.taken[seat] < self.side_bid(seat) else UNWILLING

    def outcomes(self, card: Card) -> tuple[list[float], list[float]]:
        """By seat: the chance to win the trick, and to collect, if `card` is played now."""
        players = self.players
        played = [*self.table.trick, (self.seat, card)]
        best, holder = -1, -1
        low, collector = 99, -1
        open_suits = {1, 2, 3, 4, 5}
        for seat, c in played:
            strength = c.rank + (20 if c.is_gold else 0)
            if strength >= best:
                best, holder = strength, seat
            if not c.is_gold:
                if c.rank <= low:
                    low, collector = c.rank, seat
                open_suits.discard(c.suit)
        total = max(len(self.unseen), 1)
        higher = sum(c.rank >= best for c in self.unseen if c.suit in open_suits)
        lower = sum(c.rank <= low for c in self.unseen if c.suit in open_suits)
        win = [0.0] * players
        collect = [0.0] * players
        win[holder] = 1.0
        collect[collector] = 1.0
        for step in range(1, players - len(played) + 1):
            seat = (self.seat + step) % players
            size = self.table.hand_sizes[seat]
            beats = self.wants(seat) * (1 - (1 - higher / total) ** size)
            under = 0.5 * (1 - (1 - lower / total) ** size)
            win = [chance * (1 - beats) for chance in win]
            win[seat] += beats
            collect = [chance * (1 - under) for chance in collect]
            collect[seat] += under
        self.low = low
        return win, collect

    def worth_gold(self, rank: int) -> float:
        return GOLD_POINTS[rank] + GOLD_EXTRA

    def play(self, card: Card) -> float:
        win, collect = self.outcomes(card)
        players = self.players
        played = {seat for seat, _ in self.table.trick}
        left = [
            size - (seat not in played and (seat != self.seat or not card.is_gold))
            for seat, size in enumerate(self.table.hand_sizes)
        ]
        tricks = max(min(left), 0)
        hand = tuple(c for c in self.hand if c != card)
        own_bid = self.side_bid(self.seat)
        taken = self.taken[self.seat]
        value = 0.0
        mine = self.sides[self.seat]
        if_won = self.own(own_bid, taken + 1, tricks, hand)
        if_lost = self.own(own_bid, taken, tricks, hand)
        for seat in range(players):
            if win[seat]:
                value += win[seat] * ((if_won if seat in mine else if_lost) - self.others(seat, tricks))
        if self.low in self.gold:
            share = sum(collect[seat] for seat in mine)
            worth = self.worth_gold(self.low)
            value += worth * (share - (1 - share) * (1.0 if players == 4 else 0.5))
        if card.is_gold:
            value -= self.worth_gold(card.rank)
        return value

    def stop(self) -> float:
        """The value of ending the round now."""
        return self.own(self.side_bid(self.seat), self.taken[self.seat], 0, ()) - self.others(-1, 0)

    def bid(self, card: Card) -> float:
        hand = tuple(c for c in self.hand if c != card)
        partner = self.bids[self.seat ^ 2] if self.players == 4 else 0
        return self.own(max(card.rank, partner), 0, 11, hand)

    def exchange(self, move: Exchange) -> float:
        bids = list(self.bids)
        old = bids[move.seat]
        bids[move.seat] = move.card.rank
        side = self.sides[self.seat]
        taken_card = self.turn.own_bid if move.seat == self.seat else self.table.bids[move.seat]
        assert taken_card is not None
        hand = (*(c for c in self.hand if c != move.card), taken_card)
        bid = max(bids[s] for s in side)
        return self.own(bid, self.taken[self.seat], min(self.table.hand_sizes), hand) - self.worth_gold(move.gold.rank)


class Heuristic(Bot):
    version = "1"

    def bid(self, turn: Turn) -> Card:
        return max(turn.cards, key=Judge(turn).bid)

    def exchange(self, turn: Turn) -> Exchange | Pass:
        judge = Judge(turn)
        best: Exchange | Pass = PASS
        value = (
            judge.own(judge.side_bid(turn.seat), judge.taken[turn.seat], min(turn.table.hand_sizes), turn.hand)
            + EXCHANGE_GAIN
        )
        for move in turn.legal:
            if isinstance(move, Exchange):
                v = judge.exchange(move)
                if v > value:
                    best, value = move, v
        return best

    def play(self, turn: Turn) -> Card | Pass:
        judge = Judge(turn)
        if not turn.cards:
            return PASS
        best = max(turn.cards, key=judge.play)
        if turn.may_pass and judge.stop() > judge.play(best):
            return PASS
        return best


if __name__ == "__main__":
    run(Heuristic)
