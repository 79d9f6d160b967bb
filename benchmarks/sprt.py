"""Error rates and lengths of the sequential test of `arena compare`, simulated, and how either can be spoilt.

    python benchmarks/sprt.py [--runs 2000] [--seed 1]

Bounds [0, 20], alpha = beta = 5 %. *Independent games* are the baseline, in the same run: what a test takes that sees
every game of another deal. Beside each simulated length stands Wald's expectation.

A game's margin is d + sqrt(rho) * luck + sqrt(1 - rho) * chance, luck and chance normal: d is how much stronger NEW is,
luck is the deal's. In the second game of a pair the seats are exchanged, and the luck has the other sign. A margin
near 0 is a draw, near enough that 5 % of the games between equals are drawn.
"""

import argparse
import math
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context

import numpy as np
from aurum.statistics.elo import NELO, elo_of, expected_score, mean_and_variance
from aurum.statistics.gsprt import Bounds, EloModel, Verdict, expected_groups
from aurum.statistics.likelihood_ratio import log_likelihood_ratios
from aurum.statistics.stopping import corrected_score
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri
from tabulate import tabulate

Vector = NDArray[np.float64]
Ints = NDArray[np.int64]
Outcomes = Callable[[int, Ints], Ints]
"""From the number of a step and the runs that are still open to what happens in each of them."""

DRAWS = 0.05
MOST_STEPS = 20_000
"""Units after which a run counts as undecided; none comes near."""
LUCK = np.linspace(-8, 8, 2001)
LUCK_WEIGHTS = np.exp(-(LUCK**2) / 2) / np.exp(-(LUCK**2) / 2).sum()

GAME = (0.0, 0.5, 1.0)
PAIR = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class Design:
    """What is played, `games` at a time, and what the test takes for a unit.

    `support` are the unit's scores; row o of `adds` is how many units of each score outcome o adds.
    """

    name: str
    games: int
    rho: float
    support: tuple[float, ...]
    adds: tuple[tuple[int, ...], ...]
    unit_games: int
    boards: bool = False

    def chances(self, d: float) -> Vector:
        """The probability of each outcome: of a game (lost, drawn, won), or the nine of a pair."""
        if self.boards:  # the luck of the two games cancels
            return by_margin(2 * d, np.sqrt(2 * (1 - self.rho)))
        if self.games == 1:
            return by_margin(d, 1.0)
        shift, spread = np.sqrt(self.rho) * LUCK, np.sqrt(1 - self.rho)
        tau = ndtri(0.5 + DRAWS / 2)
        first, second = (by_margin(d + sign * shift, spread, tau) for sign in (1, -1))
        chances: Vector = np.einsum("ln,mn,n->lm", first, second, LUCK_WEIGHTS).ravel()
        return chances

    def moments(self, d: float) -> tuple[float, float]:
        """Mean and variance of a unit's score."""
        units = self.chances(d) @ np.array(self.adds)
        mean = units @ np.array(self.support) / units.sum()
        return float(mean), float(units @ (np.array(self.support) - mean) ** 2 / units.sum())

    def strength(self, elo: float, model: EloModel) -> float:
        """The d with which the units have that Elo."""

        def surplus(d: float) -> float:
            mean, variance = self.moments(d)
            if model is EloModel.LOGISTIC:
                return float(mean - expected_score(elo))
            return (mean - 0.5) / math.sqrt(self.unit_games * variance) * NELO - elo

        return float(brentq(surplus, -1, 1, xtol=1e-12))


def by_margin(centre: float | Vector, spread: float, tau: float | None = None) -> Vector:
    """The probabilities that a normal margin is a loss, a draw, a win."""
    near = spread * ndtri(0.5 + DRAWS / 2) if tau is None else tau
    lost, won = ndtr((-near - centre) / spread), ndtr((centre - near) / spread)
    return np.array([lost, 1 - lost - won, won])


SINGLE = Design("independent games", 1, 0.0, GAME, ((1, 0, 0), (0, 1, 0), (0, 0, 1)), 1)


def pairs(rho: float) -> Design:
    """Both games of a deal are a unit."""
    adds = tuple(tuple(int(a + b == score) for score in range(5)) for a in range(3) for b in range(3))
    return Design(f"pairs, luck {rho:g}", 2, rho, PAIR, adds, 2)


def boards(rho: float) -> Design:
    """The same, by the sign of its margin."""
    return Design(f"boards, luck {rho:g}", 2, rho, GAME, SINGLE.adds, 2, boards=True)


def as_games(design: Design) -> Design:
    """Pairs, but the test takes their games for independent ones."""
    adds = tuple(tuple((a == r) + (b == r) for r in range(3)) for a in range(3) for b in range(3))
    return replace(design, name="games of pairs, taken one by one", support=GAME, adds=adds, unit_games=1)


def played_twice(design: Design) -> Design:
    """Pairs of bots that play the same deal in the same way again, and both times count."""
    twice = tuple(tuple(2 * n for n in row) for row in design.adds)
    return replace(design, name="pairs, each replayed by deterministic bots", games=4, adds=twice)


@dataclass(frozen=True)
class Result:
    """Of many runs: which accepted, which came to a verdict at all, how many games each took, where it stood."""

    accepted: NDArray[np.bool_]
    decided: NDArray[np.bool_]
    games: Ints
    counts: Ints
    llr: Vector


def run(design: Design, bounds: Bounds, runs: int, outcomes: Outcomes, most: int = MOST_STEPS) -> Result:
    """Many tests side by side, each until its own verdict."""
    adds = np.array(design.adds)
    counts = np.zeros((runs, len(design.support)), dtype=np.int64)
    accepted, decided, games = np.zeros(runs, bool), np.zeros(runs, bool), np.zeros(runs, np.int64)
    stood = np.zeros(runs)
    still = np.arange(runs)
    for step in range(most):
        counts[still] += adds[outcomes(step, still)]
        games[still] += design.games
        llr = log_likelihood_ratios(design.support, counts[still], bounds, design.unit_games)
        accepted[still], stood[still] = llr >= bounds.upper, llr
        decided[still] = over = (llr >= bounds.upper) | (llr <= bounds.lower)
        still = still[~over]
        if not still.size:
            break
    return Result(accepted, decided, games, counts, stood)


def as_scheduled(design: Design, d: float, rng: np.random.Generator) -> Outcomes:
    """Independent outcomes, in order."""
    edges = np.cumsum(design.chances(d))[:-1]
    return lambda _, still: np.searchsorted(edges, rng.random(still.size), side="right")


def as_finished(design: Design, d: float, rng: np.random.Generator, runs: int, most: int, workers: int) -> Outcomes:
    """The same, in the order in which `workers` finish.

    A pair of games takes from 2, both lost, to 4, both won, give or take a half.
    """
    edges = np.cumsum(design.chances(d))[:-1]
    drawn = np.searchsorted(edges, rng.random((runs, most)), side="right")
    halves = np.array([a + b for a in range(3) for b in range(3)])[drawn]
    takes = (2 + halves / 2) * rng.uniform(0.5, 1.5, (runs, most))
    free = np.zeros((runs, workers))
    ends = np.empty((runs, most))
    rows = np.arange(runs)
    for unit in range(most):
        worker = free.argmin(axis=1)
        free[rows, worker] += takes[:, unit]
        ends[:, unit] = free[rows, worker]
    order = np.take_along_axis(drawn, ends.argsort(axis=1, kind="stable"), axis=1)
    return lambda step, still: order[still, step]


@dataclass(frozen=True)
class Case:
    """A row's cell: a design under a true Elo. `workers`: results come in the order in which they finish."""

    design: Design
    model: EloModel
    elo: float
    d: float
    workers: int = 0

    @property
    def bounds(self) -> Bounds:
        """The same for all."""
        return Bounds(0, 20, self.model)


@dataclass(frozen=True)
class Cell:
    """What came of a case; `wald` is its expected length in games."""

    accepted: float
    undecided: float
    games: float
    wald: float


def measure(job: tuple[Case, int, tuple[int, ...]]) -> Cell:
    """Simulate a case."""
    case, runs, seed = job
    rng, most = np.random.default_rng(seed), MOST_STEPS
    if case.workers:
        most = 3_000
        outcomes = as_finished(case.design, case.d, rng, runs, most, case.workers)
    else:
        outcomes = as_scheduled(case.design, case.d, rng)
    result = run(case.design, case.bounds, runs, outcomes, most)
    units = np.array(case.design.adds).sum(axis=1)[0]
    wald = (
        expected_groups(case.bounds, case.design.unit_games, *case.design.moments(case.d)) / units * case.design.games
    )
    return Cell(float(result.accepted.mean()), 1 - float(result.decided.mean()), float(result.games.mean()), wald)


@dataclass(frozen=True)
class Estimates:
    """What the Elo at the end of many tests says, as it is and corrected for stopping; and which of them accepted."""

    raw: Vector
    corrected: Vector
    accepted: NDArray[np.bool_]


def estimates(design: Design, bounds: Bounds, elo: float, runs: int, cap: int, seed: int) -> Estimates:
    """Simulate tests of a bot of that Elo, at most `cap` deal groups each."""
    rng = np.random.default_rng(seed)
    found = run(design, bounds, runs, as_scheduled(design, design.strength(elo, bounds.model), rng), cap)
    raw, corrected = [], []
    for counts, accepted, decided, llr in zip(found.counts, found.accepted, found.decided, found.llr, strict=True):
        decision = Verdict.ACCEPTED if accepted else Verdict.REJECTED
        verdict = decision if decided else Verdict.INCONCLUSIVE
        raw.append(elo_of(mean_and_variance(design.support, counts.tolist())[0]))
        score = corrected_score(design.support, counts.tolist(), bounds, design.unit_games, verdict, float(llr))
        corrected.append(raw[-1] if score is None else elo_of(score))
    return Estimates(np.array(raw), np.array(corrected), found.accepted)


def cases(designs: Iterable[Design], model: EloModel, elos: Sequence[float]) -> list[Case]:
    """Row by row; the Elo is that of the design's own units."""
    return [Case(design, model, elo, design.strength(elo, model)) for design in designs for elo in elos]


def table(cells: Sequence[Cell], names: Sequence[str], elos: Sequence[float], wald: bool = True) -> str:
    """One row for each name."""
    rows = []
    for number, name in enumerate(names):
        own = cells[number * len(elos) : (number + 1) * len(elos)]
        row = [name, " / ".join(f"{cell.accepted:.3f}" for cell in own), _games(cell.games for cell in own)]
        rows.append([*row, _games(cell.wald for cell in own)] if wald else row)
    at = " / ".join(f"{elo:+g}" if elo else "0" for elo in elos)
    headers = ["unit", f"accepted at {at}", f"games at {at}", *(["Wald"] if wald else [])]
    return str(tabulate(rows, headers=headers, tablefmt="github", disable_numparse=True))


def _games(numbers: Iterable[float]) -> str:
    return " / ".join(f"{number:,.0f}" for number in numbers)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=2_000, help="of each cell")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    elos = (-10.0, 0.0, 10.0, 20.0, 30.0)
    designs = [SINGLE, *map(pairs, (0.5, 0.8, 0.95))]
    by_spread = [pairs(0.8), boards(0.8)]
    plain = cases(designs, EloModel.LOGISTIC, elos)
    normalized = cases(by_spread, EloModel.NORMALIZED, elos[1:4])

    ends, good = (0.0, 20.0), pairs(0.8)
    right = cases([good], EloModel.LOGISTIC, ends)
    broken = [right, *([replace(case, workers=workers) for case in right] for workers in (8, 64, 256))]
    broken += [[replace(case, design=wrong(good)) for case in right] for wrong in (as_games, played_twice)]
    names = [good.name + ", in schedule order", *(f"in the order of {n} workers' finishing" for n in (8, 64, 256))]
    names += [as_games(good).name, played_twice(good).name]

    every = [*plain, *normalized, *(case for row in broken for case in row)]
    jobs = [(case, options.runs, (options.seed, number)) for number, case in enumerate(every)]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        cells = list(pool.map(measure, jobs))
    print(f"{options.runs} runs a cell, seed {options.seed}; bounds [0, 20], alpha = beta = 0.05\n")
    print("Logistic bounds:\n")
    print(table(cells, [design.name for design in designs], elos))
    print("\nNormalized bounds, the true Elo normalized too:\n")
    print(table(cells[len(plain) :], [design.name for design in by_spread], elos[1:4]))
    print("\nHow to spoil it, logistic bounds:\n")
    print(table(cells[len(plain) + len(normalized) :], names, ends, wald=False))
    print(
        "\nThe Elo at the end, logistic bounds, luck 0.8: medians over all tests, and means over those that accepted:\n"
    )
    rows = []
    for elo in (0.0, 10.0, 20.0, 40.0):
        found = estimates(good, Bounds(0, 20, EloModel.LOGISTIC), elo, options.runs, 2_000, options.seed)
        every_test = [f"{np.median(found.raw):+.1f}", f"{np.median(found.corrected):+.1f}"]
        above = [f"{np.mean(one > elo):.3f}" for one in (found.raw, found.corrected)]
        after = [f"{one[found.accepted].mean():+.1f}" for one in (found.raw, found.corrected)]
        rows.append([f"{elo:+g}" if elo else "0", *every_test, *above, *after])
    headers = ["true Elo", "Elo", "corrected", "Elo too high", "corrected too high", "Elo, accepted"]
    headers += ["corrected, accepted"]
    print(tabulate(rows, headers, tablefmt="github", disable_numparse=True))
    undecided = max(cell.undecided for cell in cells)
    print(f"\nUndecided: at most {undecided:.3f} of the runs of a cell.")


if __name__ == "__main__":
    main()
