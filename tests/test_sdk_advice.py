"""What an author reads about each mistake in a bot: what it is, by which rule, and where in the file."""

import asyncio
import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest
from aurum.bot import PASS, Bot, Card, Exchange, GameEnded, GameInfo, Pass, RoundEnded, Turn
from aurum.bot.advice.answers import wrong_answer
from aurum.bot.advice.places import place_of
from aurum.bot.errors import AuthorError, ExitCalled, Stopped
from aurum.bot.session import Session
from aurum.rules import PRESETS, Deal, Game, Phase, Play, deal_key
from aurum.v1 import play_pb2
from inprocess import start_message, turn_message
from positions import position
from scripted_referee import LIMIT

GAME = Game(PRESETS["designer"], Deal(deal_key(b"advice", 1), 4))


def asked(bot: Bot, game: Game = GAME) -> play_pb2.PlayRequest:
    """Have a bot answer the turn of a game; raises what its session raises."""

    async def answered() -> play_pb2.PlayRequest:
        request = play_pb2.PlayRequest()
        start = play_pb2.Update(game_start=start_message(game, game.to_act))
        for update in (start, play_pb2.Update(turn=turn_message(game, 1))):
            if (rest := session.take(update, monotonic(), request.actions)) is not None:
                await rest
        return request

    session = Session(bot)
    return asyncio.run(answered())


def bot_with(choose: Callable[[Turn], object], **attributes: object) -> Bot:
    """A bot whose `choose` is this."""
    made = type("Made", (Bot,), {"choose": lambda _self, turn: choose(turn), **attributes})()
    assert isinstance(made, Bot)
    return made


ANSWERS: dict[str, tuple[Callable[[Turn], object], str]] = {
    "nothing": (lambda _: None, "returned None, where a Card is wanted: is a return missing?"),
    "a card's text": (
        lambda _: "B7",
        "returned the text 'B7', where a Card is wanted: Card.parse('B7') makes one of it",
    ),
    "another text": (lambda _: "best", "returned the text 'best', where a Card is wanted; legal are"),
    "all cards": (lambda turn: turn.cards, "returned a tuple of 12, where a Card is wanted"),
    "a number": (lambda _: 17, "returned 17, of the type int, where a Card is wanted"),
    "the class": (lambda _: Pass, "returned the class Pass, where a Card is wanted: the move is PASS"),
    "a method": (lambda turn: turn.sample, "are the parentheses of a call missing?"),
    "a generator": (lambda turn: (card for card in turn.cards), "return it, and do not yield it"),
    "gold": (lambda _: Card.G8, "returned G8, which is illegal: gold cannot be a bid card; legal are: bid"),
    "a pass": (lambda _: PASS, "returned 'pass', which is illegal: this kind of move is not asked for now"),
    "the wrong kind": (lambda turn: Play(turn.hand[0]), "which is illegal: this kind of move is not asked for now"),
    "an opponent's card": (
        lambda turn: next(card for card in turn.unseen),
        "which is illegal: the card is not in the hand",
    ),
}


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("mistake", ANSWERS)
def test_a_wrong_answer_is_explained(mistake: str, strict: bool) -> None:
    """What it is and why not, with the method and its line; a bot that is not strict may send any move."""
    choose, words = ANSWERS[mistake]
    bot = bot_with(choose, strict=strict)
    if not strict and "illegal" in words:
        assert len(asked(bot).actions) == 1
        return
    with pytest.raises(AuthorError) as raised:
        asked(bot)
    assert str(raised.value).startswith("Made.choose failed at <Turn 1 of game 1: BID of seat ")
    sentence = str(raised.value.__cause__)
    assert words in sentence
    assert sentence.startswith("Made.choose (")
    assert "test_sdk_advice.py, line " in sentence


def test_the_rule_that_a_card_breaks_is_named_in_every_phase() -> None:
    """By the rules themselves, as the referee would."""
    follow = position(["B1 B2", "C3 Z4", "P5 P6", "S7 S8"], trick="Z9", taken=[1, 0, 0, 0])
    lead = position(["B1 B2", "C3 Z4", "P5 P6", "S7 S8"], gold=["G3", "", "", ""])
    swap = position(["B1 B2", "C3 Z4", "P5 P6", "S7 S8"], gold=["G3", "", "", ""], phase=Phase.EXCHANGE)
    cases = [
        (follow, Card.Z4, "a card of that suit is in the trick already"),
        (follow, Card.B1, "the card is not in the hand"),
        (lead, Card.G3, "gold cannot lead a trick"),
        (swap, Exchange(Card.G5, Card.B1, 0), "returned 'exchange G5 B1 @0', which is illegal: "),
        (swap, Card.B1, "returned B1, where PASS or an Exchange is wanted"),
    ]
    for at, answer, words in cases:
        assert words in wrong_answer(answer, at.phase, at.legal_moves(), at.copy)


def test_a_value_that_cannot_be_shown_is_no_trouble() -> None:
    class Odd:
        def __repr__(self) -> str:
            raise RuntimeError

    assert "<Odd>, of the type Odd" in wrong_answer(Odd(), Phase.LEAD, (), GAME.round.copy)


class _Places:
    def one(self) -> int:
        """A method with one return."""
        return 1

    def two(self, x: int) -> int:
        if x:
            return 1
        return 2


def test_a_method_is_found_in_its_file() -> None:
    """At its one return, else where it begins; what is not written in Python is nowhere."""
    first = _Places.one.__code__.co_firstlineno
    assert place_of(_Places().one).endswith(f"test_sdk_advice.py, line {first + 2}")
    assert place_of(_Places().two).endswith(f"test_sdk_advice.py, line {_Places.two.__code__.co_firstlineno}")
    assert place_of(len) == ""


def test_async_methods_are_awaited() -> None:
    """All of them, each before the next; and what is wrong in one is the author's as in others."""
    heard: list[str] = []

    class Slow(Bot):
        async def game_start(self, game: GameInfo) -> None:
            await asyncio.sleep(0)
            heard.append(f"start {game.id}")

        async def bid(self, turn: Turn) -> Card:
            await asyncio.sleep(0)
            heard.append(f"bid {turn.number}")
            return turn.hand[-1]

        async def round_end(self, end: RoundEnded) -> None:
            heard.append("round")

        async def game_end(self, end: GameEnded) -> None:
            raise LookupError("at the end")

    (action,) = asked(Slow()).actions
    assert ["start 1", "bid 1"] == heard
    assert int(GAME.round.hand(GAME.to_act)[-1]) == int(action.card)

    class Wrong(Slow):
        async def bid(self, turn: Turn) -> Card:
            return "B7"  # type: ignore[return-value]

    with pytest.raises(AuthorError) as raised:
        asked(Wrong())
    assert "Wrong.bid (" in str(raised.value.__cause__)
    assert "returned the text 'B7'" in str(raised.value.__cause__)


def test_a_loop_of_ones_own_is_explained() -> None:
    """`asyncio.run`, and `run_until_complete` likewise: the last line says what to write instead."""

    def run(turn: Turn) -> Card:
        sleep = asyncio.sleep(0)
        try:
            asyncio.run(sleep)
        finally:
            sleep.close()
        return turn.cards[0]

    def run_on_a_loop(turn: Turn) -> Card:
        sleep, loop = asyncio.sleep(0), asyncio.new_event_loop()
        try:
            loop.run_until_complete(sleep)
        finally:
            sleep.close()
            loop.close()
        return turn.cards[0]

    for method in (run, run_on_a_loop):
        with pytest.raises(AuthorError) as raised:
            asked(bot_with(method))
        cause = raised.value.__cause__
        assert "write `async def`, and `await` instead of asyncio.run(...)" in str(cause)
        assert cause is not None
        assert method.__name__ == traceback.extract_tb(cause.__traceback__)[-1].name


def test_exiting_in_a_method_is_a_mistake_unless_a_signal_does_it() -> None:
    """With whatever code."""
    with pytest.raises(AuthorError) as raised:
        asked(bot_with(lambda _: sys.exit(0)))
    assert isinstance(raised.value.__cause__, ExitCalled)
    assert "sys.exit(0) was called: a bot ends only at the referee's Goodbye" == str(raised.value.__cause__)

    def stop(_: Turn) -> Card:
        raise Stopped(143)

    with pytest.raises(Stopped):
        asked(bot_with(stop))


HEAD = "from aurum.bot import Bot, run\n\nclass Mine(Bot):\n"
BODY = "    def choose(self, turn):\n        return turn.legal[0]\n"
STARTS = {
    f"{HEAD}{BODY}\nrun(Mine())\n": (
        2,
        "run takes the class and makes the bot itself: write run(Mine), not run(Mine())",
    ),
    f"{HEAD}{BODY}\nrun(int)\n": (2, "int does not derive from Bot: write class int(Bot)"),
    f"{HEAD}{BODY}\nrun(7)\n": (2, "run takes a class that derives from Bot, not 7"),
    f"{HEAD}{BODY}": (0, "a_bot.py has ended without running its bot: write run(Mine) as its last line"),
    f"{HEAD}{BODY}\nrun\n": (0, "a_bot.py has ended without running its bot: write run(Mine) as its last line"),
    f"{HEAD}    def __init__(self, depth, *, width, all=True):\n        pass\n\n{BODY}\nrun(Mine)\n": (
        2,
        "Mine.__init__ wants depth, width, and run gives it nothing: write defaults for its arguments",
    ),
}


@pytest.mark.process
@pytest.mark.parametrize("source", STARTS, ids=range(len(STARTS)))
def test_a_bot_that_is_started_wrongly_is_told_how(source: str, tmp_path: Path) -> None:
    """In one line."""
    code, sentence = STARTS[source]
    (tmp_path / "a_bot.py").write_text(source, encoding="utf-8")
    env = os.environ | {"AURUM_ADDRESS": "127.0.0.1:1", "AURUM_TOKEN": "t"}
    command = [sys.executable, "a_bot.py"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert (code, f"aurum: {sentence}\n") == (done.returncode, done.stderr)


@pytest.mark.process
def test_importing_a_bot_starts_nothing(tmp_path: Path) -> None:
    """A test may import it, and so may a process that the bot itself has started; what runs it still runs it."""
    (tmp_path / "a_bot.py").write_text(f"{HEAD}{BODY}\nrun(Mine)\n", encoding="utf-8")
    importing = "import a_bot; print(a_bot.Mine.__name__)"
    spawning = (
        "import multiprocessing\nimport a_bot\n"
        "if __name__ == '__main__':\n"
        "    import os\n    os.environ['AURUM_ADDRESS'] = os.environ['AURUM_TOKEN'] = 'x'\n"
        "    multiprocessing.set_start_method('spawn')\n"
        "    with multiprocessing.Pool(1) as pool:\n        print(pool.map(len, ['Mine'])[0])\n"
    )
    (tmp_path / "spawning.py").write_text(spawning, encoding="utf-8")
    env = {name: value for name, value in os.environ.items() if not name.startswith("AURUM_")}
    outputs = {}
    for name, command in {
        "imports": ["-c", importing],
        "spawns": ["spawning.py"],
        "is a module": ["-m", "a_bot"],
        "imports to play": ["-c", "import a_bot", "--address=x"],
    }.items():
        done = subprocess.run(
            [sys.executable, *command],
            cwd=tmp_path,
            env=env,
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        outputs[name] = (done.returncode, done.stdout, done.stderr.split(":")[1:2])
    assert {
        "imports": (0, "Mine\n", []),
        "spawns": (0, "4\n", []),
        "is a module": (2, "", [" AURUM_ADDRESS is not set"]),
        "imports to play": (2, "", [" AURUM_TOKEN is not set"]),
    } == outputs
