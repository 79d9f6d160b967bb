"""What duplicate deals are worth in Aurum, measured with the example bots: plays, and prints Markdown tables.

    python benchmarks/variance.py [--deals 400] [--out FOLDER]

Real tournaments, over the wire, with fixed seeds: the same bots give the same tables. The baseline is independent
games: each of another deal, half of them in each seating, their variance measured in the same games
(`aurum.statistics.duplicates` says how). The first table compares like with like: results of deal groups with results
of independent games, margins with margins. The second asks which statistic shows soonest that one bot is stronger:
(effect / standard error)^2 a game, in those of independent results. The third shows how long the two games of a deal
are the same game, seat by seat, before the bots' difference parts them. Errors are one standard error (jackknife by
deal group). With `--out`, what is played is kept, and the same command goes on or prints the tables again.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory

import numpy as np
from aurum.cli.progress import ShownProgress
from aurum.results.game_row import GameRow
from aurum.run.runner import run_tournament
from aurum.spec.loading import spec_from
from aurum.standings.deal_groups import by_margin, by_result, deal_groups, values
from aurum.statistics.duplicates import duplicates
from aurum.store.store import Store
from aurum.v1.record_pb2 import GameRecord, MoveRecord
from numpy.typing import NDArray
from tabulate import tabulate

ROOT = Path(__file__).resolve().parents[1]
WEAKENED = "python -m benchmarks.weakened"
BOTS: dict[str, dict[str, object]] = {
    "random": {"command": "python example_bots/random_bot.py"},
    "random again": {"command": "python example_bots/random_bot.py"},
    "lowest card": {"command": "python example_bots/lowest_card.py"},
    "heuristic": {"command": "python example_bots/heuristic.py"},
    "astray 10 %": {"command": WEAKENED, "env": {"ASTRAY": "10"}},
    "astray 30 %": {"command": WEAKENED, "env": {"ASTRAY": "30"}},
    "patience 0": {"command": WEAKENED, "env": {"PATIENCE": "0"}},
}
FEW = 0.1
"""The share of deals for a pairing that few suffice for."""
VISIBLE = 4.0
"""Standard errors. A smaller effect is no measure of what would show it."""


@dataclass(frozen=True)
class Meeting:
    """Bots at one table, and which share of the deals they play."""

    bots: tuple[str, ...]
    share: float = 1.0
    permutations: bool = False

    @property
    def players(self) -> int:
        """At the table: two bots play in teams."""
        return 4 if len(self.bots) == 2 else 3


MEETINGS = (
    Meeting(("random", "random again"), FEW),
    Meeting(("heuristic", "random"), FEW),
    Meeting(("heuristic", "lowest card"), FEW),
    Meeting(("lowest card", "random")),
    Meeting(("heuristic", "astray 30 %")),
    Meeting(("heuristic", "astray 10 %")),
    Meeting(("heuristic", "patience 0")),
    Meeting(("heuristic", "lowest card", "random")),
    Meeting(("heuristic", "astray 30 %", "patience 0")),
    Meeting(("heuristic", "astray 30 %", "patience 0"), 0.5, permutations=True),
)


def played(number: int, meeting: Meeting, deals: int, folder: Path) -> tuple[list[GameRow], list[GameRecord]]:
    """The games of a meeting, and their records: played now, or what is missing of them."""
    tournament: dict[str, object] = {
        "name": f"variance-{number}",
        "format": "round_robin",
        "players": meeting.players,
        "deals": max(round(deals * meeting.share), 20),
        "seed": f"variance {number}",
    }
    if meeting.permutations:
        tournament["seatings"] = "permutations"
    sections = {
        "tournament": tournament,
        "clock": {"turn_ms": 600_000},  # it is not the clock that is measured
        "run": {"games_in_flight": 64, "unit_deals": 200},
        "bots": [{"name": bot, **BOTS[bot]} for bot in meeting.bots],
    }
    out = folder / str(number)
    run_tournament(spec_from(sections, "variance", ROOT), out, progress=ShownProgress(StringIO(), time.monotonic, None))
    with Store.read(out) as store:
        games = store.games()
        records = [GameRecord.FromString(record) for _, record in store.records()]
    if any(any(game.faults) for game in games):
        sys.exit(f"{out}: a bot was at fault")
    return games, records


@dataclass(frozen=True)
class Compared:
    """Two bots of a meeting: results and margins of the first, by deal group and seating."""

    players: int
    bots: tuple[str, str]
    results: NDArray[np.float64]
    margins: NDArray[np.float64]

    @property
    def cells(self) -> list[str]:
        """What a row of either table begins with: HEADS."""
        deals, games = self.results.shape
        return [str(self.players), str(games), " - ".join(self.bots), str(deals), f"{self.results.mean() + 0.5:.1%}"]


HEADS = ["players", "games a deal", "bots", "deals", "score"]


def compared(meeting: Meeting, games: Sequence[GameRow]) -> Iterator[Compared]:
    """Every two bots of a meeting."""
    (groups,) = deal_groups(games)
    ((results,), (margins,)) = (values(groups, value) for value in (by_result, by_margin))
    names = sorted(meeting.bots)
    pairs = [(one, other) for i, one in enumerate(names) for other in names[i + 1 :]]
    for number, bots in enumerate(pairs):
        yield Compared(meeting.players, bots, results[:, number], margins[:, number])


def saved(pairs: Sequence[Compared]) -> str:
    """Deal groups beside independent games."""
    rows = []
    for pair in pairs:
        row = pair.cells
        for figures in (pair.results, pair.margins):
            found = duplicates(figures.tolist())
            row.append("-" if found.correlation is None else f"{found.correlation:+.2f}")
            if found.efficiency is not None and found.efficiency_error is not None:
                row.append(f"{found.efficiency:.2f} ± {found.efficiency_error:.2f}")
            else:
                row.append("no end" if found.ratio == 0 else "-")
        rows.append(row)
    heads = [*HEADS, "r, result", "worth, result", "r, margin", "worth, margin"]
    return tabulate(rows, heads, tablefmt="github", disable_numparse=True)


STATISTICS = ("deal groups, result", "board-a-match", "independent, margin", "deal groups, margin")


def powers(results: NDArray[np.float64], margins: NDArray[np.float64]) -> NDArray[np.float64]:
    """(effect / standard error)^2 a game, of STATISTICS, in those of independent results."""
    games = results.shape[1]
    boards = np.sign(margins.sum(axis=1))

    def independent(values: NDArray[np.float64]) -> float:
        return float(values.mean() ** 2 / (values.var(axis=0, ddof=1).sum() / games**2))

    def grouped(values: NDArray[np.float64]) -> float:
        return float(values.mean() ** 2 / values.var(ddof=1))

    found = grouped(results.mean(axis=1)), grouped(boards), independent(margins), grouped(margins.mean(axis=1))
    return np.array(found) / independent(results)


def shown(pairs: Sequence[Compared]) -> str:
    """Which statistic shows soonest that one bot is stronger."""
    rows = []
    for pair in pairs:
        number = len(pair.results)
        means = pair.results.mean(axis=1)
        if abs(means.mean()) < VISIBLE * means.std(ddof=1) / number**0.5 or not means.std():
            continue
        without = [np.delete(np.arange(number), deal) for deal in range(number)]
        with np.errstate(divide="ignore", invalid="ignore"):  # one deal may have all the spread
            found = powers(pair.results, pair.margins)
            left = np.array([powers(pair.results[rest], pair.margins[rest]) for rest in without])
            errors = np.sqrt((number - 1) / number * ((left - left.mean(axis=0)) ** 2).sum(axis=0))
        cells = zip(found, errors, strict=True)
        rows.append(
            pair.cells + [f"{power:.2f} ± {error:.2f}" if np.isfinite(error) else "-" for power, error in cells]
        )
    return tabulate(rows, [*HEADS, *STATISTICS], tablefmt="github", disable_numparse=True)


def parted(meeting: Meeting, records: Sequence[GameRecord]) -> list[str]:
    """Of the two games of a deal: how long they are, and how many moves the same cards lead to in both."""
    moves = [[move_of(move) for round_ in record.rounds for move in round_.moves] for record in records]
    pairs = list(zip(moves[::2], moves[1::2], strict=True))  # they come by deal and seating
    common = [next((i for i, (a, b) in enumerate(zip(*pair, strict=False)) if a != b), len(pair[0])) for pair in pairs]
    alike = sum(one == other for one, other in pairs) / len(pairs)
    length = fmean(map(len, moves))
    return [" - ".join(sorted(meeting.bots)), str(len(pairs)), f"{length:.0f}", f"{median(common):g}", f"{alike:.1%}"]


def move_of(move: MoveRecord) -> bytes:
    """What was played by which seat, without when."""
    bare = MoveRecord()
    bare.CopyFrom(move)
    bare.ClearField("ms")
    return bare.SerializeToString(deterministic=True)


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--deals", type=int, default=400, help="of a meeting")
    parser.add_argument("--out", type=Path, help="keep the games in this folder")
    asked = parser.parse_args()
    with TemporaryDirectory() as temporary:
        pairs: list[Compared] = []
        lengths: list[list[str]] = []
        for number, meeting in enumerate(MEETINGS, 1):
            print(f"{number}/{len(MEETINGS)}: {', '.join(meeting.bots)}", file=sys.stderr)
            games, records = played(number, meeting, asked.deals, asked.out or Path(temporary))
            pairs += compared(meeting, games)
            if len(meeting.bots) == 2:
                lengths.append(parted(meeting, records))
    print(saved(pairs), end="\n\n")
    print(shown(pairs), end="\n\n")
    heads = ["bots", "deals", "moves a game", "the same in both (median)", "deals with two equal games"]
    print(tabulate(lengths, heads, tablefmt="github", disable_numparse=True))


if __name__ == "__main__":
    main()
