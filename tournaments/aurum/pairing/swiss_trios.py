"""Pairs a Swiss of three sides: the cheapest trios of the field."""

from collections.abc import Mapping, Sequence

from aurum.pairing.cheapest_trios import cheapest
from aurum.pairing.swiss_pairs import lot

NamedTrio = tuple[str, str, str]

_REMATCH = 4_000
"""What each meeting before costs: the square of half points that 1,000 is of points."""
_SMALL = {3: 1, 4: 1, 5: 2, 6: 1, 7: 1, 12: 4}
"""Fields with fewer rounds of strangers than there are pairs for: by trying all, and of 12 by a theorem."""
_LOTS = 64
_STARTS = 8


def rounds_of_strangers(field: int) -> int:
    """In how many rounds a field can sit in trios at most without any two meeting again: 4 of 9, who all have met then.

    There are field * (field - 1) / 2 pairs, and each round takes three for each trio. That many rounds exist for 9, 15,
    21, ... entrants (Ray-Chaudhuri and Wilson 1971) and for 18, 24, 30, ... (Baker and Wilson 1977), not for 6 and
    12. A Swiss also looks at points, so two may meet again earlier.
    """
    pairs = field * (field - 1) // 2
    return _SMALL.get(field, pairs // (3 * (field // 3)) if field > 2 else 0)


def seat(
    order: Sequence[str],
    score: Mapping[str, int],
    met: Mapping[frozenset[str], int],
    byes: Mapping[str, int],
    secret: bytes,
) -> tuple[list[NamedTrio], list[str]]:
    """Trios of one round, best first, and who has a bye: the size of the field modulo three.

    Byes go to those who have had the fewest, among them to the lowest in rank. The others sit so that the sum over
    every two bots in one trio of (difference in points)^2 + 1,000 x (times they have met) is least; among equals the
    sum of 64 x (difference in rank)^2 and a lot from 0 to 63 drawn for the two. The squares leave hardly two equal
    sums, and with them the proof needs no search as a rule (up to 30 bots; above them it is a local search that
    begins in the order of ranks and in seven that are drawn). A small field cannot avoid that bots meet again.

    Args:
        order: the field, ranked.
        score: half points by bot.
        met: how often two bots have been in one trio; absent is never.
        byes: how many a bot has had; absent is none.
        secret: the tournament's.
    """
    fewest_lowest = sorted(range(len(order)), key=lambda i: (byes.get(order[i], 0), -i))
    resting = [order[i] for i in fewest_lowest[: len(order) % 3]]
    playing = [bot for bot in order if bot not in resting]
    if not playing:
        return [], resting
    above = _LOTS * len(playing) ** 3  # more than all ranks and lots of a round add up to

    def cost(i: int, j: int) -> int:
        if i == j:
            return 0
        a, b = playing[i], playing[j]
        matters = (score[a] - score[b]) ** 2 + _REMATCH * met.get(frozenset((a, b)), 0)
        return above * matters + _LOTS * (i - j) ** 2 + lot(secret, *sorted((a, b))) % _LOTS

    by_rank = range(len(playing))
    starts = [tuple(by_rank)]
    starts += [tuple(sorted(by_rank, key=lambda i: lot(secret, playing[i], str(k)))) for k in range(1, _STARTS)]
    trios = cheapest(tuple(tuple(cost(i, j) for j in by_rank) for i in by_rank), tuple(starts))
    return [(playing[a], playing[b], playing[c]) for a, b, c in trios], resting
