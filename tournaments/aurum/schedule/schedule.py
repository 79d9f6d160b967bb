"""Computes who meets whom, and when, from the spec, the secret and the results so far, and from nothing else."""

from aurum.formats.rounds import TournamentRound, seatings_of
from aurum.results.match_totals import Totals
from aurum.spec.spec import Spec


def rounds_ready(spec: Spec, secret: bytes, totals: Totals, until_round: int | None = None) -> list[TournamentRound]:
    """Every round that can be paired now, in order.

    Round robin and gauntlet: all of them. Swiss and knockout: the finished ones and the next; a round is finished
    when every game of it is among the results. More results only ever append rounds.

    Args:
        spec: the tournament.
        secret: 32 bytes that decide between equals in a Swiss, and where a knockout's seeds are drawn.
        totals: of the finished games.
        until_round: the last round that is wanted; without it, all of them.
    """
    return spec.format.rounds_ready(spec, secret, totals, until_round)


def match_count(spec: Spec) -> int:
    """Matches of the whole tournament."""
    return spec.format.match_count(spec)


def group_size(spec: Spec) -> int:
    """Games of a deal group: seatings of a deal."""
    return len(seatings_of(spec.side_count, spec.seatings))
