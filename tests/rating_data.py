"""The games of tests/data/ratings, as choices and as rows."""

import csv
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from aurum.rating.orders import WHOLE, Choice, Order, order_of, stages
from aurum.results.game_row import GameRow
from tournament_rows import game_row

DATA = Path(__file__).parent / "data" / "ratings"
PLACINGS = {"1-0": (1, 2), "0-1": (2, 1), "1/2-1/2": (1, 1)}


def lines(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def reference(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / name).read_text(encoding="utf-8"))
    return found


def counted(orders: Iterable[Order]) -> Counter[Choice]:
    """The choices of games, in halves."""
    counts = Counter[Choice]()
    for order in orders:
        counts.update(dict(stages(order)))
    return counts


def ranking(ranks: Sequence[int]) -> Order:
    """The order of those who have a rank that is not 0, by number."""
    there = [(number,) for number, rank in enumerate(ranks) if rank]
    return order_of(tuple(there), tuple(rank for rank in ranks if rank))


def duels(results: Iterable[tuple[int, int, int, int, int]]) -> Counter[Choice]:
    """Choices of duels: i, j, wins of i, of j, ties."""
    counts = Counter[Choice]()
    for i, j, won, lost, tied in results:
        a, b = (i,), (j,)
        sides = (min(a, b), max(a, b))
        for chosen, times in (((a,), won), ((b,), lost), (sides, tied)):
            if times:
                counts[Choice(sides, chosen)] += WHOLE * times
    return counts


def synth2() -> list[GameRow]:
    return [
        game_row("m", deal, 0, (line["side_a"], line["side_b"]), PLACINGS[line["result"]])
        for deal, line in enumerate(lines("synth2_results.csv"))
    ]


def synth3() -> list[GameRow]:
    return [
        game_row("m", deal, 0, [line[f"seat{i}"] for i in (1, 2, 3)], [int(line[f"rank{i}"]) for i in (1, 2, 3)])
        for deal, line in enumerate(lines("synth3_results.csv"))
    ]
