"""The words of a spec that say how a tournament is played."""

from enum import StrEnum


class Format(StrEnum):
    """How opponents are found."""

    ROUND_ROBIN = "round_robin"
    SWISS = "swiss"
    GAUNTLET = "gauntlet"
    KNOCKOUT = "knockout"


class Seatings(StrEnum):
    """In which seatings a deal is played at a table of three."""

    ROTATIONS = "rotations"
    """Everyone once in each seat."""
    PERMUTATIONS = "permutations"
    """Also with the others' order round the table turned about."""


class Tables(StrEnum):
    """Which tables of three a round robin has."""

    ALL = "all"
    """Every three bots once."""
    PAIRS = "pairs"
    """Every two bots at least once, at few tables."""


class Seeding(StrEnum):
    """Where the seeds of a knockout come from."""

    ORDER = "order"
    """From the order of the bots in the spec, the best first."""
    LOT = "lot"
    """Drawn from the secret of the deals."""


class RankBy(StrEnum):
    """What the table is sorted by."""

    ELO = "elo"
    POINTS = "points"
    PROGRESS = "progress"
    """How far a bot came: a knockout's, and only a knockout's."""
