"""The store: what it keeps, what it refuses, and that refusing changes nothing."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from aurum.common.errors import UserError
from aurum.formats.rounds import Bye, Match, TournamentRound
from aurum.referee.unit import InstanceReport
from aurum.results.played_unit import BotVersion, FinishedGame, PlayedUnit, UnitReport
from aurum.rules import commitment, secret_of_seed
from aurum.spec.fingerprint import fingerprint
from aurum.spec.stored_form import dump_spec, load_spec_json
from aurum.standings.stored import standings_of
from aurum.store.schema import VERSION
from aurum.store.store import FILE, Store
from tournament_rows import game_row
from tournament_runs import make_spec

ROUNDS = [
    TournamentRound(1, (Match("r1m1", 1, ("a", "b"), 0, 2), Match("r1m2", 1, ("c", "d"), 2, 2)), (Bye(1, "e"),)),
    TournamentRound(2, (Match("r2m1", 2, ("a", "c"), 4, 2), Match("r2m2", 2, ("b", "e"), 6, 2)), (Bye(2, "d"),)),
]
REPORT = UnitReport(
    delayed=1,
    referee_delay_ms=120,
    instances=(InstanceReport("a", 2, 1, 0, 3, "exited with code 0", "last words", 40, 0.5, 0.25),),
    versions=(BotVersion("a", "1.0", "python"),),
)


def outcome(match: str, deal: int, *, seatings: tuple[int, ...] = (0, 1)) -> PlayedUnit:
    """A deal group of a and b."""
    games = []
    for seating in seatings:
        bots = ("a", "b") if seating == 0 else ("b", "a")
        row = game_row(
            match, deal, seating, bots, (2, 1), points=(7, 12), forfeited=(0,), faults=(1, 0), time_us=(90, 80)
        )
        games.append(FinishedGame(f"cup/{match}/{deal}/{seating}", row, b"record %d" % seating))
    return PlayedUnit(tuple(games), REPORT)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store with two rounds scheduled and nothing played; pytest closes nothing, so tests do."""
    opened = Store.write(tmp_path, make_spec(tmp_path, "abcde"))
    opened.schedule(ROUNDS)
    return opened


def test_what_is_kept_comes_back_as_it_was(store: Store, tmp_path: Path) -> None:
    """Rounds, games, records and reports are equal after closing and opening."""
    later, earlier = outcome("r1m2", 2), outcome("r1m1", 1)
    with store:
        store.add(later)
        store.add(earlier)
    with Store.read(tmp_path) as again:
        assert again.rounds() == ROUNDS
        assert [game.row for game in (*earlier.games, *later.games)] == again.games()
        assert [(game.id, game.record) for game in (*earlier.games, *later.games)] == list(again.records())
        assert again.units() == [REPORT, REPORT]
        assert {("r1m1", 1), ("r1m2", 2)} == set(again.groups())
        assert again.game_count() == 4
        assert again.finished is None


def test_three_sides_are_kept(tmp_path: Path) -> None:
    """A table of three has three sides and three seatings."""
    spec = make_spec(tmp_path, "abc", tournament={"players": 3})
    rows = [game_row("r1m1", 0, seating, "abc", (1, 2, 2), points=(9, 4, 4)) for seating in range(3)]
    with Store.write(tmp_path, spec) as store:
        store.schedule([TournamentRound(1, (Match("r1m1", 1, ("a", "b", "c"), 0, 1),), ())])
        store.add(PlayedUnit(tuple(FinishedGame(f"cup/r1m1/0/{row.seating}", row, b"") for row in rows), REPORT))
        assert rows == store.games()


def test_half_the_permutations_are_no_deal_group(tmp_path: Path) -> None:
    """Where the spec wants six seatings, three are refused."""
    spec = make_spec(tmp_path, "abc", tournament={"players": 3, "seatings": "permutations"})
    rows = [game_row("r1m1", 0, seating, "abc", (1, 2, 2)) for seating in range(6)]
    games = [FinishedGame(f"cup/r1m1/0/{row.seating}", row, b"") for row in rows]
    with Store.write(tmp_path, spec) as store:
        store.schedule([TournamentRound(1, (Match("r1m1", 1, ("a", "b", "c"), 0, 1, spec.seatings),), ())])
        with pytest.raises(ValueError, match="its deal group lacks seating 3"):
            store.add(PlayedUnit(tuple(games[:3]), REPORT))
        store.add(PlayedUnit(tuple(games), REPORT))
        assert rows == store.games()


def test_a_game_is_kept_once(store: Store) -> None:
    """Adding a unit again raises and leaves everything as it was."""
    with store:
        store.add(outcome("r1m1", 0))
        with pytest.raises(ValueError, match="cannot keep the games"):
            store.add(outcome("r1m1", 0))
        assert (store.game_count(), len(store.units())) == (2, 1)


def test_a_unit_is_kept_whole_or_not_at_all(store: Store) -> None:
    """When the last of its games cannot be kept, nothing of the unit is: not even reports."""
    twice = outcome("r1m1", 0)
    with store:
        store.add(outcome("r1m1", 1))
        with pytest.raises(ValueError, match="cannot keep the games"):
            store.add(PlayedUnit(twice.games + outcome("r1m1", 1).games, REPORT))
        assert ({("r1m1", 1)}, 1) == (set(store.groups()), len(store.units()))


def test_half_a_deal_group_is_refused(store: Store) -> None:
    """A deal in one of its two seatings is no evidence."""
    with store:
        with pytest.raises(ValueError, match="cup/r1m1/0/1: its deal group lacks seating 0"):
            store.add(outcome("r1m1", 0, seatings=(1,)))
        assert store.game_count() == 0


def test_rounds_kept_before_must_be_the_first(store: Store) -> None:
    """Another pairing of a round that began is refused; more rounds are welcome."""
    third = TournamentRound(3, (Match("r3m1", 3, ("a", "d"), 8, 2),), ())
    with store:
        store.schedule([*ROUNDS, third])
        assert [*ROUNDS, third] == store.rounds()
        with pytest.raises(UserError, match="round 2 was paired differently"):
            store.schedule([ROUNDS[0], replace(third, number=2)])


def test_the_secret_comes_from_the_seed(store: Store) -> None:
    """With a seed the secret is its hash, and the commitment the secret's."""
    with store:
        assert secret_of_seed("test") == store.secret
        assert commitment(secret_of_seed("test")) == store.commitment


def test_a_drawn_secret_is_kept(tmp_path: Path) -> None:
    """Without a seed two tournaments differ, and one stays the same when opened again."""
    spec = replace(make_spec(tmp_path), seed=None)
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    with Store.write(tmp_path / "one", spec) as one, Store.write(tmp_path / "two", spec) as two:
        assert one.secret != two.secret
        first = one.secret
    with Store.write(tmp_path / "one", spec) as again:
        assert first == again.secret


def test_standings_show_the_secret_when_nothing_is_left_to_be_dealt(store: Store) -> None:
    """The commitment from the beginning, the secret from the end on."""
    with store:
        before = standings_of(store)
        store.finish()
        after = standings_of(store)
        assert (store.commitment, None) == (before.commitment, before.secret)
        assert (store.commitment, store.secret.hex()) == (after.commitment, after.secret)


def test_a_finished_store_is_one_plain_file(store: Store, tmp_path: Path) -> None:
    """Finishing is remembered, and leaves nothing beside the file, not even after reading."""
    with store:
        store.finish()
    with Store.read(tmp_path) as again:
        assert again.finished is not None
        again.games()
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_reading_while_it_is_written(store: Store, tmp_path: Path) -> None:
    """A reader sees what is stored so far and disturbs no writer."""
    with store, Store.read(tmp_path) as reader:
        store.add(outcome("r1m1", 0))
        assert reader.game_count() == 2
        store.add(outcome("r1m1", 1))
        assert reader.game_count() == 4


def test_run_settings_may_change(tmp_path: Path) -> None:
    """How fast it is played and what the table shows do not make it another tournament; the table follows."""
    Store.write(tmp_path, make_spec(tmp_path)).close()
    changed = make_spec(
        tmp_path,
        tournament={"anchor": "b", "rank_by": "points"},
        run={"workers": 7, "games_in_flight": 9, "memory_mb": 99},
    )
    Store.write(tmp_path, changed).close()
    with Store.read(tmp_path) as store:
        assert changed == store.spec


def damage(path: Path) -> None:
    """Overwrite the second half of the file."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2)
        file.write(b"\xa5" * (size - size // 2))


def garbage(path: Path) -> None:
    """Put something else in its place."""
    path.write_bytes(b"no database at all, whatever it is called\n" * 100)


def cut(path: Path) -> None:
    """Lose the second half of the file."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def query(*statements: str) -> Callable[[Path], None]:
    """Something that another program did to the file."""

    def act(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            for statement in statements:
                connection.execute(statement)
            connection.commit()

    return act


@pytest.mark.parametrize(
    ("harm", "sentence"),
    [
        (garbage, "not the store of a tournament (not an SQLite file)"),
        (damage, "damaged"),
        (cut, "damaged"),
        (query("PRAGMA application_id = 7"), "not the store of a tournament but another SQLite file"),
        (
            query("PRAGMA user_version = 99"),
            f"a store of version 99, and this arena knows versions up to {VERSION}: use the newer",
        ),
        (query("PRAGMA user_version = 0"), "damaged: there is no version 0 of a store"),
        (query("DROP TABLE sides"), "damaged: it lacks the SQL table sides"),
        (query("DROP TABLE entrant_events"), "damaged: it lacks the SQL table entrant_events"),
        (query("UPDATE facts SET value = 'x' WHERE name = 'spec'"), "damaged: it does not say which tournament"),
        (query("DELETE FROM facts WHERE name = 'secret'"), "damaged: it does not say which tournament"),
    ],
    ids=["garbage", "damaged", "cut", "other", "newer", "version", "table", "newest", "spec", "secret"],
)
def test_what_is_no_store_is_refused_and_left_alone(
    store: Store, tmp_path: Path, harm: Callable[[Path], None], sentence: str
) -> None:
    """One line that names the file; not a byte of it changes."""
    path = tmp_path / FILE
    with store:
        for deal in range(2):
            store.add(outcome("r1m1", deal))
        store.finish()
    harm(path)
    before = path.read_bytes()
    with pytest.raises(UserError) as refused:
        Store.write(tmp_path, make_spec(tmp_path, "abcde"))
    assert str(refused.value).startswith(f"{path}: {sentence}")
    assert "\n" not in str(refused.value)
    assert before == path.read_bytes()


@pytest.mark.parametrize(
    ("bots", "changes", "keys"),
    [
        ("ab", {"tournament": {"deals": 5}}, "tournament.deals"),
        ("ab", {"tournament": {"seed": "other", "names": True}}, "tournament.seed, tournament.names"),
        ("ab", {"clock": {"turn_ms": 7}}, "clock.turn_ms"),
        ("ab", {"tournament": {"anchor": "a"}, "clock": {"bank_ms": 7}}, "clock.bank_ms"),
        ("ab", {"ruleset": {"game_end": "three_rounds_total"}}, "ruleset.game_end"),
        ("abc", {}, "bots, bots[3].command, bots[3].folder, bots[3].env"),
        ("aX", {}, "bots, bots[2].command"),
    ],
)
def test_a_store_of_another_spec_is_refused(
    tmp_path: Path, bots: str, changes: dict[str, dict[str, object]], keys: str
) -> None:
    """The line names the keys that differ; nothing changes."""
    with Store.write(tmp_path, make_spec(tmp_path)) as store:
        store.finish()
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(UserError) as refused:
        Store.write(tmp_path, make_spec(tmp_path, bots, **changes))
    assert f"{tmp_path / FILE}: holds a tournament of another spec (different: {keys})" in str(refused.value)
    assert before == (tmp_path / FILE).read_bytes()


def test_killed_before_the_first_transaction(tmp_path: Path) -> None:
    """A file without content, or with nothing but WAL mode, is a store that never began: it begins now."""
    (tmp_path / FILE).touch()
    Store.write(tmp_path, make_spec(tmp_path)).close()
    (tmp_path / FILE).unlink()
    query("PRAGMA journal_mode = WAL")(tmp_path / FILE)
    with Store.write(tmp_path, make_spec(tmp_path)) as store:
        assert store.games() == []


def test_no_store_to_read(tmp_path: Path) -> None:
    """A folder without results is said to be one."""
    with pytest.raises(UserError, match="no such store: name the folder"):
        Store.read(tmp_path)


def test_spec_survives_json(tmp_path: Path) -> None:
    """Reading back what was written gives an equal spec, every default included."""
    plain = make_spec(tmp_path, "abc")
    rich = make_spec(
        tmp_path,
        "abc",
        tournament={"players": 3, "format": "swiss", "rounds": 1, "anchor": "b", "tolerated_faults": 2},
        ruleset={"preset": "german", "gold_zeros": False},
        clock={"bank_ms": 5},
    )
    assert [plain, rich] == [load_spec_json(dump_spec(plain)), load_spec_json(dump_spec(rich))]


OLDER = """{"tournament": {"name": "old", "format": "swiss", "players": 3, "rounds": 2, "deals": 20, "seed": "tea",
"tolerated_faults": 0, "names": false, "anchor": null}, "ruleset": {"preset": "designer", "gold_zeros": false,
"game_end": "first_to_two"}, "clock": {"turn_ms": 1000, "bank_ms": 0, "increment_ms": 0, "setup_ms": 30000,
"reconnect_grace_ms": 5000}, "run": {"workers": 0, "games_in_flight": 1, "unit_deals": 16, "memory_mb": 4096},
"bots": [{"name": "a", "command": ["true"], "folder": "/", "env": {}}, {"name": "b", "command": ["true"], "build": [],
"folder": "/", "env": {}}, {"name": "c", "command": ["true"], "build": [], "folder": "/", "env": {}}], "home": "/"}"""
"""What an arena kept of a spec before it knew of seatings, formats and builds that came later."""


def test_the_spec_of_an_older_store_is_read() -> None:
    """Keys that came later are what was so before, and the fingerprint is the one that was kept with it."""
    spec = load_spec_json(OLDER)
    assert ("old", "rotations", ()) == (spec.name, spec.seatings, spec.bots[0].build)
    assert "76b3a3694c1aefbf10e81b95cce06a59c438ada5a283b6404d8ee6e23425fcf2" == fingerprint(spec)
