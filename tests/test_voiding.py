"""Games that a bot lost by failing to start are voided on demand, and played again."""

from pathlib import Path

import pytest
from aurum.archive.audit import Audit
from aurum.archive.failed_starts import void_failed_starts
from aurum.cli.main import main
from aurum.common.errors import UserError
from aurum.referee.unit import TrialOutcome, Unit
from aurum.results.played_unit import PlayedUnit
from aurum.spec.spec import Spec
from aurum.standings.stored import standings_of
from aurum.store.store import Store
from old_stores import NO_UNITS, restore
from tournament_runs import content, make_spec, play_without_clocks, run


def cannot_start(*names: str) -> dict[str, object]:
    """Options of a run in which these bots cannot start, and forfeit."""

    def try_out(unit: Unit) -> TrialOutcome:
        return TrialOutcome(cannot_start="exited with code 127" if unit.entrants[0].name in names else "")

    return {"try_out": try_out, "play_without": lambda bots: set(bots) == set(names), "play": play_without_clocks}


def forfeits(folder: Path) -> set[str]:
    """Who has forfeited a game."""
    with Store.read(folder) as store:
        return {game.bots[side] for game in store.games() for side in game.forfeited}


def notes(folder: Path) -> str:
    """What stands under the table."""
    with Store.read(folder) as store:
        return "\n".join(standings_of(store).notes)


def test_a_mended_bot_plays_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Afterwards the tournament is what it would have been, but for a note; those of others stay as they are."""
    spec, whole, voided = make_spec(tmp_path, "abcd", tournament={"deals": 3}), tmp_path / "whole", tmp_path / "voided"
    run(spec, whole, play=play_without_clocks)
    run(spec, voided, **cannot_start("b", "d"))
    with Store.read(voided) as store:
        assert store.finished
        others = {game for game in store.games() if "b" not in game.bots}
    assert main(["tournament", "void", str(voided), "--bot", "b"]) == 0
    # b has three opponents, of whom it meets each in three deals of two games.
    assert "18 games were voided at " in capsys.readouterr().out
    with Store.read(voided) as store:
        assert not store.finished
        assert others == set(store.games())
        assert not list(Audit(voided).problems())
    run(spec, voided, **cannot_start("d"))
    assert {"d"} == forfeits(voided)
    assert "18 games were voided at " in notes(voided)
    void_failed_starts(voided, "d")
    run(spec, voided, play=play_without_clocks)
    assert content(voided) == content(whole)
    assert not list(Audit(voided).problems())


def units(folder: Path) -> list[PlayedUnit]:
    """What is stored together."""
    with Store.read(folder) as store:
        return list(store.played_units())


def test_nothing_is_left_of_a_unit_that_is_void(tmp_path: Path) -> None:
    """Not its report either: it would say for ever that the bot is benched."""
    spec = make_spec(tmp_path)
    run(spec, tmp_path / "out", **cannot_start("b"))
    assert "b is benched" in notes(tmp_path / "out") or units(tmp_path / "out")
    void_failed_starts(tmp_path / "out", "b")
    assert not units(tmp_path / "out")
    assert "benched" not in notes(tmp_path / "out")


@pytest.fixture
def swiss(tmp_path: Path) -> Spec:
    """A tournament whose pairings follow from results."""
    return make_spec(tmp_path, "abcd", tournament={"format": "swiss", "rounds": 2})


def test_pairings_that_were_drawn_since_stay(swiss: Spec, tmp_path: Path) -> None:
    """Only what the bot lost in the last round can be voided where pairings follow from results."""
    out = tmp_path / "out"
    run(swiss, out, **cannot_start("b"))
    voided = void_failed_starts(out, "b")
    assert voided.voiding.games == voided.kept == 2 * swiss.deals
    run(swiss, out, play=play_without_clocks)
    assert "b" in forfeits(out)
    assert not list(Audit(out).problems())
    with pytest.raises(UserError, match=f"{2 * swiss.deals} games of b cannot be voided: the pairings since follow"):
        void_failed_starts(out, "b")


@pytest.mark.parametrize(
    ("bot", "sentence"), [("c", "no bot 'c': there are a, b"), ("a", "a has lost no game by failing to start")]
)
def test_there_is_something_to_void(tmp_path: Path, bot: str, sentence: str) -> None:
    """Else nothing changes, and a sentence says why."""
    out = tmp_path / "out"
    run(make_spec(tmp_path), out, **cannot_start("b"))
    before = content(out)
    with pytest.raises(UserError, match=sentence):
        void_failed_starts(out, bot)
    assert before == content(out)


def test_reports_of_other_units_stay(tmp_path: Path) -> None:
    """Also in a store that did not keep which deals made a unit: nobody knows then which reports are of these games."""
    folder = restore(NO_UNITS, tmp_path / "old")
    with Store.read(folder) as store:
        before = store.units()
    assert before
    void_failed_starts(folder, "X")
    with Store.read(folder) as store:
        assert before == store.units()
