"""The Swiss: in each round bots meet others with about as many points, and bots may come and go between rounds."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import combinations

from aurum.common.texts import counted, shown
from aurum.formats.event_spec import EventSpec
from aurum.formats.format import Complaint, Draw, Format
from aurum.formats.match_points import score_halves
from aurum.formats.options import RankBy
from aurum.formats.rounds import TournamentRound
from aurum.pairing.swiss_pairs import pair, ranked
from aurum.pairing.swiss_trios import rounds_of_strangers, seat
from aurum.results.match_totals import Totals

_ROUNDS_OF_BOTS = "only in a swiss bots come and go between rounds: remove the key"

Entry = tuple[str, int, int]
"""A bot of the field, its half points and its byes."""
Pairings = tuple[tuple[str, ...], ...]
"""The bots of each match of a round."""


class Swiss(Format):
    """A round is drawn from the points after the one before."""

    word = "swiss"
    own_keys = {
        "tournament.rounds": 'only a swiss counts rounds: remove the key, or set format = "swiss"',
        "bots.from_round": _ROUNDS_OF_BOTS,
        "bots.until_round": _ROUNDS_OF_BOTS,
    }
    rank_by = RankBy.POINTS
    byes_give_points = True
    bye_note = "byes, which give the points of a win and are not rated"
    trf_system = "Swiss (weighted matching)"
    amendable = True
    waits = True

    def title(self, spec: EventSpec) -> str:
        """With its rounds."""
        return f"swiss of {spec.rounds} rounds"

    def complaints(self, spec: EventSpec) -> Iterable[Complaint]:
        """It has as many rounds as its field allows, and every bot stays for one of them at least."""
        most = most_rounds(len(spec.bots))
        if spec.rounds is None:
            yield Complaint("tournament.rounds", f"missing: a swiss of {len(spec.bots)} bots has 1 to {most} rounds")
        elif spec.rounds > most:
            yield Complaint(
                "tournament.rounds",
                f"a swiss of {len(spec.bots)} bots has at most {most} rounds, not {spec.rounds}: "
                'for more use format = "round_robin"',
            )
        for number, bot in enumerate(spec.bots, 1):
            named = f"(name {shown(bot.name)})"
            if spec.rounds is not None and bot.from_round > spec.rounds:
                yield Complaint(
                    f"bots[{number}].from_round",
                    f"the tournament has {spec.rounds} rounds, not {bot.from_round} {named}",
                )
            if bot.until_round is not None and bot.until_round < bot.from_round:
                yield Complaint(
                    f"bots[{number}].until_round", f"must not be before from_round = {bot.from_round} {named}"
                )

    def field(self, spec: EventSpec, number: int) -> list[str]:
        """Those that have come and not left."""
        return [bot.name for bot in spec.bots if bot.from_round <= number <= (bot.until_round or number)]

    def draws(
        self, spec: EventSpec, secret: bytes, rounds: Sequence[TournamentRound], totals: Totals
    ) -> Iterator[Draw]:
        """A round for which no bot is in the field is left out."""
        for number in range(1, (spec.rounds or 0) + 1):
            if field := self.field(spec, number):
                yield Draw(number, _pairings(spec, field, secret, rounds, totals), field)

    def match_count(self, spec: EventSpec) -> int:
        """In each round as many as its field fills."""
        return sum(self._match_counts(spec, 1))

    def matches_to_come(self, spec: EventSpec, ready: Sequence[TournamentRound]) -> Sequence[int]:
        """Also of rounds without a bot."""
        return self._match_counts(spec, ready[-1].number + 1)

    def _match_counts(self, spec: EventSpec, first: int) -> list[int]:
        return [len(self.field(spec, n)) // spec.side_count for n in range(first, (spec.rounds or 0) + 1)]

    def warnings(self, spec: EventSpec) -> Iterable[str]:
        """Of trios, if some have to meet again."""
        bots, rounds = len(spec.bots), spec.rounds or 0
        if spec.side_count == 3 and rounds > (most := rounds_of_strangers(bots)):
            yield (
                f"{bots} bots can be paired in threes for {counted(most, 'round')} at most without any two meeting "
                f"again: in {counted(rounds, 'round')} some will"
            )

    def notes(self, rounds: Sequence[TournamentRound]) -> Iterable[str]:
        """Who met again because there was no other way."""
        again = list(rematches(rounds))
        if again and all(len(match.bots) == 2 for played in rounds for match in played.matches):
            named = ", ".join(f"{one} - {other} (round {number})" for number, one, other in again)
            yield f"met again, since the field left no pairing without: {named}"
        elif again:
            yield f"two bots met again {counted(len(again), 'time')}, as seldom as the points allowed"


def most_rounds(bots: int) -> int:
    """Rounds that a Swiss of so many bots may have: half the field, rounded up.

    Up to there a pairing without rematch always exists for two sides while the field stays the same (Dirac: with the
    bye as one more opponent, everyone has still more than half of the others to meet).
    """
    return (bots + 1) // 2


def rematches(rounds: Iterable[TournamentRound]) -> Iterator[tuple[int, str, str]]:
    """Round and bots of each meeting that was not the first of the two."""
    met: set[frozenset[str]] = set()
    for played in rounds:
        for match in played.matches:
            for one, other in combinations(match.bots, 2):
                if {one, other} in met:
                    yield played.number, one, other
                met.add(frozenset((one, other)))


def _pairings(
    spec: EventSpec, field: Sequence[str], secret: bytes, rounds: Sequence[TournamentRound], totals: Totals
) -> Pairings:
    """Who of the field meets whom, after these rounds with these results."""
    score = score_halves([bot.name for bot in spec.bots], rounds, totals, spec.side_count)
    met = Counter(
        frozenset(two) for played in rounds for match in played.matches for two in combinations(match.bots, 2)
    )
    byes = Counter(bye.bot for played in rounds for bye in played.byes)
    order = ranked(field, score, secret)
    entries = tuple((bot, score[bot], byes[bot]) for bot in order)
    return _paired(spec.side_count, entries, {two: times for two, times in met.items() if two <= {*field}}, secret)


_PAIRED: dict[bytes, Pairings] = {}
"""By the digest of what decides them: for hundreds of bots, what decides them is much larger than they are."""


def _paired(sides: int, entries: Sequence[Entry], met: Mapping[frozenset[str], int], secret: bytes) -> Pairings:
    """The pairings, kept while the process lives: whoever asks for a round asks for all those before it again.

    Args:
        sides: of a game.
        entries: the field, ranked.
        met: how often two of the field have met, if ever.
        secret: the tournament's.
    """
    meetings = sorted((*sorted(two), times) for two, times in met.items())
    inputs = sha256(repr((sides, entries, meetings, secret)).encode()).digest()
    if inputs not in _PAIRED:
        names = [bot for bot, _, _ in entries]
        score = {bot: halves for bot, halves, _ in entries}
        byes = {bot: had for bot, _, had in entries}
        find = pair if sides == 2 else seat
        _PAIRED[inputs] = tuple(find(names, score, met, byes, secret)[0])
    return _PAIRED[inputs]


SWISS = Swiss()
