"""Pairs a gauntlet: some challengers each meet every other entrant, and nobody is in two matches of a round."""

from collections.abc import Sequence
from typing import TypeVar

from aurum.pairing.berger import berger
from aurum.pairing.trios import Trio

Entrant = TypeVar("Entrant")


def duels(challengers: Sequence[int], others: Sequence[Entrant]) -> list[list[tuple[int, Entrant]]]:
    """Every challenger with every other once, in as few rounds as the more numerous of them have members.

    In a round the challengers move one on along the others.
    """
    size = max(len(challengers), len(others))
    return [
        [
            (challenger, other)
            for i, challenger in enumerate(challengers)
            for j, other in enumerate(others)
            if (j - i) % size == shift
        ]
        for shift in range(size)
    ]


def trios(challengers: Sequence[int], others: Sequence[int]) -> list[list[Trio]]:
    """Every challenger with every two of the others once.

    The others are paired as in a round robin of two sides (`berger`); of each of its rounds, every challenger meets
    every pair.
    """
    paired = [[(others[a], others[b]) for a, b in pairs if max(a, b) < len(others)] for pairs in berger(len(others))]
    return [
        [(challenger, *pair) for challenger, pair in duel] for pairs in paired for duel in duels(challengers, pairs)
    ]
