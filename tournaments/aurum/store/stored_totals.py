"""The totals of matches in a store: added to with every unit, so that nobody has to read all games again."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import groupby

from aurum.results.game_row import GameRow
from aurum.results.match_totals import BotTotals, MatchTotals, by_match
from aurum.store.columns import names_of

_FIGURES = ("games", *names_of(BotTotals))


def add_to_totals(connection: sqlite3.Connection, rows: Iterable[GameRow]) -> None:
    """Count these games, which were not counted before."""
    marks = ", ".join(f":{name}" for name in _FIGURES)
    sums = ", ".join(f"{name} = {name} + excluded.{name}" for name in _FIGURES)
    connection.executemany(
        f"INSERT INTO totals (match, bot, {', '.join(_FIGURES)}) VALUES (:match, :bot, {marks}) "
        f"ON CONFLICT (match, bot) DO UPDATE SET {sums}",
        [
            {"match": match, "bot": bot, "games": totals.games, **vars(figures)}
            for match, totals in by_match(rows).items()
            for bot, figures in totals.bots.items()
        ],
    )


def count_anew(connection: sqlite3.Connection, match: str, rows: Iterable[GameRow]) -> None:
    """Count the games of a match again, of which these are left."""
    connection.execute("DELETE FROM totals WHERE match = ?", [match])
    add_to_totals(connection, rows)


def select_totals(connection: sqlite3.Connection) -> dict[str, MatchTotals]:
    """By match, what its games come to."""
    totals = {}
    found = connection.execute(f"SELECT match, bot, {', '.join(_FIGURES)} FROM totals ORDER BY match, bot")
    for match, rows in groupby(found, key=lambda row: row[0]):
        bots = list(rows)
        totals[str(match)] = MatchTotals(bots[0][2], {bot: BotTotals(*figures) for _, bot, _, *figures in bots})
    return totals


class StoredGroups(Set[tuple[str, int]]):
    """The finished deal groups, by match and deal. Of a match that is finished nothing but its totals is read.

    Args:
        finished: by match that has all of its games, its deals.
        begun: by other match, those of its deals that are finished.
    """

    def __init__(self, finished: Mapping[str, range], begun: Mapping[str, frozenset[int]]) -> None:
        self._deals: Mapping[str, range | frozenset[int]] = {**finished, **begun}

    def __contains__(self, group: object) -> bool:
        if not isinstance(group, tuple):
            return False
        match, deal = group
        return deal in self._deals.get(match, ())

    def __iter__(self) -> Iterator[tuple[str, int]]:
        return ((match, deal) for match, deals in self._deals.items() for deal in deals)

    def __len__(self) -> int:
        return sum(map(len, self._deals.values()))

    @classmethod
    def _from_iterable(cls, groups: Iterable[tuple[str, int]]) -> set[tuple[str, int]]:  # type: ignore[override]
        """What operators like `&` give."""
        return set(groups)


def select_groups(connection: sqlite3.Connection, games_of_group: int) -> StoredGroups:
    """The finished deal groups, each of so many games."""
    finished: dict[str, range] = {}
    begun: dict[str, frozenset[int]] = {}
    for match, first, deals, games in connection.execute(
        "SELECT id, first_deal, deals, max(games) FROM totals JOIN matches ON id = match GROUP BY id"
    ).fetchall():
        if games == deals * games_of_group:
            finished[match] = range(first, first + deals)
        else:
            found = connection.execute("SELECT DISTINCT deal FROM games WHERE match = ?", [match])
            begun[match] = frozenset(deal for (deal,) in found)
    return StoredGroups(finished, begun)


def select_game_count(connection: sqlite3.Connection) -> int:
    """How many games are finished."""
    (count,) = connection.execute(
        "SELECT sum(games) FROM (SELECT max(games) AS games FROM totals GROUP BY match)"
    ).fetchone()
    return int(count or 0)
