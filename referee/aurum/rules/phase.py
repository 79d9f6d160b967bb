"""Which moment of a round it is, and how a round can end (docs/rules.md sections 3 to 7)."""

from enum import Enum, IntEnum


class Phase(IntEnum):
    """What the seat to act is asked for; the first four as on the wire."""

    BID = 1
    EXCHANGE = 2
    LEAD = 3
    FOLLOW = 4
    OVER = 5


class RoundEnd(Enum):
    """How a round came to its end."""

    FORCED = "could not follow"
    DECLINED = "chose not to play gold"
    NO_LEAD = "had no base card to lead"
