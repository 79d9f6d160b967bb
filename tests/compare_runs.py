"""Comparisons without bots, for tests: who wins which deal is decided by the test."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import fake_unit
import pytest
from aurum.cli.commands import compare
from aurum.cli.main import main
from aurum.compare.settings import NEW, OLD, Settings, Statistic
from aurum.referee.unit import Unit, UnitOutcome
from aurum.results.game_row import GameRow
from aurum.run.runner import run_tournament
from aurum.statistics.bounds import Bounds, EloModel
from aurum.v1.record_pb2 import GameRecord
from aurum.workers.site import Site
from tournament_rows import game_row
from tournament_runs import direct_channel, one_thread, taking_send

Result = Callable[[int, int], int]
"""NEW's result in halves, by deal and seating."""


def settings_of(
    statistic: Statistic = Statistic.WINS, *, players: int = 4, max_deals: int = 400, allow_faults: bool = False
) -> Settings:
    """A test that is over after a dozen deals or two."""
    return Settings(statistic, Bounds(0.0, 200.0, EloModel.NORMALIZED), players, max_deals, allow_faults)


def game(deal: int, seating: int, halves: int, **changes: Any) -> GameRow:
    """A game of two teams with this result for NEW."""
    bots = (OLD, NEW) if seating == 0 else (NEW, OLD)
    places = {OLD: 1 + (halves == 2), NEW: 1 + (halves == 0)}
    return game_row("r1m1", deal, seating, bots, [places[bot] for bot in bots], **changes)


def group(deal: int, first: int, second: int) -> list[GameRow]:
    """A deal group of two teams, by NEW's results in halves."""
    return [game(deal, 0, first), game(deal, 1, second)]


class Decided:
    """Plays units by the rules engine, and then says who won: `result` does."""

    def __init__(self, result: Result, *then: Callable[[], object] | None) -> None:
        self.units: list[Unit] = []
        self._result = result
        self._then = dict(enumerate(then, 1))

    def __call__(self, unit: Unit) -> UnitOutcome:
        self.units.append(unit)
        if act := self._then.get(len(self.units)):
            act()
        played = fake_unit.play(unit)
        records = [GameRecord.FromString(record) for record in played.records]
        for task, record in zip(unit.games, records, strict=True):
            halves = self._result(task.deal, int(task.id.rpartition("/")[2]))
            places = {NEW: 1 + (halves == 0), OLD: 1 + (halves == 2)}
            if not record.faults:
                sides = len(record.result.placing)
                record.result.placing[:] = [places.get(record.seats[side].bot, 3) for side in range(sides)]
        return UnitOutcome(
            tuple(record.SerializeToString() for record in records), played.instances, played.referee_delay_ms
        )


def run(
    patch: pytest.MonkeyPatch,
    folder: Path,
    play: Callable[[Unit], UnitOutcome],
    *arguments: object,
    bots: Sequence[str] = ("here", "here"),
    executor_factory: Callable[[Any], Any] = one_thread,
) -> tuple[int, dict[str, Any]]:
    """Exit code and JSON report of `arena compare`, played by `play`."""

    def instead(*given: Any, **options: Any) -> None:
        site = Site(executor_factory, channel=direct_channel)
        fakes = {"play": taking_send(play), "site": site, "try_out": fake_unit.try_out}
        run_tournament(*given, **options | fakes)

    patch.setattr(compare, "run_tournament", instead)
    report = folder / "report.json"
    # Nothing is launched that a sandbox could hold, so it is not looked whether one works.
    fixed = ["--sandbox", "off", "--seed", "test", "--unit-deals", 10, "--json", report]
    given = ["compare", *bots, *fixed, *arguments]
    code = main([str(argument) for argument in given])
    content = report.read_text(encoding="utf-8") if report.exists() else ""
    return code, json.loads(content) if content else {}
