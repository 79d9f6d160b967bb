"""Who meets whom, and when: a pure function of the spec, the secret and the results so far."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Match:
    """A pairing: `deals` deals, numbered from `first_deal` over the whole tournament, each in every seating.

    `id` is "r1m1": round and match, both from 1.
    """

    id: str
    round: int
    bots: tuple[str, ...]
    first_deal: int
    deals: int


@dataclass(frozen=True)
class Bye:
    """A bot that sits out a round."""

    round: int
    bot: str


@dataclass(frozen=True)
class Round:
    """Every bot of the field once: in a match or with a bye. `number` counts from 1."""

    number: int
    matches: tuple[Match, ...]
    byes: tuple[Bye, ...]
