"""The bracket of a knockout: seeds from 0, the best first, in slots from top to bottom."""

from collections.abc import Collection, Sequence

Slots = Sequence[int | None]
"""A power of two of them; neighbours meet, and whoever has None beside it goes through."""


def drawn(field: int) -> list[int | None]:
    """The slots of the first round.

    The seeds of two neighbours add up to the number of slots less one, at each step of the folding: so the first
    two can meet in the last round only, the first four in the last two, and the byes are the top seeds'.
    """
    slots = [0]
    while len(slots) < field:
        last = 2 * len(slots) - 1
        slots = [seed for better in slots for seed in (better, last - better)]
    return [seed if seed < field else None for seed in slots]


def meetings(slots: Slots) -> list[tuple[int, int]]:
    """Who meets in this round, the better seed first."""
    return [(min(a, b), max(a, b)) for a, b in _neighbours(slots) if a is not None and b is not None]


def advanced(slots: Slots, beaten: Collection[int]) -> list[int | None]:
    """The slots of the next round, half as many, once those who lost are known."""
    return [a if b is None or b in beaten else b for a, b in _neighbours(slots)]


def round_count(field: int) -> int:
    """Rounds until one is left."""
    return (field - 1).bit_length()


def _neighbours(slots: Slots) -> list[tuple[int | None, int | None]]:
    return list(zip(slots[::2], slots[1::2], strict=True))
