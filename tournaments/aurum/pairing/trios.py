"""Round robin for tables of three: every three bots meet once."""

from itertools import combinations

Trio = tuple[int, int, int]


def all_trios(field: int) -> list[list[Trio]]:
    """All trios of `field` entrants, numbered from 0, in rounds in which nobody sits at two tables.

    Greedy: a round takes, from the trios left, those whose members have sat least so far, in ascending order among
    equals, as long as they are disjoint. So play stays even throughout. Not every round is full, though for a field
    divisible by three Baranyai's theorem says that all could be: rounds are no barrier here, so nobody waits for it.
    """
    left = list(combinations(range(field), 3))
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
