"""Start-up costs: what is imported, and each language's bot from its launch to its Hello.

    python benchmarks/startup.py [--runs 10] [--languages go,rust] [--slowest 20]

A command's cost is its processor time, from its start to its end. A bot's is its own processor time until its Hello
has arrived, when it is killed, and the time on the clock until then; of Python the one that answers at once, of other
languages those called `minimal`. Commands and bots alternate, and every figure is the median of the runs.

`--slowest` prints instead the modules of a Python bot that take longest, themselves, by `python -X importtime`.
"""

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import grpc
from aurum.referee.unit import Entrant
from aurum.v1 import play_pb2_grpc
from tabulate import tabulate
from wire import INSTANT, PingPong, built

ALL = "aurum.bot, aurum.bot.connection"
IMPORTS = {
    "Python itself": "",
    "with the rules": "import aurum.rules",
    "with the protocol's messages": "import aurum.v1.play_pb2",
    "with `aurum.bot`": "import aurum.bot",
    "with all that a bot loads": f"import {ALL}",
}


class Cost(NamedTuple):
    """Of a process, in milliseconds."""

    cpu: float
    wall: float


def ended(process: subprocess.Popen[bytes], start: float, end: float = 0) -> Cost:
    """What a process has cost, once it has ended; on the clock until `end`, if it is given."""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Cost((used.ru_utime + used.ru_stime) * 1000, ((end or time.perf_counter()) - start) * 1000)


def command(arguments: Sequence[str]) -> Cost:
    start = time.perf_counter()
    cost = ended(process := subprocess.Popen(arguments, stdout=subprocess.DEVNULL), start)
    if process.returncode:
        raise SystemExit(f"{' '.join(arguments)} failed")
    return cost


async def launch(bot: Entrant) -> Cost:
    """From the launch of a bot to its Hello."""
    service = PingPong()
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    play_pb2_grpc.add_RefereeServiceServicer_to_server(service, server)
    address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    env = os.environ | {"AURUM_ADDRESS": address, "AURUM_TOKEN": "-", "AURUM_SEAT": "0", "AURUM_SEED": "1"}
    assert bot.launch is not None
    start = time.perf_counter()
    process = subprocess.Popen(bot.launch.command, cwd=bot.launch.folder, env=env)
    try:
        await asyncio.wait_for(service.streams.get(), 60)
        end = time.perf_counter()
    finally:
        process.kill()
        service.over.set()
        await server.stop(None)
    return ended(process, start, end)


def print_slowest(count: int) -> None:
    arguments = [sys.executable, "-X", "importtime", "-c", f"import {ALL}"]
    lines = subprocess.run(arguments, capture_output=True, text=True, check=True).stderr.splitlines()
    rows = [[part.strip() for part in line.partition(":")[2].split("|")] for line in lines[1:]]
    slowest = sorted(((int(own) / 1000, name) for own, _, name in rows), reverse=True)[:count]
    print(tabulate(slowest, ("ms", "module"), floatfmt=".1f"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--languages", default="", metavar="NAMES", help="all, or some with commas between")
    parser.add_argument("--slowest", type=int, metavar="COUNT")
    options = parser.parse_args()
    if options.slowest:
        print_slowest(options.slowest)
        return
    commands = {name: [sys.executable, "-c", code] for name, code in IMPORTS.items()}
    commands["`arena --help`"] = [str(Path(sys.executable).parent / "arena"), "--help"]
    bots = {"Python": INSTANT} | {bot.name: bot for bot in built(options.languages)}
    costs: dict[str, list[Cost]] = defaultdict(list)
    for _ in range(options.runs):
        for name, arguments in commands.items():
            costs[name].append(command(arguments))
        for name, bot in bots.items():
            costs[name].append(asyncio.run(launch(bot)))
    for title, names in ("command", commands), ("bot in", bots):
        rows = [(name, *map(statistics.median, zip(*costs[name], strict=True))) for name in names]
        print(tabulate(rows, (title, "CPU ms", "wall ms"), floatfmt=".0f"), end="\n\n")


if __name__ == "__main__":
    main()
