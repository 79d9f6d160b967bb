"""The scheduled rounds in a store: their matches and byes, as rows of SQL tables and back."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from aurum.formats.options import Seatings
from aurum.formats.rounds import Bye, Match, TournamentRound
from aurum.store.columns import insert, rows_of, select


@dataclass(frozen=True)
class _MatchRow:
    """A row of `matches`; `bots` is a JSON array of names."""

    id: str
    round: int
    bots: str
    first_deal: int
    deals: int


def insert_rounds(connection: sqlite3.Connection, rounds: Iterable[TournamentRound]) -> None:
    """Add these rounds to those that are there."""
    for new in rounds:
        matches = [
            _MatchRow(match.id, match.round, json.dumps(match.bots, ensure_ascii=False), match.first_deal, match.deals)
            for match in new.matches
        ]
        insert(connection, "matches", rows_of(_MatchRow, matches))
        insert(connection, "byes", rows_of(Bye, new.byes))


def select_rounds(connection: sqlite3.Connection, entered: Sequence[str], seatings: Seatings) -> list[TournamentRound]:
    """The rounds, in order.

    Args:
        connection: to the store.
        entered: the names of the bots in the order of the spec, which byes of a round have.
        seatings: of the spec.
    """
    matches = [
        Match(row.id, row.round, tuple(json.loads(row.bots)), row.first_deal, row.deals, seatings)
        for row in select(connection, _MatchRow, "FROM matches ORDER BY first_deal")
    ]
    byes = sorted(select(connection, Bye, "FROM byes"), key=lambda bye: (bye.round, entered.index(bye.bot)))
    played = {number: tuple(found) for number, found in groupby(matches, key=lambda match: match.round)}
    rested = {number: tuple(found) for number, found in groupby(byes, key=lambda bye: bye.round)}
    numbers = sorted({*played, *rested})
    return [TournamentRound(number, played.get(number, ()), rested.get(number, ())) for number in numbers]
