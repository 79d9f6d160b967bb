"""Divides a tournament into shards: parts that are played apart, as from a batch queue, and merged afterwards.

A shard is a run of deal groups in schedule order: as few matches as can be, so that few bots are launched.
"""

import re
from dataclasses import dataclass
from typing import Self

from aurum.common.errors import UserError
from aurum.common.texts import counted
from aurum.schedule.schedule import group_size, match_count, rounds_ready
from aurum.spec.spec import Spec


@dataclass(frozen=True)
class Shard:
    """Part `number` of `count`, from 1."""

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """The shard that is written "2/5". Raises ValueError if none is."""
        match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
        shard = cls(int(match[1]), int(match[2])) if match else None
        if shard is None or not 1 <= shard.number <= shard.count:
            raise ValueError(f"{text!r} is not I/N, the I-th of N parts, as in 2/5")
        return shard

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def deals(self, total: int) -> range:
        """Its deals out of `total`, which are numbered from 0 over the whole tournament: no two shards differ by more
        than one."""
        return range(total * (self.number - 1) // self.count, total * self.number // self.count)


def part_name(shard: Shard | None) -> str:
    """How errors name what a store is for; None is all of it."""
    return "the whole tournament" if shard is None else f"shard {shard}"


def deal_total(spec: Spec) -> int:
    """Deal groups of the whole tournament."""
    return match_count(spec) * spec.deals


def game_total(spec: Spec, shard: Shard | None = None) -> int:
    """Games of the whole tournament, or of a part of it."""
    total = deal_total(spec)
    return (total if shard is None else len(shard.deals(total))) * group_size(spec)


def share(spec: Spec, shard: Shard) -> range:
    """The deals that a shard of this tournament plays.

    Raises:
        UserError: it has no parts that can be played apart: without a seed each would have deals of its own, and where
            results decide who meets whom, nobody could play a later round.
    """
    planned = sum(len(round_.matches) for round_ in rounds_ready(spec, bytes(32), {}))  # no secret changes how many
    if planned < match_count(spec):
        raise UserError(
            f"{spec.source}: tournament.format: a {spec.format} cannot be played in shards, since results decide who "
            "meets whom: play it on one machine, or on a cluster with --executor"
        )
    if spec.seed is None:
        raise UserError(f"{spec.source}: tournament.seed: missing: all shards must have the same deals")
    total = deal_total(spec)
    if shard.count > total:
        raise UserError(
            f"{spec.source}: {counted(total, 'deal group')} cannot be divided into {shard.count} shards: "
            f"take {total} or fewer"
        )
    return shard.deals(total)
