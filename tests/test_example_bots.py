"""The example bots: the good ones play legally and in order of strength, the bad ones misbehave as they say."""

import ast
import itertools
import math
import re
from collections.abc import Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from aurum.bot import PASS, Bot, Card, Exchange, GameInfo, Move, Phase, Turn
from aurum.rules import PRESETS, Deal, Game, GameEnd, Ruleset, deal_key, sides_of
from aurum.v1 import game_pb2
from inprocess import play_out, positions, start_message, turn_message
from test_faults import CASES, HEADERS

FOLDER = Path(__file__).parents[1] / "example_bots"
MISBEHAVING = sorted(path.stem for path in (FOLDER / "misbehaving").glob("*.py"))
RULESETS = [Ruleset(zeros, end) for end in GameEnd for zeros in (False, True)]


def load(name: str) -> ModuleType:
    spec = spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


RandomBot: type[Bot] = load("random_bot").RandomBot
LowestCard: type[Bot] = load("lowest_card").LowestCard
Heuristic: type[Bot] = load("heuristic").Heuristic


def deal(number: int, players: int) -> Deal:
    return Deal(deal_key(b"example bots", number), players)


@pytest.mark.parametrize("bot", [RandomBot, LowestCard, Heuristic])
@pytest.mark.parametrize("players", [3, 4])
def test_every_answer_is_legal(bot: type[Bot], players: int) -> None:
    """Over a thousand positions that random play leads to, in every ruleset; the SDK and the rules would both raise."""
    seen = 0
    for number in itertools.count():
        game = Game(RULESETS[number % len(RULESETS)], deal(number, players))
        bots = [bot(), *(RandomBot() for _ in range(players - 1))]
        seen += sum(turn.seat == 0 for turn, _ in positions(game, bots))
        if seen >= 1000 and number >= len(RULESETS):
            break


def share_of_exchanges(bot: type[Bot], preset: str) -> float:
    """In how many of its exchange windows a bot exchanges, over twenty games against itself."""
    windows: list[bool] = []

    class Watched(bot):  # type: ignore[misc, valid-type]
        def choose(self, turn: Turn) -> Move | Card:
            move: Move | Card = super().choose(turn)
            if turn.phase is Phase.EXCHANGE:
                windows.append(isinstance(move, Exchange))
            return move

    for number in range(20):
        play_out(PRESETS[preset], deal(number, 4), [Watched()] * 4)
    return sum(windows) / len(windows)


def test_the_random_bot_holds_back_in_half_of_its_exchange_windows() -> None:
    """Otherwise exchanges, being many, would leave no gold for rare endings."""
    assert 0.4 < share_of_exchanges(RandomBot, "german") < 0.6


def test_the_random_bot_plays_the_same_game_again() -> None:
    """It draws from nothing but the game's own generator."""
    games = [play_out(PRESETS["pandasaurus"], deal(3, 3), [RandomBot() for _ in range(3)]) for _ in range(2)]
    assert games[0].results == games[1].results
    assert games[0].round.tricks == games[1].round.tricks


def turn_with(phase: Phase, hand: str = "", legal: str = "", may_pass: bool = False) -> Turn:
    """A turn of which only these things matter."""
    game = Game(PRESETS["german"], deal(0, 4))
    message = turn_message(game, 1)
    message.phase = int(phase)  # type: ignore[assignment]
    message.may_pass = may_pass
    for field, text in ((message.hand, hand), (message.legal_cards, legal)):
        del field[:]
        field.extend(int(Card.parse(card)) for card in text.split())  # type: ignore[misc]
    return Turn(message, GameInfo(start_message(game, game.to_act)), 0.0)


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        (turn_with(Phase.BID, hand="B7 C2 P2 Z10", legal="B7 C2 P2 Z10"), Card.C2),
        (turn_with(Phase.LEAD, hand="B7 C3 P3 Z10", legal="B7 C3 P3 Z10"), Card.C3),
        (turn_with(Phase.FOLLOW, hand="B1 C9 Z10", legal="C9 Z10 G0 G4"), Card.C9),
        (turn_with(Phase.FOLLOW, hand="B1", legal="G0 G4", may_pass=True), Card.G0),
        (turn_with(Phase.FOLLOW, hand="B1", may_pass=True), PASS),
        (turn_with(Phase.EXCHANGE, hand="B1", legal="B1", may_pass=True), PASS),
    ],
    ids=["bid", "lead", "base before gold", "lowest gold", "no card", "exchange"],
)
def test_the_lowest_card_policy_is_the_one_written_down(turn: Turn, expected: object) -> None:
    """Ties by suit; gold only without a base card; the end only without any card."""
    assert LowestCard().choose(turn) == expected


SEATINGS = {4: ((0, 1, 0, 1), (1, 0, 1, 0)), 3: ((0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))}


def score(bots: Sequence[type[Bot]], players: int, ruleset: Ruleset, number: int) -> float:
    """The first bot's share of the comparisons with the second, over one deal in all seatings."""
    points = comparisons = 0.0
    for seating in SEATINGS[players]:
        game = play_out(ruleset, deal(number, players), [bots[index]() for index in seating])
        rank = game.result().rank
        of = [seating[seats[0]] for seats in sides_of(players)]
        for own in (side for side, bot in enumerate(of) if bot == 0):
            for other in (side for side, bot in enumerate(of) if bot == 1):
                points += 1.0 if rank[own] < rank[other] else 0.5 if rank[own] == rank[other] else 0.0
                comparisons += 1
    return points / comparisons


@pytest.mark.parametrize("other", [RandomBot, LowestCard])
@pytest.mark.parametrize("players", [3, 4])
def test_heuristic_beats_the_others_beyond_doubt(other: type[Bot], players: int) -> None:
    """Over some deals in all seatings and every preset in turn: the 99.9 % interval lies above two wins of three."""
    rulesets = list(PRESETS.values())
    deals = {3: 8, 4: 12}[players]  # of six seatings, and of two
    scores = [score((Heuristic, other), players, rulesets[number % 4], number) for number in range(deals)]
    mean = sum(scores) / len(scores)
    error = math.sqrt(sum((value - mean) ** 2 for value in scores) / (len(scores) - 1) / len(scores))
    assert mean - 3.3 * error > 2 / 3


def test_heuristic_exchanges_when_it_gains_by_it_and_not_otherwise() -> None:
    """It is no bot that declines always, nor one that exchanges at every window."""
    assert 0.02 < share_of_exchanges(Heuristic, "designer") < 0.5


def misbehaving(name: str) -> Path:
    return FOLDER / "misbehaving" / f"{name}.py"


def promised(name: str) -> str:
    """The fault that a bot's docstring announces."""
    docstring = ast.get_docstring(ast.parse(misbehaving(name).read_text())) or ""
    found = re.search(r"^Fault: ([A-Z_]+)\b", docstring, re.MULTILINE)
    assert found, f"{name} does not say what fault it is"
    return found[1]


def test_every_kind_of_fault_of_a_bot_has_an_example_that_says_so() -> None:
    """And is tried by real processes as what it says; DISCONNECTED takes a network that fails."""
    said = {name: promised(name) for name in MISBEHAVING}
    assert said == {case.bot: case.kind for case in (*CASES, HEADERS)}
    kinds = {value.name.removeprefix("FAULT_KIND_") for value in game_pb2.FaultKind.DESCRIPTOR.values}
    assert set(said.values()) == kinds - {"UNSPECIFIED", "REFEREE_ERROR", "DISCONNECTED"}


@pytest.mark.parametrize("name", MISBEHAVING)
def test_a_misbehaving_example_is_short(name: str) -> None:
    """It shows one mistake."""
    assert len(misbehaving(name).read_text().splitlines()) <= 50
