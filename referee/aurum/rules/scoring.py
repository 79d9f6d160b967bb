"""Who scores what: sides, rounds, games, placings (docs/rules.md sections 8 and 9)."""

from collections.abc import Sequence
from functools import cache
from operator import add
from typing import NamedTuple

from aurum.rules.cards import Card, gold_of
from aurum.rules.ruleset import GameEnd

GOLD_POINTS = (0, 1, 1, 1, 2, 2, 2, 3, 3)
"""By gold rank."""


class RoundResult(NamedTuple):
    """How a round was scored; by side but for `tricks` (by seat)."""

    tricks: tuple[int, ...]
    bids: tuple[int, ...]
    bid_points: tuple[int, ...]
    gold_points: tuple[int, ...]
    points: tuple[int, ...]
    winners: tuple[int, ...]
    """Sides that got a nugget, ascending; none under three_rounds_total."""
    ended_by: int


class GameResult(NamedTuple):
    """How a game was scored, by side."""

    nuggets: tuple[int, ...]
    points: tuple[int, ...]
    rank: tuple[int, ...]
    """1 = won, equal = shared."""


def score_round(
    bids: Sequence[Card], tricks: Sequence[int], collections: Sequence[int], ended_by: int, nuggets: bool
) -> RoundResult:
    """Score a round from what lies on the table, each by seat; `collections` are purses.

    `nuggets`: whether the side with the most points gets one.
    """
    bid: Sequence[int] = [card.rank for card in bids]
    taken, purses = tricks, collections
    if len(bid) == 4:
        a, b, c, d = bid
        bid = (a if a > c else c, b if b > d else d)
        a, b, c, d = tricks
        taken = (a + c, b + d)
        a, b, c, d = collections
        purses = (a + c, b + d)
    bid_points = tuple(map(points_for_bid, bid, taken))
    gold_points = tuple(map(_gold_points, purses))
    points = tuple(map(add, bid_points, gold_points))
    winners: tuple[int, ...] = ()
    if nuggets:
        best = max(points)
        alone = points.count(best) == 1
        winners = (points.index(best),) if alone else _tie_break(best, points, taken, bid, purses)
    return RoundResult(tuple(tricks), tuple(bid), bid_points, gold_points, points, winners, ended_by)


@cache
def points_for_bid(rank: int, tricks: int) -> int:
    """The points of a side for its bid of this rank and so many tricks (docs/rules.md section 8)."""
    if tricks < rank:
        return 0
    return 2 * rank if tricks == rank else rank


@cache
def _gold_points(purse: int) -> int:
    return sum([GOLD_POINTS[card.rank] for card in gold_of(purse)])


@cache
def _highest_gold(purse: int) -> int:
    """The rank of the highest gold card, -1 without any: no gold at all is below G0."""
    return max([card.rank for card in gold_of(purse)], default=-1)


def _tie_break(
    best: int, points: Sequence[int], taken: Sequence[int], bid: Sequence[int], purses: Sequence[int]
) -> tuple[int, ...]:
    tied = [side for side, scored in enumerate(points) if scored == best]
    # A step that none of the tied meets leaves all of them in: no gold at all is such a step.
    tied = [side for side in tied if taken[side] == bid[side]] or tied
    if len(tied) > 1:
        gold = [_highest_gold(purses[side]) for side in tied]
        highest = max(gold)
        tied = [side for side, rank in zip(tied, gold, strict=True) if rank == highest]
    return tuple(tied)


def is_over(end: GameEnd, rounds: int, nuggets: Sequence[int]) -> bool:
    """Whether the game ends after `rounds` rounds with these nuggets by side."""
    if end is GameEnd.FIRST_TO_TWO:
        return max(nuggets) >= 2
    if end is GameEnd.BEST_OF_THREE:
        return rounds == 3 or sum([n >= 2 for n in nuggets]) == 1
    return rounds == 3


def rank_by(values: Sequence[int]) -> tuple[int, ...]:
    """Competition ranking, more is better: one more than the number of values strictly greater."""
    return tuple([1 + sum([other > value for other in values]) for value in values])


def score_game(end: GameEnd, nuggets: Sequence[int], results: Sequence[RoundResult]) -> GameResult:
    """The result of a finished game from its nuggets by side and its rounds."""
    points = tuple([sum(values) for values in zip(*[result.points for result in results], strict=True)])
    if end is GameEnd.THREE_ROUNDS_TOTAL:
        return GameResult(tuple(nuggets), points, rank_by(points))
    rank = rank_by(nuggets)
    if end is GameEnd.BEST_OF_THREE:
        # The bid standing at the end decides only who is first among the tied.
        tied = [side for side in range(len(rank)) if rank[side] == 1]
        highest = max([results[-1].bids[side] for side in tied])
        first = [side for side in tied if results[-1].bids[side] == highest]
        rank = tuple([1 + len(first) if side in tied and side not in first else r for side, r in enumerate(rank)])
    return GameResult(tuple(nuggets), points, rank)


def placing(rank: Sequence[int], forfeited: Sequence[int]) -> tuple[int, ...]:
    """What is rated: the other sides by rank, then the sides that forfeited, tied.

    Others: one more than how many of them are strictly better. Forfeited: one more than how many did
    not forfeit. All forfeited: all 1.
    """
    playing = [side for side in range(len(rank)) if side not in forfeited]
    return tuple(
        [
            1 + len(playing) if side in forfeited else 1 + sum([rank[other] < rank[side] for other in playing])
            for side in range(len(rank))
        ]
    )
