"""The round robin: every two bots meet; at tables of three every three, or every two in few matches."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from math import comb

from aurum.formats.event_spec import EventSpec
from aurum.formats.format import Complaint, Draw, Format
from aurum.formats.options import Pairings
from aurum.formats.rounds import TournamentRound
from aurum.pairing.berger import berger
from aurum.pairing.coverings import covering
from aurum.pairing.trios import all_trios, in_rounds
from aurum.results.match_totals import Totals

_NOT_HERE = "only a round robin with players = 3 has this choice: remove the key"


class RoundRobin(Format):
    """All rounds are drawn from the order of the bots in the spec."""

    word = "round_robin"
    own_keys = {"tournament.tables": _NOT_HERE}
    trf_system = "Round robin (Berger tables)"

    def complaints(self, spec: EventSpec) -> Iterable[Complaint]:
        """Only at tables of three there is a choice of pairings."""
        if spec.pairings is Pairings.PAIRS and spec.side_count != 3:
            yield Complaint("tournament.tables", _NOT_HERE)

    def draws(
        self, spec: EventSpec, secret: bytes, rounds: Sequence[TournamentRound], totals: Totals
    ) -> Iterator[Draw]:
        """Two sides by Berger tables, three in rounds in which nobody plays twice."""
        names = [bot.name for bot in spec.bots]
        for number, pairings in enumerate(_rounds(len(names), spec.side_count, spec.pairings), 1):
            yield Draw(number, [tuple(names[i] for i in pairing) for pairing in pairings], names)

    def match_count(self, spec: EventSpec) -> int:
        """One for every two or three bots, or those of the covering."""
        field = len(spec.bots)
        return comb(field, spec.side_count) if spec.pairings is Pairings.ALL else len(covering(field))


@cache
def _rounds(field: int, sides: int, pairings: Pairings) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """The pairings of every round, of bots by their number in the spec from 0."""
    rounds: Iterable[Iterable[tuple[int, ...]]]
    if sides == 2:
        rounds = berger(field)
    else:
        rounds = all_trios(field) if pairings is Pairings.ALL else in_rounds(covering(field), field)
    # Whoever is drawn against the number after the last has a bye.
    return tuple(tuple(pairing for pairing in drawn if max(pairing) < field) for drawn in rounds)


ROUND_ROBIN = RoundRobin()
