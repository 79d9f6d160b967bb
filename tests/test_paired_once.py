"""Rounds of a Swiss follow from all results before them; pairing is dear, so each command pairs each round once."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import fake_unit
import pytest
from aurum.cli import running
from aurum.cli.main import main
from aurum.formats import swiss
from aurum.pairing.swiss_pairs import pair
from aurum.run.runner import run_tournament
from tournament_runs import HERE

ROUNDS = 4
SPEC = f"""
[tournament]
name = "cup"
format = "swiss"
rounds = {ROUNDS}
deals = 1
""" + "".join(f'[[bots]]\nname = "{bot}"\ncommand = "here"\n' for bot in "abcdefgh")


@pytest.fixture
def paired(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[int]]:
    """Executes a command, of which nothing is paired yet; how often it paired each round, by meetings before it."""

    def execute(*words: object) -> list[int]:
        calls: Counter[int] = Counter()

        def counted(
            order: Sequence[str], score: Mapping[str, int], met: Mapping[frozenset[str], int], *others: Any
        ) -> Any:
            calls[sum(met.values())] += 1
            return pair(order, score, met, *others)

        with monkeypatch.context() as patched:
            patched.setattr(swiss, "_PAIRED", {})
            patched.setattr(swiss, "pair", counted)
            assert main([*map(str, words)]) == 0
        return [calls[before] for before in sorted(calls)]

    without_bots = partial(run_tournament, play=fake_unit.play, try_out=fake_unit.try_out)
    monkeypatch.setattr(running, "run_tournament", lambda *a, **o: without_bots(*a, **o | {"site": HERE}))
    return execute


def test_each_command_pairs_each_round_once(paired: Callable[..., list[int]], tmp_path: Path) -> None:
    """A run that stops after round 2, one that goes on, a verification, a merge; standings pair nothing."""
    spec, out = tmp_path / "cup.toml", tmp_path / "out"
    spec.write_text(SPEC, encoding="utf-8")
    assert [1] * 2 == paired("tournament", "run", spec, "--out", out, "--until-round", 2)
    assert [1] * ROUNDS == paired("tournament", "run", spec, "--out", out)
    assert [1] * ROUNDS == paired("verify", out)
    assert [1] * ROUNDS == paired("merge", out, out, "--out", tmp_path / "merged")
    assert [] == paired("tournament", "standings", out)
