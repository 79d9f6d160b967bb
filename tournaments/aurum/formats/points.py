"""The points of a Swiss, exact: halves are counted as whole numbers."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from aurum.formats.rounds import Round
from aurum.results.game_row import GameRow

Games = Mapping[str, Sequence[GameRow]]
"""The rows of each match by its id."""


def by_match(rows: Iterable[GameRow]) -> Games:
    """Sorts rows into their matches."""
    games: defaultdict[str, list[GameRow]] = defaultdict(list)
    for row in rows:
        games[row.match].append(row)
    return dict(games)


def finished(played: Round, games: Games) -> bool:
    """Whether every game of the round is among these."""
    return all(len(games.get(match.id, ())) == match.games for match in played.matches)


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


def score_halves(field: Iterable[str], rounds: Iterable[Round], games: Games, sides: int) -> dict[str, int]:
    """Half points of every bot after some finished rounds.

    A match gives a point for each bot it outdid there and half a point for each that it equalled; a bye gives as
    much as outdoing everyone at a table of that many `sides`.
    """
    score = dict.fromkeys(field, 0)
    for played in rounds:
        for match in played.matches:
            for bot, halves in zip(match.bots, match_halves(match.bots, games[match.id]), strict=True):
                score[bot] += halves
        for bye in played.byes:
            score[bye.bot] += 2 * (sides - 1)
    return score
