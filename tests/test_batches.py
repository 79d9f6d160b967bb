"""When an instance is sent its turns: together, and never kept waiting for nothing.

The stream is a pair of queues, and the time for which turns may wait is so long that a test which waits for it fails.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, cast

import pytest
from aurum.processes.launch import Limits
from aurum.referee import instance
from aurum.referee.game import RunningGame
from aurum.referee.instance import Instance, Terms
from aurum.serving.server import Context
from aurum.v1 import play_pb2

TURNS = 1
"""The number of each turn."""


class Stream:
    """What an instance knows of a stream: `received` is what it reads, `sent` what it has written."""

    def __init__(self) -> None:
        self.received: asyncio.Queue[bytes] = asyncio.Queue()
        self.sent: asyncio.Queue[bytes] = asyncio.Queue()

    async def read(self) -> bytes:
        return await self.received.get()

    async def write(self, data: bytes) -> None:
        self.sent.put_nowait(data)

    async def games(self) -> list[int]:
        """The games whose turns are in the next message."""
        updates = play_pb2.PlayResponse.FromString(await self.sent.get()).updates
        return [update.turn.game for update in updates]

    def answer(self, *games: int) -> None:
        """Answer the turns of some games in one message."""
        actions = [play_pb2.Action(game=game, number=TURNS) for game in games]
        self.received.put_nowait(play_pb2.PlayRequest(actions=actions).SerializeToString())


class AskedGame:
    """What an instance knows of a game in which a turn is due."""

    turn_number = TURNS
    deadline = float("inf")

    def __init__(self, number: int) -> None:
        self.id = number

    def turn(self, _now: float) -> bytes:
        update = play_pb2.Update(turn=play_pb2.Turn(game=self.id, number=TURNS))
        return play_pb2.PlayResponse(updates=[update]).SerializeToString()

    def answered(self, _action: play_pb2.Action, _now: float) -> None:
        """Nothing follows."""


Scene = Callable[[Instance, list[RunningGame], Stream], Coroutine[Any, Any, None]]


def play(scene: Scene, games: int) -> None:
    """Play a scene with a bot that takes part in so many games, and has been welcomed."""

    async def playing() -> None:
        terms = Terms(seat=0, players=4, games_in_flight=games, setup_ms=1000, grace_ms=1000, limits=Limits())
        errors: list[BaseException] = []
        bot, stream = Instance(terms, "token", errors.append), Stream()
        hello = play_pb2.PlayRequest(hello=play_pb2.Hello(protocol_version=1))
        stream.received.put_nowait(hello.SerializeToString())
        serving = asyncio.create_task(bot.serve(cast(Context, stream)))
        await stream.sent.get()  # the Welcome
        started = [cast(RunningGame, AskedGame(number)) for number in range(1, games + 1)]
        for game in started:
            bot.enter(game)
        await scene(bot, started, stream)
        bot.finish()
        await serving
        assert [] == errors

    asyncio.run(playing())


def ask(bot: Instance, games: list[RunningGame]) -> None:
    for game in games:
        bot.ask(game, 0.0)


async def quiet(stream: Stream) -> None:
    """Nothing more is sent, whatever is ready to run."""
    for _ in range(20):
        await asyncio.sleep(0)
    assert stream.sent.empty()


@pytest.fixture(autouse=True)
def _a_hold_that_never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instance, "HOLD", 3600.0)


def test_turns_wait_until_there_is_one_in_a_fifth_of_the_games() -> None:
    """Of a bot that has answered all it had."""

    async def scene(bot: Instance, games: list[RunningGame], stream: Stream) -> None:
        ask(bot, games[:3])
        await quiet(stream)
        ask(bot, games[3:4])
        assert [1, 2, 3, 4] == await stream.games()

    play(scene, games=20)


def test_turns_wait_for_a_bot_that_is_busy() -> None:
    """However many they are; until it has answered the last turn it had."""

    async def scene(bot: Instance, games: list[RunningGame], stream: Stream) -> None:
        ask(bot, games[:4])
        assert [1, 2, 3, 4] == await stream.games()
        ask(bot, games[4:14])
        stream.answer(1, 3)
        await quiet(stream)
        stream.answer(2, 4)
        assert [*range(5, 15)] == await stream.games()

    play(scene, games=20)


def test_what_follows_from_the_last_answer_may_be_too_little() -> None:
    """Then more is waited for, as before the first turn."""

    async def scene(bot: Instance, games: list[RunningGame], stream: Stream) -> None:
        ask(bot, games[:4])
        assert [1, 2, 3, 4] == await stream.games()
        ask(bot, games[4:6])
        stream.answer(1, 2, 3, 4)
        await quiet(stream)
        ask(bot, games[6:8])
        assert [5, 6, 7, 8] == await stream.games()

    play(scene, games=20)


@pytest.mark.parametrize("games", [1, 2, 9])
def test_with_few_games_a_bot_that_waits_is_sent_each_turn_at_once(games: int) -> None:
    """In as many messages as there are turns."""

    async def scene(bot: Instance, games: list[RunningGame], stream: Stream) -> None:
        for game in games:
            ask(bot, [game])
            assert [game.id] == await stream.games()
            stream.answer(game.id)
            await quiet(stream)

    play(scene, games)


def test_no_turn_waits_for_longer_than_the_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few turns go out when it is over, and so do those of a bot that is busy."""
    monkeypatch.setattr(instance, "HOLD", 0.001)

    async def scene(bot: Instance, games: list[RunningGame], stream: Stream) -> None:
        ask(bot, games[:1])
        assert [1] == await stream.games()
        ask(bot, games[1:2])
        assert [2] == await stream.games()

    play(scene, games=20)
