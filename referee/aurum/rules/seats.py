"""Who sits where: play order and sides (docs/rules.md section 2), looked up by the number of players first."""

from typing import Final

NEXT: Final = {n: tuple([(seat + 1) % n for seat in range(n)]) for n in (3, 4)}
"""By players and seat: the next seat clockwise."""

ORDER: Final = {n: tuple([tuple([(leader + k) % n for k in range(n)]) for leader in range(n)]) for n in (3, 4)}
"""By players and leader: the seats in play order."""

SIDES: Final = {3: ((0,), (1,), (2,)), 4: ((0, 2), (1, 3))}
"""By players and side: its seats. Four players form two teams, three play each for themselves."""

OWN_SIDE: Final = {3: ((0,), (1,), (2,)), 4: ((0, 2), (1, 3), (2, 0), (3, 1))}
"""By players and seat: the seats of its side, itself first."""


def sides_of(players: int) -> tuple[tuple[int, ...], ...]:
    """By side: its seats."""
    return SIDES[players]


def side_of(seat: int, players: int) -> int:
    """The side a seat belongs to."""
    return seat % 2 if players == 4 else seat
