"""A second, deliberately naive implementation of the whole game, to hold the engine against.

Written from docs/rules.md, sentence by sentence, with nothing of `aurum.rules`: a card is a (suit letter, rank)
tuple, gold a list of ranks, a move the text that docs/rules.md and the engine write it as, and everything is worked
out anew whenever it is asked for.
"""

import hashlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

Card = tuple[str, int]


@cache
def name(card: Card) -> str:
    """The notation of section 1."""
    return card[0] + str(card[1])


def named(text: str) -> Card:
    """The card of a notation."""
    return text[0], int(text[1:])


# Section 13 -----------------------------------------------------------------------------------------------------


def numbers(key: bytes, round_number: int) -> Iterator[int]:
    """The 32-bit numbers of a round; 0 is the draw for first player."""
    block = 0
    while True:
        digest = hashlib.sha256(key + struct.pack(">I", round_number) + struct.pack(">I", block)).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(digest[at : at + 4], "big")
        block += 1


def draw(source: Iterator[int], n: int) -> int:
    """A fair number below n."""
    while True:
        x = next(source)
        if x < n * ((1 << 32) // n):
            return x % n


def deal(key: bytes, players: int, round_number: int) -> tuple[list[list[Card]], list[Card]]:
    """The hands by seat, in dealt order, and what is left over."""
    if players == 4:
        deck = [(suit, rank) for suit in "BCPSZ" for rank in range(1, 11)]
    else:
        deck = [(suit, rank) for suit in "BPSZ" for rank in range(1, 10)]
    source = numbers(key, round_number)
    for i in range(len(deck) - 1, 0, -1):
        j = draw(source, i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return [deck[12 * seat : 12 * seat + 12] for seat in range(players)], deck[12 * players :]


# Sections 3 to 8 ------------------------------------------------------------------------------------------------


GOLD_POINTS = {0: 0, 1: 1, 2: 1, 3: 1, 4: 2, 5: 2, 6: 2, 7: 3, 8: 3}


@dataclass
class Trick:
    """A completed trick, its cards in play order."""

    leader: int
    cards: list[Card]
    winner: int
    collector: int
    collected: int | None


@dataclass
class Change:
    """An exchange before trick number `trick` (from 0)."""

    trick: int
    seat: int
    gold: int
    target: int
    laid: Card
    taken: Card


@dataclass
class Score:
    """The score of a round, by side but for `tricks`, which is by seat."""

    tricks: list[int]
    bids: list[int]
    bid_points: list[int]
    gold_points: list[int]
    points: list[int]
    winners: list[int]
    ended_by: int


class ReferenceRound:
    """One round. `stage` is bid, exchange, lead, follow or over; `turn` the seat to act."""

    def __init__(self, players: int, first: int, hands: list[list[Card]], gold_zeros: bool) -> None:
        self.players = players
        self.first = self.leader = self.turn = first
        self.stage = "bid"
        self.hands = hands
        self.supply = [1, 1, 2, 2, 3, 3, 4, 5, 6, 7]
        if players == 4:
            self.supply.append(8)
        self.gold: list[list[int]] = [[] for _ in range(players)]
        if gold_zeros:
            self.gold = [[0] for _ in range(players)]
            self.supply += [0] * (4 - players)
        self.bids: dict[int, Card] = {}
        self.taken = [0] * players
        self.trick: list[tuple[int, Card]] = []
        self.tricks: list[Trick] = []
        self.exchanges: list[Change] = []
        self.waiting: list[int] = []
        self.ended_by = -1
        self.how = ""

    def after(self, seat: int) -> int:
        """The next seat clockwise."""
        return (seat + 1) % self.players

    def in_order(self) -> list[int]:
        """The seats in play order from the leader."""
        return [(self.leader + k) % self.players for k in range(self.players)]

    def partner(self, seat: int) -> int | None:
        """The other seat of the team, if there is one."""
        return (seat + 2) % 4 if self.players == 4 else None

    def playable(self, seat: int) -> list[Card]:
        """Base cards of suits that are not yet in the trick."""
        suits = [card[0] for _, card in self.trick]
        return [card for card in self.hands[seat] if card[0] not in suits]

    def can_exchange(self, seat: int) -> bool:
        """Whether a player has a choice in an exchange window."""
        return len(self.gold[seat]) > 0 and len(self.hands[seat]) > 0

    def legal(self) -> list[str]:
        """Section 6, row by row."""
        seat = self.turn
        golds = sorted(set(self.gold[seat]))
        if self.stage == "bid":
            return ["bid " + name(card) for card in self.hands[seat]]
        if self.stage == "exchange":
            moves = ["pass"]
            for target in (seat, self.partner(seat)):
                if target is not None:
                    for gold in golds:
                        moves += [f"exchange G{gold} {name(card)} @{target}" for card in self.hands[seat]]
            return moves
        if self.stage == "lead":
            return ["play " + name(card) for card in self.hands[seat]]
        if self.stage == "follow":
            moves = ["play " + name(card) for card in self.playable(seat)]
            if not moves:
                moves.append("pass")
            return moves + [f"play G{gold}" for gold in golds]
        return []

    def do(self, move: str) -> None:
        """Apply a legal move, and all that follows without anybody's choice."""
        words = move.split()
        if self.stage == "bid":
            self.bid(named(words[1]))
        elif self.stage == "exchange":
            if words[0] == "exchange":
                self.exchange(int(words[1][1:]), named(words[2]), int(words[3][1:]))
            self.ask()
        elif words[0] == "pass":
            self.end(self.turn, "DECLINED")
        else:
            self.lay(named(words[1]))

    def bid(self, card: Card) -> None:
        self.hands[self.turn].remove(card)
        self.bids[self.turn] = card
        self.turn = self.after(self.turn)
        if len(self.bids) == self.players:
            self.window()

    def exchange(self, gold: int, card: Card, target: int) -> None:
        seat = self.turn
        self.gold[seat].remove(gold)
        self.supply.append(gold)
        old = self.bids[target]
        self.hands[seat].remove(card)
        self.hands[seat].append(old)
        self.bids[target] = card
        self.exchanges.append(Change(len(self.tricks), seat, gold, target, card, old))

    def window(self) -> None:
        self.waiting = self.in_order()
        self.ask()

    def ask(self) -> None:
        """Go on to the next player who has a choice in the window; when there is none, the leader leads."""
        while self.waiting:
            self.turn = self.waiting.pop(0)
            if self.can_exchange(self.turn):
                self.stage = "exchange"
                return
        self.stage = "lead"
        self.turn = self.leader

    def lay(self, card: Card) -> None:
        seat = self.turn
        if card[0] == "G":
            self.gold[seat].remove(card[1])
        else:
            self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if len(self.trick) == self.players:
            self.resolve()
            return
        self.stage = "follow"
        self.turn = self.after(seat)
        if not self.playable(self.turn) and not self.gold[self.turn]:
            self.end(self.turn, "FORCED")

    def resolve(self) -> None:
        base = [(seat, card[1]) for seat, card in self.trick if card[0] != "G"]
        gold = [(seat, card[1]) for seat, card in self.trick if card[0] == "G"]
        # a. The lowest base card, the later one of equals.
        collector, lowest = base[0]
        for seat, rank in base[1:]:
            if rank <= lowest:
                collector, lowest = seat, rank
        collected = lowest if lowest in self.supply else None
        if collected is not None:
            self.supply.remove(collected)
            self.gold[collector].append(collected)
        # b. The highest gold card, else the highest base card, the later one of equals.
        contest = gold if gold else base
        winner, highest = contest[0]
        for seat, rank in contest[1:]:
            if rank >= highest:
                winner, highest = seat, rank
        self.taken[winner] += 1
        # c. Gold returns to the supply.
        self.supply += [rank for _, rank in gold]
        self.tricks.append(Trick(self.leader, [card for _, card in self.trick], winner, collector, collected))
        self.trick = []
        self.leader = collector
        if self.hands[collector]:
            self.window()
        else:
            self.end(collector, "NO_LEAD")

    def end(self, seat: int, how: str) -> None:
        self.stage = "over"
        self.turn = seat
        self.ended_by = seat
        self.how = how
        self.supply += [card[1] for _, card in self.trick if card[0] == "G"]
        self.trick = []

    def score(self, nuggets: bool) -> Score:
        """Section 8."""
        sides = [[0, 2], [1, 3]] if self.players == 4 else [[0], [1], [2]]
        bids = [max(self.bids[seat][1] for seat in side) for side in sides]
        taken = [sum(self.taken[seat] for seat in side) for side in sides]
        golds = [[rank for seat in side for rank in self.gold[seat]] for side in sides]
        for_bid = []
        for side in range(len(sides)):
            if taken[side] < bids[side]:
                for_bid.append(0)
            elif taken[side] > bids[side]:
                for_bid.append(bids[side])
            else:
                for_bid.append(2 * bids[side])
        for_gold = [sum(GOLD_POINTS[rank] for rank in gold) for gold in golds]
        points = [for_bid[side] + for_gold[side] for side in range(len(sides))]
        winners = [side for side in range(len(sides)) if points[side] == max(points)]
        if len(winners) > 1 and any(taken[side] == bids[side] for side in winners):
            winners = [side for side in winners if taken[side] == bids[side]]
        if len(winners) > 1 and any(golds[side] for side in winners):
            best = max(max(golds[side]) for side in winners if golds[side])
            winners = [side for side in winners if best in golds[side]]
        if not nuggets:
            winners = []
        return Score(self.taken, bids, for_bid, for_gold, points, winners, self.ended_by)


# Section 9 ------------------------------------------------------------------------------------------------------


class ReferenceGame:
    """A whole game; `game_end` is written as in the table of section 9."""

    def __init__(self, key: bytes, players: int, gold_zeros: bool, game_end: str) -> None:
        self.key = key
        self.players = players
        self.gold_zeros = gold_zeros
        self.game_end = game_end
        self.results: list[Score] = []
        self.nuggets = [0] * (2 if players == 4 else 3)
        self.over = False
        self.leftover: list[Card] = []
        self.round = self.next_round(draw(numbers(key, 0), players))

    def next_round(self, first: int) -> ReferenceRound:
        hands, self.leftover = deal(self.key, self.players, len(self.results) + 1)
        return ReferenceRound(self.players, first, hands, self.gold_zeros)

    def do(self, move: str) -> None:
        """Apply a legal move; score the round and deal the next one if it is over."""
        self.round.do(move)
        if self.round.stage != "over":
            return
        result = self.round.score(self.game_end != "three_rounds_total")
        self.results.append(result)
        for side in result.winners:
            self.nuggets[side] += 1
        with_two = [side for side in range(len(self.nuggets)) if self.nuggets[side] >= 2]
        if self.game_end == "first_to_two":
            self.over = len(with_two) > 0
        elif self.game_end == "best_of_three":
            self.over = len(with_two) == 1 or len(self.results) == 3
        else:
            self.over = len(self.results) == 3
        if not self.over:
            self.round = self.next_round(self.round.after(self.round.first))

    def total(self) -> list[int]:
        """Points of all rounds, by side."""
        return [sum(result.points[side] for result in self.results) for side in range(len(self.nuggets))]

    def ranks(self) -> list[int]:
        """1 for who has won the game; a rank is one more than the number of sides strictly better."""
        sides = range(len(self.nuggets))
        if self.game_end == "three_rounds_total":
            total = self.total()
            return [1 + len([1 for other in sides if total[other] > total[side]]) for side in sides]
        ranks = [1 + len([1 for other in sides if self.nuggets[other] > self.nuggets[side]]) for side in sides]
        if self.game_end == "best_of_three":
            leaders = [side for side in sides if ranks[side] == 1]
            bids = self.results[-1].bids
            first = [side for side in leaders if bids[side] == max(bids[other] for other in leaders)]
            for side in leaders:
                if side not in first:
                    # Strictly better are those who are first; the rest of the tied are even with it.
                    ranks[side] = 1 + len(first)
        return ranks
