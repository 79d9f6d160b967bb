"""What a tournament hands to a referee, and what it gets back: plain values that travel between processes."""

from dataclasses import dataclass

from aurum.processes.command import BotCommand
from aurum.rules import Ruleset

START_LIMIT = 5
"""After so many failures to start in a row, a bot is benched."""


class RefereeError(Exception):
    """Our own mistake: the unit is void and blames no bot."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Milliseconds."""

    turn_ms: int
    """For each turn."""
    bank_ms: int = 0
    """In all, for what turns of a game take beyond turn_ms."""
    increment_ms: int = 0
    """Given back to the bank after each turn, up to bank_ms."""
    setup_ms: int = 30_000
    """From the launch to the Hello."""
    reconnect_grace_ms: int = 5_000
    """How long a bot that lost its connection may take to come back."""


@dataclass(frozen=True, slots=True)
class GameTask:
    """One game to play."""

    id: str
    deal: int
    deal_key: bytes
    seating: tuple[int, ...]
    """By seat: index into the unit's bots."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Games that one referee plays with one set of bot instances."""

    bots: tuple[BotCommand, ...]
    games: tuple[GameTask, ...]
    ruleset: Ruleset
    clock: Clock
    games_in_flight: int = 1
    tolerated_faults: int = 0
    names: bool = False
    """Bots are told who sits where."""
    memory_mb: int = 4096


@dataclass(frozen=True, slots=True)
class InstanceReport:
    """What one seat's process of one bot did in a unit."""

    bot: str
    """Its name."""
    seat: int
    starts: int
    start_failures: int
    """In a row, at the end of the unit."""
    unsolicited: int
    """Answers that matched no open turn."""
    exit: str
    """How the process ended, as a person would say it."""
    stderr_tail: str
    decisions: int
    cpu_s: float
    wait_s: float
    """How long its threads were ready to run but had no processor."""


@dataclass(frozen=True, slots=True)
class UnitOutcome:
    """The finished games of a unit."""

    records: tuple[bytes, ...]
    """Serialised `aurum.v1.GameRecord`s, in the order of the unit's games."""
    instances: tuple[InstanceReport, ...]
    referee_delay_ms: int
    """The longest the referee itself was late."""
