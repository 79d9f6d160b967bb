"""Decisions per second over the wire: four bots, complete four-player games, beside a bare ping-pong.

    python benchmarks/wire.py [--rounds 3] [--seconds 4] [--languages go,rust] [--profile]

A *decision* is a turn sent, answered, judged by the rules, applied, projected and recorded; the bots are
four processes on the Python SDK that answer at once. The baseline is what gRPC alone gives in the same run: one
message with one turn, built for the trip, to one of four bot processes, one message with an action back, on
generated code; no game, no clock, no record. Runs alternate with the baseline, and every figure is the median
of the rounds, a ratio that of the ratios in each. The rate is that while as many games are in flight as the row says.
`--languages`, `all` or some, adds rows for four bots called `minimal` in each of them, which think as little.

`--profile` prints where the referee's time goes with 128 games in flight.
"""

import argparse
import asyncio
import cProfile
import os
import pstats
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import grpc
from aurum.languages import Language, find, home, languages
from aurum.processes.launch import Launch
from aurum.referee.lobby import Lobby
from aurum.referee.unit import Clock, Entrant, GameSettings, GameTask, Unit, UnitOutcome
from aurum.rules import PRESETS, deal_key, secret_of_seed
from aurum.v1 import game_pb2, play_pb2, play_pb2_grpc, record_pb2
from aurum.workers.worker import play_unit, start_worker
from tabulate import tabulate

Stream = grpc.aio.ServicerContext[play_pb2.PlayRequest, play_pb2.PlayResponse]

HERE = Path(__file__).resolve().parent
DECISIONS_A_GAME = 173
"""About what four bots of this kind need; only used to size runs."""
CARDS = [*range(17, 27), *range(33, 43), *range(49, 59), 65, 66, 67, 68]
SECRET = secret_of_seed("benchmark")


INSTANT = Entrant("instant", Launch((sys.executable, str(HERE / "instant_bot.py")), str(HERE)))


def built(names: str) -> Iterator[Entrant]:
    """The `minimal` bots of some languages; those whose toolchains lack are named and left out."""
    chosen: list[Language] = [*languages().values()] if names == "all" else [*map(find, filter(None, names.split(",")))]
    for language in chosen:
        folder = home() / "example_bots" / language.name
        if not folder.is_dir():
            continue
        if lack := language.lacks():
            print(f"without {language.title}: {lack}", file=sys.stderr)
            continue
        if language.build:
            subprocess.run(language.build, cwd=folder, stdout=subprocess.DEVNULL, check=True)
        yield Entrant(language.title, Launch(language.run("minimal"), str(folder)))


def unit(games: int, in_flight: int, bot: Entrant = INSTANT) -> Unit:
    """Games between four instances of a bot."""
    tasks = tuple(GameTask(f"wire/{d}", d, deal_key(SECRET, d), (0, 0, 0, 0)) for d in range(games))
    # Nobody is hurried: it is not the clock that is measured.
    return Unit((bot,), tasks, GameSettings(PRESETS["designer"], Clock(60_000)), games_in_flight=in_flight)


async def alone(work: Unit) -> UnitOutcome:
    """Play a unit in a lobby of its own, in this thread."""
    async with Lobby() as lobby:
        return await lobby.play(work)


class Played(NamedTuple):
    """A finished game; times in nanoseconds."""

    decisions: int
    start: int
    end: int


def played(records: tuple[bytes, ...]) -> list[Played]:
    """These games; stops the benchmark if a bot was at fault."""
    games = [record_pb2.GameRecord.FromString(record) for record in records]
    if faulty := [game for game in games if game.faults]:
        raise SystemExit(f"a bot was at fault: {faulty[0].faults}")
    starts = [game.started.ToNanoseconds() for game in games]
    ends = [start + game.elapsed.ToNanoseconds() for start, game in zip(starts, games, strict=True)]
    decisions = [sum(seat.decisions for seat in game.seats) for game in games]
    return list(map(Played, decisions, starts, ends))


def within(games: list[Played], start: int, end: int) -> float:
    """Decisions/s between two times; of a game that begins before or ends after, its share."""
    shares = [g.decisions * max(0, min(g.end, end) - max(g.start, start)) / (g.end - g.start) for g in games]
    return sum(shares) / (end - start) * 1e9


def full(games: list[Played]) -> tuple[int, int]:
    """From when until when as many games were in flight as should be: the last ones end among fewer and fewer."""
    return min(game.start for game in games), max(game.start for game in games)


def one_referee(games: int, in_flight: int, bot: Entrant = INSTANT) -> float:
    """Decisions/s of one referee, free to run on every core."""
    with ProcessPoolExecutor(1, get_context("spawn"), start_worker, (None,)) as executor:
        done = played(executor.submit(play_unit, unit(games, in_flight, bot)).result().records)
    return within(done, *full(done))


def pinned_workers(games: int, workers: int) -> float:
    """Decisions/s of so many referees, each with its bots on a core of its own, one game at a time."""
    context = get_context("spawn")
    cores = context.Queue()
    for core in sorted(os.sched_getaffinity(0))[:workers]:
        cores.put((core,))
    with ProcessPoolExecutor(workers, context, start_worker, (cores,)) as executor:
        futures = [executor.submit(play_unit, unit(games, 1)) for _ in range(workers)]
        done = [played(future.result().records) for future in futures]
    # Only the time counts in which every worker plays: they do not start together.
    starts, ends = zip(*map(full, done), strict=True)
    return sum(within(games, max(starts), min(ends)) for games in done)


class PingPong(play_pb2_grpc.RefereeServiceServicer):
    """Keeps the streams that come in, and takes no part in what is said on them."""

    def __init__(self) -> None:
        self.streams: asyncio.Queue[Stream] = asyncio.Queue()
        self.over = asyncio.Event()

    async def Play(self, requests: object, context: Stream) -> None:  # type: ignore[override]  # noqa: N802
        await context.read()
        await self.streams.put(context)
        await self.over.wait()


def message(trip: int) -> play_pb2.PlayResponse:
    """A message with one turn of about 140 bytes: a full hand, half a dozen legal cards, some cards on the table."""
    response = play_pb2.PlayResponse()
    turn = response.updates.add().turn
    turn.game, turn.number, turn.phase, turn.time_left_ms = 1 << 40, trip, game_pb2.PHASE_FOLLOW, 60_000
    turn.hand.extend(CARDS[:12])
    turn.legal_cards.extend(CARDS[:6])
    turn.table.supply.extend(CARDS[12:28])
    turn.table.tricks.add(leader=1, cards=CARDS[28:])
    return response


async def ping_pong(seconds: float) -> float:
    """Round trips/s with four processes in turn, one at a time: a turn built and sent, an action read, no game."""
    service = PingPong()
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    play_pb2_grpc.add_RefereeServiceServicer_to_server(service, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    bots = [subprocess.Popen([sys.executable, str(HERE / "bare_bot.py"), f"127.0.0.1:{port}"]) for _ in range(4)]
    streams = [await service.streams.get() for _ in bots]
    trips = 0
    start = time.perf_counter()
    while time.perf_counter() < start + seconds:
        stream = streams[trips % 4]
        await stream.write(message(trips))
        request = await stream.read()
        trips += request.actions[0].number == trips
    rate = trips / (time.perf_counter() - start)
    service.over.set()
    await server.stop(1)
    for bot in bots:
        bot.kill()
        bot.wait()
    return rate


def bare(seconds: float) -> float:
    """`ping_pong` in a process of its own, as a referee is."""
    return asyncio.run(ping_pong(seconds))


def baseline(seconds: float) -> float:
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        return executor.submit(bare, seconds).result()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4, help="about how long each run takes")
    parser.add_argument("--languages", default="", metavar="NAMES", help="all, or some with commas between")
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    if options.profile:
        profile = cProfile.Profile()
        profile.runcall(asyncio.run, alone(unit(400, 128)))
        pstats.Stats(profile).sort_stats("tottime").print_stats(28)
        return
    bots = list(built(options.languages))
    expected = {1: 2_500, 8: 9_000, 32: 16_000, 128: 22_000}
    rates: dict[str, list[float]] = {}
    for _ in range(options.rounds):
        rates.setdefault("bare ping-pong", []).append(baseline(options.seconds))
        for in_flight, rate in expected.items():
            # Many more than are in flight: while the last ones end, fewer are.
            games = max(8 * in_flight, round(rate * options.seconds / DECISIONS_A_GAME))
            name = f"{in_flight} in flight" + ", not pinned" * (in_flight == 1)
            rates.setdefault(name, []).append(one_referee(games, in_flight))
        for bot in bots:
            for in_flight in (1, 128):
                games = max(8 * in_flight, round(expected[in_flight] * options.seconds / DECISIONS_A_GAME))
                rates.setdefault(f"{in_flight} in flight, {bot.name}", []).append(one_referee(games, in_flight, bot))
        # As a tournament plays timed matches: one game at a time on a core of its own.
        games = round(expected[1] * options.seconds / DECISIONS_A_GAME)
        rates.setdefault("1 in flight, 1 pinned worker", []).append(pinned_workers(games, 1))
        rates.setdefault("1 in flight, 2 pinned workers", []).append(pinned_workers(games, 2))
    one, two = (rates[f"1 in flight, {workers}"] for workers in ("1 pinned worker", "2 pinned workers"))
    bare_rates = rates["bare ping-pong"]
    rows = [
        (name, statistics.median(values), min(values), max(values), ratio(values, bare_rates))
        for name, values in rates.items()
    ]
    headers = ("", "decisions/s", "least", "most", "x bare")
    print(tabulate(rows, headers, floatfmt=("", ",.0f", ",.0f", ",.0f", ".2f")))
    print(f"two pinned workers / one: {ratio(two, one):.2f}")


def ratio(values: list[float], others: list[float]) -> float:
    """The median of the rounds' ratios."""
    return statistics.median(value / other for value, other in zip(values, others, strict=True))


if __name__ == "__main__":
    main()
