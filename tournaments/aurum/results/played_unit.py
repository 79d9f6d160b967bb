"""What is stored of a unit, or of a part of it, once it is played: its games, and what is known of its processes."""

from collections.abc import Container
from dataclasses import dataclass

from aurum.referee.unit import InstanceReport, Unit, UnitOutcome
from aurum.results.game_row import GameRow
from aurum.results.rows import row_of
from aurum.v1.record_pb2 import GameRecord


@dataclass(frozen=True)
class FinishedGame:
    """A finished game: its row, and its record as the referee wrote it (a serialised aurum.v1.GameRecord)."""

    id: str
    row: GameRow
    record: bytes


@dataclass(frozen=True, order=True)
class BotVersion:
    """A bot as it called itself in a Hello."""

    name: str
    version: str
    language: str


@dataclass(frozen=True)
class UnitReport:
    """What is known of what is stored together, beside its games.

    `delayed` counts the games in which the referee itself was too late, `referee_delay_ms` is the longest it was.
    """

    delayed: int
    referee_delay_ms: int
    instances: tuple[InstanceReport, ...]
    versions: tuple[BotVersion, ...]


@dataclass(frozen=True)
class PlayedUnit:
    """What the store keeps together: a unit that was played, or a part of one."""

    games: tuple[FinishedGame, ...]
    report: UnitReport

    def without(self, deals: Container[int]) -> "PlayedUnit":
        """The rest of it, where these deals are stored already."""
        return PlayedUnit(tuple(game for game in self.games if game.row.deal not in deals), self.report)

    def refuse_fragments(self, group_size: int) -> None:
        """Raise ValueError if a deal group lacks one of so many games: it is evidence only as a whole."""
        there = {(game.row.match, game.row.deal, game.row.seating) for game in self.games}
        for game in self.games:
            for seating in range(group_size):
                if (game.row.match, game.row.deal, seating) not in there:
                    raise ValueError(f"{game.id}: its deal group lacks seating {seating}")


def played_unit(unit: Unit, outcome: UnitOutcome) -> PlayedUnit:
    """Read what a referee handed back for a unit, or for a part of it.

    Raises:
        ValueError: the records are not of whole deal groups of the unit: the referee's own mistake.
    """
    records = [GameRecord.FromString(record) for record in outcome.records]
    got = [record.id for record in records]
    deals = {record.deal for record in records}
    asked = [task.id for task in unit.games if task.deal in deals]
    if asked != got:
        raise ValueError(f"asked for the games {asked}, got {got}")
    games = tuple(
        FinishedGame(record.id, row_of(record), content)
        for record, content in zip(records, outcome.records, strict=True)
    )
    seats = [seat for record in records for seat in record.seats]
    return PlayedUnit(
        games,
        UnitReport(
            delayed=sum(game.row.delayed for game in games),
            referee_delay_ms=outcome.referee_delay_ms,
            instances=outcome.instances,
            # A bot that never said Hello has no language.
            versions=tuple(sorted({BotVersion(s.bot, s.version, s.language) for s in seats if s.language})),
        ),
    )
