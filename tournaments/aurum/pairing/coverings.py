"""The fewest trios in which every two entrants meet at least once, for a field of any size."""

from aurum.pairing.steiner import exists, steiner, with_five
from aurum.pairing.trios import Trio

_FIVE: list[Trio] = [(0, 1, 2), (0, 3, 4), (1, 2, 3), (1, 2, 4)]
_SIX: list[Trio] = [(0, 1, 2), (0, 1, 3), (0, 4, 5), (1, 4, 5), (2, 3, 4), (2, 3, 5)]


def covering(field: int) -> list[Trio]:
    """Trios of `field` entrants, numbered from 0, ascending: as few as possible (Fort and Hedlund 1958).

    - 1 or 3 modulo 6: a Steiner triple system.
    - 5 modulo 6: every two meet once but for five entrants, who meet in four trios; two of them meet three times.
    - even: trios of all but one, who then sits with two of the others at a time. Each pair of these meets twice. Where
      the others are 5 modulo 6, the last and the five are six, who meet in six trios.

    Nobody sits more than once oftener than another.
    """
    if field < 3:
        return []
    if exists(field):
        return steiner(field)
    if field % 6 == 5:
        return sorted(_FIVE + with_five(field))
    last = field - 1
    if field % 6 == 0:
        alone = range(5, last)
        apart = [(one, other, last) for one, other in zip(alone[::2], alone[1::2], strict=True)]
        six = [_renamed(trio, last) for trio in _SIX]
        return sorted([*six, *(with_five(last) if last > 5 else []), *apart])
    pairs = [(one, one + 1, last) for one in range(0, last - 1, 2)]
    return sorted([*steiner(last), *pairs, (0, last - 1, last)])


def _renamed(trio: Trio, last: int) -> Trio:
    """A trio of the first five and the last, who is number 5 in `_SIX`."""
    first, second, third = (last if member == 5 else member for member in trio)
    return first, second, third
