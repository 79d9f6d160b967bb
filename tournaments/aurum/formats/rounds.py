"""The rounds of a tournament: their matches and byes, and whether all of their games are there."""

from dataclasses import dataclass

from aurum.formats.options import Seatings
from aurum.results.match_totals import Totals

Seating = tuple[int, ...]
"""Who sits where: by seat, an index into a match's bots."""


@dataclass(frozen=True)
class Match:
    """A pairing: `deals` deals, numbered from `first_deal` over the whole tournament, each in every seating.

    `id` is "r1m1": round and match, both from 1. `bots` are two at a four-player table, three at a table of three.
    """

    id: str
    round: int
    bots: tuple[str, ...]
    first_deal: int
    deals: int
    seatings: Seatings = Seatings.ROTATIONS

    @property
    def all_seatings(self) -> tuple[Seating, ...]:
        """Those of each deal group, in the order in which games are numbered."""
        return seatings_of(len(self.bots), self.seatings)

    @property
    def games(self) -> int:
        """Games of the whole match."""
        return self.deals * len(self.all_seatings)


@dataclass(frozen=True)
class Bye:
    """A bot that sits out a round. It is never rated; whether it gives points is for the format to say."""

    round: int
    bot: str


@dataclass(frozen=True)
class TournamentRound:
    """Every bot of the field once: in a match or with a bye. `number` counts from 1."""

    number: int
    matches: tuple[Match, ...]
    byes: tuple[Bye, ...]


def seatings_of(sides: int, seatings: Seatings) -> tuple[Seating, ...]:
    """Every seating of a deal group in games of so many sides.

    Two (teams of two seats): bot 0 as side 0, then as side 1; turning the table by one seat more would only exchange
    two instances of one bot. Three: all rotations, so that everyone sits everywhere once; of permutations the other
    three follow, so that everyone also sits once before and once behind each other bot at every seat.
    """
    if sides == 2:
        return (0, 1, 0, 1), (1, 0, 1, 0)
    ways = [(0, 1, 2), (0, 2, 1)] if seatings is Seatings.PERMUTATIONS else [(0, 1, 2)]
    return tuple((*way[turn:], *way[:turn]) for way in ways for turn in range(3))


def finished(played: TournamentRound, totals: Totals) -> bool:
    """Whether every game of the round is in these totals."""
    return all(match.id in totals and totals[match.id].games == match.games for match in played.matches)
