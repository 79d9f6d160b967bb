"""A stream that the bot has opened, as the script of a check uses it, and the ways in which a check ends early.

A script sends any messages and waits for the answer that must follow. If another message comes, or none in time, it
raises `CheckFailed`, which holds what the bot's author wants to see: what was sent, what came, what should have come.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Iterable, Mapping

import grpc
from aurum.conformance.scripted.excerpts import bytes_excerpt, expected_answer, message_excerpt, turn_excerpt
from aurum.conformance.scripted.game import ScriptedGame
from aurum.serving.server import Context
from aurum.v1 import play_pb2
from aurum.wire.version import PROTOCOL_VERSION
from google.protobuf.message import DecodeError

GRACE_MS = 10_000
"""How long a bot that has lost its connection may take to come back, as its Welcome says."""
ENDED = "the end of the stream"


class CheckFailed(Exception):  # noqa: N818 - a verdict, no error of ours
    """The bot does not do what a check demands."""

    def __init__(self, *, sent: str, came: str, expected: str, why: str = "") -> None:
        super().__init__(expected)
        self.sent = sent
        self.came = came
        self.expected = expected
        self.why = why
        """What is wrong with what came, where that is not obvious."""
        self.ending = ""
        """How the process ended, if it did."""
        self.output = ""
        """The end of what the process wrote to its output and error."""


class CheckSkipped(Exception):  # noqa: N818 - a verdict, no error of ours
    """The situation that a check is about did not arise; the message says why."""


class ScriptedStream:
    """A stream that the bot has opened. The server awaits `serve`; a script uses the other methods."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._inbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._actions: deque[play_pb2.Action] = deque()
        self._over = asyncio.Event()
        self._status: tuple[grpc.StatusCode, str] | None = None
        self._repeated: list[tuple[ScriptedGame, play_pb2.Turn]] = []
        self._sent = "nothing yet"

    async def serve(self) -> None:
        """Keep the stream open until the script ends it or the call is cancelled."""
        reading = asyncio.create_task(self._read())
        try:
            await self._over.wait()
        finally:
            reading.cancel()
        if self._status is not None:
            await self._context.abort(*self._status)

    async def _read(self) -> None:
        try:
            while isinstance(data := await self._context.read(), bytes):  # grpc marks the end with another type
                self._inbox.put_nowait(data)
        finally:
            self._inbox.put_nowait(None)

    async def send(self, message: play_pb2.PlayResponse, note: str = "") -> None:
        """Send a message, or do nothing if the bot has gone; `note` says what the message's JSON does not show."""
        self._sent = message_excerpt(message) + note + self._repeats_note()
        with contextlib.suppress(grpc.RpcError, grpc.aio.BaseError):
            await self._context.write(message.SerializeToString())

    async def send_updates(self, updates: Iterable[play_pb2.Update]) -> None:
        """Send updates as one message."""
        await self.send(play_pb2.PlayResponse(updates=updates))

    async def send_goodbye(self) -> None:
        """Send a Goodbye."""
        await self.send_updates([play_pb2.Update(goodbye=play_pb2.Goodbye(reason="the check is over"))])

    def end(self, code: grpc.StatusCode = grpc.StatusCode.OK, sentence: str = "") -> None:
        """End the stream with a status."""
        if code is not grpc.StatusCode.OK:
            self._status = code, sentence
            self._sent = f"the end of the stream with {code.name}: {sentence}"
        self._over.set()

    async def next_request(self, within: float, expected: str) -> play_pb2.PlayRequest:
        """Return the next message of the bot; it must come `within` so many seconds."""
        try:
            data = await asyncio.wait_for(self._inbox.get(), within)
        except TimeoutError:
            raise self.failed(f"nothing within {within:g} s", expected) from None
        if data is None:
            raise self.failed(ENDED, expected)
        return self._parse_request(data, expected)

    async def expect_silence(self, seconds: float, *, may_end: bool = False) -> None:
        """Demand that no message comes for so many seconds, or until the bot ends the stream if it `may_end` it."""
        try:
            data = await asyncio.wait_for(self._inbox.get(), seconds)
        except TimeoutError:
            return
        if data is not None:
            expected = "nothing, since no Turn has asked for it"
            raise self.failed(message_excerpt(self._parse_request(data, expected)), expected)
        if not may_end:
            raise self.failed(ENDED, "to stay connected")

    def _parse_request(self, data: bytes, expected: str) -> play_pb2.PlayRequest:
        try:
            return play_pb2.PlayRequest.FromString(data)
        except DecodeError:
            raise self.failed(bytes_excerpt(data), expected) from None

    async def expect_hello(self, within: float) -> play_pb2.Hello:
        """Take the Hello, which must be the first message."""
        expected = f"first a Hello of protocol version {PROTOCOL_VERSION}, alone in its message"
        request = await self.next_request(within, expected)
        if not request.HasField("hello") or request.actions or request.hello.protocol_version != PROTOCOL_VERSION:
            raise self.failed(message_excerpt(request), expected)
        return request.hello

    async def send_welcome(
        self, *, seat: int = 0, players: int = 4, grace_ms: int = GRACE_MS, version: int = 1
    ) -> None:
        """Send a Welcome, which answers a Hello."""
        await self.send(
            play_pb2.PlayResponse(
                welcome=play_pb2.Welcome(
                    protocol_version=version,
                    seat=seat,
                    players=players,
                    reconnect_grace_ms=grace_ms,
                    referee="arena check",
                )
            )
        )

    async def next_action(self, within: float, expected: str) -> play_pb2.Action:
        """Return the next answer of the bot."""
        while not self._actions:
            request = await self.next_request(within, expected)
            if request.HasField("hello") or not request.actions:
                raise self.failed(message_excerpt(request), expected)
            self._actions.extend(request.actions)
        return self._actions.popleft()

    async def play_turns(self, *games: ScriptedGame) -> None:
        """Send the new updates of these games as one message; take an answer to each open turn and play it."""
        await self.send_updates([update for game in games for update in game.new_updates()])
        await self.play_answers(*games)

    async def repeat_turn(self, game: ScriptedGame, turn: play_pb2.Turn) -> None:
        """Send a turn again that was answered. The bot may answer it once more, now or later, or ignore it."""
        await self.send_updates([play_pb2.Update(turn=turn)])
        self._repeated.append((game, turn))

    async def play_answers(self, *games: ScriptedGame) -> None:
        """Take an answer to the open turn of each of these games, in any order, and play it."""
        asked = [(game, game.turn) for game in games if game.turn is not None]
        for (game, _), action in zip(asked, await self.take_answers(*asked), strict=True):
            game.play(action)

    async def take_answers(self, *asked: tuple[ScriptedGame, play_pb2.Turn]) -> list[play_pb2.Action]:
        """Take an answer to each of these turns, in any order, but play none; returns them in the turns' order."""
        waiting = dict(enumerate(asked))
        found: dict[int, play_pb2.Action] = {}
        while waiting:
            game, turn = next(iter(waiting.values()))
            more = f", and to {len(waiting) - 1} more" if len(waiting) > 1 else ""
            expected = f"an answer to turn {turn.number} of game {game.id}{more}: {expected_answer(turn)}"
            action = await self.next_action(turn.time_left_ms / 1000, expected)
            index = _find(action, waiting)
            if index is not None:
                game, turn = waiting.pop(index)
                found[index] = action
            elif (again := _find(action, dict(enumerate(self._repeated)))) is not None:
                game, turn = self._repeated.pop(again)
            else:
                raise self.failed(message_excerpt(action), expected)
            if problem := game.problem(action):
                sent = turn_excerpt(turn) + self._repeats_note()
                raise CheckFailed(sent=sent, came=message_excerpt(action), expected=expected_answer(turn), why=problem)
        return [found[index] for index in range(len(asked))]

    def _repeats_note(self) -> str:
        """Which turns came again before this message and may have confused the bot."""
        return "".join(f", after turn {turn.number} had come again" for _, turn in self._repeated)

    def failed(self, came: str, expected: str) -> CheckFailed:
        """The failure that `came` came instead of what was expected."""
        return CheckFailed(sent=self._sent, came=came, expected=expected)


def _find(action: play_pb2.Action, asked: Mapping[int, tuple[ScriptedGame, play_pb2.Turn]]) -> int | None:
    """The key of the turn that an action answers; None if it answers none of them."""
    names = (action.game, action.number)
    return next((key for key, (game, turn) in asked.items() if names == (game.id, turn.number)), None)
