"""Makes the store of a large tournament without playing all of its games.

It is a store like any other: spec, rounds and units come from the schedule, rows are read from the records, and every
unit goes through `Store.add`. Only the games are not all played. The first deal groups are, by random moves on the
rules engine, each from its own deal; every other one repeats what was played in one of these, under its own id, bots,
deal number and deal key. Records so have their real size and content, and cost what real ones cost to store, read and
play again. What differs: `arena verify` finds that the cards of a repeated game are not those of its deal.
"""

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from aurum.records.listener import announce_deal, announce_round_end
from aurum.records.recorder import Recorder
from aurum.referee.unit import GameTask, InstanceReport, Unit, UnitOutcome
from aurum.results.played_unit import PlayedUnit, played_unit
from aurum.rules import Deal, Game, Ruleset, deal_key
from aurum.schedule.jobs import jobs_of, missing_deals, unit_of
from aurum.schedule.schedule import rounds_ready
from aurum.spec.loading import load_spec
from aurum.spec.spec import Spec
from aurum.store.store import Store
from aurum.v1.record_pb2 import GameRecord

UNIT_DEALS = 16
PLAYED_DEALS = 500
"""How many deal groups are played; the others repeat them."""

_SPEC = """
[tournament]
name = "large"
format = "round_robin"
deals = {deals}
seed = "large"

[run]
unit_deals = {unit_deals}
"""
_BOT = """
[[bots]]
name = "bot {number:03}"
command = "true"
"""


def write_spec(path: Path, bots: int, games: int) -> Spec:
    """A round robin of so many bots that has at least so many games."""
    matches = bots * (bots - 1) // 2
    text = _SPEC.format(deals=-(-games // (2 * matches)), unit_deals=UNIT_DEALS)
    path.write_text(text + "".join(_BOT.format(number=number) for number in range(bots)), encoding="utf-8")
    return load_spec(path)


def missing_units(spec: Spec, store: Store) -> Iterator[PlayedUnit]:
    """Every unit that the store lacks, in the order of the schedule, which is stored first."""
    rounds = rounds_ready(spec, store.secret, {})
    store.schedule(rounds)
    for job in jobs_of(missing_deals(rounds, store.groups()), spec.unit_deals, spec.unit_deals, 1):
        unit = unit_of(spec, store.secret, job, {}, "large")
        records = [_record(spec.ruleset, store.secret, unit, task) for task in unit.games]
        yield played_unit(unit, UnitOutcome(tuple(records), tuple(_reports(unit)), 0))


def _record(ruleset: Ruleset, secret: bytes, unit: Unit, task: GameTask) -> bytes:
    source = task.deal % PLAYED_DEALS
    record = GameRecord.FromString(_played(ruleset, deal_key(secret, source), task.seating))
    record.id, record.deal, record.deal_key = task.id, task.deal, task.deal_key
    for seat, bot in enumerate(task.seating):
        record.seats[seat].bot = unit.entrants[bot].name
    return record.SerializeToString()


@cache
def _played(ruleset: Ruleset, key: bytes, seating: tuple[int, ...]) -> bytes:
    """The record of a game of random moves, which still lacks its names."""
    chance = random.Random(key + bytes(seating))
    game = Game(ruleset, Deal(key, len(seating)))
    recorder = Recorder(game, "", 0)
    record = recorder.record
    announce_deal(game, (recorder,))
    record.started.GetCurrentTime()
    record.elapsed.FromMilliseconds(chance.randrange(100, 1000))
    for _ in seating:
        record.seats.add(version="1.0", language="python")
    while not game.over:
        seat = game.to_act
        move = chance.choice(game.legal_moves())
        game.play(move)
        recorder.moved(seat, move, ms=chance.randrange(3))
        record.seats[seat].decisions += 1
        record.seats[seat].time_us += chance.randrange(100, 3000)
        if game.finished:
            announce_round_end(game, (recorder,))
    recorder.game_over(game.result(), [])
    return record.SerializeToString()


def _reports(unit: Unit) -> Iterator[InstanceReport]:
    """Of the eight instances of a match, as if all had gone well."""
    for entrant in unit.entrants:
        for seat in range(4):
            yield InstanceReport(entrant.name, seat, 1, 0, 0, "plays on", "", 700, 0.5, 0.1)
