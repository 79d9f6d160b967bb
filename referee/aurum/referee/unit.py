"""What a tournament hands to a referee, and what it gets back: plain values that travel between processes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import uuid4

from aurum.processes.launch import Launch, Limits
from aurum.rules import Ruleset

BETWEEN_GAMES = "between two games"
"""In `InstanceReport.exit`: a process ended when it was in no game, which is no fault, and was not asked to."""


DAY_MS = 24 * 60 * 60 * 1000
"""The longest time that a clock can be set to."""


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
class Entrant:
    """A bot as it takes part: its name, which no other bot of the unit has, and how it comes."""

    name: str
    launch: Launch | None
    """How its processes are started; None: somebody else starts them, and they dial in."""


@dataclass(frozen=True, slots=True)
class GameSettings:
    """How a game is played."""

    ruleset: Ruleset
    clock: Clock
    tolerated_faults: int = 0
    """So many faults of a bot in a game do not forfeit it."""
    names: bool = False
    """Bots are told who sits where."""


@dataclass(frozen=True, slots=True)
class GameTask:
    """One game to play."""

    id: str
    deal: int
    deal_key: bytes
    seating: tuple[int, ...]
    """By seat: index into the unit's entrants."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Games that one referee plays with one set of bot instances."""

    entrants: tuple[Entrant, ...]
    games: tuple[GameTask, ...]
    settings: GameSettings
    games_in_flight: int = 1
    """At most."""
    adaptive: bool = False
    """The referee decides how many of them are in flight."""
    limits: Limits = field(default_factory=Limits)
    launched_for: str = ""
    """What its instances are launched for: they play on in every unit that says the same. Empty: for it alone."""
    benched: Mapping[str, str] = field(default_factory=dict)
    """Entrants, by name, that are not launched and forfeit their games, and why, in a sentence each."""
    id: str = field(default_factory=lambda: uuid4().hex, compare=False)
    """Tells it from all others, those of the same games included."""


@dataclass(frozen=True, slots=True)
class InstanceReport:
    """What one bot's instances at one seat did in a unit, or in a part of it."""

    bot: str
    """Its name."""
    seat: int
    starts: int
    start_failures: int
    """In a row, at the end of it."""
    unsolicited: int
    """Answers that matched no open turn."""
    exit: str
    """How the last process ended, as a person would say it, or why it failed, or that it plays on; but if one has ended
    `BETWEEN_GAMES`, how."""
    stderr_tail: str
    decisions: int
    cpu_s: float
    wait_s: float
    """How long its threads were ready to run but had no processor."""


@dataclass(frozen=True, slots=True)
class UnitOutcome:
    """What has come of a unit, or of a part of it: deal groups that are finished, and how it went with them."""

    records: tuple[bytes, ...]
    """Serialised `aurum.v1.GameRecord`s of whole deal groups, in the order of the unit's games."""
    instances: tuple[InstanceReport, ...]
    referee_delay_ms: int
    """The longest the referee itself was late."""
    games_in_flight: int = 0
    """How many were in flight at its end, at most; 0 if that is not known."""
    waiting: int = 0
    """How many games are over and wait for others of their deal group."""


@dataclass(frozen=True, slots=True)
class TrialOutcome:
    """What came of trying a bot.

    Fields:
        cannot_start: why it cannot start, in a sentence; empty if it can.
        fault: what it did wrong at its first turns, in a sentence; empty if nothing.
        loading_s: seconds from its launch to its Hello.
        loading_cpu_s: processor time that its process took for that, in seconds.
    """

    cannot_start: str = ""
    fault: str = ""
    loading_s: float = 0.0
    loading_cpu_s: float = 0.0

    @property
    def problem(self) -> str:
        """Either of the two."""
        return self.cannot_start or self.fault
