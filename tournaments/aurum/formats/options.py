"""The words of a spec that formats read, and what the standings can be sorted by."""

from enum import StrEnum


class Seatings(StrEnum):
    """In which seatings a deal is played at a table of three."""

    ROTATIONS = "rotations"
    """Everyone once in each seat."""
    PERMUTATIONS = "permutations"
    """Also with the others' order round the table turned about."""


class Pairings(StrEnum):
    """Who meets whom in a round robin at tables of three (the spec's key `tables`)."""

    ALL = "all"
    """Every three bots once."""
    PAIRS = "pairs"
    """Every two bots at least once, in few matches."""


class Seeding(StrEnum):
    """Where the seeds of a knockout come from."""

    ORDER = "order"
    """From the order of the bots in the spec, the best first."""
    LOT = "lot"
    """Drawn from the secret of the deals."""


class RankBy(StrEnum):
    """What the standings are sorted by."""

    ELO = "elo"
    POINTS = "points"
    PROGRESS = "progress"
    """How far a bot came (`Format.progress`): only of formats that are ranked by it unless asked otherwise."""
