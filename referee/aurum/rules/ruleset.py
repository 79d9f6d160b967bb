"""Where the rulebooks differ (docs/rules.md section 9)."""

from enum import Enum
from typing import Final, NamedTuple


class GameEnd(Enum):
    """When a game is over and who has won it."""

    FIRST_TO_TWO = "first_to_two"
    BEST_OF_THREE = "best_of_three"
    THREE_ROUNDS_TOTAL = "three_rounds_total"


class Ruleset(NamedTuple):
    """The rules of a game. The fields count; `preset` only says where they came from."""

    gold_zeros: bool
    """Each player starts a round with a G0 in the collection."""
    game_end: GameEnd
    preset: str = "custom"


PRESETS: Final = {
    ruleset.preset: ruleset
    for ruleset in (
        Ruleset(False, GameEnd.FIRST_TO_TWO, "designer"),
        Ruleset(True, GameEnd.BEST_OF_THREE, "pandasaurus"),
        Ruleset(True, GameEnd.BEST_OF_THREE, "gigamic"),
        Ruleset(True, GameEnd.FIRST_TO_TWO, "german"),
    )
}
"""By name: one ruleset for each rulebook."""
