"""Time and memory of what is done to a store of up to a million games: prints a Markdown table.

    python benchmarks/million.py [--sizes 10000 100000 1000000] [--bots 100] [--folder DIR]

One store (`large_store.py` says what in it is real) grows from size to size, and at each of them is measured:

- adding a unit of 16 deal groups: the median of the last 200 by which the store grew to this size;
- restarting the run: a process from its start to the first game that it plays, but for starting its bots;
- the whole command `arena tournament standings`;
- and up to `--most` games, since these take a time for every game: `arena verify` with one worker and with two,
  `export`, and `merge` of this one store into a new folder.

A cell holds the time from start to end, the processor time of all processes, and the most memory that one of them had
at a time. All files are in the system's cache: they were just written.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import NamedTuple

from aurum.common.errors import RunError
from aurum.formats.rounds import TournamentRound
from aurum.referee.unit import RefereeError, TrialOutcome, Unit, UnitOutcome
from aurum.run.runner import run_tournament
from aurum.spec.loading import load_spec
from aurum.spec.spec import Spec
from aurum.store.store import Store
from aurum.workers.channel import Channel, Receive
from aurum.workers.site import Site
from aurum.workers.worker import Send
from large_store import missing_units, write_spec
from tabulate import tabulate

ARENA = str(Path(sys.executable).parent / "arena")
LAST_ADDED = 200
MEGABYTE = 1024  # getrusage counts kilobytes


class Cost(NamedTuple):
    """What a process took: seconds on the clock and of processors, and megabytes."""

    seconds: float
    processor_s: float
    megabytes: float

    def __str__(self) -> str:
        return f"{self.seconds:.2f} s ({self.processor_s:.2f}), {self.megabytes:.0f} MB"


def cost_of(command: Sequence[str]) -> Cost:
    """Run a command. 0 and, of `verify`, 1 are what it may exit with."""
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begun
    code = process.returncode = os.waitstatus_to_exitcode(status)
    if code not in ((0, 1) if "verify" in command else (0,)):
        raise SystemExit(f"{' '.join(command)}: exit code {code}")
    return Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / MEGABYTE)


def grow(folder: Path, spec: Spec, size: int) -> str:
    """Add units until the store has so many games, or all but those of the last unit. What adding one of them took."""
    times: deque[float] = deque(maxlen=LAST_ADDED)
    processor_times: deque[float] = deque(maxlen=LAST_ADDED)
    with Store.write(folder, spec) as store:
        units = missing_units(spec, store)
        count, unit = store.game_count(), next(units)
        for following in units:
            if count >= size:
                break
            begun, processor_begun = time.perf_counter(), time.process_time()
            store.add(unit)
            times.append(time.perf_counter() - begun)
            processor_times.append(time.process_time() - processor_begun)
            count, unit = count + len(unit.games), following
        store.settle()
    wall, processor = (1000 * statistics.median(found) for found in (times, processor_times))
    return f"{wall:.1f} ms ({processor:.1f})"


class Silent:
    """A progress that shows nothing."""

    def begin(self, spec: Spec, commitment: str, done: int, total: int) -> None: ...
    def advance(self, games: int) -> None: ...
    def tick(self) -> None: ...
    def round_begins(self, title: str, drawn: TournamentRound) -> None: ...
    def waiting(self, games: int) -> None: ...
    def say(self, line: str) -> None: ...
    def note(self, sentence: str) -> None: ...


def one_thread(_spec: Spec) -> Executor:
    """Where the first unit would be played."""
    return ThreadPoolExecutor(1)


@contextmanager
def no_channel(_receive: Receive) -> Iterator[Channel]:
    """Nothing is sent before the first game."""
    yield NoChannel()


class NoChannel:
    """A channel that nobody sends through."""

    @contextmanager
    def open(self) -> Iterator[Send]:
        yield lambda _: None


def start(_unit: Unit, *_arguments: object) -> TrialOutcome:
    """Every bot can be started, in no time."""
    return TrialOutcome()


def refuse(_unit: Unit, **_options: object) -> UnitOutcome:
    """The first game could begin now."""
    raise RefereeError("this is a benchmark")


def restart(spec_file: Path, folder: Path) -> None:
    """Go on with a run, up to its first game."""
    with suppress(RunError):
        site = Site(one_thread, channel=no_channel)
        run_tournament(load_spec(spec_file), folder, progress=Silent(), play=refuse, try_out=start, site=site)


def commands(folder: Path, scratch: Path, every: bool) -> Iterator[tuple[str, list[str]]]:
    """What is measured beside adding, by name."""
    this = [sys.executable, __file__, "--folder", str(folder)]
    yield "restarting the run", [*this, "--restart"]
    yield "`standings`", [ARENA, "tournament", "standings", str(folder)]
    if not every:
        return
    for workers in (1, 2):
        yield f"`verify --workers {workers}`", [ARENA, "verify", "--workers", str(workers), str(folder)]
    yield "`export`", [ARENA, "export", "--unfinished", "--output", str(scratch / "games.jsonl"), str(folder)]
    yield "`merge`", [ARENA, "merge", "--out", str(scratch / "merged"), str(folder)]


def measure(folder: Path, bots: int, sizes: Sequence[int], most: int, say: Callable[[str], None]) -> str:
    """The table."""
    spec = write_spec(folder / "spec.toml", bots, sizes[-1])
    rows: dict[str, list[str]] = {}
    for size in sizes:
        say(f"growing the store to {size} games")
        rows.setdefault("adding a unit", []).append(grow(folder, spec, size))
        with TemporaryDirectory(dir=folder) as scratch:
            for name, command in commands(folder, Path(scratch), size <= most):
                cost = cost_of(command)
                say(f"{name}: {cost}")
                rows.setdefault(name, []).append(str(cost))
    return tabulate(
        [[name, *islice([*cells, *[""] * len(sizes)], len(sizes))] for name, cells in rows.items()],
        ["", *(f"{size:,} games" for size in sizes)],
        tablefmt="github",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000], help="ascending")
    parser.add_argument("--bots", type=int, default=100)
    parser.add_argument(
        "--most", type=int, default=100_000, metavar="N", help="no larger store is verified, exported, merged"
    )
    parser.add_argument("--folder", type=Path, help="for the store, which is kept; 2.5 GB for a million games")
    parser.add_argument("--restart", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.restart:
        restart(options.folder / "spec.toml", options.folder)
        return
    folder = options.folder or Path("million-games")
    folder.mkdir(parents=True)
    try:
        table = measure(folder, options.bots, options.sizes, options.most, lambda line: print(line, file=sys.stderr))
    finally:
        if options.folder is None:
            rmtree(folder)
    print(table)


if __name__ == "__main__":
    main()
