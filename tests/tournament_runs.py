"""Tournaments without bots, for tests of the store, the runner and what reads their results."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any

import fake_unit
from aurum.formats.rounds import TournamentRound
from aurum.referee.unit import Unit, UnitOutcome
from aurum.results.game_row import GameRow
from aurum.run.runner import run_tournament
from aurum.spec.loading import spec_from
from aurum.spec.spec import Spec
from aurum.store.store import Store
from aurum.v1.record_pb2 import GameRecord
from aurum.workers.channel import Channel, Receive
from aurum.workers.site import Site
from aurum.workers.worker import Send


def make_spec(folder: Path, bots: str = "ab", **changes: Any) -> Spec:
    """A small spec; each letter of `bots` is one, X one that cannot start. Changes are `section={key: value}`."""
    sections: dict[str, Any] = {
        "tournament": {"name": "cup", "format": "round_robin", "deals": 4, "seed": "test"},
        "run": {"workers": 1, "unit_deals": 2, "sandbox": "off"},
        "bots": [{"name": bot, "command": "missing" if bot == "X" else "here"} for bot in bots],
    }
    for section, keys in changes.items():
        sections[section] = {**sections.get(section, {}), **keys}
    return spec_from(sections, "test", folder)


class Diary:
    """A progress that writes down what it is told; `on_advance` is called with the games that were just stored."""

    def __init__(self, on_advance: Callable[[int], None] = lambda _: None) -> None:
        self._on_advance = on_advance
        self.begun: list[tuple[str, int, int]] = []
        self.rounds: list[tuple[str, list[tuple[str, ...]]]] = []
        self.advances: list[int] = []
        self.waited: list[int] = []
        self.said: list[str] = []
        self.notes: list[str] = []

    def begin(self, spec: Spec, commitment: str, done: int, total: int) -> None:
        self.begun.append((commitment, done, total))

    def round_begins(self, title: str, drawn: TournamentRound) -> None:
        self.rounds.append((title, [match.bots for match in drawn.matches]))

    def advance(self, games: int) -> None:
        self.advances.append(games)
        self._on_advance(games)

    def waiting(self, games: int) -> None:
        self.waited.append(games)

    def tick(self) -> None:
        pass

    def say(self, line: str) -> None:
        self.said.append(line)

    def note(self, sentence: str) -> None:
        self.notes.append(sentence)


def one_thread(_spec: Spec) -> Executor:
    """Workers for units that need no process of their own."""
    return ThreadPoolExecutor(1)


@dataclass(frozen=True)
class DirectChannel:
    """A channel for units that are played in this process."""

    receive: Receive

    @contextmanager
    def open(self) -> Iterator[Send]:
        yield self.receive


@contextmanager
def direct_channel(receive: Receive) -> Iterator[Channel]:
    """Without a socket."""
    yield DirectChannel(receive)


HERE = Site(one_thread, channel=direct_channel)


def run(spec: Spec, folder: Path, **options: Any) -> Diary:
    """Play `spec` without bots, in a thread. Option `play` need not take `send`."""
    diary = Diary()
    play = taking_send(options.pop("play", fake_unit.play))
    without_bots: dict[str, Any] = {"site": HERE, "try_out": fake_unit.try_out, "play": play}
    run_tournament(spec, folder, progress=diary, **without_bots | options)
    return diary


def taking_send(play: Callable[..., UnitOutcome]) -> Callable[..., UnitOutcome]:
    """What plays units, for a run: it gets `send`, even if it has no use for it."""
    return play if "send" in signature(play).parameters else partial(without_sending, play)


def without_sending(play: Callable[..., UnitOutcome], unit: Unit, *arguments: object, send: object) -> UnitOutcome:
    """Play a unit by what sends nothing before its end."""
    return play(unit, *arguments)


def content(folder: Path) -> tuple[list[GameRow], list[GameRecord]]:
    """What a store holds of its games, but for what differs from run to run: times."""
    with Store.read(folder) as store:
        rows = [row.__class__(**vars(row) | {"time_us": (), "delayed": False}) for row in store.games()]
        return rows, [timeless(GameRecord.FromString(record)) for _, record in store.records()]


def play_without_clocks(unit: Unit) -> UnitOutcome:
    """Without bots too: the same unit gives the same bytes."""
    outcome = fake_unit.play(unit)
    records = [timeless(GameRecord.FromString(record)) for record in outcome.records]
    return replace(outcome, records=tuple(record.SerializeToString(deterministic=True) for record in records))


def timeless(record: GameRecord) -> GameRecord:
    """The record without what depends on clocks."""
    for field in ("started", "elapsed", "referee_delay_ms", "delayed"):
        record.ClearField(field)
    for seat in record.seats:
        seat.ClearField("time_us")
        seat.ClearField("cpu_us")
    for round_ in record.rounds:
        for move in round_.moves:
            move.ClearField("ms")
    for fault in record.faults:
        fault.ClearField("elapsed_ms")
    return record
