"""What the sandbox costs: the start of an instance, and decisions per second, with it and without.

    python benchmarks/sandbox.py [--rounds 5] [--launches 20] [--seconds 4]

A start is measured from the call that launches a process until the process runs: it writes one word, by `/bin/echo`, so
that nothing else of its own takes time. Decisions are those of `wire.py`: four instances that answer at once. Launches,
and runs, with and without a sandbox alternate; figures are medians, and the ratio is the median of the rounds' ratios.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from aurum.processes.launch import Launch, Limits
from aurum.processes.process import BotProcess
from aurum.processes.scratch import scratch_folder
from aurum.referee.unit import Entrant
from aurum.sandbox.bubblewrap import bubblewrap
from aurum.sandbox.sandbox import Sandbox
from tabulate import tabulate
from wire import DECISIONS_A_GAME, INSTANT, one_referee, ratio

EXPECTED = {1: 2_500, 128: 22_000}
"""Decisions/s, only used to size runs."""
SANDBOX = Sandbox(required=True)


async def start_ms(sandbox: Sandbox | None, scratch: Path) -> float:
    """Milliseconds from the launch of a process until it has written."""
    launch = Launch(("/bin/echo", "up"), "/usr", sandbox=sandbox)
    begun = time.perf_counter()
    process = BotProcess.start(launch, {}, Path(tempfile.mkdtemp(dir=scratch)), Limits())
    while not process.written:
        await asyncio.sleep(0)
    spent = time.perf_counter() - begun
    await process.stop(1)
    assert process.trouble is None, process.trouble
    return spent * 1000


async def starts(launches: int) -> tuple[list[float], list[float]]:
    """Without a sandbox and with it, one after the other."""
    without, within = [], []
    with scratch_folder() as scratch:
        await start_ms(SANDBOX, scratch)  # looks for bubblewrap, once a process
        for _ in range(launches):
            without.append(await start_ms(None, scratch))
            within.append(await start_ms(SANDBOX, scratch))
    return without, within


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--launches", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=4, help="about how long each run takes")
    options = parser.parse_args()
    if bubblewrap().reason:
        raise SystemExit(bubblewrap().reason)
    without, within = asyncio.run(starts(options.launches))
    extra = [sandboxed - bare for bare, sandboxed in zip(without, within, strict=True)]
    rows = [(name, statistics.median(ms), min(ms), max(ms)) for name, ms in [("without", without), ("with", within)]]
    print(tabulate(rows, ("start, ms", "median", "least", "most"), floatfmt=".1f"))
    print(f"more with it: {statistics.median(extra):.1f} ms\n")

    assert INSTANT.launch is not None
    confined = Entrant(INSTANT.name, replace(INSTANT.launch, sandbox=SANDBOX))
    rates: dict[tuple[int, Entrant], list[float]] = defaultdict(list)
    for _ in range(options.rounds):
        for in_flight, rate in EXPECTED.items():
            games = max(8 * in_flight, round(rate * options.seconds / DECISIONS_A_GAME))
            for bot in (INSTANT, confined):
                rates[in_flight, bot].append(one_referee(games, in_flight, bot))
    table = [
        (
            f"{in_flight} in flight",
            *(statistics.median(rates[in_flight, bot]) for bot in (INSTANT, confined)),
            ratio(rates[in_flight, confined], rates[in_flight, INSTANT]),
        )
        for in_flight in EXPECTED
    ]
    print(tabulate(table, ("decisions/s", "without", "with", "ratio"), floatfmt=("", ",.0f", ",.0f", ".3f")))


if __name__ == "__main__":
    main()
