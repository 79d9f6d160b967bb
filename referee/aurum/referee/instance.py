"""One process of one bot at one seat, as the referee sees it: its stream, its open turns, its loss.

A stream has one reader and one writer. The writer sends everything pending in one message. It lets turns come
together, for a moment at most, while the bot is busy with the last ones or too few have come: with fewer than ten
games a turn is held only from a busy bot, and with one never; with many, dozens share the cost of a message. Without
the holding, every batch of answers would split into a message for each of the other bots, and messages get smaller
and smaller.

    waiting --Hello--> ready --stream ends--> away --Hello within the grace--> ready
       |                 |                      |
       +-----------------+----------------------+--> lost: a fault that concerns all its games
"""

import asyncio
import importlib.metadata
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import grpc
from aurum.processes.launch import Limits
from aurum.processes.process import BotProcess
from aurum.referee.game import Loss, RunningGame, as_bytes
from aurum.serving.server import Context, StreamOwner, receive
from aurum.v1 import game_pb2, play_pb2
from aurum.wire.version import PROTOCOL_VERSION
from google.protobuf.message import DecodeError

STRAY_LIMIT = 100
"""How many answers may match no open turn, those to turns that timed out not counted."""

EXIT_S = 1.0
"""How long to wait, when a launched bot's connection is lost, for its process to end too before the bot is judged."""

HOLD = 0.005
"""Seconds for which turns wait, at most, for a bot to answer those it has, and for more turns."""

PARTS = 5
"""A bot that has answered all it had is sent turns once it has one in a fifth of its games.

A smaller part makes more messages. With a larger one than a quarter, all of four bots could wait until `HOLD` is over:
whenever none of them thinks, one of them is to move in a quarter of its games.
"""

VERSION = importlib.metadata.version("aurum-arena")

_AWAY: Loss = (game_pb2.FAULT_KIND_DISCONNECTED, "the connection was lost and not back before the deadline")

Refusal = tuple[grpc.StatusCode, str]


@dataclass(frozen=True, slots=True)
class Terms:
    """What an instance is launched and welcomed with: where these are the same, it may play on."""

    seat: int
    players: int
    games_in_flight: int
    """How many games it may be in at a time."""
    setup_ms: int
    grace_ms: int
    limits: Limits


class Instance(StreamOwner):
    """The player at a seat (see `aurum.referee.game.Player`), reached over one stream at a time.

    `ready` is done once it has said Hello or is lost; `hello` holds what it said. `on_error` is called with an
    exception that is our own bug. If it is `launched`, its owner sets `process` and calls `lose` when that ends.
    """

    def __init__(
        self, terms: Terms, token: str, on_error: Callable[[BaseException], None], *, launched: bool = False
    ) -> None:
        super().__init__(token)
        self.seat = terms.seat
        self.loss: Loss | None = None
        self.hello: play_pb2.Hello | None = None
        self.process: BotProcess | None = None  # where somebody else starts it
        self.unsolicited = self._counted = 0
        self.turns_asked = 0
        self._loop = asyncio.get_running_loop()
        self.ready: asyncio.Future[None] = self._loop.create_future()
        self._welcome = play_pb2.Welcome(
            protocol_version=PROTOCOL_VERSION,
            seat=terms.seat,
            players=terms.players,
            # One that dials in finds its seat free in the next game, even if it comes too late for this one.
            reconnect_grace_ms=terms.grace_ms if launched else max(terms.grace_ms, terms.setup_ms),
            referee=VERSION,
        )
        self._launched = launched
        self._grace = max(terms.grace_ms / 1000, EXIT_S if launched else 0.0)
        self._alone = terms.games_in_flight == 1
        self._unsent = 0
        self._hold: asyncio.TimerHandle | None = None
        self._flushed: asyncio.Future[None] | None = None
        self._on_error = on_error
        self._games: dict[int, RunningGame] = {}
        self._open: dict[int, RunningGame] = {}
        self._unjudged: list[RunningGame] = []
        """Games whose turn ended when there was no connection."""
        self._judging: asyncio.TimerHandle | None = None
        self._timed_out = 0
        self._pending: list[bytes] = []
        self._wake = asyncio.Event()
        self._stream: tuple[asyncio.Task[Refusal | None], asyncio.Task[None]] | tuple[()] = ()
        self._closing = False
        self._watchdog: asyncio.Handle | None = None
        self._watched = math.inf  # when the watchdog wakes up
        self._grace_timer: asyncio.Handle | None = None
        self._grace_due = 0.0

    # What games call

    def enter(self, game: RunningGame) -> None:
        """A game begins."""
        self._games[game.id] = game

    def leave(self, game: RunningGame) -> None:
        """A game is over: send its last updates."""
        del self._games[game.id]
        self._send_soon()

    def ask(self, game: RunningGame, now: float) -> None:
        """Open a turn and send it."""
        self._pending.append(game.turn(now))
        self._open[game.id] = game
        self._unsent += 1
        self.turns_asked += 1
        if game.deadline < self._watched:
            self._watch(game.deadline)
        if self._due():
            self._release()
        else:
            self._send_soon()

    def tell(self, news: bytes) -> None:
        """Have something go out with the next turn or at the end of a game."""
        self._pending.append(news)

    # What its seat calls

    def excuse(self, seconds: float) -> None:
        """The referee itself was late by so much: nothing that the bot owes is due before it had its time."""
        for game in self._open.values():
            game.excuse(seconds, self._loop.time())
        if self._open:
            self._watch(min(game.deadline for game in self._open.values()))
        if self._grace_timer is not None and not self._stream and not self._closing:
            self._grace_timer.cancel()
            self._wait_for_stream(self._grace_due + seconds)

    @property
    def idle(self) -> bool:
        """Whether it is in no game."""
        return not self._games

    def lose(self, kind: game_pb2.FaultKind.ValueType, detail: str) -> bool:
        """The instance can answer no more: its open turns are faults of this kind.

        The first loss counts; returns whether this was it.
        """
        if self.loss is not None or self._closing:
            return False
        self.loss = (kind, detail)
        self.finish()
        if not self.ready.done():
            self.ready.set_result(None)
        open_games, self._open = self._open, {}
        self._judge(self.loss)
        for game in open_games.values():
            self._guard(game.lost, self.loss, self._loop.time())
        return True

    def finish(self) -> None:
        """Stop all timers and let the stream end."""
        self._closing = True
        for timer in (self._watchdog, self._grace_timer, self._hold, self._judging):
            if timer is not None:
                timer.cancel()
        self._wake.set()

    def dismiss(self, reason: str) -> None:
        """Say Goodbye and end the stream."""
        self._pending.append(as_bytes(play_pb2.Update(goodbye=play_pb2.Goodbye(reason=reason))))
        self.finish()

    def take_counts(self) -> tuple[int, int]:
        """Its decisions, and its answers that matched no open turn, since this was last asked."""
        counts = self.turns_asked - self._counted, self.unsolicited
        self._counted, self.unsolicited = self.turns_asked, 0
        return counts

    async def flush(self, patience: float) -> None:
        """Wait up to `patience` seconds until all that is pending is sent, or the stream has ended."""
        if self._pending and self._stream:
            self._flushed = self._loop.create_future()
            self._release()
            either: set[asyncio.Future[Any]] = {self._flushed, *self._stream}
            await asyncio.wait(either, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
            self._flushed = None

    def flooded(self, sentence: str) -> None:
        """More came from its bot than anyone can ask for: it is lost, and ended at once."""
        self.lose(game_pb2.FAULT_KIND_FLOODED, sentence)
        if self.process is not None:
            self.process.kill()

    # The stream

    async def serve(self, context: Context) -> None:
        """Serve one stream of this instance until it ends; the caller has checked the token."""
        if self.loss is not None:
            await context.abort(grpc.StatusCode.UNAVAILABLE, f"not now: {self.loss[1]}; the next game may take you")
        data = await receive(context)
        if data is None:
            return
        self.hello = await self._hello(data, context)
        if self._grace_timer is not None:
            self._grace_timer.cancel()
        self._resume()
        if not self.ready.done():
            self.ready.set_result(None)
        for task in self._stream:  # a bot that is back before its old stream was seen to end
            task.cancel()
        reader, writer = asyncio.create_task(self._read(context)), asyncio.create_task(self._write(context))
        self._stream = stream = (reader, writer)
        try:
            await asyncio.wait(stream, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in stream:
                task.cancel()
            if self._stream is stream:
                self._stream = ()
                if not self._closing:
                    self._wait_for_stream(self._loop.time() + self._grace)
        if reader.done() and not reader.cancelled() and (refusal := reader.result()) is not None:
            await context.abort(*refusal)

    async def _hello(self, data: bytes, context: Context) -> play_pb2.Hello:
        try:
            request = play_pb2.PlayRequest.FromString(data)
        except DecodeError:
            await self._refuse(context, grpc.StatusCode.INVALID_ARGUMENT, "the first message is no PlayRequest")
        hello = request.hello
        if not request.HasField("hello") or request.actions:
            await self._refuse(context, grpc.StatusCode.FAILED_PRECONDITION, "the first message must be a Hello alone")
        if hello.protocol_version != PROTOCOL_VERSION:
            sentence = (
                f"the bot speaks protocol version {hello.protocol_version}, this referee version {PROTOCOL_VERSION}"
            )
            await self._refuse(context, grpc.StatusCode.FAILED_PRECONDITION, sentence)
        return hello

    async def _refuse(self, context: Context, code: grpc.StatusCode, sentence: str) -> NoReturn:
        has_started = self.ready.done()
        kind = game_pb2.FAULT_KIND_MALFORMED_MESSAGE if has_started else game_pb2.FAULT_KIND_START_FAILED
        self.lose(kind, f"a new stream began wrongly: {sentence}" if has_started else sentence)
        await context.abort(code, sentence)

    def _resume(self) -> None:
        """Begin a stream: the Welcome; after a loss every game and every open turn again, as the rest was not sent."""
        pending = [play_pb2.PlayResponse(welcome=self._welcome).SerializeToString()]
        pending += [game.start(self.seat) for game in self._games.values()]
        unsent = play_pb2.PlayResponse.FromString(b"".join(self._pending)).updates
        again = ("round_end", "game_end", "fault", "goodbye")
        pending += [as_bytes(update) for update in unsent if update.WhichOneof("kind") in again]
        now = self._loop.time()
        pending += [game.turn(now) for game in self._open.values()]
        self._pending, self._unsent = pending, len(self._open)
        self._wake.set()

    def _due(self) -> bool:
        """Whether all turns that were sent are answered, and enough new ones have come together."""
        return len(self._open) <= self._unsent >= len(self._games) // PARTS

    def _send_soon(self) -> None:
        if self._hold is None:
            self._hold = self._loop.call_later(HOLD, self._release)

    def _release(self) -> None:
        """What has come together goes out: it is enough, or has waited for long enough."""
        if self._hold is not None:
            self._hold.cancel()
            self._hold = None
        if self._pending:
            self._wake.set()

    async def _write(self, context: Context) -> None:
        """Send what is pending whenever there is something, until the last of it is sent."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            if not self._alone:
                await asyncio.sleep(0)  # what else is ready joins
            pending, self._pending, self._unsent = self._pending, [], 0
            if pending:
                try:
                    await context.write(b"".join(pending))
                except (grpc.RpcError, grpc.aio.BaseError):
                    return  # the bot is gone: it is told again when it is back
            if not self._pending:
                if self._closing:
                    return
                if self._flushed is not None and not self._flushed.done():
                    self._flushed.set_result(None)

    async def _read(self, context: Context) -> Refusal | None:
        """Take in messages until the stream ends; returns what to end it with if the bot is to blame."""
        while (data := await receive(context)) is not None:
            now = self._loop.time()
            try:
                request = play_pb2.PlayRequest.FromString(data)
            except DecodeError:
                sentence = f"sent {len(data)} bytes that are no PlayRequest"
                self.lose(game_pb2.FAULT_KIND_MALFORMED_MESSAGE, sentence)
                return grpc.StatusCode.INVALID_ARGUMENT, sentence
            if not request.actions:
                self._stray()
            try:
                for action in request.actions:
                    game = self._open.get(action.game)
                    if game is None or game.turn_number != action.number:
                        self._stray()
                    else:
                        del self._open[action.game]
                        game.answered(action, now)
            except Exception as error:
                # Nothing a bot sends may raise: what does is our own bug, and must not be lost in a handler.
                self._on_error(error)
            if self.loss is not None:
                return grpc.StatusCode.FAILED_PRECONDITION, self.loss[1]
            if self._due():
                self._release()
            if not self._alone:
                await asyncio.sleep(0)  # the turns that follow go out before we listen again
        return None

    def _stray(self) -> None:
        self.unsolicited += 1
        if self.unsolicited > STRAY_LIMIT + self._timed_out:
            self.lose(
                game_pb2.FAULT_KIND_FLOODED,
                f"sent {self.unsolicited} messages or answers that match no open turn; answer each Turn once",
            )

    # Deadlines

    def _watch(self, deadline: float) -> None:
        if self._watchdog is not None:
            self._watchdog.cancel()
        self._watchdog = self._loop.call_at(deadline, self._wake_watchdog)
        self._watched = deadline

    def _wake_watchdog(self) -> None:
        # A step later: if the referee overslept, `excuse` is called first.
        self._watchdog = self._loop.call_soon(self._expire)

    def _expire(self) -> None:
        """Close the turns whose deadline has passed; one timer serves all of them, so that an answer costs none."""
        self._watchdog = None
        self._watched = math.inf
        now = self._loop.time()
        for game in [game for game in self._open.values() if game.deadline <= now]:
            if self._open.pop(game.id, None) is None:
                continue  # closed meanwhile
            self._timed_out += 1
            if self._stream:
                self._guard(game.timed_out, now)
            else:
                self._unjudged.append(game)
        if self._unjudged and self._judging is None:
            self._judging = self._loop.call_later(EXIT_S if self._launched else 0.0, self._judge, _AWAY)
        if self._open:
            self._watch(min(game.deadline for game in self._open.values()))

    def _judge(self, loss: Loss) -> None:
        """Blame it for the turns that ended when there was no connection."""
        self._judging = None
        unjudged, self._unjudged = self._unjudged, []
        for game in unjudged:
            self._guard(game.lost, loss, self._loop.time())

    def _wait_for_stream(self, due: float) -> None:
        self._grace_due = due
        self._grace_timer = self._loop.call_at(due, self._end_grace)

    def _end_grace(self) -> None:
        self._grace_timer = self._loop.call_soon(self._stay_away)  # a step later, as above

    def _stay_away(self) -> None:
        sentence = f"the connection was lost and not back within {self._grace:g} s"
        self.lose(game_pb2.FAULT_KIND_DISCONNECTED, sentence)

    def _guard(self, step: Callable[..., None], *args: object) -> None:
        try:
            step(*args)
        except Exception as error:
            self._on_error(error)
