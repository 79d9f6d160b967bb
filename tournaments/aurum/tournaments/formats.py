"""The words of a spec that say how a tournament is played."""

from enum import StrEnum


class Format(StrEnum):
    """How opponents are found."""

    ROUND_ROBIN = "round_robin"
    SWISS = "swiss"


class Seatings(StrEnum):
    """In which seatings a deal is played at a table of three."""

    ROTATIONS = "rotations"
    """Everyone once in each seat."""
    PERMUTATIONS = "permutations"
    """Also with the others' order round the table turned about."""
