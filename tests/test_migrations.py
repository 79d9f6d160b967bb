"""Stores of older arenas: read as they lie, migrated when they are written, whole or not at all."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from aurum.archive.audit import Audit
from aurum.archive.merging import merge
from aurum.cli.main import main
from aurum.common.errors import UserError
from aurum.schedule.shards import Shard
from aurum.standings.rendering import render
from aurum.standings.stored import standings_of
from aurum.store.database import DamageCheck
from aurum.store.entrants import EntrantEvent, EventKind, FieldEntry
from aurum.store.schema import VERSION
from aurum.store.store import FILE, Store
from aurum.v1.record_pb2 import GameRecord
from old_stores import NAMES, NO_UNITS, restore, spec_of
from tournament_runs import play_without_clocks, run

every_old_store = pytest.mark.parametrize("name", NAMES)


def content(store: Store) -> dict[str, Any]:
    """Everything that a store says."""
    try:
        played: object = list(store.played_units())
    except UserError as error:
        played = str(error).replace(str(store.path), FILE)
    return {
        "spec": store.spec,
        "facts": (store.fingerprint, store.secret, store.shard, store.finished),
        "entrants": (store.entrants(), store.entrant_events()),
        "rounds": store.rounds(),
        "games": (store.games(), set(store.groups()), store.totals(), store.game_count(), list(store.records())),
        "units": (store.units(), played),
        "standings": render(standings_of(store), "json"),
    }


def read(folder: Path) -> dict[str, Any]:
    """Everything that the store in a folder says."""
    with Store.read(folder, DamageCheck.WHOLE) as store:
        return content(store)


def without_details(games: tuple[object, ...]) -> tuple[object, ...]:
    """The games of a store, without the sentences of their faults, and what processes wrote, which was not kept."""
    *others, records = games
    assert isinstance(records, list)
    found = [GameRecord.FromString(record) for _, record in records]
    for record in found:
        for fault in record.faults:
            fault.ClearField("detail")
        for seat in record.seats:
            seat.ClearField("output")
    return (*others, found)


def version(folder: Path) -> int:
    """What the file says of itself."""
    with closing(sqlite3.connect(folder / FILE)) as database:
        return int(database.execute("PRAGMA user_version").fetchone()[0])


def migrated(name: str, folder: Path) -> Path:
    """The store, after an arena of today has opened it to play on."""
    restore(name, folder)
    with Store.read(folder) as store:
        spec, shard = store.spec, store.shard
    with Store.write(folder, spec, shard) as store:
        store.settle()
    return folder


@every_old_store
def test_reading_leaves_a_store_as_it_is(name: str, tmp_path: Path) -> None:
    """Not a byte changes, nothing lies beside it, and it says what it says once it is migrated."""
    folder = restore(name, tmp_path / "old")
    before = (folder / FILE).read_bytes()
    found = read(folder)
    assert main(["verify", str(folder)]) == 0
    assert (before, [FILE]) == ((folder / FILE).read_bytes(), [path.name for path in folder.iterdir()])
    new = migrated(name, tmp_path / "new")
    assert (found, int(name[1]), VERSION) == (read(new), version(folder), version(new))
    assert main(["verify", str(new)]) == 0


def test_an_old_store_says_what_it_said(tmp_path: Path) -> None:
    """Games, records, reports and standings are those of the same tournament, played today."""
    run(spec_of("v1-finished", tmp_path), tmp_path / "today", play=play_without_clocks)
    old, today = read(restore("v1-finished", tmp_path / "old")), read(tmp_path / "today")
    for key in "rounds", "standings":
        assert today[key] == old[key]
    assert today["units"][0] == old["units"][0]
    assert without_details(today["games"]) == without_details(old["games"])
    assert 12 == old["games"][3]


@every_old_store
def test_a_migrated_store_is_built_like_a_new_one(name: str, tmp_path: Path) -> None:
    """The same SQL tables and indices, word for word."""
    Store.write(tmp_path, spec_of(name, tmp_path)).close()

    def built(folder: Path) -> set[str]:
        with closing(sqlite3.connect(folder / FILE)) as database:
            return {
                " ".join(sql.split()) for (sql,) in database.execute("SELECT sql FROM sqlite_master WHERE sql > ''")
            }

    assert built(tmp_path) == built(migrated(name, tmp_path / "new"))


def test_entrants_of_an_old_store(tmp_path: Path) -> None:
    """They follow from its spec; when they came, nobody knows."""
    expected = [
        FieldEntry("a", 1, None, None),
        FieldEntry("b", 1, None, None),
        FieldEntry("c", 1, None, None),
        FieldEntry("d", 1, 1, None),
        FieldEntry("e", 2, None, None),
    ]
    with Store.read(migrated("v1-swiss-amended", tmp_path / "new")) as store:
        assert expected == store.entrants()
        assert EntrantEvent(None, "d", EventKind.WITHDREW, 2) in store.entrant_events()


@pytest.mark.parametrize("name", ["v1-unfinished", NO_UNITS])
def test_an_old_tournament_is_played_to_its_end(name: str, tmp_path: Path) -> None:
    """It ends as if one run had played it all, but for what it says of a bot that is benched by each run anew."""
    run(spec_of(name, tmp_path), restore(name, tmp_path / "old"), play=play_without_clocks)
    found, whole = read(tmp_path / "old"), read(restore("v1-finished", tmp_path / "whole"))
    for key in "rounds", "standings":
        assert whole[key] == found[key]
    assert without_details(whole["games"]) == without_details(found["games"])
    assert [] == list(Audit(tmp_path / "old").problems())


def test_an_old_swiss_is_amended_once_more(tmp_path: Path) -> None:
    """What is changed now has its time, beside what was before."""
    folder = restore("v1-swiss-amended", tmp_path / "old")
    spec = spec_of("v1-swiss-amended", tmp_path)
    run(spec, folder, play=play_without_clocks)
    with Store.read(folder) as store:
        assert ({None}, 3) == ({event.time for event in store.entrant_events()}, len(store.rounds()))
    assert [] == list(Audit(folder).problems())


def test_old_shards_are_merged(tmp_path: Path) -> None:
    """With each other, and with one that was played today: every time the whole tournament."""
    one, two = (restore(f"v1-shard-{number}-of-2", tmp_path / str(number)) for number in (1, 2))
    run(spec_of("v1-shard-2-of-2", tmp_path), tmp_path / "today", play=play_without_clocks, shard=Shard(2, 2))
    whole = read(restore("v1-finished", tmp_path / "whole"))
    merge([one, two], tmp_path / "old")
    merge([tmp_path / "today", one], tmp_path / "mixed")
    merge([one], tmp_path / "by and by")
    merge([tmp_path / "today"], tmp_path / "by and by")
    for folder in "old", "mixed", "by and by":
        found = read(tmp_path / folder)
        for key in "rounds", "standings":
            assert whole[key] == found[key]
        assert whole["games"][0] == found["games"][0]
        assert [FieldEntry(bot, 1, None, None) for bot in "Xab"] == found["entrants"][0]  # earlier than any known time
        assert [] == list(Audit(tmp_path / folder).problems())
    assert read(tmp_path / "mixed")["entrants"] == read(tmp_path / "by and by")["entrants"]
    assert (1, 1) == (version(one), version(two))


def test_a_store_that_does_not_know_its_units(tmp_path: Path) -> None:
    """It can be read and played on, but not merged, neither before nor after."""
    folder = restore(NO_UNITS, tmp_path / "old")
    refused = r"old/tournament.sqlite: of an older version of arena, whose stores cannot be merged"
    with pytest.raises(UserError, match=refused):
        merge([folder], tmp_path / "out")
    run(spec_of(NO_UNITS, tmp_path), folder, play=play_without_clocks)
    with pytest.raises(UserError, match=refused):
        merge([folder], tmp_path / "out")
    assert not list((tmp_path / "out").iterdir())


def test_a_store_that_is_migrated_while_it_is_read(tmp_path: Path) -> None:
    """The reader goes on, and sees what comes."""
    folder = restore("v1-unfinished", tmp_path / "old")
    with Store.read(folder) as reader:
        before = reader.game_count(), reader.entrants()
        run(spec_of("v1-unfinished", tmp_path), folder, play=play_without_clocks)
        assert ((6, 12), before[1]) == ((before[0], reader.game_count()), reader.entrants())
        assert reader.finished is not None


def test_a_store_of_another_spec_is_not_migrated(tmp_path: Path) -> None:
    """What is refused stays as it is."""
    folder = restore("v1-unfinished", tmp_path / "old")
    before = (folder / FILE).read_bytes()
    with pytest.raises(UserError, match="another spec"):
        Store.write(folder, spec_of("v1-swiss-amended", tmp_path))
    assert before == (folder / FILE).read_bytes()


KILLED = """
import os, shutil, signal, sys
from pathlib import Path
from aurum.store import store

folder = Path(sys.argv[1])
with store.Store.read(folder) as kept:
    spec = kept.spec
left = 0

def opened(path, writer=store.writer):
    connection = writer(path)
    connection.set_trace_callback(execute)
    return connection

def execute(sql):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)

store.writer = opened
for statement in range(1, 100):
    copy = Path(shutil.copytree(folder, f"{folder} {statement:02}"))
    process = os.fork()
    if not process:
        left = statement
        store.Store.write(copy, spec).close()
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if code != -signal.SIGKILL:
        sys.exit(code)
"""
"""Opens copies of a store for writing, each in a process that is killed one statement later than the one before."""


@pytest.mark.process
def test_killed_at_any_statement(tmp_path: Path) -> None:
    """The store is of the old version or of the new one, and says the same; once more, and it is of the new one."""
    folder = restore("v1-unfinished", tmp_path / "old")
    expected = read(folder)
    subprocess.run([sys.executable, "-c", KILLED, str(folder)], timeout=100, check=True)
    copies = sorted(tmp_path.glob("old *"))
    versions = [version(copy) for copy in copies]
    assert sorted(versions) == versions  # once it is committed, it stays
    assert {1, VERSION} == {*versions}
    assert versions.count(1) > 5
    for copy in copies:
        assert expected == read(copy)
        Store.write(copy, spec_of("v1-unfinished", tmp_path)).close()
        assert (expected["games"], VERSION) == (read(copy)["games"], version(copy))
