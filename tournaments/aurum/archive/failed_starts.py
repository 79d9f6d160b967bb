"""Voids the games that a bot lost by failing to start, so that the next run plays them again.

A bot that could not start may have been mended since. Whole deal groups are voided, since a deal group is evidence only
as a whole. Where results decide who meets whom, the rounds before the last one stay as they are: pairings follow from
them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from aurum.common.errors import UserError
from aurum.common.texts import counted, printable
from aurum.results.rows import row_of
from aurum.results.voiding import Voiding
from aurum.schedule.schedule import group_size
from aurum.store.locking import claimed
from aurum.store.store import Store
from aurum.v1 import game_pb2
from aurum.v1.record_pb2 import GameRecord


@dataclass(frozen=True)
class Voided:
    """What was voided, and how many games of earlier rounds were lost in the same way and stay as they are."""

    voiding: Voiding
    kept: int


def void_failed_starts(folder: Path, bot: str) -> Voided:
    """Void the games of the tournament in `folder` that `bot` lost by failing to start, and note that in its store.

    Raises:
        UserError: there is no such tournament, bot or game, a run is using the folder, or the pairings of rounds that
            were drawn since follow from all of these games; nothing was changed.
    """
    with Store.read(folder) as store:
        spec, shard = store.spec, store.shard
    names = [entry.name for entry in spec.bots]
    if bot not in names:
        raise UserError(f"{store.path}: no bot {printable(bot)!r}: there are {', '.join(map(printable, names))}")
    with claimed(folder), Store.write(folder, spec, shard) as store:
        rounds = store.rounds()
        last = {match.id for match in rounds[-1].matches} if rounds else set()
        voided: set[int] = set()
        kept = 0
        for deal, match in _lost(store, bot):
            if spec.format.waits and match not in last:
                kept += 1
            else:
                voided.add(deal)
        if kept and not voided:
            raise UserError(
                f"{store.path}: {counted(kept, 'game')} of {printable(bot)} cannot be voided: "
                "the pairings since follow from them"
            )
        if not voided:
            raise UserError(f"{store.path}: {printable(bot)} has lost no game by failing to start")
        now = datetime.now(UTC).isoformat(timespec="seconds")
        voiding = Voiding(now, bot, len(voided) * group_size(spec), "had failed to start")
        store.void(voiding, voided)
        store.settle()
        return Voided(voiding, kept)


def _lost(store: Store, bot: str) -> Iterator[tuple[int, str]]:
    """Deal and match of each game that the bot lost by failing to start."""
    for content in store.faults().games(bot):
        record = GameRecord.FromString(content)
        row = row_of(record)
        failed = {
            record.seats[fault.seat].bot for fault in record.faults if fault.kind == game_pb2.FAULT_KIND_START_FAILED
        }
        if bot in failed and bot in (row.bots[side] for side in row.forfeited):
            yield row.deal, row.match
