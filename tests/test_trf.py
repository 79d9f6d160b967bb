"""TRF: reports that programs for chess tournaments read."""

import random
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from aurum.archive.trf import NAME_LENGTH, trf
from aurum.cli.main import main
from aurum.standings.tie_breaks import ranked_by_points
from aurum.store.store import Store
from hypothesis import given, settings
from hypothesis import strategies as st
from random_events import Event, by_gacrux, by_tiebreak_core, patchy, renamed
from tournament_runs import make_spec, run


def lines_of(event: Event) -> list[str]:
    """Its report."""
    return trf(
        "cup",
        "Swiss (by lot)",
        event.rounds,
        event.totals,
        event.bots,
        byes_give_points=True,
        planned=len(event.rounds),
    )


def exported(capsys: pytest.CaptureFixture[str], *arguments: object) -> list[str]:
    """What `arena export --format trf` writes."""
    assert main(["export", "--format", "trf", *map(str, arguments)]) == 0
    return capsys.readouterr().out.splitlines()


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The one line that it complains with."""
    assert main(["export", "--format", "trf", *map(str, arguments)]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("\n") == 1
    return output.err


@pytest.fixture(scope="module")
def swiss(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished Swiss of five."""
    folder = tmp_path_factory.mktemp("swiss")
    run(make_spec(folder, "abcde", tournament={"format": "swiss", "rounds": 3}), folder / "out")
    return folder / "out"


def test_the_columns(swiss: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each field is where TRF has it, and says what the store does."""
    lines = exported(capsys, swiss)
    with Store.read(swiss) as store:
        rounds = store.rounds()

    assert ["012 cup", "062 5", "072 0", "082 0", "092 Swiss (weighted matching)", "142 3"] == lines[:6]
    players = [line for line in lines if line.startswith("001")]
    assert [(number, bot) for number, bot in enumerate("abcde", 1)] == [
        (int(line[4:8]), line[14:47].rstrip()) for line in players
    ]
    assert {1, 2, 3, 4, 5} == {int(line[85:89]) for line in players}
    for index, drawn in enumerate(rounds):
        cells = {bot: line[91 + 10 * index :][:8] for bot, line in zip("abcde", players, strict=True)}
        assert ["0000 - U"] == [cells[bye.bot] for bye in drawn.byes]
        for match in drawn.matches:
            white, black = match.bots
            assert ("w", "b") == (cells[white][5], cells[black][5])
            assert "abcde"[int(cells[white][:4]) - 1] == black
            assert (cells[white][7], cells[black][7]) in [("1", "0"), ("=", "="), ("0", "1")]


@pytest.mark.process
def test_a_program_takes_the_file(swiss: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """gacrux, from its command line, reads the file and gives the points and the tie-breaks that the table has."""
    file = tmp_path / "cup.trf"
    assert exported(capsys, swiss, "--output", file) == []
    command = [
        sys.executable,
        "-m",
        "gacrux.tiebreakchecker",
        "-i",
        str(file),
        "-t",
        "PTS",
        "BH/C1",
        "SB",
        "-d",
        "T",
        "-s",
    ]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout

    rows = [line.split("\t") for line in answer.splitlines()[1:]]
    with Store.read(swiss) as store:
        rounds, totals = store.rounds(), store.totals()
        ours = {found.bot: found for found in ranked_by_points(rounds, totals, list("abcde"), byes_give_points=True)}
    assert [
        [str(number), ours[bot].points, ours[bot].buchholz, ours[bot].sonneborn_berger]
        for number, bot in enumerate("abcde", 1)
    ] == [[row[0], *map(float, row[2:])] for row in rows]


def test_a_round_robin_is_read_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Five bots, each of whom rests once: that is no bye, and both programs agree on the points."""
    run(make_spec(tmp_path, "abcde"), tmp_path / "out")
    lines = exported(capsys, tmp_path / "out")

    assert "092 Round robin (Berger tables)" in lines
    assert 5 == sum(line.count("0000 - Z") for line in lines)
    assert 10 == sum(mark.points for mark in by_gacrux(lines, swiss=False))
    assert by_gacrux(lines, swiss=False) == by_tiebreak_core(lines, swiss=False)


def test_bots_that_come_and_go(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A round that a bot is not in the field of is an absence, before it came and after it left."""
    spec = make_spec(tmp_path, "abcdefg", tournament={"format": "swiss", "rounds": 3})
    late, early = replace(spec.bots[1], from_round=2), replace(spec.bots[4], until_round=1)
    spec = replace(spec, bots=(spec.bots[0], late, *spec.bots[2:4], early, *spec.bots[5:]))
    run(spec, tmp_path / "out")
    lines = exported(capsys, tmp_path / "out")
    players = dict(zip("abcdefg", (line for line in lines if line.startswith("001")), strict=True))

    assert "  0000 - Z" == players["b"][89:99]
    assert "  0000 - Z  0000 - Z" == players["e"][99:]
    assert 3 == sum(line.count("- Z") for line in lines)
    assert by_gacrux(lines, swiss=True) == by_tiebreak_core(lines, swiss=True)


def test_a_gauntlet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever waits has neither a bye nor a point."""
    run(make_spec(tmp_path, "abcde", tournament={"format": "gauntlet", "challengers": ["a", "c"]}), tmp_path / "out")
    lines = exported(capsys, tmp_path / "out")

    assert "092 Gauntlet (pairings fixed in advance)" in lines
    assert 6 == sum(mark.points for mark in by_gacrux(lines, swiss=False))
    assert by_gacrux(lines, swiss=False) == by_tiebreak_core(lines, swiss=False)


@settings(max_examples=30, deadline=None)
@given(
    st.builds(patchy, st.integers(2, 40), st.integers(1, 12), st.builds(random.Random, st.integers(0, 10**6))),
)
def test_every_report_is_sound(event: Event) -> None:
    """Points are what the results add up to; opponents name each other, with opposite colours and results; one rank
    each; and gacrux has nothing to object to.
    """
    lines = lines_of(event)
    players = [line for line in lines if line.startswith("001")]
    by_gacrux(lines, swiss=True)

    cells = [re.findall(r".{10}", line[89:]) for line in players]
    assert list(range(1, len(players) + 1)) == sorted(int(line[85:89]) for line in players)
    for number, (line, rounds) in enumerate(zip(players, cells, strict=True), 1):
        assert len(line) == 89 + 10 * len(event.rounds)
        assert float(line[80:84]) == sum({"1": 1, "U": 1, "=": 0.5}.get(cell[9], 0) for cell in rounds)
        for index, cell in enumerate(rounds):
            if opponent := int(cell[2:6]):
                other = cells[opponent - 1][index]
                assert int(other[2:6]) == number
                assert {"w", "b"} == {cell[7], other[7]}
                assert cell[9] + other[9] in ("10", "01", "==")


def test_names_are_made_to_fit() -> None:
    """ASCII, short, and still each bot's own."""
    long = "a bot whose name has forty characters ok"
    event = patchy(4, 2, random.Random(0))
    names = dict(zip(event.bots, ["Zoë", "Zoe", long, f"{long[:36]} two"], strict=True))
    lines = lines_of(renamed(event, names))
    written = [line[14:47].rstrip() for line in lines if line.startswith("001")]

    assert ["Zoe", "Zoe~2", long[:NAME_LENGTH], f"{long[:31]}~2"] == written


def test_what_trf_cannot_say_is_one_line(
    swiss: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three players, a knockout, and more rounds than there are columns for."""
    three = tmp_path / "three"
    run(make_spec(tmp_path, "abc", tournament={"players": 3}), three)
    assert "TRF knows games of two sides only, and here three players" in refused(capsys, three)

    run(make_spec(tmp_path, "abc", tournament={"format": "knockout"}), tmp_path / "cup")
    assert "TRF ranks by points, and a knockout does not" in refused(capsys, tmp_path / "cup")

    monkeypatch.setattr("aurum.archive.trf.MOST_ROUNDS", 2)
    assert "TRF has room for 9999 bots and 2 rounds, not for 5 and 3" in refused(capsys, swiss)


def test_an_unfinished_tournament_is_refused_or_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Asked to, only finished rounds are written; the file says how many there will be."""
    spec = make_spec(tmp_path, "abcd", tournament={"format": "swiss", "rounds": 2})
    run(spec, tmp_path / "out", enough=lambda rows: len(rows) > 0)
    assert "the tournament is not finished" in refused(capsys, tmp_path / "out")

    lines = exported(capsys, tmp_path / "out", "--unfinished")
    assert "142 2" in lines
    assert [89] * 4 == [len(line) for line in lines if line.startswith("001")]
