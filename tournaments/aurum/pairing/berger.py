"""Pairs a round robin of two sides by Berger tables (FIDE Handbook C.05, Annex 1)."""

Pair = tuple[int, int]


def berger(field: int) -> list[list[Pair]]:
    """The rounds of a round robin of `field` entrants, numbered from 0, each meeting each once.

    An odd field is filled up with one entrant more, number `field`: whoever meets it has a bye, each once.
    In a pair the entrant with the white pieces stands first; over all rounds nobody has them more than one time
    oftener than the other side.
    """
    size = field + field % 2
    last = size - 1
    rounds = []
    for number in range(last):
        lead = number * (size // 2) % last
        first = (lead, last) if number % 2 == 0 else (last, lead)
        rounds.append([first, *(((lead + k) % last, (lead - k) % last) for k in range(1, size // 2))])
    return rounds
