"""The spec of a tournament as values: what is played, by which bots, under which rules, how fast."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from aurum.formats.format import Format
from aurum.formats.options import Pairings, RankBy, Seatings, Seeding
from aurum.referee.unit import Clock
from aurum.rules import Ruleset
from aurum.sandbox.sandbox import SandboxMode

NAME_LENGTH = 40
"""Characters a bot's name may have."""

MOST_DEALS = 1_000_000
"""Deals that a match may have."""


class Relaunch(StrEnum):
    """How long an instance plays; one that is lost is always followed by a new one."""

    FAULT = "fault"
    """Until it is lost, or its worker plays what it has no part in."""
    MATCH = "match"
    """Until its match is over, or its worker plays another."""
    UNIT = "unit"
    """Until its unit is over."""


AUTO = 0
"""For games in flight: the referee decides."""
MOST_IN_FLIGHT = 128
"""What it decides is at most so many."""


class Pin(StrEnum):
    """Whether workers keep to cores of their own."""

    AUTO = "auto"
    """If each plays one game at a time, and enough cores are free of other runs."""
    OFF = "off"


@dataclass(frozen=True)
class BotEntry:
    """A bot as entered. `folder` is the working folder of its commands, absolute; `build` is empty without one.

    In a sandbox it may read `reads`, absolute, besides its folder and the programs of this machine.

    `from_round` and `until_round` are the first and the last round of a Swiss that it is in the field of; None is to
    the end.
    """

    name: str
    command: tuple[str, ...]
    folder: Path
    env: tuple[tuple[str, str], ...]
    build: tuple[str, ...] = ()
    from_round: int = 1
    until_round: int | None = None
    reads: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Spec:
    """A whole tournament. `keys.SECTIONS` declares the keys that it is read from.

    `deals` are per match. `seed` is the text that decides every deal; without one a secret is drawn when the
    tournament first starts. `challengers` are a gauntlet's, and empty elsewhere. `workers` 0 means one a core,
    `games_in_flight` AUTO that the referee decides, `memory_mb` and `disk_mb` 0 no limit. `build_network` lets builds
    reach the network from a sandbox. `home` is the folder the spec lies in; `source` is how errors name it, and no part
    of what it says.
    """

    name: str
    format: Format
    players: int
    rounds: int | None
    deals: int
    seed: str | None
    tolerated_faults: int
    names: bool
    anchor: str | None
    seatings: Seatings
    pairings: Pairings
    challengers: tuple[str, ...]
    seeding: Seeding
    rank_by: RankBy
    ruleset: Ruleset
    clock: Clock
    workers: int
    games_in_flight: int
    unit_deals: int
    memory_mb: int
    disk_mb: int
    relaunch: Relaunch
    pin: Pin
    cores_per_worker: int
    sandbox: SandboxMode
    build_network: bool
    bots: tuple[BotEntry, ...]
    home: Path
    source: str = field(default="spec", compare=False)

    @property
    def most_in_flight(self) -> int:
        """Games that a worker plays at the same time, at most."""
        return MOST_IN_FLIGHT if self.games_in_flight == AUTO else self.games_in_flight

    @property
    def side_count(self) -> int:
        """Sides of a game: two teams, or three bots."""
        return 3 if self.players == 3 else 2
