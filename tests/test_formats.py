"""Every format from its spec to an audit: played without bots, whole, and as the audit expects it."""

from pathlib import Path
from typing import Any

import pytest
from aurum.archive.audit import Audit
from aurum.archive.export import export_lines
from aurum.schedule.shards import game_total
from aurum.standings.stored import standings_of
from aurum.store.store import Store
from tournament_runs import make_spec, run

FORMATS: dict[str, tuple[str, dict[str, Any], int]] = {
    "all seatings of three": ("abcd", {"players": 3, "seatings": "permutations"}, 4 * 6),
    "pairs of nine": ("abcdefghi", {"players": 3, "tables": "pairs"}, 12 * 3),
    "pairs of eight": ("abcdefgh", {"players": 3, "tables": "pairs"}, 11 * 3),
    "gauntlet": ("abcde", {"format": "gauntlet", "challengers": ["b", "d"]}, 6 * 2),
    "gauntlet of three": ("abcde", {"format": "gauntlet", "players": 3}, 6 * 3),
    "knockout": ("abcdeX", {"format": "knockout"}, 5 * 2),
    "knockout by lot": ("abcde", {"format": "knockout", "seeding": "lot"}, 4 * 2),
    "swiss": ("abcde", {"format": "swiss", "rounds": 3}, 6 * 2),
    "swiss of three": ("abcdefg", {"format": "swiss", "rounds": 3, "players": 3}, 6 * 3),
}
"""By what it shows: bots, keys of [tournament], games a deal."""


@pytest.mark.parametrize("name", FORMATS)
def test_is_played_and_stands_its_audit(name: str, tmp_path: Path) -> None:
    """Every game is stored and counted in the table; nothing is found wrong with the folder or with its export."""
    bots, keys, games = FORMATS[name]
    spec = make_spec(tmp_path, bots, tournament={"deals": 2, **keys})
    run(spec, tmp_path / "out")
    exported = tmp_path / "games.jsonl"
    with Store.read(tmp_path / "out") as store:
        assert (game_total(spec), True) == (2 * games, store.finished is not None)
        assert 2 * games == store.game_count() == standings_of(store).games
        exported.write_text("\n".join(export_lines(store)), encoding="utf-8")
        secret = store.secret
    for path in (tmp_path / "out", exported):
        audit = Audit(path, secret)
        assert ([], 2 * games) == (list(audit.problems()), audit.games)


def test_a_seating_of_six_that_is_missing_is_noticed(tmp_path: Path) -> None:
    """An exported file does not say how many seatings there are: one of the later three tells."""
    run(make_spec(tmp_path, "abc", tournament={"deals": 1, "players": 3, "seatings": "permutations"}), tmp_path / "out")
    with Store.read(tmp_path / "out") as store:
        lines = list(export_lines(store))
    (tmp_path / "games.jsonl").write_text("\n".join(lines[:3] + lines[4:]), encoding="utf-8")
    assert ["cup/r1m1/0: seating 3 is missing"] == list(Audit(tmp_path / "games.jsonl").problems())
