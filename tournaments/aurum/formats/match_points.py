"""The points of matches, exact: halves are counted as whole numbers."""

from collections.abc import Iterable, Sequence

from aurum.formats.rounds import TournamentRound
from aurum.results.match_totals import MatchTotals, Totals


def halves_of(order: Sequence[int]) -> tuple[int, ...]:
    """Half points by entry: 2 for each other entry that comes after it, 1 for each that is equal.

    `order` is smaller for better, as a placing is. Two entries: (2, 0) or (1, 1); three without ties: 4, 2, 0.
    """
    return tuple(
        sum(2 if mine < other else int(mine == other) for other in order) - 1  # it is equal to itself
        for mine in order
    )


def match_halves(bots: Sequence[str], totals: MatchTotals) -> tuple[int, ...]:
    """Half points of a match, by bot: the totals of its games' half points, compared in their turn.

    Every deal group has equally many games, so to compare totals is to compare means over deal groups.
    """
    return halves_of([-totals.bots[bot].halves for bot in bots])


def score_halves(field: Iterable[str], rounds: Iterable[TournamentRound], totals: Totals, sides: int) -> dict[str, int]:
    """Half points of every bot after some finished rounds.

    A match gives a point for each bot it outdid there and half a point for each that it equalled; a bye gives as
    much as outdoing everyone in a match of that many `sides`.
    """
    score = dict.fromkeys(field, 0)
    for played in rounds:
        for match in played.matches:
            for bot, halves in zip(match.bots, match_halves(match.bots, totals[match.id]), strict=True):
                score[bot] += halves
        for bye in played.byes:
            score[bye.bot] += 2 * (sides - 1)
    return score
