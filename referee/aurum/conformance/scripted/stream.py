"""One stream of the bot under check, as a script sees it, and what is said when it goes wrong.

A script sends what it likes and waits for what must come. Whatever else comes, or too late, or not at all, is a
`Failed`, which holds the three things an author wants to see: what was sent, what came, what should have.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Iterable, Mapping

import grpc
from aurum.conformance.scripted.excerpts import brief, brief_bytes, brief_turn, wanted
from aurum.conformance.scripted.game import StagedGame
from aurum.referee.instance import Context
from aurum.v1 import play_pb2
from aurum.wire.version import PROTOCOL_VERSION
from google.protobuf.message import DecodeError

GRACE_MS = 10_000
"""What a Welcome grants a bot that has lost its connection."""
ENDED = "the end of the stream"


class Failed(Exception):  # noqa: N818 - a verdict, no error of ours
    """The bot did not do what a check demands."""

    def __init__(self, *, sent: str, came: str, expected: str, why: str = "") -> None:
        super().__init__(expected)
        self.sent = sent
        self.came = came
        self.expected = expected
        self.why = why
        """What is wrong with what came, where that is not plain."""
        self.ending = ""
        """How the process ended, if it did."""
        self.output = ""
        """The end of what it wrote."""


class NotMet(Exception):  # noqa: N818 - a verdict, no error of ours
    """What a check is about did not happen; says why."""


class Stream:
    """A stream that the bot has opened. `served` runs it; a script uses the rest."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._inbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._actions: deque[play_pb2.Action] = deque()
        self._over = asyncio.Event()
        self._status: tuple[grpc.StatusCode, str] | None = None
        self._repeated: list[tuple[StagedGame, play_pb2.Turn]] = []
        self._sent = "nothing yet"

    async def served(self) -> None:
        """Until the script ends it or the bot has gone."""
        reading = asyncio.create_task(self._read())
        try:
            await self._over.wait()
        finally:
            reading.cancel()
        if self._status is not None:
            await self._context.abort(*self._status)

    async def _read(self) -> None:
        try:
            while isinstance(data := await self._context.read(), bytes):  # at the end grpc returns an object of its own
                self._inbox.put_nowait(data)
        finally:
            self._inbox.put_nowait(None)

    async def send(self, message: play_pb2.PlayResponse, note: str = "") -> None:
        """Send a message; `note` says of it what JSON does not show. If the bot has gone, waiting for it tells so."""
        self._sent = brief(message) + note + self._confusing()
        with contextlib.suppress(grpc.RpcError, grpc.aio.BaseError):
            await self._context.write(message.SerializeToString())

    async def tell(self, updates: Iterable[play_pb2.Update]) -> None:
        """Send updates as one message."""
        await self.send(play_pb2.PlayResponse(updates=updates))

    async def goodbye(self) -> None:
        """Say Goodbye."""
        await self.tell([play_pb2.Update(goodbye=play_pb2.Goodbye(reason="the check is over"))])

    def end(self, code: grpc.StatusCode = grpc.StatusCode.OK, sentence: str = "") -> None:
        """End the stream."""
        if code is not grpc.StatusCode.OK:
            self._status = code, sentence
            self._sent = f"the end of the stream with {code.name}: {sentence}"
        self._over.set()

    async def request(self, within: float, expected: str) -> play_pb2.PlayRequest:
        """The next message."""
        try:
            data = await asyncio.wait_for(self._inbox.get(), within)
        except TimeoutError:
            raise self.failed(f"nothing within {within:g} s", expected) from None
        if data is None:
            raise self.failed(ENDED, expected)
        return self._read_as_request(data, expected)

    async def silence(self, seconds: float, *, may_end: bool = False) -> None:
        """Listen for so long, or until the bot ends the stream if it may: no message may come."""
        try:
            data = await asyncio.wait_for(self._inbox.get(), seconds)
        except TimeoutError:
            return
        if data is not None:
            expected = "nothing, since no Turn has asked for it"
            raise self.failed(brief(self._read_as_request(data, expected)), expected)
        if not may_end:
            raise self.failed(ENDED, "to stay connected")

    def _read_as_request(self, data: bytes, expected: str) -> play_pb2.PlayRequest:
        try:
            return play_pb2.PlayRequest.FromString(data)
        except DecodeError:
            raise self.failed(brief_bytes(data), expected) from None

    async def hello(self, within: float) -> play_pb2.Hello:
        """The Hello that must be the first message."""
        expected = f"first a Hello of protocol version {PROTOCOL_VERSION}, alone in its message"
        request = await self.request(within, expected)
        if not request.HasField("hello") or request.actions or request.hello.protocol_version != PROTOCOL_VERSION:
            raise self.failed(brief(request), expected)
        return request.hello

    async def welcome(self, *, seat: int = 0, players: int = 4, grace_ms: int = GRACE_MS, version: int = 1) -> None:
        """Answer a Hello."""
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

    async def action(self, within: float, expected: str) -> play_pb2.Action:
        """The next answer."""
        while not self._actions:
            request = await self.request(within, expected)
            if request.HasField("hello") or not request.actions:
                raise self.failed(brief(request), expected)
            self._actions.extend(request.actions)
        return self._actions.popleft()

    async def step(self, *games: StagedGame) -> None:
        """Send all that these games have to tell as one message; take an answer for each open turn and play it."""
        await self.tell([update for game in games for update in game.news()])
        await self.answers(*games)

    async def repeat(self, game: StagedGame, turn: play_pb2.Turn) -> None:
        """Send a turn again that was answered. The bot may do so once more, now or later, or let it be."""
        await self.tell([play_pb2.Update(turn=turn)])
        self._repeated.append((game, turn))

    async def answers(self, *games: StagedGame) -> None:
        """Take an answer for the open turn of each of these games, in any order, and play it."""
        asked = [(game, game.turn) for game in games if game.turn is not None]
        for (game, _), action in zip(asked, await self.take(*asked), strict=True):
            game.answer(action)

    async def take(self, *asked: tuple[StagedGame, play_pb2.Turn]) -> list[play_pb2.Action]:
        """Take an answer for each of these turns, in any order, without playing it; returns them by turn."""
        waiting = dict(enumerate(asked))
        found: dict[int, play_pb2.Action] = {}
        while waiting:
            game, turn = next(iter(waiting.values()))
            more = f", and to {len(waiting) - 1} more" if len(waiting) > 1 else ""
            expected = f"an answer to turn {turn.number} of game {game.id}{more}: {wanted(turn)}"
            action = await self.action(turn.time_left_ms / 1000, expected)
            index = _find(action, waiting)
            if index is not None:
                game, turn = waiting.pop(index)
                found[index] = action
            elif (again := _find(action, dict(enumerate(self._repeated)))) is not None:
                game, turn = self._repeated.pop(again)
            else:
                raise self.failed(brief(action), expected)
            if problem := game.problem(action):
                sent = brief_turn(turn) + self._confusing()
                raise Failed(sent=sent, came=brief(action), expected=wanted(turn), why=problem)
        return [found[index] for index in range(len(asked))]

    def _confusing(self) -> str:
        """What came before and may have confused the bot."""
        return "".join(f", after turn {turn.number} had come again" for _, turn in self._repeated)

    def failed(self, came: str, expected: str) -> Failed:
        """That this came instead."""
        return Failed(sent=self._sent, came=came, expected=expected)


def _find(action: play_pb2.Action, asked: Mapping[int, tuple[StagedGame, play_pb2.Turn]]) -> int | None:
    """The key of the turn that an action names."""
    names = (action.game, action.number)
    return next((key for key, (game, turn) in asked.items() if names == (game.id, turn.number)), None)
