"""The command line: what each command prints and exits with, and that every mistake is one line."""

import io
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import click
import pytest
from aurum.cli import running
from aurum.cli.main import Commands, arena, main
from aurum.cli.progress import ShownProgress
from aurum.cli.tournament.plan import PlanProgress
from aurum.common.errors import RunError, UserError
from aurum.records.json_lines import from_line, to_line
from aurum.records.walk import Moved, walk
from aurum.rules import Phase
from aurum.spec.spec import Spec
from aurum.store.store import FILE, Store
from aurum.v1.record_pb2 import GameRecord
from tournament_runs import make_spec, run
from wcwidth import wcswidth

EXAMPLES = Path(__file__).parent.parent / "example_bots"
HELP = Path(__file__).parent / "data" / "help.txt"

SPEC = """
[tournament]
name = "cup"
format = "round_robin"
deals = 4
seed = "test"
[[bots]]
name = "a"
command = "here"
[[bots]]
name = "b"
command = "here"
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished tournament of two bots and eight games, beside an export of them."""
    folder = tmp_path_factory.mktemp("played")
    run(make_spec(folder), folder / "out")
    assert main(["export", str(folder / "out"), "--output", str(folder / "games.jsonl")]) == 0
    return folder


@pytest.fixture
def results(played: Path, tmp_path: Path) -> Path:
    """A copy of the tournament for one test."""
    return Path(shutil.copytree(played / "out", tmp_path / "out"))


@pytest.fixture
def exported(played: Path, tmp_path: Path) -> Path:
    """A copy of the exported file for one test."""
    return Path(shutil.copy(played / "games.jsonl", tmp_path))


def fails(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The one line that a command complains with, after checking that it is one and that the exit code is 2."""
    code = main([str(argument) for argument in arguments])
    output = capsys.readouterr()
    assert (code, output.out) == (2, "")
    assert output.err.startswith("arena: ")
    assert output.err.count("\n") == 1
    return output.err.removeprefix("arena: ").rstrip()


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("deals = 4", "deal = 4", "tournament.deal: unknown key (did you mean deals?)"),
        ('command = "here"\n[[bots]]', "[[bots]]", "bots[1].command: missing: how the bot is started"),
        ('name = "b"', 'name = "a"', "bots[2].name: 'a' is too similar to the name of bots[1]"),
        ('[[bots]]\nname = "b"\ncommand = "here"', "", "bots: a four-player table needs at least 2 bots, found 1"),
        ("deals = 4", "deals = 0", "tournament.deals: must be from 1 to"),
        ("deals = 4", "deals = ", "not valid TOML: Invalid value"),
    ],
    ids=["unknown", "command", "duplicate", "one-bot", "zero-deals", "toml"],
)
def test_a_bad_spec_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, sentence: str
) -> None:
    """The line names the file and the key; nothing is written."""
    file = tmp_path / "cup.toml"
    assert old in SPEC
    file.write_text(SPEC.replace(old, new))
    error = fails(capsys, "tournament", "run", file, "--out", tmp_path / "out")
    assert error.startswith(f"{file}: {sentence}")
    assert list(tmp_path.iterdir()) == [file]


def test_no_spec(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not there is named."""
    error = fails(capsys, "tournament", "run", tmp_path / "cup.toml")
    assert error == f"{tmp_path / 'cup.toml'}: cannot be read: No such file or directory"


def test_an_unusable_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Results cannot be put below a file; the file stays."""
    (tmp_path / "cup.toml").write_text(SPEC)
    (tmp_path / "file").write_text("mine")
    error = fails(capsys, "tournament", "run", tmp_path / "cup.toml", "--out", tmp_path / "file" / "out")
    assert error == f"{tmp_path / 'file' / 'out'}: cannot be used for results: Not a directory"
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_an_unwritable_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The error says that the folder has no write permission."""
    (tmp_path / "cup.toml").write_text(SPEC)
    (tmp_path / "out").mkdir(mode=0o500)
    error = fails(capsys, "tournament", "run", tmp_path / "cup.toml", "--out", tmp_path / "out")
    assert error.startswith(f"{tmp_path / 'out' / FILE}: cannot be opened: its folder must exist and be writable")


def test_a_corrupt_store(results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is named, and not a byte of it changes."""
    (tmp_path / "cup.toml").write_text(SPEC)
    content = b"SQLite format 3\0" + b"\xff" * 5000
    (results / FILE).write_bytes(content)
    for arguments in (
        ("tournament", "run", tmp_path / "cup.toml", "--out", results),
        ("tournament", "standings", results),
        ("verify", results),
        ("export", results),
        ("replay", results, "1"),
    ):
        assert fails(capsys, *arguments).startswith(f"{results / FILE}: ")
    assert (results / FILE).read_bytes() == content


def test_a_store_of_another_spec(results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The keys that differ are named, and not a byte of the store changes."""
    (tmp_path / "cup.toml").write_text(SPEC.replace('"test"', '"rest"').replace("deals = 4", "deals = 5"))
    before = (results / FILE).read_bytes()
    error = fails(capsys, "tournament", "run", tmp_path / "cup.toml", "--out", results)
    assert error.startswith(f"{results / FILE}: holds a tournament of another spec (different: ")
    assert "(different: tournament.deals, tournament.seed)" in error
    assert (results / FILE).read_bytes() == before


def test_a_finished_tournament_is_not_played_again(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says so and prints the table; the bots, which cannot be started, are not missed."""
    (tmp_path / "cup.toml").write_text(SPEC)
    # The spec of `results` has other [run] settings: they do not matter.
    assert main(["tournament", "run", str(tmp_path / "cup.toml"), "--out", str(results)]) == 0
    output = capsys.readouterr()
    assert "all games are stored already" in output.err
    assert f"results: {results}" in output.err
    assert re.search(r"^ *1 +[ab] ", output.out, re.MULTILINE)


def begins_only(spec: Spec, _folder: Path, *, progress: ShownProgress, **_options: object) -> None:
    """A run that says what it would play, and is ended before its first game."""
    progress.begin(spec, "c0ffee", 0, 8)
    raise UserError("enough")


def test_results_are_found_from_another_folder(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those in the current folder, or else those beside the spec; and else the run says that it begins anew."""
    spec, elsewhere = tmp_path / "specs" / "cup.toml", tmp_path / "elsewhere"
    for folder in (spec.parent, elsewhere):
        folder.mkdir()
    spec.write_text(SPEC)
    monkeypatch.chdir(elsewhere)
    shutil.move(results, spec.parent / "cup")
    assert main(["tournament", "run", str(spec)]) == 0
    errors = capsys.readouterr().err
    assert "all games are stored already" in errors
    assert f"results: {spec.parent / 'cup'}" in errors
    shutil.move(spec.parent / "cup", elsewhere / "cup")
    assert main(["tournament", "run", str(spec)]) == 0
    assert "results: cup" in capsys.readouterr().err
    shutil.rmtree(elsewhere / "cup")
    monkeypatch.setattr(running, "run_tournament", begins_only)
    assert main(["tournament", "run", str(spec)]) == 2
    errors = capsys.readouterr().err
    assert f"nothing is stored in {elsewhere / 'cup'} yet: the tournament begins anew" in errors


@pytest.mark.parametrize("style", ["text", "github", "html", "json", "csv"])
def test_standings_in_every_format(results: Path, capsys: pytest.CaptureFixture[str], style: str) -> None:
    """Both bots are in it, with their eight games."""
    assert main(["tournament", "standings", str(results), "--format", style]) == 0
    table = capsys.readouterr().out
    if style == "json":
        assert {(row["bot"], row["games"]) for row in json.loads(table)["rows"]} == {("a", 8), ("b", 8)}
    else:
        assert re.search(r"\ba\b.*\b8\b", table, re.DOTALL)
        assert re.search(r"\bb\b.*\b8\b", table, re.DOTALL)
    assert "unfinished" not in table


def test_standings_of_what_is_unfinished(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bots without games are listed, and a note says how much is missing."""
    Store.write(tmp_path, make_spec(tmp_path, "abc")).close()
    assert main(["tournament", "standings", str(tmp_path)]) == 0
    table = capsys.readouterr().out
    assert "unfinished: 0 of 24 games are played" in table
    assert re.search(r"- +c +- ", table)


def test_standings_explain_who_is_benched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The sentence stands beneath the table."""
    run(make_spec(tmp_path, "aX", run={"unit_deals": 1}), tmp_path / "out")
    assert main(["tournament", "standings", str(tmp_path / "out")]) == 0
    assert "X is benched: it failed to start 5 times in a row (exited with code 127: " in capsys.readouterr().out


def test_exported_games_are_the_stored_ones(results: Path, exported: Path) -> None:
    """Line by line the same records, in protobuf's JSON with the names of the .proto file."""
    with Store.read(results) as store:
        records = [GameRecord.FromString(record) for _, record in store.records()]
    lines = exported.read_text().splitlines()
    assert [from_line(line) for line in lines] == records
    assert json.loads(lines[0]).keys() >= {"id", "deal_key", "ruleset", "seats", "rounds", "result", "started"}


def test_exports_of_other_protobufs_are_read(exported: Path) -> None:
    """camelCase names, as most protobufs write them, and numbers for enums."""
    record = from_line(exported.read_text().splitlines()[0])
    fields = json.loads(to_line(record))
    fields["dealKey"] = fields.pop("deal_key")
    fields["rounds"][0]["firstPlayer"] = fields["rounds"][0].pop("first_player", 0)
    fields["rounds"][0]["leftover"] = [int(card) for card in record.rounds[0].leftover]
    assert from_line(json.dumps(fields)) == record


def test_unfinished_tournaments_are_not_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Records show hands while games are to be played: only if asked for."""
    Store.write(tmp_path, make_spec(tmp_path)).close()
    assert "give --unfinished" in fails(capsys, "export", tmp_path, "--output", tmp_path / "games.jsonl")
    assert not (tmp_path / "games.jsonl").exists()
    assert main(["export", str(tmp_path), "--unfinished"]) == 0
    assert capsys.readouterr().out == ""


def test_verify_finds_nothing_wrong(results: Path, exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder, a file, a file with the published secret, and the commitment."""
    with Store.read(results) as store:
        secret, committed = store.secret.hex(), store.commitment
    for arguments in (
        [results],
        [exported],
        [exported, "--secret", secret, "--commitment", committed],
        [results, "--commitment", committed],
    ):
        assert main(["verify", *map(str, arguments)]) == 0
        assert capsys.readouterr().out.startswith("8 games played again, no difference (")


def other_card(record: GameRecord) -> None:
    """In the record, the second bidder has laid another card."""
    move = record.rounds[0].moves[1]
    move.bid = next(card for card in record.rounds[0].hands[move.seat].cards if card != move.bid)


def other_points(record: GameRecord) -> None:
    """Somebody improves a result."""
    record.result.points[0] += 1


def other_key(record: GameRecord) -> None:
    """In the record, the game is of another deal."""
    record.deal_key = bytes(32)


def other_seats(record: GameRecord) -> None:
    """In the record, the bots sat at other seats."""
    for seat in record.seats:
        seat.bot = "b" if seat.bot == "a" else "a"


def other_id(record: GameRecord) -> None:
    """The record's id names no game of the tournament."""
    record.id = "cup/r1m1/x/0"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (other_card, r"games.jsonl:3: round \d, .*"),
        (other_points, r"games.jsonl:3: result: points is .* instead of .*"),
        (other_key, r"games.jsonl:3: (the hand|round 1).*"),
        (other_seats, r"cup/r1m1/1/1: the seats are not those of seating 1"),
        (other_id, r"games.jsonl:3: the id 'cup/r1m1/x/0' is not tournament/match/deal/seating"),
    ],
)
def test_verify_says_what_differs(
    exported: Path, capsys: pytest.CaptureFixture[str], change: object, sentence: str
) -> None:
    """The third game was tampered with: exit code 1, and a line that says where."""
    assert callable(change)
    lines = exported.read_text().splitlines()
    record = from_line(lines[2])
    change(record)
    lines[2] = to_line(record)
    exported.write_text("\n".join(lines))
    assert main(["verify", str(exported)]) == 1
    output = capsys.readouterr().out
    assert re.search(sentence, output)
    assert re.search(r"^8 games played again, \d+ differences? ", output, re.MULTILINE)


def test_verify_compares_games_with_each_other(exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A game twice, a seating missing, a deal under another secret."""
    lines = exported.read_text().splitlines()
    exported.write_text("\n".join([*lines[:3], lines[2]]))
    assert main(["verify", str(exported), "--secret", "00" * 32, "--commitment", "ff"]) == 1
    output = capsys.readouterr().out
    assert "cup/r1m1/1/0: is there 2 times" in output
    assert "cup/r1m1/1: seating 1 is missing" in output
    assert "the deal key is not what the secret gives for deal 0" in output
    assert "the secret is not the one that was committed to" in output


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE sides SET points = 99 WHERE side = 0 AND deal = 2", "the store counts other figures .* (points)"),
        ("UPDATE sides SET bot = 'b' WHERE deal = 2", "the store counts other figures .* (bots)"),
        ("UPDATE facts SET value = zeroblob(32) WHERE name = 'secret'", "the secret is not what the seed gives"),
        ("DELETE FROM records WHERE id = 'cup/r1m1/3/1'", "8 games are counted, but there are 7 records"),
        ('UPDATE matches SET bots = \'["b", "a"]\'', "the rounds are not what the spec, the secret and the results"),
        ("UPDATE facts SET value = 'x' WHERE name = 'fingerprint'", "the spec is not the one that the store began"),
    ],
)
def test_verify_compares_a_store_with_its_records(
    results: Path, capsys: pytest.CaptureFixture[str], statement: str, sentence: str
) -> None:
    """Whatever was changed in the file by hand is found."""
    with closing(sqlite3.connect(results / FILE)) as connection:
        connection.execute(statement)
        connection.commit()
    assert main(["verify", str(results)]) == 1
    assert re.search(re.escape(sentence).replace(r"\.\*", ".*"), capsys.readouterr().out)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{}\n\n[1]\n", ":3: not the record of a game: "),
        ('{"id": "x", "unknown": 1}\n', ":1: not the record of a game: "),
        ('{"id": \n', ":1: not the record of a game: "),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, sentence: str) -> None:
    """File and line number stand in front."""
    (tmp_path / "games.jsonl").write_text(content)
    main(["verify", str(tmp_path / "games.jsonl")])
    assert f"arena: {tmp_path / 'games.jsonl'}{sentence}" in capsys.readouterr().err


def test_binary_files_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A store given instead of its folder is no text."""
    (tmp_path / "games.jsonl").write_bytes(b"\xff\xfe\n")
    error = fails(capsys, "verify", tmp_path / "games.jsonl")
    assert error == f"{tmp_path / 'games.jsonl'}:1: not UTF-8 text: give a folder, or a file of `arena export`"


def test_games_from_standard_input(
    exported: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`-` stands for it."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(exported.read_text()))
    assert main(["verify", "-"]) == 0
    assert capsys.readouterr().out.startswith("8 games")


def test_replay_shows_the_whole_game(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Everything that the record says is there: hands, bids, every card played, who won what, the result."""
    with Store.read(results) as store:
        record = GameRecord.FromString(next(content for _, content in store.records()))
    assert main(["replay", str(results), "1"]) == 0
    text = capsys.readouterr().out
    assert f"Game {record.id}\n" in text
    assert "\x1b" not in text
    pages = re.split(r"\nRound \d, .*\n|\nResult\n", text)[1:]
    assert len(pages) == len(record.rounds) + 1
    for page, entries in zip(pages, record.rounds, strict=False):
        played = [move for move in entries.moves if move.WhichOneof("move") == "play"]
        shown = re.findall(r"[ >][BCPSZG]\d+", page)
        assert len(shown) >= len(played) + 4 * 12 + 2
        for side, name in enumerate((record.seats[0].bot, record.seats[1].bot)):
            result = entries.result
            figures = result.bids[side], result.bid_points[side], result.gold_points[side], result.points[side]
            assert re.search(rf"{name} \({side}, {side + 2}\) +\d+ +" + " +".join(map(str, figures)), page)
    for side in range(2):
        name, end = record.seats[side].bot, record.result
        ranks = end.nuggets[side], end.points[side], end.rank[side], end.placing[side]
        assert re.search(rf"{name} \({side}, {side + 2}\) +" + " +".join(map(str, ranks)), pages[-1])


def test_replay_aligns_names_of_any_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Cards stand beneath each other as a terminal shows them."""
    run(make_spec(tmp_path, "\u68cba", tournament={"deals": 1}), tmp_path / "out")
    assert main(["replay", str(tmp_path / "out"), "1", "--round", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("Round 1"))
    hands = [re.split(r"(?<=  )(?=[BCPSZG]\d)", line)[0] for line in lines[first + 1 : first + 6]]
    assert any("\u68cb" in name for name in hands)
    assert {13} == {wcswidth(name) for name in hands}


def test_replay_tells_faults(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the stand-in had to move, and why."""
    run(make_spec(tmp_path, "aX"), tmp_path / "out")
    assert main(["replay", str(tmp_path / "out"), "1", "--round", "1"]) == 0
    text = capsys.readouterr().out
    assert re.search(r"! [0-3] X: start failed: no such file: missing; the stand-in plays", text)
    assert re.search(r"X \(., .\) .*forfeits", text)
    assert "Round 2" not in text


@pytest.mark.parametrize(("phases", "marks"), [((Phase.EXCHANGE,), 0), ((Phase.LEAD, Phase.FOLLOW), 1)])
def test_replay_marks_the_cards_of_the_stand_in_and_no_others(
    exported: Path, capsys: pytest.CaptureFixture[str], phases: Sequence[Phase], marks: int
) -> None:
    """Where it only moved in the exchange after a trick, the bot itself played the card of the next one."""
    record = from_line(exported.read_text().splitlines()[0])
    where = [(s.round, s.move_index) for s in walk(record) if isinstance(s, Moved) and s.position.phase in phases]
    record.rounds[where[0][0] - 1].moves[where[0][1]].by_referee = True
    exported.write_text(to_line(record))
    assert main(["replay", str(exported), "1"]) == 0
    assert marks == len(re.findall(r"[BCPSZG]\d+\*?!", capsys.readouterr().out))


def test_replay_is_harmless_to_a_terminal(exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bots choose what their versions and last words are."""
    record = from_line(exported.read_text().splitlines()[0])
    record.seats[0].version = "\x1b]0;owned\a1.0"
    record.faults.add(seat=1, kind=1, round=1, move=1, detail="it wrote:\n\x1b[2Jnothing")
    exported.write_text(to_line(record))
    assert main(["replay", str(exported), "1"]) == 0
    text = capsys.readouterr().out
    assert not re.search(r"[^\n -~]", text)
    assert "?]0;owned?1.0 (none)" in text
    assert "start failed: it wrote: ?[2Jnothing; the stand-in plays" in text


def test_replay_of_three(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A table of three has no left-over cards and three sides."""
    run(make_spec(tmp_path, "abc", tournament={"players": 3}), tmp_path / "out")
    assert main(["replay", str(tmp_path / "out"), "2"]) == 0
    text = capsys.readouterr().out
    assert "left over" not in text
    assert len(re.findall(r"^  [abc] \([012]\) ", text, re.MULTILINE)) >= 6


def test_replay_finds_the_game(results: Path, exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By number, id, and end of id, in a folder and in a file."""
    for path in (results, exported):
        for game in ("4", "cup/r1m1/1/1", "r1m1/1/1", "1/1"):
            assert main(["replay", str(path), game]) == 0
            assert capsys.readouterr().out.startswith("Game cup/r1m1/1/1\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["9"], ": no game 9: there are 8"),
        (["0"], ": no game 0: there are 8"),
        (["1x"], ": no game '1x': give an id"),
        (["r1m1/1/1", "--round", "9"], "cup/r1m1/1/1: no round 9: the game has"),
    ],
)
def test_replay_without_a_game(
    results: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    """It says what there is instead."""
    assert sentence in fails(capsys, "replay", results, *arguments)


def test_replay_of_an_ambiguous_end(exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two tournaments in a file may have the same match."""
    text = exported.read_text()
    exported.write_text(text + text.replace('"id":"cup/', '"id":"mug/'))
    assert "2 games end in /r1m1/1/1 (cup/r1m1/1/1, mug/r1m1/1/1)" in fails(capsys, "replay", exported, "r1m1/1/1")


def test_replay_of_a_tampered_record(exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be played again is not shown."""
    record = from_line(exported.read_text().splitlines()[0])
    del record.rounds[0].moves[10:]
    exported.write_text(to_line(record))
    assert "cannot be played again" in fails(capsys, "replay", exported, "1")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--bot", "a=true"], "command line: bots: a four-player table needs at least 2 bots, found 1"),
        (["--bot", "a=true", "--bot", "b=true", "--players", "3"], "a table of three needs at least 3 bots, found 2"),
        (["--bot", "a", "--bot", "b=true"], "'a' is not NAME=COMMAND"),
        (["--bot", "a=true", "--bot", "A=true"], "command line: bots[2].name: 'A' is too similar to the name of "),
        (["--bot", "a=true", "--bot", "b='x"], "command line: bots[2].command: cannot be split into words"),
        (["--games", "0", "--bot", "a=true"], "Invalid value for '--games'"),
        (["--rules", "x"], "No such option"),
    ],
)
def test_bad_quick_matches(capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str) -> None:
    """One line each, as everywhere."""
    assert sentence in fails(capsys, "play", *arguments)


def example(name: str, module: str) -> list[str]:
    """A --bot option for an example bot."""
    return ["--bot", f"{name}={sys.executable} {EXAMPLES / module}"]


@pytest.mark.process
def test_a_quick_match_of_real_bots(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Three example bots at a table of three; the number of games is rounded up, which a line says."""
    bots = [*example("x", "random_bot.py"), *example("y", "lowest_card.py"), *example("z", "random_bot.py")]
    arguments = ["play", *bots, "--players", "3", "--games", "4", "--seed", "s", "--out", str(tmp_path / "out")]
    assert main([*arguments, "--turn-ms", "20000", "--games-in-flight", "8", "--workers", "1"]) == 0
    output = capfd.readouterr()
    assert "4 games are rounded up to 6" in output.err
    assert "play: round robin, 3 bots (x, y, z), 6 games" in output.err
    assert [bot for bot in "xyz" if re.search(rf"\d +{bot} +.* 6 ", output.out)] == ["x", "y", "z"]
    assert main(["verify", str(tmp_path / "out")]) == 0


@pytest.mark.process
def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    """Interrupted in a bot's set-up: exit code 130, one line with the command, a store that can be gone on with."""
    command = f'["{sys.executable}", "-c", "import pathlib, time; pathlib.Path(\'up\').touch(); time.sleep(600)"]'
    (tmp_path / "cup.toml").write_text(SPEC.replace('"here"', command) + "\n[clock]\nsetup_ms = 600000\n")
    arguments = ["tournament", "run", "cup.toml", "--workers", "1", "--sandbox", "off"]
    with subprocess.Popen(
        [sys.executable, "-m", "aurum.cli.main", *arguments],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    ) as process:
        while not (tmp_path / "up").exists():
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        error = process.stderr.read()
    assert process.returncode == 130
    assert error.splitlines()[-1].startswith("arena: interrupted; finished games are stored in cup, go on with the")
    with Store.read(tmp_path / "cup") as store:
        assert store.game_count() == 0


def test_our_own_error_has_an_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """5: no bot is to blame, and the line says where to look."""

    def fail(*_: object, **__: object) -> None:
        raise RunError("r1m1 came to nothing: see the log")

    monkeypatch.setattr(running, "run_tournament", fail)
    (tmp_path / "cup.toml").write_text(SPEC)
    assert main(["tournament", "run", str(tmp_path / "cup.toml"), "--out", str(tmp_path / "out")]) == 5
    assert capsys.readouterr().err == "arena: r1m1 came to nothing: see the log\n"


class Ticking:
    """A clock for tests."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_progress_as_lines(tmp_path: Path) -> None:
    """At most a line every five seconds, with what is done, how fast, and how long it will take."""
    clock, stream = Ticking(), io.StringIO()
    progress = ShownProgress(stream, clock, None)
    progress.begin(make_spec(tmp_path), "c0ffee", 100, 1000)
    for _ in range(9):
        clock.now += 1
        progress.advance(10)
    progress.note("b is benched")
    clock.now += 1000
    progress.end()
    assert stream.getvalue().splitlines() == [
        "cup: round robin, 2 bots (a, b), 1000 games",
        "commitment to the deals: sha256 c0ffee",
        "going on: 100 games are stored already",
        "150/1000 games, 10.0 games/s, 1:25 left",
        "note: b is benched",
        "cup: 90 games in 16:49, 0.1 games/s",
    ]


def test_progress_of_a_plan() -> None:
    """The time of the time that it is to take, and the games so far; nothing of it stays on a terminal."""
    for width, lines in ((None, 1), (70, 0)):
        clock, stream = Ticking(), io.StringIO()
        progress = PlanProgress(stream, clock, width, 10)
        clock.now += 6
        progress.advance(24)
        progress.tick()
        assert "planning: 0:06 of about 0:10, 24 games played" in stream.getvalue()
        progress.end()
        assert lines == stream.getvalue().count("\n")


def test_progress_as_a_bar(tmp_path: Path) -> None:
    """Drawn over itself and never wider than the terminal; notes stand above it."""
    clock, stream = Ticking(), io.StringIO()
    progress = ShownProgress(stream, clock, 70)
    progress.begin(make_spec(tmp_path), "c0ffee", 0, 48)
    clock.now += 2
    progress.advance(24)
    progress.note("b is benched")
    progress.end()
    states = stream.getvalue().split("\r\x1b[K")
    assert states[2] == "cup [############............] 24/48 games, 12.0 games/s, 0:02 left"
    assert states[3] == "note: b is benched\n"
    assert states[-1] == "cup: 24 games in 0:02, 12.0 games/s\n"
    assert all(len(state) < 70 for state in states[1:])


def help_texts(command: click.Command, path: str) -> Iterator[str]:
    """The help of a command and of all below it."""
    context = click.Context(command, info_name=path, terminal_width=100, help_option_names=["-h", "--help"])
    yield f"$ {path} --help\n{command.get_help(context)}\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from help_texts(below, f"{path} {name}")


def test_help_texts_are_those_we_looked_at() -> None:
    """A change of the command line shows as a change of tests/data/help.txt: REGENERATE=1 writes it anew."""
    texts = "\n".join(help_texts(arena, "arena"))
    if os.environ.get("REGENERATE"):
        HELP.write_text(texts)
    # Words, for how lines are broken is click's affair.
    assert texts.split() == HELP.read_text().split()


def test_summaries_are_how_the_help_of_each_command_begins() -> None:
    """The help of a group says nothing else of a command than the command's own."""
    groups = [arena]
    for group in groups:
        for name, source in group.sources.items():
            command = group.get_command(click.Context(group), name)
            assert command is not None
            assert command.help is not None
            assert " ".join(command.help.split()).startswith(source.summary.removesuffix("."))
            groups += [command] if isinstance(command, Commands) else []


@pytest.mark.process
def test_help_loads_no_command() -> None:
    """So it is there at once."""
    code = "import sys; from aurum.cli.main import main; main(['--help']); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "aurum.cli.main" in loaded
    assert not {"aurum.cli.commands.play", "aurum.rules", "grpc", "google.protobuf", "numpy", "scipy"} & {*loaded}


def test_alone_it_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    """`arena` and `arena tournament` print their help."""
    assert main([]) == 0
    assert "replay" in capsys.readouterr().out
    assert main(["tournament"]) == 0
    assert "standings" in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """The distribution's own."""
    assert main(["--version"]) == 0
    assert re.fullmatch(r"arena \d+\.\d+\.\d+\n", capsys.readouterr().out)
