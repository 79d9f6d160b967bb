"""The gauntlet: each challenger meets every bot that is no challenger; at tables of three, every two of them."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from math import comb

from aurum.common.texts import guess, shown
from aurum.formats.event_spec import EventSpec
from aurum.formats.format import Complaint, Draw, Format
from aurum.formats.rounds import TournamentRound
from aurum.pairing.challenges import duels, trios
from aurum.results.match_totals import Totals

_KEY = "tournament.challengers"


class Gauntlet(Format):
    """All rounds are drawn from the order of the bots in the spec."""

    word = "gauntlet"
    own_keys = {_KEY: 'only a gauntlet has challengers: remove the key, or set format = "gauntlet"'}
    trf_system = "Gauntlet (pairings fixed in advance)"

    def usual_challengers(self, bots: Sequence[str]) -> tuple[str, ...]:
        """The first bot."""
        return tuple(bots[:1])

    def complaints(self, spec: EventSpec) -> Iterable[Complaint]:
        """Challengers are bots of the spec, and leave enough others to meet."""
        names = [bot.name for bot in spec.bots]
        for number, name in enumerate(spec.challengers, 1):
            if name not in names:
                yield Complaint(f"{_KEY}[{number}]", f"no bot is called {shown(name)}{guess(name, names)}")
        needed, others = spec.side_count - 1, len(names) - len(spec.challengers)
        if spec.challengers and others < needed:
            yield Complaint(_KEY, f"the challengers need at least {needed} other bots to meet, found {others}")

    def draws(
        self, spec: EventSpec, secret: bytes, rounds: Sequence[TournamentRound], totals: Totals
    ) -> Iterator[Draw]:
        """Nobody plays twice in a round. Whoever is not challenged just waits: that is no bye."""
        names = [bot.name for bot in spec.bots]
        challengers = tuple(number for number, name in enumerate(names) if name in spec.challengers)
        for number, pairings in enumerate(_rounds(len(names), spec.side_count, challengers), 1):
            seated = [tuple(names[i] for i in pairing) for pairing in pairings]
            yield Draw(number, seated, {name for pairing in seated for name in pairing})

    def match_count(self, spec: EventSpec) -> int:
        """Of each challenger: one with each other bot, or with every two of them."""
        challengers = len(spec.challengers)
        return challengers * comb(len(spec.bots) - challengers, spec.side_count - 1)


@cache
def _rounds(field: int, sides: int, challengers: tuple[int, ...]) -> Sequence[Sequence[tuple[int, ...]]]:
    """The pairings of every round, of bots by their number in the spec from 0."""
    others = [number for number in range(field) if number not in challengers]
    return duels(challengers, others) if sides == 2 else trios(challengers, others)


GAUNTLET = Gauntlet()
