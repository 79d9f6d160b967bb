"""Specs and game rows for tests of schedules and tables, made without playing."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from aurum.formats.rounds import Match
from aurum.results.game_row import GameRow
from aurum.spec.loading import spec_from
from aurum.spec.spec import Spec


def game_row(
    match: str, deal: int, seating: int, bots: Iterable[str], placing: Iterable[int], **changes: Any
) -> GameRow:
    """A clean game: nobody failed, one decision of a millisecond for each side."""
    bots, placing = tuple(bots), tuple(placing)
    none, one = (0,) * len(bots), (1,) * len(bots)
    figures: dict[str, Any] = {"points": none, "forfeited": (), "faults": none, "decisions": one, "time_us": none}
    return GameRow(match, deal, seating, bots, placing, **(figures | {"delayed": False} | changes))


def spec_of(bots: int, **tournament: Any) -> Spec:
    """A spec with bots b0, b1, ...; one deal a match unless told otherwise."""
    head = {"name": "test", "format": "round_robin", "deals": 1} | tournament
    entries = [{"name": f"b{number}", "command": "true"} for number in range(bots)]
    return spec_from({"tournament": head, "bots": entries}, "test", Path())


def rows_of(match: Match, place: Callable[[tuple[str, ...]], Iterable[int]]) -> list[GameRow]:
    """Every game of a match; `place` gives the placing by side for the bots by side."""
    rows = []
    for deal in range(match.first_deal, match.first_deal + match.deals):
        for turn, seats in enumerate(match.all_seatings):
            bots = tuple(match.bots[bot] for bot in seats[: len(match.bots)])
            rows.append(game_row(match.id, deal, turn, bots, place(bots)))
    return rows
