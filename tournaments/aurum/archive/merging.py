"""Puts the stores of one tournament together: a union of units and of entrants' events, whose order does not matter.

A unit is there once however often it comes, so a shard that is merged twice, or once in part and later whole, changes
nothing. Deal groups that were played twice with different records, as by two jobs for one shard, are refused: nobody
but the organiser can say which of them count.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from aurum.common.errors import UserError
from aurum.formats.rounds import TournamentRound
from aurum.results.played_unit import PlayedUnit
from aurum.results.voiding import Voiding
from aurum.schedule.jobs import missing_deals
from aurum.schedule.schedule import rounds_ready
from aurum.schedule.shards import Shard, deal_total, game_total
from aurum.spec.fingerprint import changed_keys
from aurum.spec.spec import Spec
from aurum.spec.stored_form import dump_spec
from aurum.store.database import DamageCheck
from aurum.store.entrants import EntrantEvent
from aurum.store.locking import claimed
from aurum.store.store import FILE, Store


@dataclass(frozen=True)
class Merged:
    """What is in the store afterwards: games, of how many, and the shards of which some or all is missing."""

    games: int
    total: int
    lacking: tuple[str, ...]


def merge(folders: Sequence[Path], out: Path) -> Merged:
    """Put the stores in `folders` together in `out`, which may hold some of the tournament already.

    All or nothing, whatever happens; the stores that are read stay as they are, and may be played meanwhile.

    Raises:
        UserError: they are not of one tournament, deal groups differ, or a file cannot be read or written.
    """
    with claimed(out):
        survey = _Survey()
        for folder in [out, *folders] if (out / FILE).exists() else folders:
            survey.visit(folder)
        with Store.write(out, survey.spec, secret=survey.secret, entrant_events=survey.entrant_events) as store:
            units = survey.units([folder for folder in folders if folder != out])
            store.absorb(survey.rounds, units, survey.entrant_events, survey.voidings)
            groups = store.groups()
            rounds = rounds_ready(store.spec, store.secret, store.totals())
            if missing_deals(rounds, groups):
                store.settle()
            else:
                store.finish()
            lacking = tuple(_lacking(survey.shards, {deal for _, deal in groups}, deal_total(store.spec)))
            return Merged(store.game_count(), game_total(store.spec), lacking)


class _Survey:
    """What the stores hold: read before anything is written."""

    spec: Spec
    """Of what does not decide results they may say different things; then it is one of them, whatever their order."""
    secret: bytes

    def __init__(self) -> None:
        self.rounds: list[TournamentRound] = []
        self.entrant_events: set[EntrantEvent] = set()
        self.voidings: set[Voiding] = set()
        self.shards: set[Shard] = set()
        self._first: Path | None = None
        self._units: dict[int, tuple[bytes, Path]] = {}
        """By deal: the digest of its unit, and where it was first found."""

    def visit(self, folder: Path) -> None:
        """Take note of a store. Raises UserError if it does not go with those before."""
        with Store.read(folder, DamageCheck.WHOLE) as store, store.frozen():
            if self._first is None:
                self._first, self.spec, self.secret = store.path, store.spec, store.secret
                self._fingerprint = store.fingerprint
            self._refuse_another(store)
            self.spec = min(self.spec, store.spec, key=dump_spec)
            if store.shard is not None:
                self.shards.add(store.shard)
            rounds = store.rounds()
            if any(ours != theirs for ours, theirs in zip(self.rounds, rounds, strict=False)):
                raise UserError(f"{store.path}: its rounds were paired differently than those of {self._first}")
            self.rounds = max(self.rounds, rounds, key=len)
            self.entrant_events.update(store.entrant_events())
            self.voidings.update(store.voidings())
            for unit in store.played_units():
                self._take_note(store.path, unit)

    def units(self, folders: Sequence[Path]) -> Iterator[PlayedUnit]:
        """Each unit that was first found in one of these folders, once; not what came to them since."""
        kept = {digest for digest, _ in self._units.values()}
        for folder in folders:
            with Store.read(folder) as store, store.frozen():
                for unit in store.played_units():
                    digest = _digest(unit)
                    if digest in kept and self._units[unit.games[0].row.deal][1] == store.path:
                        kept.discard(digest)
                        yield unit

    def _refuse_another(self, store: Store) -> None:
        if store.fingerprint != self._fingerprint:
            keys = ", ".join(changed_keys(self.spec, store.spec)) or "what another version of arena decides by itself"
            raise UserError(f"{store.path}: is of another tournament than {self._first} (different: {keys})")
        if store.secret != self.secret:
            raise UserError(
                f"{store.path}: has other deals than {self._first}: each run drew its own, since the spec has no "
                "tournament.seed"
            )

    def _take_note(self, path: Path, unit: PlayedUnit) -> None:
        digest = _digest(unit)
        for game in unit.games:
            other, where = self._units.setdefault(game.row.deal, (digest, path))
            if other != digest:
                raise UserError(
                    f"{game.id.rpartition('/')[0]}: was played twice, with different records, in {where} and {path}: "
                    "leave one of them out"
                )


def _digest(unit: PlayedUnit) -> bytes:
    return sha256(repr(unit).encode()).digest()


def _lacking(shards: set[Shard], deals: set[int], total: int) -> Iterator[str]:
    """What is missing of the shards, if all stores are of one division."""
    counts = {shard.count for shard in shards}
    for count in counts if len(counts) == 1 else ():
        for number in range(1, count + 1):
            shard = Shard(number, count)
            there = len(deals.intersection(shard.deals(total)))
            if there < len(shard.deals(total)):
                yield f"{'some of' if there else 'all of'} {shard}"
