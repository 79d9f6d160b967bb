"""Games per second of one tournament, played in the ways of docs/scaling.md, beside one worker on this machine.

    python benchmarks/scaling.py [--rounds 3] [--seconds 15]

Two bots that hardly think, four-player games, *timed* (one game in flight in each worker) and *bulk* (32). Each way
plays the same games, which is checked, from the first launch of a bot to the store being complete: workers of this
machine, and the processes of shards, are started in that time, those of the cluster are there before. The baseline is
one worker on this machine. The ways alternate, and every figure is the median of the rounds. What is printed is the
table of the page.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import distributed
from aurum.archive.merging import merge
from aurum.cli.progress import ShownProgress
from aurum.processes.cores import cores
from aurum.results.game_row import GameRow
from aurum.run.progress import Progress
from aurum.run.runner import run_tournament
from aurum.schedule.shards import Shard
from aurum.spec.loading import spec_from
from aurum.spec.spec import Spec
from aurum.store.store import Store
from aurum.workers.cluster import connected
from tabulate import tabulate

HERE = Path(__file__).resolve().parent
MODES = {"timed": (1, 12), "bulk": (32, 120)}
"""Games in flight, and about how many games a second one worker then plays: only used to size runs."""
CORES = cores()
"""Those that this process was started with."""
UNITS = 4
"""In each run, so that two workers are both busy to the end."""


def tournament(mode: str, seconds: float) -> Spec:
    """As many deals as one worker plays in about so many seconds."""
    in_flight, rate = MODES[mode]
    deals = max(UNITS, round(rate * seconds / 2 / UNITS) * UNITS)
    bots = [{"name": name, "command": [sys.executable, str(HERE / "instant_bot.py")]} for name in ("a", "b")]
    return spec_from(
        {
            "tournament": {"name": "scaling", "format": "round_robin", "deals": deals, "seed": "scaling"},
            "clock": {"turn_ms": 60_000, "setup_ms": 60_000},  # it is not the clock that is measured
            "run": {"games_in_flight": in_flight, "unit_deals": deals // UNITS},
            "bots": bots,
        },
        "benchmark",
        HERE,
    )


def unseen() -> Progress:
    """A progress that nobody reads: several runs at a time would write over each other."""
    return ShownProgress(StringIO(), time.monotonic, None)


def here(workers: int, spec: Spec, folder: Path) -> None:
    """On this machine."""
    run_tournament(replace(spec, workers=workers), folder, progress=unseen())


def on_cluster(url: str, spec: Spec, folder: Path) -> None:
    """On a cluster that is there already."""
    with connected(url) as cluster:
        run_tournament(spec, folder, progress=unseen(), site=cluster.site)


def shard(spec: Spec, folder: Path, part: Shard) -> Path:
    """One shard, with one worker, on a core of its own: what a queue gives to a job of one processor."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {CORES[(part.number - 1) % len(CORES)]})
    run_tournament(replace(spec, workers=1), folder / str(part.number), progress=unseen(), shard=part)
    return folder / str(part.number)


def in_shards(count: int, spec: Spec, folder: Path) -> None:
    """All at a time, then merged."""
    with ProcessPoolExecutor(count, get_context("spawn")) as jobs:
        parts = [Shard(number, count) for number in range(1, count + 1)]
        merge(list(jobs.map(partial(shard, spec, folder), parts)), folder)


@contextmanager
def local_cluster(workers: int) -> Iterator[str]:
    """The URL of a Dask cluster on this machine."""
    make: Any = distributed.LocalCluster
    with make(n_workers=workers, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster:
        yield cluster.scheduler_address.replace("tcp://", "dask://")


def played(folder: Path) -> list[GameRow]:
    """The games in a store, but for their times."""
    with Store.read(folder) as store:
        return [replace(row, time_us=(), delayed=False) for row in store.games()]


def measure(way: Callable[[Spec, Path], None], spec: Spec) -> tuple[float, list[GameRow]]:
    """Games a second, and the games."""
    with TemporaryDirectory() as folder:
        begun = time.perf_counter()
        way(spec, Path(folder))
        passed = time.perf_counter() - begun
        games = played(Path(folder))
    return len(games) / passed, games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=15, help="about how long the baseline takes each time")
    options = parser.parse_args()
    rates: dict[tuple[str, str], list[float]] = {}
    with local_cluster(1) as one, local_cluster(2) as two:
        ways = {
            "one worker here (baseline)": partial(here, 1),
            "two workers here": partial(here, 2),
            "cluster of one worker": partial(on_cluster, one),
            "cluster of two workers": partial(on_cluster, two),
            "two shards, merged": partial(in_shards, 2),
        }
        for _ in range(options.rounds):
            for mode in MODES:
                spec = tournament(mode, options.seconds)
                expected = None
                for name, way in ways.items():
                    rate, games = measure(way, spec)
                    if expected is not None and games != expected:
                        raise SystemExit(f"{name}: other games than the baseline's")
                    expected = games
                    rates.setdefault((name, mode), []).append(rate)
                    print(f"{mode}, {name}: {len(games)} games, {rate:.1f} games/s", file=sys.stderr)
    medians = {key: statistics.median(values) for key, values in rates.items()}
    first = next(iter(ways))
    rows = [
        [name] + [cell for mode in MODES for cell in (medians[name, mode], medians[name, mode] / medians[first, mode])]
        for name in ways
    ]
    headers = ["", *(title for mode in MODES for title in (f"{mode}, games/s", "x baseline"))]
    print(tabulate(rows, headers, tablefmt="github", floatfmt=("", ".1f", ".2f", ".0f", ".2f")))


if __name__ == "__main__":
    main()
