"""The points of matches, exact: halves are counted as whole numbers."""

from collections.abc import Iterable, Sequence

from aurum.formats.rounds import Games, TournamentRound
from aurum.results.game_row import GameRow


def halves_of(order: Sequence[int]) -> tuple[int, ...]:
    """Half points by entry: 2 for each other entry that comes after it, 1 for each that is equal.

    `order` is smaller for better, as a placing is. Two entries: (2, 0) or (1, 1); three without ties: 4, 2, 0.
    """
    return tuple(
        sum(2 if mine < other else int(mine == other) for other in order) - 1  # it is equal to itself
        for mine in order
    )


def match_halves(bots: Sequence[str], rows: Iterable[GameRow]) -> tuple[int, ...]:
    """Half points of a match, by bot: the totals of its games' half points, compared in their turn.

    Every deal group has equally many games, so to compare totals is to compare means over deal groups.
    """
    totals = dict.fromkeys(bots, 0)
    for row in rows:
        for bot, halves in zip(row.bots, halves_of(row.placing), strict=True):
            totals[bot] += halves
    return halves_of([-totals[bot] for bot in bots])


def score_halves(field: Iterable[str], rounds: Iterable[TournamentRound], games: Games, sides: int) -> dict[str, int]:
    """Half points of every bot after some finished rounds.

    A match gives a point for each bot it outdid there and half a point for each that it equalled; a bye gives as
    much as outdoing everyone in a match of that many `sides`.
    """
    score = dict.fromkeys(field, 0)
    for played in rounds:
        for match in played.matches:
            for bot, halves in zip(match.bots, match_halves(match.bots, games[match.id]), strict=True):
                score[bot] += halves
        for bye in played.byes:
            score[bye.bot] += 2 * (sides - 1)
    return score
