"""What a schedule is made of."""

from dataclasses import dataclass


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


@dataclass(frozen=True)
class Bye:
    """A bot that sits out a round. In a Swiss it gets the points of a win; it is never rated."""

    round: int
    bot: str


@dataclass(frozen=True)
class Round:
    """Every bot of the field once: in a match or with a bye. `number` counts from 1."""

    number: int
    matches: tuple[Match, ...]
    byes: tuple[Bye, ...]


def seatings(match: Match, players: int) -> tuple[tuple[int, ...], ...]:
    """Every seating of a deal group: by seat, an index into the match's bots.

    Four players: bot 0 as side 0, then as side 1. Three: all rotations. Turning a four-player table by one seat
    more would only exchange two instances of one bot, so these are all that fairness asks for.
    """
    sides = len(match.bots)
    return tuple(tuple((seat + turn) % sides for seat in range(players)) for turn in range(sides))
