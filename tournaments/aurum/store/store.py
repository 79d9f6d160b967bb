"""The store: everything a tournament keeps, in DIR/tournament.sqlite.

What was decided (spec, secret), what is scheduled (matches, byes), what was played (games, sides, records) and how
the bots' processes did (units, instances, bots). A game is there once or not at all, its deal group whole or not
at all: tables and ratings are computed from here and from nowhere else.
"""

import json
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import astuple, fields
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from aurum.common.errors import UserError
from aurum.formats.options import Seatings
from aurum.formats.rounds import Bye, Match, TournamentRound, seatings_of
from aurum.referee.unit import InstanceReport
from aurum.results.game_row import GameRow
from aurum.results.played_unit import BotVersion, FinishedGame, PlayedUnit, UnitReport
from aurum.rules import commitment, secret_of_seed
from aurum.schedule.shards import Shard
from aurum.spec.fingerprint import changed_keys, fingerprint, is_amended
from aurum.spec.spec import Spec
from aurum.spec.stored_form import dump_spec, load_spec_json
from aurum.store.database import APPLICATION, FORMAT, inspect, reader, told, transaction, writer
from aurum.store.schema import LATER, SCHEMA, TABLES

FILE = "tournament.sqlite"


class Store:
    """An open store: `Store.read` or `Store.write`, best in a `with`. What is wrong with the file is a UserError."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        facts = dict(self._rows("SELECT name, value FROM facts"))
        try:
            self.secret = bytes(facts["secret"])
            self.spec = load_spec_json(facts["spec"])
            self.fingerprint = str(facts["fingerprint"])
            self.shard = Shard.parse(facts["shard"]) if "shard" in facts else None
        except (ValueError, KeyError, TypeError):
            raise UserError(f"{path}: damaged: it does not say which tournament it is of") from None

    @classmethod
    def read(cls, folder: Path, thorough: bool = False) -> Self:
        """Open the store in `folder` for reading, whether or not it is being played; if `thorough`, check all of it.

        Raises:
            UserError: there is none, or it cannot be read.
        """
        path = folder / FILE
        if not inspect(path, TABLES, thorough):
            raise UserError(f"{path}: no such store: name the folder that `arena tournament run` put its results in")
        return cls._over(path, reader(path))

    @classmethod
    def write(cls, folder: Path, spec: Spec, shard: Shard | None = None, secret: bytes | None = None) -> Self:
        """Open the store in `folder` to play `spec`, or begin one.

        Args:
            folder: where it is.
            spec: the tournament.
            shard: the part of it that the store is for; None for all of it.
            secret: of a tournament that has begun elsewhere.

        Raises:
            UserError: it cannot be written, is damaged, or holds another tournament; nothing was changed then. A spec
                that differs in what decides no results, or was edited between the rounds of a Swiss
                (`fingerprint.is_amended`), takes the place of the one before.
        """
        path = folder / FILE
        if inspect(path, TABLES, thorough=True):
            with cls.read(folder) as kept:
                kept._refuse_another(spec, shard)
                edited = kept.spec != spec
            with told(path):
                connection = writer(path)
                connection.execute(LATER)
                if edited:
                    _keep_spec(connection, spec)
                return cls._over(path, connection)
        with told(path):
            connection = writer(path)
            _create(connection, spec, shard, secret)
        return cls._over(path, connection)

    @classmethod
    def _over(cls, path: Path, connection: sqlite3.Connection) -> Self:
        try:
            return cls(path, connection)
        except BaseException:
            connection.close()
            raise

    def _refuse_another(self, spec: Spec, shard: Shard | None) -> None:
        paired = max((round_.number for round_ in self.rounds()), default=0)
        if self.fingerprint != fingerprint(spec) and not is_amended(self.spec, spec, paired):
            keys = ", ".join(changed_keys(self.spec, spec)) or "what another version of arena decides by itself"
            raise UserError(
                f"{self.path}: holds a tournament of another spec (different: {keys}): "
                "put the spec back, or play into another folder"
                + (f" (bots may join a {spec.format} from round {paired + 1} on)" if spec.format.amendable else "")
            )
        if self.shard != shard:
            raise UserError(
                f"{self.path}: holds {part_of(self.shard)}, not {part_of(shard)}: "
                "give the same --shard as before, or another folder"
            )

    @property
    def commitment(self) -> str:
        """What is published of the secret at the start: its SHA-256, in hex."""
        return commitment(self.secret)

    @property
    def finished(self) -> str | None:
        """When the last game of the tournament had been stored (ISO 8601, UTC); None while any is missing."""
        found = self._rows("SELECT value FROM facts WHERE name = 'finished'")
        return str(found[0][0]) if found else None

    def finish(self) -> None:
        """Mark the tournament as finished; a shard never is."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        if self.shard is None:
            with self._transaction():
                self._connection.execute("INSERT OR IGNORE INTO facts VALUES ('finished', ?)", [now])
        self.settle()

    def settle(self) -> None:
        """Make it a plain single file, which can be read from any medium; a reader may keep it from becoming one."""
        with suppress(sqlite3.OperationalError):
            self._connection.execute("PRAGMA journal_mode = DELETE")

    def schedule(self, rounds: Sequence[TournamentRound]) -> None:
        """Keep the rounds that are new.

        Raises:
            UserError: the rounds kept before are not the first of these.
        """
        with self._transaction():
            self._schedule(rounds)

    def _schedule(self, rounds: Sequence[TournamentRound]) -> None:
        kept = self.rounds()
        for before, now in zip(kept, rounds, strict=False):
            if before != now:
                raise UserError(
                    f"{self.path}: round {before.number} was paired differently when it began: "
                    "go on with the version of arena that began it"
                )
        matches = [match for new in rounds[len(kept) :] for match in new.matches]
        byes = [bye for new in rounds[len(kept) :] for bye in new.byes]
        self._connection.executemany(
            "INSERT INTO matches VALUES (?, ?, ?, ?, ?)",
            [(m.id, m.round, json.dumps(m.bots, ensure_ascii=False), m.first_deal, m.deals) for m in matches],
        )
        self._connection.executemany("INSERT INTO byes VALUES (?, ?)", map(astuple, byes))

    def rounds(self) -> list[TournamentRound]:
        """The rounds that are scheduled, in order."""
        matches = [
            Match(name, number, tuple(json.loads(bots)), first, deals, self.spec.seatings)
            for name, number, bots, first, deals in self._rows(
                "SELECT id, round, bots, first_deal, deals FROM matches ORDER BY first_deal"
            )
        ]
        entered = [bot.name for bot in self.spec.bots]
        byes = [Bye(number, bot) for number, bot in self._rows("SELECT round, bot FROM byes")]
        byes.sort(key=lambda bye: (bye.round, entered.index(bye.bot)))
        played = {number: tuple(found) for number, found in groupby(matches, key=lambda match: match.round)}
        rested = {number: tuple(found) for number, found in groupby(byes, key=lambda bye: bye.round)}
        numbers = sorted({*played, *rested})
        return [TournamentRound(number, played.get(number, ()), rested.get(number, ())) for number in numbers]

    def add(self, outcome: PlayedUnit) -> None:
        """Keep what came of a unit: all of it or, whatever happens, nothing.

        Raises:
            ValueError: a deal group is not whole, or a game is there already; nothing was kept.
        """
        with self._transaction():
            self._add(outcome)

    def absorb(self, rounds: Sequence[TournamentRound], outcomes: Iterable[PlayedUnit], spec: Spec) -> None:
        """Schedule rounds and keep many units, all or, whatever happens, nothing.

        Afterwards units are in the order of their deals, so that it does not matter in which they came, and `spec`,
        of the same tournament, is what the store says of it.

        Raises:
            UserError, ValueError: as `schedule` and `add` do.
        """
        with self._transaction():
            self._schedule(rounds)
            for outcome in outcomes:
                self._add(outcome)
            execute = self._connection.execute
            execute("UPDATE facts SET value = ? WHERE name = 'spec'", [dump_spec(spec)])
            execute("PRAGMA defer_foreign_keys = ON")
            execute(
                "CREATE TEMP TABLE places AS SELECT unit, row_number() OVER (ORDER BY min(deal)) AS place "
                "FROM played GROUP BY unit"
            )
            for table, column in ("units", "number"), ("instances", "unit"), ("bots", "unit"), ("played", "unit"):
                # By way of negative numbers, so that none is taken.
                execute(f"UPDATE {table} SET {column} = (SELECT -place FROM places WHERE unit = {table}.{column})")
                execute(f"UPDATE {table} SET {column} = -{column}")
            execute("DROP TABLE places")

    def _add(self, outcome: PlayedUnit) -> None:
        games, report = outcome.games, outcome.report
        _refuse_fragments(games, self.spec.seatings)
        insert = self._connection.executemany
        try:
            insert(
                "INSERT INTO games VALUES (?, ?, ?, ?, ?)",
                [(g.row.match, g.row.deal, g.row.seating, g.id, g.row.delayed) for g in games],
            )
            sides = [side for game in games for side in _sides(game.row)]
            insert(f"INSERT INTO sides VALUES ({_marks(10)})", sides)
            insert("INSERT INTO records VALUES (?, ?)", [(game.id, game.record) for game in games])
            unit = self._connection.execute(
                "INSERT INTO units (delayed, referee_delay_ms) VALUES (?, ?)",
                [report.delayed, report.referee_delay_ms],
            ).lastrowid
            instances = [(unit, *astuple(instance)) for instance in report.instances]
            insert(f"INSERT INTO instances VALUES ({_marks(11)})", instances)
            insert(f"INSERT INTO bots VALUES ({_marks(4)})", [(unit, *astuple(v)) for v in report.versions])
            deals = sorted({game.row.deal for game in games})
            insert("INSERT INTO played VALUES (?, ?)", [(unit, deal) for deal in deals])
        except sqlite3.IntegrityError as error:
            raise ValueError(f"cannot keep the games {[game.id for game in games]}: {error}") from error

    def groups(self) -> set[tuple[str, int]]:
        """The finished deal groups: match and deal."""
        return set(self._rows("SELECT DISTINCT match, deal FROM games"))

    def game_count(self) -> int:
        """How many games are finished."""
        return int(self._rows("SELECT count(*) FROM games")[0][0])

    def games(self) -> list[GameRow]:
        """The finished games, by deal and seating."""
        return _grouped(
            self._rows(f"SELECT {_GAME} FROM games JOIN sides USING (deal, seating) ORDER BY deal, seating, side")
        )

    def records(self) -> Iterator[tuple[str, bytes]]:
        """Id and record of each finished game, by deal and seating."""
        with told(self.path):
            # No `yield from`: that would close the cursor, of a store that may be closed before this generator is.
            for id_, record in self._connection.execute(
                "SELECT id, record FROM games JOIN records USING (id) ORDER BY deal, seating"
            ):
                yield str(id_), bytes(record)

    def units(self) -> list[UnitReport]:
        """The reports of the units, in the order in which they were stored."""
        columns = ", ".join(field.name for field in fields(InstanceReport))
        instances = _by_first(self._rows(f"SELECT unit, {columns} FROM instances ORDER BY rowid"))
        versions = _by_first(self._rows("SELECT unit, name, version, language FROM bots ORDER BY rowid"))
        return [
            UnitReport(
                delayed,
                late,
                tuple(InstanceReport(*values) for values in instances.get(number, ())),
                tuple(BotVersion(*values) for values in versions.get(number, ())),
            )
            for number, delayed, late in self._rows(
                "SELECT number, delayed, referee_delay_ms FROM units ORDER BY number"
            )
        ]

    def outcomes(self) -> Iterator[PlayedUnit]:
        """The units as they were stored, one after another, by number.

        Raises:
            UserError: an older arena has played some of it, and did not keep which games made a unit.
        """
        whole = "SELECT (SELECT count(*) FROM played) = (SELECT count(DISTINCT deal) FROM games)"
        kept = self._rows("SELECT 1 FROM sqlite_master WHERE name = 'played'")
        if not kept or not self._rows(whole)[0][0]:
            raise UserError(f"{self.path}: of an older version of arena, whose stores cannot be merged")
        numbers = self._rows("SELECT number FROM units ORDER BY number")
        for (number,), report in zip(numbers, self.units(), strict=True):
            rows = _grouped(
                self._rows(
                    f"SELECT {_GAME} FROM played JOIN games USING (deal) JOIN sides USING (deal, seating) "
                    "WHERE unit = ? ORDER BY deal, seating, side",
                    number,
                )
            )
            records = self._rows(
                "SELECT id, record FROM played JOIN games USING (deal) JOIN records USING (id) "
                "WHERE unit = ? ORDER BY deal, seating",
                number,
            )
            yield PlayedUnit(
                tuple(FinishedGame(id_, row, record) for row, (id_, record) in zip(rows, records, strict=True)), report
            )

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Inside, everything is read as it is now, whatever a run adds meanwhile."""
        with told(self.path):
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.execute("ROLLBACK")

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with told(self.path):
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with told(self.path), transaction(self._connection):
            yield

    def close(self) -> None:
        """Close the file."""
        with told(self.path):
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def part_of(shard: Shard | None) -> str:
    """How errors name what a store is for."""
    return "the whole tournament" if shard is None else f"shard {shard}"


def _create(connection: sqlite3.Connection, spec: Spec, shard: Shard | None, secret: bytes | None) -> None:
    """Begin a tournament: its secret is drawn here and nowhere else."""
    if secret is None:
        secret = secrets.token_bytes(32) if spec.seed is None else secret_of_seed(spec.seed)
    with transaction(connection):
        for statement in (*SCHEMA, LATER):
            connection.execute(statement)
        connection.executemany(
            "INSERT INTO facts VALUES (?, ?)",
            [("spec", dump_spec(spec)), ("fingerprint", fingerprint(spec)), ("secret", secret)],
        )
        if shard is not None:
            connection.execute("INSERT INTO facts VALUES ('shard', ?)", [str(shard)])
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {FORMAT}")


def _keep_spec(connection: sqlite3.Connection, spec: Spec) -> None:
    """Go on with a spec that was edited, in what decides no results or between rounds."""
    with transaction(connection):
        connection.executemany(
            "UPDATE facts SET value = ? WHERE name = ?",
            [(dump_spec(spec), "spec"), (fingerprint(spec), "fingerprint")],
        )


def _refuse_fragments(games: Sequence[FinishedGame], seatings: Seatings) -> None:
    """A deal group is evidence only as a whole."""
    there = {(game.row.match, game.row.deal, game.row.seating) for game in games}
    for game in games:
        for seating in range(len(seatings_of(len(game.row.bots), seatings))):
            if (game.row.match, game.row.deal, seating) not in there:
                raise ValueError(f"{game.id}: its deal group lacks seating {seating}")


def _sides(row: GameRow) -> Iterator[tuple[object, ...]]:
    for side, values in enumerate(zip(row.bots, row.placing, row.points, strict=True)):
        counts = row.faults[side], row.decisions[side], row.time_us[side]
        yield (row.deal, row.seating, side, *values, side in row.forfeited, *counts)


_GAME = "match, deal, seating, delayed, bot, placing, points, forfeited, faults, decisions, time_us"


def _grouped(rows: Iterable[tuple[Any, ...]]) -> list[GameRow]:
    """Games of rows of _GAME, those of one game one after another."""
    return [_row(game, sides) for game, sides in groupby(rows, key=lambda row: row[:4])]


def _row(game: tuple[Any, ...], sides: Iterable[tuple[Any, ...]]) -> GameRow:
    """The inverse of `_sides`."""
    match, deal, seating, delayed = game
    bots, placing, points, forfeited, faults, decisions, time_us = zip(*(side[4:] for side in sides), strict=True)
    lost = tuple(side for side, flag in enumerate(forfeited) if flag)
    return GameRow(match, deal, seating, bots, placing, points, lost, faults, decisions, time_us, bool(delayed))


def _by_first(rows: Iterable[tuple[Any, ...]]) -> dict[Any, list[tuple[Any, ...]]]:
    return {first: [row[1:] for row in found] for first, found in groupby(rows, key=lambda row: row[0])}


def _marks(count: int) -> str:
    return ", ".join("?" * count)
