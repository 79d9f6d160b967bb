"""The store: everything that a tournament keeps, in DIR/tournament.sqlite.

What was decided (spec, secret), who takes part since when (events of entrants), what is scheduled (matches, byes), what
was played (games, sides, records) and how the bots' processes did (units, instances, bots). A game is there once or not
at all, its deal group whole or not at all: standings and ratings are computed from here and from nowhere else.
"""

import secrets
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from aurum.common.errors import UserError
from aurum.formats.rounds import TournamentRound
from aurum.results.game_arrays import GameArrays
from aurum.results.game_row import GameRow
from aurum.results.match_totals import Totals
from aurum.results.played_unit import PlayedUnit, UnitReport
from aurum.results.process_health import ProcessHealth
from aurum.results.voiding import Voiding
from aurum.rules import commitment, secret_of_seed
from aurum.schedule.schedule import group_size
from aurum.schedule.shards import Shard, part_name
from aurum.spec.fingerprint import changed_keys, fingerprint, is_amended
from aurum.spec.spec import Spec
from aurum.spec.stored_form import dump_spec, load_spec_json
from aurum.store.columns import insert, rows_of, select
from aurum.store.database import DamageCheck, closed_on_error, reader, transaction, user_errors, writer
from aurum.store.entrants import EntrantEvent, EventKind, FieldEntry, changes, entrants_of
from aurum.store.migrations import complete_for_reading, migrate
from aurum.store.schema import create_tables
from aurum.store.stored_arrays import select_arrays
from aurum.store.stored_health import note_anew, note_now_and_then, select_health
from aurum.store.stored_rounds import insert_rounds, select_rounds
from aurum.store.stored_totals import (
    StoredGroups,
    add_to_totals,
    count_anew,
    select_game_count,
    select_groups,
    select_totals,
)
from aurum.store.stored_units import (
    StoredFaults,
    StoredGame,
    delete_groups,
    insert_unit,
    number_by_deals,
    select_finished_games,
    select_games,
    select_records,
    select_reports,
    select_units,
    units_are_known,
)

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
    def read(cls, folder: Path, check: DamageCheck = DamageCheck.NOTHING) -> Self:
        """Open the store in `folder` for reading, whether or not it is being played, after a check for damage.

        Raises:
            UserError: there is none, or it cannot be read.
        """
        path = folder / FILE
        store = cls._reading(path, check)
        if store is None:
            raise UserError(f"{path}: no such store: name the folder that `arena tournament run` put its results in")
        return store

    @classmethod
    def write(
        cls,
        folder: Path,
        spec: Spec,
        shard: Shard | None = None,
        secret: bytes | None = None,
        entrant_events: Collection[EntrantEvent] = (),
    ) -> Self:
        """Open the store in `folder` to play `spec`, or begin one. An older store is migrated.

        Args:
            folder: where it is.
            spec: the tournament.
            shard: the part of it that the store is for; None for all of it.
            secret: of a tournament that has begun elsewhere.
            entrant_events: of such a tournament; without them its bots enter when the store begins.

        Raises:
            UserError: it cannot be written, is damaged, or holds another tournament; nothing was changed then. A spec
                that differs as `amend` allows takes the place of the one before.
        """
        path = folder / FILE
        kept = cls._reading(path, DamageCheck.WHERE_A_RUN_GOES_ON)
        if kept is not None:
            with kept:
                kept._refuse_other_spec(spec)
                kept._refuse_other_shard(shard)
        with user_errors(path), closed_on_error(writer(path)) as connection:
            if kept is None:
                _create(connection, spec, shard, secret, entrant_events)
            else:
                migrate(connection)
            store = cls(path, connection)
            store.amend(spec)
            return store

    @classmethod
    def _reading(cls, path: Path, check: DamageCheck) -> Self | None:
        connection = reader(path, check)
        if connection is None:
            return None
        with user_errors(path), closed_on_error(connection):
            store = cls(path, connection)
            complete_for_reading(connection)
            return store

    def amend(self, spec: Spec) -> None:
        """Go on with an edited spec. Bots that it enters or withdraws do so now: their events are kept with it.

        Raises:
            UserError: it differs in what decides results, and was not edited between the rounds of a Swiss
                (`fingerprint.is_amended`); nothing was changed.
        """
        if spec == self.spec:
            return
        self._refuse_other_spec(spec)
        with self._transaction():
            self._connection.executemany(
                "UPDATE facts SET value = :value WHERE name = :name",
                [{"name": "spec", "value": dump_spec(spec)}, {"name": "fingerprint", "value": fingerprint(spec)}],
            )
            self._insert_events(changes(self.entrant_events(), spec.bots))
        self.spec, self.fingerprint = spec, fingerprint(spec)

    def _refuse_other_spec(self, spec: Spec) -> None:
        paired = max((round_.number for round_ in self.rounds()), default=0)
        if self.fingerprint != fingerprint(spec) and not is_amended(self.spec, spec, paired):
            keys = ", ".join(changed_keys(self.spec, spec)) or "what another version of arena decides by itself"
            raise UserError(
                f"{self.path}: holds a tournament of another spec (different: {keys}): "
                "put the spec back, or play into another folder"
                + (f" (bots may join a {spec.format} from round {paired + 1} on)" if spec.format.amendable else "")
            )

    def _refuse_other_shard(self, shard: Shard | None) -> None:
        if self.shard != shard:
            raise UserError(
                f"{self.path}: holds {part_name(self.shard)}, not {part_name(shard)}: "
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
                self._connection.execute("INSERT OR IGNORE INTO facts (name, value) VALUES ('finished', ?)", [now])
        self.settle()

    def settle(self) -> None:
        """Make it a plain single file, which can be read from any medium; a reader may keep it from becoming one."""
        with suppress(sqlite3.OperationalError):
            self._connection.execute("PRAGMA journal_mode = DELETE")

    def entrants(self) -> list[FieldEntry]:
        """Who takes part in which rounds, and since when: what all events come to. Sorted by name."""
        return entrants_of(self.entrant_events())

    def entrant_events(self) -> list[EntrantEvent]:
        """Who entered and who withdrew, and when, in the order of time."""
        with user_errors(self.path):
            found = select(self._connection, EntrantEvent, "FROM entrant_events")
        return sorted((replace(event, event=EventKind(event.event)) for event in found), key=lambda event: event.order)

    def _insert_events(self, events: Iterable[EntrantEvent]) -> None:
        insert(self._connection, "entrant_events", rows_of(EntrantEvent, events))

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
        insert_rounds(self._connection, rounds[len(kept) :])

    def rounds(self) -> list[TournamentRound]:
        """The rounds that are scheduled, in order."""
        with user_errors(self.path):
            return select_rounds(self._connection, [bot.name for bot in self.spec.bots], self.spec.seatings)

    def add(self, unit: PlayedUnit) -> None:
        """Keep what came of a unit: all of it or, whatever happens, nothing.

        Raises:
            ValueError: a deal group is not whole, or a game is there already; nothing was kept.
        """
        with self._transaction():
            self._add(unit)

    def absorb(
        self,
        rounds: Sequence[TournamentRound],
        units: Iterable[PlayedUnit],
        entrant_events: Iterable[EntrantEvent],
        voidings: Iterable[Voiding],
    ) -> None:
        """Schedule rounds, keep many units, and events and voidings that are new: all or, whatever happens, nothing.

        Afterwards units are in the order of their deals, so that it does not matter in which order they came.

        Raises:
            UserError, ValueError: as `schedule` and `add` do.
        """
        with self._transaction():
            self._schedule(rounds)
            for unit in units:
                self._add(unit)
            number_by_deals(self._connection)
            note_anew(self._connection, self.spec.clock.turn_ms)
            self._insert_events(set(entrant_events).difference(self.entrant_events()))
            insert(self._connection, "voidings", rows_of(Voiding, set(voidings).difference(self.voidings())))

    def _add(self, unit: PlayedUnit) -> None:
        unit.refuse_fragments(group_size(self.spec))
        try:
            number = insert_unit(self._connection, unit)
            add_to_totals(self._connection, [game.row for game in unit.games])
            note_now_and_then(self._connection, number, self.spec.clock.turn_ms)
        except sqlite3.IntegrityError as error:
            raise ValueError(f"cannot keep the games {[game.id for game in unit.games]}: {error}") from error

    def void(self, voiding: Voiding, deals: Collection[int]) -> None:
        """Take these deal groups out again, and note that: who goes on with the run plays them anew."""
        with self._transaction():
            for match in delete_groups(self._connection, deals):
                count_anew(self._connection, match, select_games(self._connection, match))
            self._connection.execute("DELETE FROM facts WHERE name = 'finished'")
            note_anew(self._connection, self.spec.clock.turn_ms)
            insert(self._connection, "voidings", rows_of(Voiding, [voiding]))

    def voidings(self) -> list[Voiding]:
        """What was taken out again, in the order of time."""
        with user_errors(self.path):
            return sorted(select(self._connection, Voiding, "FROM voidings"))

    def groups(self) -> StoredGroups:
        """The finished deal groups: match and deal."""
        with user_errors(self.path):
            return select_groups(self._connection, group_size(self.spec))

    def game_count(self) -> int:
        """How many games are finished."""
        with user_errors(self.path):
            return select_game_count(self._connection)

    def totals(self) -> Totals:
        """What the finished games of each match come to."""
        with user_errors(self.path):
            return select_totals(self._connection)

    def game_arrays(self) -> GameArrays:
        """The finished games, by deal and seating: much smaller than the same games as rows.

        Raises:
            UserError: some of it is missing.
        """
        with user_errors(self.path):
            try:
                return select_arrays(self._connection, self.spec.side_count)
            except ValueError as error:
                raise UserError(f"{self.path}: damaged: {error}") from None

    def games(self) -> list[GameRow]:
        """The finished games, by deal and seating."""
        with user_errors(self.path):
            return select_games(self._connection)

    def records(self, bot: str | None = None) -> Iterator[tuple[str, bytes]]:
        """Id and record of each finished game, or of each of a bot's, by deal and seating."""
        with user_errors(self.path):
            yield from select_records(self._connection, bot)

    def finished_games(self) -> Iterator[StoredGame]:
        """The finished games, by deal and seating, one after another."""
        with user_errors(self.path):
            yield from select_finished_games(self._connection)

    def faults(self) -> StoredFaults:
        """The games with faults."""
        return StoredFaults(self.path, self._connection)

    def units(self) -> list[UnitReport]:
        """The reports of the units, in the order in which they were stored."""
        with user_errors(self.path):
            return [report for _, report in select_reports(self._connection)]

    def health(self) -> ProcessHealth:
        """How the bots' processes and the machine behaved in all units so far."""
        with user_errors(self.path):
            return select_health(self._connection, self.spec.clock.turn_ms)

    def played_units(self) -> Iterator[PlayedUnit]:
        """The units as they were stored, one after another, by number.

        Raises:
            UserError: an older arena has played some of it, and did not keep which games made a unit.
        """
        with user_errors(self.path):
            if not units_are_known(self._connection):
                raise UserError(f"{self.path}: of an older version of arena, whose stores cannot be merged")
            yield from select_units(self._connection)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Inside, everything is read as it is now, whatever a run adds meanwhile."""
        with user_errors(self.path):
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.execute("ROLLBACK")

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        with user_errors(self.path):
            return self._connection.execute(query).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with user_errors(self.path), transaction(self._connection):
            yield

    def close(self) -> None:
        """Close the file."""
        with user_errors(self.path):
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _create(
    connection: sqlite3.Connection,
    spec: Spec,
    shard: Shard | None,
    secret: bytes | None,
    entrant_events: Collection[EntrantEvent],
) -> None:
    """Begin a tournament: its secret is drawn here and nowhere else."""
    if secret is None:
        secret = secrets.token_bytes(32) if spec.seed is None else secret_of_seed(spec.seed)
    facts: dict[str, object] = {"spec": dump_spec(spec), "fingerprint": fingerprint(spec), "secret": secret}
    if shard is not None:
        facts["shard"] = str(shard)
    with transaction(connection):
        create_tables(connection)
        insert(connection, "facts", [{"name": name, "value": value} for name, value in facts.items()])
        insert(connection, "entrant_events", rows_of(EntrantEvent, entrant_events or changes((), spec.bots)))
