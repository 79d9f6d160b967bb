"""Pairs a round robin of three sides: every three bots meet once."""

from collections.abc import Iterable
from itertools import combinations

Trio = tuple[int, int, int]


def all_trios(field: int) -> list[list[Trio]]:
    """All trios of `field` entrants, numbered from 0, in rounds in which nobody is in two trios.

    Not every round is full, though for a field divisible by three Baranyai's theorem says that all could be: rounds
    are no barrier here, so nobody waits for it.
    """
    return in_rounds(combinations(range(field), 3), field)


def in_rounds(trios: Iterable[Trio], field: int) -> list[list[Trio]]:
    """Trios of `field` entrants, in rounds in which nobody is in two of them.

    Greedy: a round takes, from the trios left, those whose members have played least so far, in ascending order among
    equals, as long as they are disjoint. So play stays even throughout.
    """
    left = list(trios)
    played = [0] * field
    rounds = []
    while left:
        left.sort(key=lambda trio: (played[trio[0]] + played[trio[1]] + played[trio[2]], trio))
        busy: set[int] = set()
        chosen, postponed = [], []
        for trio in left:
            if busy.isdisjoint(trio):
                busy.update(trio)
                chosen.append(trio)
            else:
                postponed.append(trio)
        for entrant in busy:
            played[entrant] += 1
        rounds.append(sorted(chosen))
        left = postponed
    return rounds
