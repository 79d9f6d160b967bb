"""Faults explained: in a list, under the standings, and in folders for the bots' authors."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from aurum.archive.faults import faults_of, first_faults, turn_of
from aurum.archive.handout import FILES, write_handouts
from aurum.cli.main import main
from aurum.common.errors import UserError
from aurum.records.json_lines import from_line
from aurum.store.store import Store
from aurum.v1.record_pb2 import GameRecord
from tournament_runs import make_spec, run


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished tournament of which X could not start: two matches of two games each."""
    folder = tmp_path_factory.mktemp("faults")
    run(make_spec(folder, "abX", tournament={"deals": 1}), folder / "out", play_without=lambda bots: True)
    return folder / "out"


@pytest.fixture
def store(played: Path) -> Iterator[Store]:
    with Store.read(played) as opened:
        yield opened


def test_every_fault_is_found_where_it_is(store: Store) -> None:
    """All of the records', in their order, with what the process wrote."""
    records = [GameRecord.FromString(record) for _, record in store.records()]
    expected = [(record.id, fault.seat, fault.round, fault.detail) for record in records for fault in record.faults]
    found = list(faults_of(store, "X"))
    assert 8 == len(expected)
    assert expected == [(fault.game, fault.seat, fault.round, fault.sentence) for fault in found]
    assert {("start failed", 1, "looking for it\nno such file: missing")} == {
        (fault.kind, fault.turn, fault.output) for fault in found
    }
    assert [] == list(faults_of(store, "a"))


def test_turns_are_counted_as_the_seat_was_asked() -> None:
    """Its own moves, and those of the stand-in after earlier faults; not the end of a round that was forced."""
    record = GameRecord()
    first, second = record.rounds.add(), record.rounds.add()
    for seat in (0, 1, 0, 1):
        first.moves.add(seat=seat)
    first.moves[2].by_referee = True  # after a fault
    first.moves.add(seat=1, by_referee=True)  # the forced end of the round
    second.moves.add(seat=1)
    record.faults.add(seat=0, round=1, move=2)
    record.faults.add(seat=1, round=2, move=1)
    record.faults.add(seat=0, round=2, move=2)
    assert [2, 4, 3] == [turn_of(record, fault) for fault in record.faults]


def test_the_first_fault_stands_under_the_table(store: Store) -> None:
    """Of each bot that had any, with how many more there are."""
    first = next(faults_of(store, "X"))
    place = first.game.removeprefix("cup/")
    sentence = f"X, first fault: {place}, seat {first.seat}: start failed: no such file: missing (7 more faults)"
    assert [sentence] == list(first_faults(store))


def test_the_list(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each fault with its place; what a process wrote once, where it is the same."""
    assert 0 == main(["tournament", "faults", str(played)])
    lines = capsys.readouterr().out.splitlines()
    assert "X: 8 faults in 4 games: 8 start failed" == lines[0]
    assert 8 == sum("round 1, turn 1: start failed: no such file: missing" in line for line in lines)
    assert 1 < lines.count("    | looking for it") + sum("it wrote the same as in" in line for line in lines) == 8
    assert 0 == main(["tournament", "faults", str(played), "--bot", "a"])
    assert "a: no faults\n" == capsys.readouterr().out
    assert 0 == main(["tournament", "faults", str(played), "--format", "json"])
    assert 8 == len(json.loads(capsys.readouterr().out))
    assert 2 == main(["tournament", "faults", str(played), "--bot", "Y"])
    assert "no bot is called 'Y'" in capsys.readouterr().err


def test_nobody_was_at_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """That is said, and nothing stands under the table."""
    run(make_spec(tmp_path, tournament={"deals": 1}), tmp_path / "out")
    assert 0 == main(["tournament", "faults", str(tmp_path / "out")])
    assert "no faults\n" == capsys.readouterr().out
    with Store.read(tmp_path / "out") as store:
        assert [] == list(first_faults(store))


def test_what_authors_are_handed(played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder for each bot: its faults, its games as records and as text, its figures; nothing is overwritten."""
    out = tmp_path / "handout"
    assert 0 == main(["tournament", "faults", str(played), "--out", str(out)])
    assert ["X", "a", "b"] == sorted(folder.name for folder in out.iterdir())
    assert all(sorted(FILES) == sorted(file.name for file in folder.iterdir()) for folder in out.iterdir())
    with Store.read(played) as store:
        records = [GameRecord.FromString(record) for _, record in store.records()]
    for bot in "Xab":
        own = [record for record in records if bot in [seat.bot for seat in record.seats]]
        assert own == [from_line(line) for line in (out / bot / "games.jsonl").read_text().splitlines()]
        text = (out / bot / "games.txt").read_text()
        assert [f"Game {record.id}" for record in own] == [li for li in text.splitlines() if li.startswith("Game ")]
        figures = json.loads((out / bot / "figures.json").read_text())
        assert (bot, 4, 2) == (figures["bot"], figures["games"], len(figures["matches"]))
    assert "forfeits  " in (out / "X" / "figures.txt").read_text()
    assert 8 == len(json.loads((out / "X" / "faults.json").read_text()))
    assert "a: no faults\n" == (out / "a" / "faults.txt").read_text()
    capsys.readouterr()
    assert 2 == main(["tournament", "faults", str(played), "--out", str(out), "--bot", "a"])
    assert f"{out / 'a'}: is there already: remove it, or give another folder" in capsys.readouterr().err


def test_hands_are_not_shown_while_games_are_to_be_played(tmp_path: Path) -> None:
    """Unless the organiser says so."""
    spec = make_spec(tmp_path, "abcX", tournament={"format": "swiss", "rounds": 2, "deals": 1})
    run(spec, tmp_path / "out", until_round=1, play_without=lambda bots: True)
    with Store.read(tmp_path / "out") as store:
        with pytest.raises(UserError, match="give --unfinished"):
            write_handouts(store, ["a"], tmp_path / "handout")
        assert [tmp_path / "handout" / "a"] == write_handouts(store, ["a"], tmp_path / "handout", unfinished=True)


def test_a_folder_that_cannot_be_written(store: Store, tmp_path: Path) -> None:
    """One sentence."""
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UserError, match="cannot be written: Not a directory"):
        write_handouts(store, ["a"], tmp_path / "file")
