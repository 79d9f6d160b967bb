"""Moves per second of the rules engine beside OpenSpiel, records' size, and games verified per second.

    python benchmarks/rules.py [--rounds 60]      (OpenSpiel: pip install -e .[bench])

A *move* is a decision of a player in a random whole game of four: the legal moves are listed, `random.choice`
picks one, it is played. Dealing is included on both sides (ours by hashing, OpenSpiel's by its chance nodes, each
outcome as likely as another), but not counted. Both run in one process, one after the other, again and again; a
round's ratio is of neighbours, and every figure is the median over the rounds. Time is the CPU time of the process.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from random import Random

from aurum.records.listener import announce_deal, announce_round_end
from aurum.records.recorder import Recorder
from aurum.records.verify import differences
from aurum.rules import PRESETS, Deal, Game, Ruleset, deal_key, secret_of_seed, side_of
from aurum.v1.record_pb2 import GameRecord
from tabulate import tabulate

try:
    import pyspiel
except ImportError:
    sys.exit("benchmarks/rules.py measures OpenSpiel too, which is not installed: pip install -e .[bench]")

SECRET = secret_of_seed("benchmark")
SECONDS = 0.05
"""Of CPU time for each measurement: short, so that neighbours meet the same state of the machine."""

OPENSPIEL = {
    "oh_hell": "oh_hell(players=4)",
    "oh_hell, 12 cards": "oh_hell(players=4,num_tricks_fixed=12)",
    "spades": "spades",
}
"""As they come, and oh_hell (which draws the number of cards) with as many a hand as here."""

Measure = Callable[[int], float]
"""From the number of the round to a rate per second of CPU time."""


def bare(ruleset: Ruleset) -> Measure:
    """Moves per second of this engine: moves are made on the round under way, as a search bot does."""

    def measure(number: int) -> float:
        choice = Random(number).choice
        moves = games = 0
        begun = time.process_time()
        while time.process_time() - begun < SECONDS:
            game = Game(ruleset, Deal(deal_key(SECRET, 1000 * number + games), 4))
            while not game.over:
                position = game.round
                while position.ended_by is None:
                    position.play(choice(position.legal_moves()))
                    moves += 1
                game.next_round()
            games += 1
        return moves / (time.process_time() - begun)

    return measure


def by_game(ruleset: Ruleset) -> Measure:
    """The same through `Game.play`, as the referee does it."""

    def measure(number: int) -> float:
        choice = Random(number).choice
        moves = games = 0
        begun = time.process_time()
        while time.process_time() - begun < SECONDS:
            game = Game(ruleset, Deal(deal_key(SECRET, 1000 * number + games), 4))
            while not game.over:
                game.play(choice(game.legal_moves()))
                moves += 1
            games += 1
        return moves / (time.process_time() - begun)

    return measure


def openspiel(game_string: str) -> Measure:
    """Moves per second of OpenSpiel's Python API."""
    game = pyspiel.load_game(game_string)

    def measure(number: int) -> float:
        choice = Random(number).choice
        moves = 0
        begun = time.process_time()
        while time.process_time() - begun < SECONDS:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcome, _ = choice(state.chance_outcomes())
                    state.apply_action(outcome)
                else:
                    state.apply_action(choice(state.legal_actions()))
                    moves += 1
        return moves / (time.process_time() - begun)

    return measure


def random_record(ruleset: Ruleset, players: int, number: int) -> GameRecord:
    """A random game, written down as the referee does it."""
    game = Game(ruleset, Deal(deal_key(SECRET, number), players))
    recorder = Recorder(game, f"benchmark/r1m1/{number}/0", number)
    announce_deal(game, (recorder,))
    choice = Random(number).choice
    while not game.over:
        seat, move = game.to_act, choice(game.legal_moves())
        game.play(move)
        recorder.moved(seat, move, ms=choice(range(4)))
        if game.finished:
            announce_round_end(game, (recorder,))
    recorder.game_over(game.result())
    for seat in range(players):
        bot = f"random-{side_of(seat, players)}"
        recorder.record.seats.add(bot=bot, version="1.0", language="python", decisions=30, time_us=30_000)
    return recorder.record


def verifying(stored: Sequence[bytes]) -> Measure:
    """Records read, run again and compared, per second."""

    def measure(number: int) -> float:
        done = 0
        begun = time.process_time()
        while time.process_time() - begun < SECONDS:
            found = differences(GameRecord.FromString(stored[(7 * number + done) % len(stored)]))
            assert not found, found
            done += 1
        return done / (time.process_time() - begun)

    return measure


def interleaved(measures: dict[str, Measure], rounds: int) -> dict[str, list[float]]:
    """The rates of all, measured in turn, to and fro, after one round to warm up."""
    rates: dict[str, list[float]] = {name: [] for name in measures}
    for number in range(rounds + 1):
        for name in measures if number % 2 else reversed(measures):
            rates[name].append(measures[name](number))
    return {name: values[1:] for name, values in rates.items()}


def compare_moves(rounds: int) -> None:
    """Print moves per second and how many times OpenSpiel's they are."""
    engine = {"aurum.rules": bare(PRESETS["designer"]), "aurum.rules, by Game.play": by_game(PRESETS["designer"])}
    others = {f"OpenSpiel {name}": openspiel(game_string) for name, game_string in OPENSPIEL.items()}
    rates = interleaved(engine | others, rounds)
    table = []
    for name, values in rates.items():
        ratios = [
            statistics.median(ours / theirs for ours, theirs in zip(values, rates[other], strict=True))
            for other in others
        ]
        table.append([name, statistics.median(values), *(ratios if name in engine else [])])
    heads = ["four players, random play", "moves/s", *[f"x {name}" for name in OPENSPIEL]]
    print(tabulate(table, headers=heads, floatfmt=("", ".0f", ".2f", ".2f", ".2f"), intfmt=","))


def measure_records(rounds: int) -> None:
    """Print the size of stored records and how many are verified per second."""
    table = []
    for players in (3, 4):
        for preset, ruleset in PRESETS.items():
            stored = [random_record(ruleset, players, number).SerializeToString() for number in range(100)]
            sizes = [len(record) for record in stored]
            (rates,) = interleaved({preset: verifying(stored)}, max(3, rounds // 3)).values()
            table.append([f"{players} players, {preset}", statistics.mean(sizes), max(sizes), statistics.median(rates)])
    heads = ["records of random games", "bytes (mean)", "bytes (max of 100)", "verified games/s"]
    print(tabulate(table, headers=heads, floatfmt=".0f"))


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description="Benchmark the rules engine.")
    parser.add_argument("--rounds", type=int, default=60, help="measurements of each (default 60)")
    rounds = parser.parse_args().rounds
    compare_moves(rounds)
    print()
    measure_records(rounds)


if __name__ == "__main__":
    main()
