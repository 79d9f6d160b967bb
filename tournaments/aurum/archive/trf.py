"""Writes an event of two sides as a TRF report, the text that chess tournament programs read (FIDE's TRF-2026).

A match is what a game is there: it is won, drawn or lost, and the deals in it do not appear. Fields are in fixed
columns, so names are cut and made ASCII. Whoever is named first in a pairing, and is side 0 in the first game of each
deal, has the white pieces. The file says how it was paired (092) and claims none of FIDE's own systems (192).
"""

import unicodedata
from collections.abc import Mapping, Sequence
from itertools import count

from aurum.common.errors import UserError
from aurum.formats.match_points import match_halves
from aurum.formats.rounds import TournamentRound, finished
from aurum.results.match_totals import Totals
from aurum.standings.tie_breaks import TieBreaks, ranked_by_points
from aurum.store.store import Store

NAME_LENGTH = 33
MOST_BOTS, MOST_ROUNDS = 9999, 99
"""What the columns have room for."""

_RESULTS = "0=1"
"""By half points."""


def export_trf(store: Store, unfinished: bool = False) -> list[str]:
    """The report of a stored tournament, line by line.

    Raises:
        UserError: TRF cannot say it: three players in a game, a knockout, too large; or it is not finished and
            `unfinished` does not allow that. Then only its finished rounds are in the report.
    """
    spec = store.spec
    if spec.side_count != 2:
        raise UserError(f"{store.path}: TRF knows games of two sides only, and here three players are one each")
    system = spec.format.trf_system
    if system is None:
        raise UserError(f"{store.path}: TRF ranks by points, and a {spec.format} does not")
    if store.finished is None and not unfinished:
        raise UserError(
            f"{store.path}: the tournament is not finished: finish it with the command that began it, or give "
            "--unfinished for its finished rounds"
        )
    with store.frozen():
        rounds, totals = store.rounds(), store.totals()
    bots = [bot.name for bot in spec.bots]
    if len(bots) > MOST_BOTS or len(rounds) > MOST_ROUNDS:
        raise UserError(
            f"{store.path}: TRF has room for {MOST_BOTS} bots and {MOST_ROUNDS} rounds, "
            f"not for {len(bots)} and {len(rounds)}"
        )
    return trf(
        spec.name,
        system,
        [played for played in rounds if finished(played, totals)],
        totals,
        bots,
        byes_give_points=spec.format.byes_give_points,
        planned=spec.rounds or len(rounds),
    )


def trf(
    name: str,
    system: str,
    rounds: Sequence[TournamentRound],
    totals: Totals,
    entered: Sequence[str],
    *,
    byes_give_points: bool,
    planned: int,
) -> list[str]:
    """The lines of a report.

    Args:
        name: of the event.
        system: how it was paired, in words.
        rounds: finished ones of two sides, in order.
        totals: of the games of those rounds.
        entered: the bots in the order of entry, which is their numbering.
        byes_give_points: else everyone rests in turn, and a round without a match counts as nothing
            (`tie_breaks.ranked_by_points`).
        planned: how many rounds the event has when it is finished.
    """
    numbers = {bot: number for number, bot in enumerate(entered, 1)}
    names = _names(entered)
    ranking = ranked_by_points(rounds, totals, entered, byes_give_points)
    ranks = {found.bot: (rank, found) for rank, found in enumerate(ranking, 1)}
    columns = [_column(played, totals, numbers, byes_give_points) for played in rounds]
    return [
        f"012 {name}",
        f"062 {len(entered)}",
        "072 0",  # none has a FIDE rating
        "082 0",
        f"092 {system}",
        f"142 {planned}",
        "162  W 1.0    D 0.5",
        *(
            _player(numbers[bot], names[bot], *ranks[bot]) + "".join(column.get(bot, _ABSENT) for column in columns)
            for bot in entered
        ),
    ]


_ABSENT = "  0000 - Z"
_BYE = "  0000 - U"
"""Allocated by the pairing: with U, unlike F, a program that pairs on gives that bot no second one."""


def _player(number: int, name: str, rank: int, found: TieBreaks) -> str:
    # Columns: id 5-8, sex 10, title 11-13, name 15-47, rating 49-52, federation 54-56, FIDE id 58-68, birth 70-79,
    # points 81-84, rank 86-89; then ten for each round.
    return f"001 {number:4d}      {name:33s} {0:4d} {'':3s} {'':11s} {'':10s} {found.points:4.1f} {rank:4d}"


def _column(
    played: TournamentRound, totals: Totals, numbers: Mapping[str, int], byes_give_points: bool
) -> dict[str, str]:
    """What a round is to each bot of it: two blanks, opponent 4, blank, colour, blank, result."""
    cells = {bye.bot: _BYE if byes_give_points else _ABSENT for bye in played.byes}
    for match in played.matches:
        white, black = match.bots
        halves = match_halves(match.bots, totals[match.id])
        cells[white] = f"  {numbers[black]:4d} w {_RESULTS[halves[0]]}"
        cells[black] = f"  {numbers[white]:4d} b {_RESULTS[halves[1]]}"
    return cells


def _names(entered: Sequence[str]) -> dict[str, str]:
    """A name for each bot that fits: ASCII, not too long, and of its own."""
    taken: set[str] = set()
    found = {}
    for bot in entered:
        letters = unicodedata.normalize("NFKD", bot)
        plain = "".join(c for c in letters if not unicodedata.combining(c)).encode("ascii", "replace").decode()
        numbered = (f"~{number}" for number in count(2))
        ending = ""
        while (name := plain[: NAME_LENGTH - len(ending)] + ending) in taken:
            ending = next(numbered)
        taken.add(name)
        found[bot] = name
    return found
