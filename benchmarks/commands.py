"""Decisions per second of whole commands, as a user types them, beside what one referee makes at its best.

    python benchmarks/commands.py [--rounds 3] [--games 1600]

Start-up, launches of bots, the store and the standings are all in it: from the start of the command to its end, for
decisions of the games that it stored. The bots hardly think; `--games` is how many games the bulk rows play, and the
timed one a quarter of that. The ceiling is `wire.py`'s row of 128 games in flight, in the same round: one unit, without
launches and without a store. Rows alternate, and every figure is the median of the rounds.
"""

import argparse
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from aurum.store.store import Store
from aurum.v1.record_pb2 import GameRecord
from tabulate import tabulate
from wire import DECISIONS_A_GAME, one_referee

HERE = Path(__file__).resolve().parent
ARENA = str(Path(sys.executable).parent / "arena")
BOT = f"{sys.executable} {HERE / 'instant_bot.py'}"
SPEC = """
[tournament]
name = "{name}"
format = "{format}"
deals = {deals}
seed = "commands"

[clock]
turn_ms = 60_000

[run]
games_in_flight = "auto"
"""
ENTRY = """
[[bots]]
name = "{name}"
command = "{command}"
"""


def commands(games: int, folder: Path) -> Iterator[tuple[str, list[str]]]:
    """What is measured, by name; each still lacks its --out."""
    match = ["play", "--bot", f"a={BOT}", "--bot", f"b={BOT}", "--seed", "commands", "--turn-ms", "60000"]
    yield "play, 128 in flight", [*match, "--games", str(games), "--games-in-flight", "128", "--workers", "1"]
    yield "play, timed", [*match, "--games", str(games // 4)]
    yield "compare of equal bots", ["compare", BOT, BOT, "--seed", "commands", "--max-deals", str(games // 2)]
    yield "round robin of six", ["tournament", "run", str(spec(folder, "round_robin", 6, games // 30))]
    yield "Swiss of eight, four rounds", ["tournament", "run", str(spec(folder, "swiss", 8, games // 32))]


def spec(folder: Path, format_: str, bots: int, deals: int) -> Path:
    """A spec file."""
    text = SPEC.format(name=format_, format=format_, deals=deals)
    if format_ == "swiss":
        text = text.replace("\ndeals =", "\nrounds = 4\ndeals =")
    path = folder / f"{format_}.toml"
    path.write_text(text + "".join(ENTRY.format(name=f"bot {n}", command=BOT) for n in range(bots)), encoding="utf-8")
    return path


def rates(command: list[str], out: Path) -> tuple[float, float]:
    """Decisions/s and games/s of a command."""
    begun = time.monotonic()
    done = subprocess.run([ARENA, *command, "--out", str(out)], capture_output=True, text=True, check=False)
    seconds = time.monotonic() - begun
    if done.returncode not in ((0, 1, 3) if command[0] == "compare" else (0,)):
        raise SystemExit(f"arena {' '.join(command)} failed: {done.stderr}")
    with Store.read(out) as store:
        counts = [sum(seat.decisions for seat in GameRecord.FromString(record).seats) for _, record in store.records()]
    return sum(counts) / seconds, len(counts) / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, default=1600)
    options = parser.parse_args()
    found: defaultdict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for _ in range(options.rounds):
        ceiling = one_referee(max(options.games, 512), 128)
        found["wire.py, 128 in flight"].append((ceiling, ceiling / DECISIONS_A_GAME, 1.0))
        with TemporaryDirectory() as folder:
            for number, (name, command) in enumerate(commands(options.games, Path(folder))):
                decisions, games = rates(command, Path(folder, f"out-{number}"))
                found[name].append((decisions, games, decisions / ceiling))
    rows = [(name, *map(statistics.median, zip(*figures, strict=True))) for name, figures in found.items()]
    print(tabulate(rows, ("", "decisions/s", "games/s", "x wire.py"), floatfmt=("", ",.0f", ",.0f", ".2f")))


if __name__ == "__main__":
    main()
