"""How often the intervals of the standings hold the truth, and LOS is right, simulated: prints Markdown tables.

    python benchmarks/interval_coverage.py [--runs 2000] [--seed 1] [--widths 350 400 500 700] [--luck 0 0.6]

In every run a field of bots with known strengths plays a round robin. A game ends by Davidson's model, with a draw in
20 games between equals; the two games of a deal are tied together by the luck of the deal (a Gaussian copula), so that
each is as likely as the model says and one makes up for the other. From the results the standings are computed as the
arena does, and every bot's interval, relative to the mean, is compared with its strength.
"""

import argparse
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, product
from multiprocessing import get_context

import numpy as np
from aurum.rating.intervals import most_probable
from aurum.rating.models import clusters_of
from aurum.rating.orders import Group, Order
from aurum.rating.posterior import PRIOR_ELO
from aurum.statistics.elo import ELO
from numpy.typing import NDArray
from scipy.special import ndtri
from tabulate import tabulate

Vector = NDArray[np.float64]

DRAWS = 0.05
NU = 2 * DRAWS / (1 - DRAWS)
SPREAD = 150.0
"""Elo: the standard deviation of an ordinary field."""
FIELDS = {
    "ordinary": (),
    "a champion": (600.0,),
    "a hopeless bot": (-800.0,),
    "both": (500.0, -700.0),
    "as the prior": (),
}
"""By name, how much stronger than the others its first bots are, in Elo."""


@dataclass(frozen=True)
class Case:
    """What is simulated: a kind of field, its bots, the deals of each pairing, and what ties their two games together.

    `luck` is the correlation that the deal gives the two games' margins, with the sides exchanged; `width` the prior's.
    """

    field: str
    bots: int
    deals: int
    luck: float
    width: float = PRIOR_ELO


@dataclass(frozen=True)
class Outcome:
    """Of many runs: intervals that held the truth, that were too low or too high, and those of extreme bots that held.

    `los` is the mean LOS that was given, `right` how often the bot was stronger indeed; `half` half the mean width.
    """

    held: float
    too_low: float
    too_high: float
    extreme: float | None
    los: float
    right: float
    half: float


def strengths(case: Case, rng: np.random.Generator) -> Vector:
    """Of a field, in Elo, relative to its mean."""
    found = rng.normal(0, case.width if case.field == "as the prior" else SPREAD, case.bots)
    apart = FIELDS[case.field]
    found[: len(apart)] += apart
    relative: Vector = found - found.mean()
    return relative


def round_robin(truth: Vector, case: Case, rng: np.random.Generator) -> Counter[Group]:
    """How often deal groups end in each way."""
    groups = Counter[Group]()
    for a, b in combinations(range(case.bots), 2):
        odds = np.exp((truth[a] - truth[b]) / ELO / 2)
        weights = np.array([1 / odds, NU, odds])
        edges = ndtri(np.cumsum(weights / weights.sum())[:2])
        first, chance = rng.normal(size=(2, case.deals))
        second = -case.luck * first + np.sqrt(1 - case.luck**2) * chance
        results = np.sort(np.searchsorted(edges, np.stack([first, second], axis=1)), axis=1)
        for ended, times in zip(*np.unique(results, axis=0, return_counts=True), strict=True):
            groups[tuple(sorted(order(a, b, result) for result in ended))] += int(times)
    return groups


def order(a: int, b: int, result: int) -> Order:
    """A game of two bots: lost by the first, drawn, won."""
    if result == 1:
        return (((a,), (b,)),)
    ahead, behind = (a, b) if result else (b, a)
    return ((ahead,),), ((behind,),)


def measure(job: tuple[Case, int, tuple[int, ...]]) -> Outcome:
    """Simulate a case."""
    case, runs, seed = job
    rng = np.random.default_rng(seed)
    signs, extreme, los, right, widths = [], [], [], [], []
    extremes = range(len(FIELDS[case.field]))
    for _ in range(runs):
        truth = strengths(case, rng)
        clusters = clusters_of(round_robin(truth, case, rng))
        found = most_probable(case.bots, clusters, [case.deals * (case.bots - 1)] * case.bots, case.width)
        (members,) = found.islands
        ranked = sorted(members, key=lambda bot: -found.lead(bot, members))
        for bot in members:
            low, high = (ELO * end for end in found.interval(bot, members) if end is not None)
            signs.append(int(low > truth[bot]) - int(high < truth[bot]))
            widths.append((high - low) / 2)
            if bot in extremes:
                extreme.append(signs[-1])
        for one, other in pairwise(ranked):
            los.append(found.superiority(one, other))
            right.append(truth[one] > truth[other])
    held, too_high, too_low = (float(np.mean([sign == kind for sign in signs])) for kind in (0, 1, -1))
    extremes_held = float(np.mean([sign == 0 for sign in extreme])) if extreme else None
    return Outcome(
        held, too_low, too_high, extremes_held, float(np.mean(los)), float(np.mean(right)), float(np.mean(widths))
    )


def row(case: Case, outcomes: Sequence[Outcome]) -> list[str]:
    """Of a table: an outcome for each number of deals."""
    held = " / ".join(f"{found.held:.3f}".lstrip("0") for found in outcomes)
    apart = " / ".join("-" if found.extreme is None else f"{found.extreme:.2f}".lstrip("0") for found in outcomes)
    sides = " / ".join(f"{found.too_low:.3f} {found.too_high:.3f}".replace("0.", ".") for found in outcomes)
    los = " / ".join(f"{found.los:.2f} {found.right:.2f}".replace("0.", ".") for found in outcomes)
    half = " / ".join(f"{found.half:.0f}" for found in outcomes)
    return [case.field, str(case.bots), f"{case.luck:g}", f"{case.width:g}", held, apart, sides, los, half]


def print_table(title: str, cases: Iterable[Case], deals: Sequence[int], runs: int, seed: int) -> None:
    """A row for each case, a figure for each number of deals."""
    every = list(cases)
    jobs = [
        (replace(case, deals=many), max(1, runs // case.bots), (seed, number, many))
        for number, case in enumerate(every)
        for many in deals
    ]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        found = list(pool.map(measure, jobs))
    rows = [row(case, found[n * len(deals) : (n + 1) * len(deals)]) for n, case in enumerate(every)]
    at = " / ".join(map(str, deals))
    headers = ["field", "bots", "luck", "prior", f"held at {at} deals", "the extreme bots'"]
    headers += ["too low, too high", "LOS, right", "half the width, Elo"]
    print(f"{title}\n\n{tabulate(rows, headers=headers, tablefmt='github', disable_numparse=True)}\n", flush=True)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=2_000, help="intervals of each cell")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--widths", type=float, nargs="+", default=[350.0, 400.0, 500.0, 700.0], help="priors to compare"
    )
    parser.add_argument("--luck", type=float, nargs="+", default=[0.0, 0.6], help="how much the deals decide")
    options = parser.parse_args()
    cases = [Case(field, bots, 0, luck) for field, bots, luck in product(FIELDS, (4, 8), options.luck)]
    print(f"{options.runs} intervals a cell, seed {options.seed}\n")
    print_table("Intervals:", cases, (2, 5, 20, 200), options.runs, options.seed)
    apart = [Case(field, 6, 0, 0.4, width) for field in FIELDS for width in options.widths]
    print_table("By the width of the prior:", apart, (2, 20), options.runs, options.seed)


if __name__ == "__main__":
    main()
