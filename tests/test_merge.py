"""Merging: a union of what was played, whatever its order, and all of it or nothing."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from aurum.archive.merging import merge
from aurum.cli.main import main
from aurum.common.errors import UserError
from aurum.referee.unit import Unit, UnitOutcome
from aurum.results.game_row import GameRow
from aurum.results.played_unit import PlayedUnit
from aurum.schedule.shards import Shard
from aurum.spec.spec import Spec
from aurum.standings.rendering import render
from aurum.standings.stored import standings_of
from aurum.store.entrants import EntrantEvent
from aurum.store.store import Store
from tournament_runs import make_spec, play_without_clocks, run

BOTS = "abcX"
SHARDS = 3


Everything = tuple[list[GameRow], list[tuple[str, bytes]], list[PlayedUnit], str | None, bytes, list[EntrantEvent]]


def everything(folder: Path) -> Everything:
    """All that a store holds of what was played and of its entrants, in its order."""
    with Store.read(folder) as store:
        finished = store.finished and "finished"
        units, events = list(store.played_units()), store.entrant_events()
        return store.games(), list(store.records()), units, finished, store.secret, events


def table(folder: Path) -> str:
    """The table, as it is printed."""
    with Store.read(folder) as store:
        return render(standings_of(store), "json")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A round robin of three bots and one that never starts: whole, and in shards 1, 2, 3."""
    home = tmp_path_factory.mktemp("played")
    run(make_spec(home, BOTS), home / "whole", play=play_without_clocks)
    for number in range(1, SHARDS + 1):
        run(make_spec(home, BOTS), home / str(number), play=play_without_clocks, shard=Shard(number, SHARDS))
    return home


def test_merged_shards_are_the_whole(played: Path, tmp_path: Path) -> None:
    """The same games, byte for byte, and the same table as of the run that was not split, who is benched included."""
    merged = merge([played / "1", played / "2", played / "3"], tmp_path / "out")
    assert (merged.games, merged.total, merged.lacking) == (48, 48, ())
    assert everything(tmp_path / "out")[0] == everything(played / "whole")[0]
    records, whole = (
        [record for _, record in everything(folder)[1]] for folder in (tmp_path / "out", played / "whole")
    )
    assert len(records) == len(whole)
    # Those of a bot that does not start say how often it did not: a count of its own in each shard.
    assert [record for record in records if b"X" not in record] == [record for record in whole if b"X" not in record]
    assert everything(tmp_path / "out")[3:5] == everything(played / "whole")[3:5]
    assert table(tmp_path / "out") == table(played / "whole")
    assert "X is benched" in table(tmp_path / "out")
    assert main(["verify", str(tmp_path / "out")]) == 0


def test_order_and_repetition_do_not_matter(played: Path, tmp_path: Path) -> None:
    """Every order, a shard twice, all at once or one after another into the same folder: one and the same store."""
    merge([played / str(number) for number in (1, 2, 3)], tmp_path / "out")
    expected = everything(tmp_path / "out")
    for order in permutations("123"):
        at_once, by_and_by = tmp_path / f"at-once-{order}", tmp_path / f"by-and-by-{order}"
        merge([played / number for number in (*order, order[0])], at_once)
        for number in (*order, order[0]):
            merge([played / number], by_and_by)
        assert everything(at_once) == everything(by_and_by) == expected


def test_entrants_came_when_the_first_shard_began(played: Path, tmp_path: Path) -> None:
    """Each shard noted a time of its own, and all of them are kept."""
    merge([played / "3", played / "1"], tmp_path / "out")
    events = [set(everything(folder)[5]) for folder in (played / "1", played / "3", tmp_path / "out")]
    assert events[0] | events[1] == events[2]
    assert 2 * len(BOTS) == len(events[2])
    with Store.read(played / "1") as first, Store.read(tmp_path / "out") as merged:
        assert first.entrants() == merged.entrants()
        assert sorted(BOTS) == [entrant.bot for entrant in merged.entrants()]


def test_what_is_merged_stays_as_it_is(played: Path, tmp_path: Path) -> None:
    """Stores are read; the one that is written may be among them."""
    one = shutil.copytree(played / "1", tmp_path / "one")
    bytes_before = [path.read_bytes() for path in sorted(one.iterdir())]
    merge([one], tmp_path / "out")
    assert [path.read_bytes() for path in sorted(one.iterdir())] == bytes_before
    before = everything(tmp_path / "out")
    merge([tmp_path / "out", tmp_path / "out" / ".." / "out"], tmp_path / "out")
    assert everything(tmp_path / "out") == before


def test_what_is_missing_is_said_and_can_be_played(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One shard lacks, of another a part; a run goes on from there, and the end is as if nothing had been split."""
    part = tmp_path / "part"
    spec = make_spec(played, BOTS)
    with pytest.raises(UserError, match="enough"):
        run(spec, part, play=Stop(1), shard=Shard(3, SHARDS))
    out = tmp_path / "out"
    assert main(["merge", str(part), str(played / "1"), "--out", str(out)]) == 0
    output = capsys.readouterr()
    assert "2 stores merged: 20 of 48 games\nmissing: all of 2/3, some of 3/3\n" in output.err
    assert "unfinished: 20 of 48 games are played" in output.out
    run(spec, out, play=play_without_clocks)
    assert everything(out)[0] == everything(played / "whole")[0]
    assert everything(out)[3] == "finished"
    # The rest of the shard that was merged in part: what it shares with the store is the same, what is new is not.
    run(spec, part, play=play_without_clocks, shard=Shard(3, SHARDS))
    merge([part, played / "1", played / "2"], tmp_path / "later")
    assert table(tmp_path / "later") == table(played / "whole")


class Stop:
    """Plays some units, then ends the run."""

    def __init__(self, units: int) -> None:
        self._left = units

    def __call__(self, unit: Unit) -> UnitOutcome:
        if not self._left:
            raise UserError("enough")
        self._left -= 1
        return play_without_clocks(unit)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"tournament": {"seed": "other"}}, r"another tournament than .*different: tournament\.seed\)"),
        ({"clock": {"turn_ms": 7}, "tournament": {"deals": 5}}, r"tournament\.deals, clock\.turn_ms\)"),
    ],
)
def test_stores_of_different_tournaments(
    played: Path, tmp_path: Path, changes: dict[str, dict[str, object]], sentence: str
) -> None:
    """The keys that differ are named, and nothing is written."""
    run(make_spec(tmp_path, BOTS, **changes), tmp_path / "other", play=play_without_clocks)
    with pytest.raises(UserError, match=sentence):
        merge([played / "1", tmp_path / "other"], tmp_path / "out")
    assert not list((tmp_path / "out").iterdir())


def test_secrets_that_were_drawn(tmp_path: Path) -> None:
    """Two runs without a seed have different deals; copies of one have the same."""
    spec = replace(make_spec(tmp_path), seed=None)
    for name in "ab":
        run(spec, tmp_path / name, play=play_without_clocks)
    with pytest.raises(UserError, match=r"has other deals than .*no tournament\.seed"):
        merge([tmp_path / "a", tmp_path / "b"], tmp_path / "out")
    merge([tmp_path / "a", shutil.copytree(tmp_path / "a", tmp_path / "copy")], tmp_path / "out")
    assert everything(tmp_path / "out") == everything(tmp_path / "a")


def test_a_deal_group_that_was_played_twice(played: Path, tmp_path: Path) -> None:
    """With other records it is refused, in any order, and the store that was there keeps what it has."""
    run(make_spec(played, BOTS), tmp_path / "again", shard=Shard(2, SHARDS))  # its records have times
    merge([played / "2"], tmp_path / "out")
    before = everything(tmp_path / "out")
    for order in permutations([played / "2", tmp_path / "again"]):
        with pytest.raises(UserError, match=r"cup/r\dm\d/\d+: was played twice, with different records, in .* and "):
            merge(order, tmp_path / "none")
    with pytest.raises(UserError, match="was played twice"):
        merge([played / "1", tmp_path / "again"], tmp_path / "out")
    assert everything(tmp_path / "out") == before
    assert not list((tmp_path / "none").iterdir())


def test_a_merge_that_is_cut_short(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it had written is gone; once more, it is whole."""
    merge([played / "1"], tmp_path / "out")
    before = everything(tmp_path / "out")
    whole = Store.played_units
    reads = 0

    def cut(self: Store) -> Iterator[PlayedUnit]:
        nonlocal reads
        reads += 1
        for number, outcome in enumerate(whole(self)):
            if reads > 3 and number:  # the survey reads three stores, then the first new one is copied
                raise KeyboardInterrupt
            yield outcome

    with monkeypatch.context() as patch:
        patch.setattr(Store, "played_units", cut)
        with pytest.raises(KeyboardInterrupt):
            merge([played / "2", played / "3"], tmp_path / "out")
    assert reads == 4
    assert everything(tmp_path / "out") == before
    merge([played / "2", played / "3"], tmp_path / "out")
    assert table(tmp_path / "out") == table(played / "whole")


def test_a_shard_is_no_place_to_merge_into(played: Path, tmp_path: Path) -> None:
    """It stays a shard."""
    shard = shutil.copytree(played / "1", tmp_path / "1")
    with pytest.raises(UserError, match="holds shard 1/3, not the whole tournament"):
        merge([played / "2"], shard)
    assert everything(shard) == everything(played / "1")


def test_labels_do_not_depend_on_the_order(played: Path, tmp_path: Path) -> None:
    """What does not decide results may differ, as the anchor: then one of the stores has its way, always the same."""
    spec: Spec = replace(make_spec(played, BOTS), anchor="b")
    run(spec, tmp_path / "2", play=play_without_clocks, shard=Shard(2, SHARDS))
    merge([played / "1", tmp_path / "2"], tmp_path / "one")
    merge([tmp_path / "2"], tmp_path / "other")
    merge([played / "1"], tmp_path / "other")
    assert table(tmp_path / "one") == table(tmp_path / "other")


def test_nothing_to_merge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder without a store is named."""
    assert main(["merge", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    assert f"{tmp_path}/tournament.sqlite: no such store" in capsys.readouterr().err
