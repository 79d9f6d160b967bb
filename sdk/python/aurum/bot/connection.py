"""The stream to the referee: answers go out as they are ready, and a lost connection is taken up again.

One task reads a message, has every turn in it answered, and writes the answers as one message. The bot
thinks on this task too: there is nothing else to do meanwhile.
"""

import asyncio
import os
from contextlib import suppress
from time import monotonic

os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # before grpc is loaded, or it prints notes among the author's own

import grpc
from aurum.bot.errors import RefusedError, UnreachableError
from aurum.bot.session import Session
from aurum.v1 import play_pb2
from grpc import aio

OPTIONS = (
    ("grpc.enable_http_proxy", 0),  # a proxy in the environment would hijack even 127.0.0.1
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 500),
    ("grpc.max_receive_message_length", 4 * 1024 * 1024),
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 5_000),  # the one that counts: without it a frozen peer takes a minute
    ("grpc.http2.max_pings_without_data", 0),  # a long wait for the own turn is no reason to stop asking
)

FIRST_PATIENCE = 10.0
"""Seconds to wait for a referee that has never been there."""

FLUSH_AFTER = 0.002
"""Seconds without a write after which answers that are ready are sent."""

_MAX_ACTIONS = 1_000  # in one message: under 30 KiB, of the 64 KiB that a referee takes
_BACKOFF = (0.05, 0.1, 0.2, 0.4, 0.5)

_PASSING = frozenset(
    {
        grpc.StatusCode.OK,  # ended without a Goodbye
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.INTERNAL,  # also what grpc.aio makes of a refusal that crosses a write: the next try hears it
        grpc.StatusCode.ABORTED,
    }
)
"""How a stream can end that is worth taking up again."""


async def converse(session: Session, address: str, token: str) -> None:
    """Play until the referee's Goodbye.

    Raises RefusedError if the referee ends the stream for good, UnreachableError if it is not there or does
    not come back within the grace that its Welcome granted, and what `session` raises.
    """
    async with aio.insecure_channel(address, OPTIONS) as channel:
        failures = 0
        lost = monotonic()
        ending = "no answer"
        while True:
            welcome = session.welcome
            patience = welcome.reconnect_grace_ms / 1000 if welcome else FIRST_PATIENCE
            if not await _ready(channel, lost + patience):
                raise UnreachableError(f"no referee at {address} within {patience:g} s: {ending}")
            stream = _Stream(channel, session, token)
            started = monotonic()
            ending = await stream.run()
            if session.goodbye is not None:
                return
            if stream.lived or monotonic() > started + patience:
                lost = monotonic()
                failures = 0
            await asyncio.sleep(_BACKOFF[min(failures, len(_BACKOFF) - 1)])
            failures += 1


async def _ready(channel: aio.Channel, deadline: float) -> bool:
    """Whether the channel is connected before the deadline."""
    left = deadline - monotonic()
    if left <= 0:
        return False
    try:
        await asyncio.wait_for(channel.channel_ready(), left)
    except TimeoutError:
        return False
    return True


class _Stream:
    """One stream, from Hello to its end."""

    def __init__(self, channel: aio.Channel, session: Session, token: str) -> None:
        # Bytes come in, not messages: of bytes that are none, grpc would tell the terminal and not us.
        play: aio.StreamStreamMultiCallable[play_pb2.PlayRequest, bytes] = channel.stream_stream(
            "/aurum.v1.RefereeService/Play", request_serializer=play_pb2.PlayRequest.SerializeToString
        )
        self._call = play(metadata=(("authorization", f"Bearer {token}"),), wait_for_ready=True)
        self._session = session
        self._slowest = 0.0
        self.lived = False
        """Whether the referee has said more than a Welcome."""

    async def run(self) -> str:
        """Talk until the referee says Goodbye or the stream ends; returns how it ended, in a few words.

        Raises RefusedError if it ended for good.
        """
        session = self._session
        try:
            await self._write(session.hello())
            welcomed = False
            # Iterating hears all that was said before the end; `read` would not, once a write has failed.
            async for data in self._call:
                message = session.read(data)
                if not welcomed:
                    session.begin(message)
                    welcomed = True
                if message.updates:
                    self.lived = True
                    await self._answer(message)
                    if session.goodbye is not None:
                        await self._call.done_writing()
                        return "Goodbye"
        except aio.AioRpcError:
            pass  # the stream is over; its status is read below, as when it ended in peace
        code = await self._call.code()
        if code not in _PASSING:
            raise RefusedError(await self._call.details() or code.name)
        return f"the stream ended with {code.name}"

    async def _answer(self, message: play_pb2.PlayResponse) -> None:
        """Answer the turns of a message, in one message unless the bot thinks for long."""
        session = self._session
        now = received = written = monotonic()
        answers = play_pb2.PlayRequest()
        for update in message.updates:
            before = now
            session.take(update, received, answers)
            if session.goodbye is not None:
                break
            now = monotonic()
            # A bot that has just thought for long may do so again: what is ready should not wait for that.
            self._slowest = max(now - before, 0.9 * self._slowest)
            count = len(answers.actions)
            if count and (self._slowest > FLUSH_AFTER or now - written > FLUSH_AFTER or count == _MAX_ACTIONS):
                await self._write(answers)
                answers = play_pb2.PlayRequest()
                now = written = monotonic()
        if answers.actions:
            await self._write(answers)

    async def _write(self, message: play_pb2.PlayRequest) -> None:
        # If the stream is over, reading on says so, after what the referee has said before.
        with suppress(aio.AioRpcError, asyncio.InvalidStateError):
            await self._call.write(message)
