"""Shards: parts of a tournament that leave nothing out and have nothing in common."""

from dataclasses import replace
from pathlib import Path

import pytest
from aurum.archive.export import export_lines
from aurum.cli.main import main
from aurum.common.errors import UserError
from aurum.schedule.shards import Shard, share
from aurum.standings.stored import standings_of
from aurum.store.store import Store
from hypothesis import given
from hypothesis import strategies as st
from tournament_runs import content, make_spec, run


@given(st.integers(1, 500), st.integers(1, 60))
def test_shards_are_a_partition_into_even_parts(total: int, count: int) -> None:
    """Every deal is in one of them, and none has two more than another."""
    parts = [Shard(number, count).deals(total) for number in range(1, count + 1)]
    assert [deal for part in parts for deal in part] == list(range(total))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize("text", ["0/2", "3/2", "2", "2/", "-1/2", "1/2/3", "a/b", "1 / 2", "", "1/0"])
def test_what_is_no_shard(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Is refused, on the command line in one line."""
    with pytest.raises(ValueError, match="is not I/N"):
        Shard.parse(text)
    assert main(["tournament", "run", "any.toml", "--shard", text]) == 2
    assert "is not I/N, the I-th of N parts, as in 2/5" in capsys.readouterr().err


def test_a_shard_plays_its_share(tmp_path: Path) -> None:
    """Three shards of a round robin of four: 24 deals, 8 each, every game as in the run that was not split."""
    spec = make_spec(tmp_path, "abcd")
    run(spec, tmp_path / "whole")
    rows, records = content(tmp_path / "whole")
    for number in (1, 2, 3):
        shard, out = Shard(number, 3), tmp_path / str(number)
        diary = run(spec, out, shard=shard)
        assert (diary.begun[0][1:], sum(diary.advances)) == ((0, 16), 16)
        part = range(8 * number - 8, 8 * number)
        assert content(out) == (
            [row for row in rows if row.deal in part],
            [record for record in records if record.deal in part],
        )
        assert run(spec, out, shard=shard).begun[0][1:] == (16, 16)


def test_the_table_of_a_shard_says_so(tmp_path: Path) -> None:
    """It is partial; and the tournament is not finished, so its records are not for everyone yet."""
    run(make_spec(tmp_path, "abcd"), tmp_path / "out", shard=Shard(2, 3))
    with Store.read(tmp_path / "out") as store:
        assert (store.shard, store.finished) == (Shard(2, 3), None)
        assert standings_of(store).notes[0] == (
            "partial: shard 2/3, 16 of its 16 games are played; the whole tournament has 48: "
            "`arena merge` puts shards together"
        )
        with pytest.raises(UserError, match="unfinished"):
            next(export_lines(store, unfinished=False))
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["tournament.sqlite"]
    assert main(["verify", str(tmp_path / "out")]) == 0


@pytest.mark.parametrize("shard", [None, Shard(1, 3), Shard(2, 4)])
def test_a_folder_stays_that_of_its_shard(tmp_path: Path, shard: Shard | None) -> None:
    """Another part, or the whole, is not played into it."""
    spec = make_spec(tmp_path, "abcd")
    run(spec, tmp_path / "out", shard=Shard(2, 3))
    before = content(tmp_path / "out")
    with pytest.raises(UserError, match=r"holds shard 2/3, not (shard|the whole tournament).*the same --shard"):
        run(spec, tmp_path / "out", shard=shard)
    assert content(tmp_path / "out") == before


def test_a_whole_tournament_does_not_become_a_shard(tmp_path: Path) -> None:
    """Nor the other way round."""
    spec = make_spec(tmp_path, "abcd")
    run(spec, tmp_path / "out")
    with pytest.raises(UserError, match="holds the whole tournament, not shard 1/2"):
        run(spec, tmp_path / "out", shard=Shard(1, 2))


def test_what_cannot_be_split(tmp_path: Path) -> None:
    """Without a seed, where results pair, and into more parts than there are deal groups; nothing is written."""
    spec = make_spec(tmp_path, "abcd")
    swiss = make_spec(tmp_path, "abcd", tournament={"format": "swiss", "rounds": 2})
    knockout = make_spec(tmp_path, "abcd", tournament={"format": "knockout"})
    gauntlet = make_spec(tmp_path, "abcd", tournament={"format": "gauntlet", "challengers": ["a"]})
    for refused, shard, sentence in (
        (replace(spec, seed=None), Shard(1, 2), "test: tournament.seed: missing: all shards must have the same deals"),
        (swiss, Shard(1, 2), "test: tournament.format: a swiss cannot be played in shards"),
        (knockout, Shard(1, 2), "test: tournament.format: a knockout cannot be played in shards"),
        (spec, Shard(1, 25), "24 deal groups cannot be divided into 25 shards: take 24 or fewer"),
    ):
        with pytest.raises(UserError, match=sentence):
            run(refused, tmp_path / "out", shard=shard)
        assert not (tmp_path / "out").exists()
    assert share(spec, Shard(24, 24)) == range(23, 24)
    assert share(gauntlet, Shard(2, 2)) == range(6, 12)
