"""Who plays whom and how it ended: in every format, finished or not, in every style."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from aurum.cli.main import main
from aurum.cli.progress import pairing_lines
from aurum.formats.match_points import halves_of
from aurum.formats.rounds import Bye, Match, TournamentRound
from aurum.results.game_arrays import arrays_of
from aurum.standings.matches import Encounter, encounters, matches_of
from aurum.standings.pairings import PAIRING_STYLES, matches_json, render_pairings
from aurum.store.store import Store
from tournament_rows import game_row
from tournament_runs import make_spec, run

EVENTS: dict[str, dict[str, Any]] = {
    "round_robin": {},
    "swiss": {"rounds": 2},
    "gauntlet": {"challengers": ["a"]},
    "knockout": {},
    "three": {"format": "round_robin", "players": 3},
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """By event, the folder of a finished tournament of five bots, of which X cannot start."""
    folders = {}
    for name, keys in EVENTS.items():
        folder = tmp_path_factory.mktemp(name)
        spec = make_spec(folder, "abcXe", tournament={"format": name, "deals": 1} | keys)
        run(spec, folder / "out", play_without=lambda bots: True)
        folders[name] = folder / "out"
    return folders


@pytest.mark.parametrize("event", EVENTS)
def test_matches_are_what_the_games_come_to(played: dict[str, Path], event: str) -> None:
    """Every match and bye of the schedule, with the scores, card points and forfeits of its games."""
    with Store.read(played[event]) as store:
        found = matches_json(matches_of(store))
        rounds, rows = store.rounds(), store.games()
    assert found["finished"]
    assert 0 == found["rounds_to_come"]
    assert [[bye.bot for bye in drawn.byes] for drawn in rounds] == [drawn["byes"] for drawn in found["rounds"]]
    scheduled = [match for drawn in rounds for match in drawn.matches]
    assert [(match.id, match.bots) for match in scheduled] == [(m["id"], m["bots"]) for m in found["matches"]]
    for match in found["matches"]:
        games = [row for row in rows if row.match == match["id"]]
        assert len(games) == match["games"] == match["planned"]
        for place, bot in enumerate(match["bots"]):
            own = [(row, row.bots.index(bot)) for row in games]
            assert sum(halves_of(row.placing)[side] for row, side in own) / 2 == match["score"][place]
            assert sum(row.points[side] for row, side in own) == match["card_points"][place]
            assert sum(side in row.forfeited for row, side in own) == match["forfeits"][place]
        assert [halves / 2 for halves in halves_of([-score for score in match["score"]])] == list(match["points"])


def test_a_knockout_says_who_goes_on(played: dict[str, Path]) -> None:
    """The bots of a round are those that went on or rested in the round before; the last one has won."""
    with Store.read(played["knockout"]) as store:
        matches = matches_of(store)
    assert ["round 1 (quarterfinal)", "round 2 (semifinal)", "round 3 (final)"] == [r.title for r in matches.rounds]
    for before, after in zip(matches.rounds, matches.rounds[1:], strict=False):
        on = {match.advances for match in before.matches} | {bye.bot for bye in before.byes}
        assert on == {bot for match in after.matches for bot in match.bots} | {bye.bot for bye in after.byes}
    assert matches.rounds[-1].matches[0].advances == matches.bots[0]
    assert f"{matches.bots[0]} goes on" in render_pairings(matches, "text", 3)


def test_the_cross_table_of_three() -> None:
    """Every two of a game of three meet."""
    games = arrays_of([game_row("m", 0, 0, "abc", (1, 2, 2)), game_row("m", 0, 1, "bca", (1, 3, 2))])
    found = encounters(games)
    assert {("a", "b"): Encounter(1, 2), ("b", "a"): Encounter(1, 2)}.items() <= found.items()
    assert {("a", "c"): Encounter(2, 2), ("c", "a"): Encounter(0, 2)}.items() <= found.items()
    assert {("b", "c"): Encounter(1.5, 2), ("c", "b"): Encounter(0.5, 2)}.items() <= found.items()


@pytest.mark.parametrize("style", PAIRING_STYLES)
@pytest.mark.parametrize("event", EVENTS)
def test_every_style_names_all(played: dict[str, Path], event: str, style: str) -> None:
    """Each bot and match, and who forfeited."""
    with Store.read(played[event]) as store:
        text = render_pairings(matches_of(store), style)
    assert text.endswith("\n")
    for word in (*"abcXe", "r1m1"):
        assert word in text
    assert ("X forfeits" in text) == (style not in ("json", "csv"))
    if style == "csv":
        lines = list(csv.DictReader(io.StringIO(text)))
        assert {"a", "b", "c", "X", "e"} == {line["bot"] for line in lines}


def test_text(tmp_path: Path) -> None:
    """The whole of a round and of a cross table, so that a change is seen."""
    run(make_spec(tmp_path, "abX", tournament={"deals": 1}), tmp_path / "out", play_without=lambda bots: True)
    with Store.read(tmp_path / "out") as store:
        matches = matches_of(store)
    blocks = render_pairings(matches, "text").split("\n\n")
    assert ["round 1", "round 2", "round 3", "cross table"] == [
        block.splitlines()[0].partition(":")[0] for block in blocks[:-1]
    ]
    rest, meeting = (next(b for b in blocks if name in b) for name in ("rests  X", "rests  a"))
    assert "remarks" not in rest
    assert "X forfeits 2" in meeting
    assert "2 - 0" in meeting or "0 - 2" in meeting
    assert blocks[-1] == "score: games won, draws as half; in a game of three, against each of the other two\n"
    assert render_pairings(matches, "text", cross_only=True).split("\n\n") == blocks[-2:]
    assert render_pairings(matches, "text", 1).split("\n\n") == [blocks[0], blocks[-1]]


def test_what_is_unfinished(tmp_path: Path) -> None:
    """Nothing is paired, or a round is, and its results are what there is so far."""
    spec = make_spec(tmp_path, "abcd", tournament={"format": "swiss", "rounds": 2})
    (tmp_path / "new").mkdir()
    with Store.write(tmp_path / "new", spec) as store:
        assert "no round is paired yet\n" == render_pairings(matches_of(store), "text")
    run(spec, tmp_path / "one", until_round=1)
    with Store.read(tmp_path / "one") as store:
        matches = matches_of(store)
    assert not matches.done
    assert "round 2 is paired when round 1 is finished\n" in render_pairings(matches, "text")


def test_the_command(
    played: dict[str, Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It fits into the terminal, and explains what it cannot show."""
    folder = str(played["three"])
    monkeypatch.setenv("COLUMNS", "60")
    assert 0 == main(["tournament", "pairings", folder])
    assert all(len(line) <= 60 for line in capsys.readouterr().out.splitlines() if not line.startswith("score: "))
    assert 0 == main(["tournament", "pairings", folder, "--round", "2", "--format", "json"])
    assert {2} == {match["round"] for match in json.loads(capsys.readouterr().out)["matches"]}
    assert 2 == main(["tournament", "pairings", folder, "--round", "99"])
    assert "arena: cup: no round 99: rounds 1 to 10 are paired\n" == capsys.readouterr().err
    assert 2 == main(["tournament", "pairings", folder, "--cross-table", "--round", "1"])


def test_a_run_says_who_meets_whom(tmp_path: Path) -> None:
    """When a round begins; after an interruption only of rounds that are still to be played."""
    spec = make_spec(tmp_path, "abcd", tournament={"format": "swiss", "rounds": 2})
    assert ["round 1"] == [title for title, _ in run(spec, tmp_path / "out", until_round=1).rounds]
    assert ["round 2"] == [title for title, _ in run(spec, tmp_path / "out").rounds]
    with Store.read(tmp_path / "out") as store:
        pairings = [[match.bots for match in drawn.matches] for drawn in store.rounds()]
    every = run(spec, tmp_path / "again").rounds
    assert list(zip(["round 1", "round 2"], pairings, strict=True)) == every


def test_how_a_round_is_announced() -> None:
    """In lines that fit; a large round is cut short."""
    matches = tuple(Match(f"r1m{i}", 1, (f"bot {i}", f"other bot {i}"), i, 1) for i in range(60))
    few = TournamentRound(1, matches[:2], (Bye(1, "x"), Bye(1, "y")))
    assert ["round 1: bot 0 - other bot 0, bot 1 - other bot 1, bye: x, y"] == pairing_lines("round 1", few, "bye")
    lines = pairing_lines("round 1", TournamentRound(1, matches, ()), "bye")
    assert all(len(line) <= 100 for line in lines)
    assert "bot 49 - other bot 49" in "".join(lines)
    assert "and 10 more (`arena tournament pairings` lists them)" in lines[-1]
