"""What is kept of a unit once it is played."""

from dataclasses import dataclass

from aurum.referee.unit import Unit, UnitOutcome
from aurum.results.game_row import GameRow
from aurum.results.rows import row_of
from aurum.v1.record_pb2 import GameRecord


@dataclass(frozen=True)
class Game:
    """A finished game: its row, and its record as the referee wrote it (a serialised aurum.v1.GameRecord)."""

    id: str
    row: GameRow
    record: bytes


@dataclass(frozen=True)
class Instance:
    """What one process of a bot did in a unit; the fields are those of aurum.referee.unit.InstanceReport."""

    bot: str
    seat: int
    starts: int
    start_failures: int
    unsolicited: int
    exit: str
    stderr_tail: str
    decisions: int
    cpu_s: float
    wait_s: float


@dataclass(frozen=True, order=True)
class BotVersion:
    """A bot as it called itself in a Hello."""

    name: str
    version: str
    language: str


@dataclass(frozen=True)
class UnitReport:
    """What there is to say of a unit beside its games.

    `delayed` counts the games in which the referee itself was too late, `referee_delay_ms` is the longest it was.
    """

    delayed: int
    referee_delay_ms: int
    instances: tuple[Instance, ...]
    versions: tuple[BotVersion, ...]


@dataclass(frozen=True)
class Outcome:
    """A played unit, ready to be stored."""

    games: tuple[Game, ...]
    report: UnitReport


def outcome_of(unit: Unit, played: UnitOutcome) -> Outcome:
    """Read what a referee handed back.

    Raises:
        ValueError: the records are not those of the unit's games: the referee's own mistake.
    """
    records = [GameRecord.FromString(record) for record in played.records]
    asked, got = [task.id for task in unit.games], [record.id for record in records]
    if asked != got:
        raise ValueError(f"asked for the games {asked}, got {got}")
    games = tuple(
        Game(record.id, row_of(record), content) for record, content in zip(records, played.records, strict=True)
    )
    seats = [seat for record in records for seat in record.seats]
    return Outcome(
        games,
        UnitReport(
            delayed=sum(game.row.delayed for game in games),
            referee_delay_ms=played.referee_delay_ms,
            instances=tuple(
                Instance(
                    bot=unit.bots[report.bot].name,
                    seat=report.seat,
                    starts=report.starts,
                    start_failures=report.start_failures,
                    unsolicited=report.unsolicited,
                    exit=report.exit,
                    stderr_tail=report.stderr_tail,
                    decisions=report.decisions,
                    cpu_s=report.cpu_s,
                    wait_s=report.wait_s,
                )
                for report in played.instances
            ),
            # A bot that never said Hello has no language.
            versions=tuple(sorted({BotVersion(s.bot, s.version, s.language) for s in seats if s.language})),
        ),
    )
