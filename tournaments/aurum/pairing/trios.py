"""Round robin for tables of three: every three bots meet once."""

from collections.abc import Iterable
from itertools import combinations

Trio = tuple[int, int, int]


def all_trios(field: int) -> list[list[Trio]]:
    """All trios of `field` entrants, numbered from 0, in rounds in which nobody sits at two tables.

    Not every round is full, though for a field divisible by three Baranyai's theorem says that all could be: rounds
    are no barrier here, so nobody waits for it.
    """
    return in_rounds(combinations(range(field), 3), field)


def in_rounds(tables: Iterable[Trio], field: int) -> list[list[Trio]]:
    """Tables of `field` entrants, in rounds in which nobody sits at two of them.

    Greedy: a round takes, from the tables left, those whose members have sat least so far, in ascending order among
    equals, as long as they are disjoint. So play stays even throughout.
    """
    left = list(tables)
    sat = [0] * field
    rounds = []
    while left:
        left.sort(key=lambda trio: (sat[trio[0]] + sat[trio[1]] + sat[trio[2]], trio))
        busy: set[int] = set()
        chosen, later = [], []
        for trio in left:
            if busy.isdisjoint(trio):
                busy.update(trio)
                chosen.append(trio)
            else:
                later.append(trio)
        for entrant in busy:
            sat[entrant] += 1
        rounds.append(sorted(chosen))
        left = later
    return rounds
