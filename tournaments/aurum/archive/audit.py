"""Checks whether recorded games are what they claim to be, each by itself and all of them together.

Together: ids are unique, deal groups are whole and their seatings turn as they should, a deal has one key. In a
tournament's folder also: keys follow from the secret, pairings from the results, rows from the records.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from aurum.archive.checking import Checked, check_all
from aurum.archive.games import Entry, entries, stored_entries
from aurum.common.texts import counted
from aurum.formats.options import Seatings
from aurum.formats.rounds import seatings_of
from aurum.results.game_row import GameRow
from aurum.results.match_totals import by_match
from aurum.rules import deal_key, secret_of_seed
from aurum.schedule.jobs import missing_deals
from aurum.schedule.schedule import rounds_ready
from aurum.spec.fingerprint import fingerprint
from aurum.store.entrants import disagreements
from aurum.store.store import Store


class Audit:
    """An audit of the games at `path`: a folder, a file, or `-`. After `problems` is exhausted, `games` counts them.

    Args:
        path: where they are.
        secret: from which their deals are to follow; a folder has its own.
        processes: to run games again in.
    """

    def __init__(self, path: Path, secret: bytes | None = None, processes: int = 1) -> None:
        self.games = 0
        self._path = path
        self.secret = secret
        self._processes = processes
        self._ids: Counter[str] = Counter()
        self._keys: defaultdict[tuple[str, int], set[bytes]] = defaultdict(set)
        self._groups: defaultdict[str, dict[int, tuple[str, ...]]] = defaultdict(dict)
        self._seatings: defaultdict[str, Seatings] = defaultdict(lambda: Seatings.ROTATIONS)

    def problems(self) -> Iterator[str]:
        """Everything that is wrong, a sentence each, beginning with where it is.

        Raises:
            UserError: there is nothing to read, or what is there is no record.
        """
        if not self._path.is_dir():
            yield from self._check_games(entries(self._path))
            return
        with Store.read(self._path) as store, store.frozen():  # a run may go on meanwhile
            self.secret = self.secret or store.secret
            self._seatings[store.spec.name] = store.spec.seatings
            yield from self._check_games(stored_entries(store))
            if self.games != (counted_games := store.game_count()):
                yield f"{store.path}: {counted_games} games are counted, but there are {self.games} records"
            yield from _store_problems(store)

    def _check_games(self, found: Iterator[Entry]) -> Iterator[str]:
        for checked in check_all(found, self._processes):
            self.games += 1
            for problem in checked.problems:
                yield f"{checked.label}: {problem}"
            if self.secret is not None and checked.deal_key != deal_key(self.secret, checked.deal):
                yield f"{checked.label}: the deal key is not what the secret gives for deal {checked.deal}"
            if checked.row is not None:
                self._enter(checked, checked.row)
            for problem in checked.row_problems:
                yield f"{checked.label}: {problem}"
        yield from self._problems_together()

    def _enter(self, checked: Checked, row: GameRow) -> None:
        tournament, group = checked.id.split("/")[0], checked.id.rpartition("/")[0]
        self._ids[checked.id] += 1
        self._keys[tournament, checked.deal].add(checked.deal_key)
        self._groups[group][row.seating] = checked.bots
        if row.seating > 2:  # a file does not say which seatings its tournament has
            self._seatings[tournament] = Seatings.PERMUTATIONS

    def _problems_together(self) -> Iterator[str]:
        for id_, count in self._ids.items():
            if count > 1:
                yield f"{id_}: is there {count} times"
        for (tournament, deal), keys in self._keys.items():
            if len(keys) > 1:
                yield f"{tournament}: deal {deal} has {len(keys)} different keys"
        deals = Counter(key for keys in self._keys.values() for key in keys)
        for key, count in deals.items():
            if count > 1:
                yield f"{count} deals have the same key, {key.hex()}"
        for group, seatings in self._groups.items():
            sides = 3 if len(next(iter(seatings.values()))) == 3 else 2
            expected = seatings_of(sides, self._seatings[group.split("/")[0]])
            for missing in sorted(set(range(len(expected))) - seatings.keys()):
                yield f"{group}: seating {missing} is missing"
            first = seatings.get(0)  # there, seat and bot of the match have one number
            for number, bots in seatings.items():
                if number >= len(expected) or (first and bots != tuple(first[bot] for bot in expected[number])):
                    yield f"{group}/{number}: the seats are not those of seating {number}"


def _store_problems(store: Store) -> Iterator[str]:
    spec, rounds = store.spec, store.rounds()
    if spec.seed is not None and store.secret != secret_of_seed(spec.seed):
        yield f"{store.path}: the secret is not what the seed gives"
    if store.fingerprint != fingerprint(spec):
        yield f"{store.path}: the spec is not the one that the store began with"
    for bot in disagreements(store.entrants(), spec.bots):
        yield f"{store.path}: by its events, {bot} was entered for other rounds, or not at all, than the spec says"
    totals = by_match([store.game_arrays()])
    if totals != store.totals():
        yield f"{store.path}: the totals of its matches are not what its games come to"
    paired = rounds_ready(spec, store.secret, totals)
    if rounds != paired[: len(rounds)]:
        yield f"{store.path}: the rounds are not what the spec, the secret and the results give"
    if store.finished is not None:
        for match, deals in missing_deals(paired, store.groups()).items():
            lacking = counted(len(deals) * len(match.all_seatings), "game")
            yield f"{store.path}: is said to be finished, but {match.id} lacks {lacking}"
