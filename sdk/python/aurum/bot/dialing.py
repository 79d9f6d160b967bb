"""Connects to the referee, and again when the connection is lost, until the referee's Goodbye."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import suppress
from time import monotonic
from typing import Protocol

os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # before grpc is loaded, or it prints notes among the author's own

import grpc
from aurum.bot.address import RefereeAddress
from aurum.bot.errors import RefusedError, UnreachableError
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

MAX_ACTIONS = 1_000
"""In one message: under 30 KiB, of the 64 KiB that a referee takes."""

_BACKOFF = (0.05, 0.1, 0.2, 0.4, 0.5)

_PASSING = frozenset(
    {
        grpc.StatusCode.OK,  # ended without a Goodbye
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.INTERNAL,  # also what grpc.aio makes of a refusal that crosses a write: the next try hears it
        grpc.StatusCode.ABORTED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,  # what the libraries make of a connection that was cut as too busy
    }
)
"""The statuses of a stream's end after which another stream is tried."""


class Stream:
    """One stream, from Hello to its end. It deals in bytes: what bytes that are no message are, its user says."""

    def __init__(self, channel: aio.Channel, token: str) -> None:
        play: aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream("/aurum.v1.RefereeService/Play")
        self.call = play(metadata=(("authorization", f"Bearer {token}"),), wait_for_ready=True)
        self.lived = False
        """To be set once the referee has said more than a Welcome."""

    def __aiter__(self) -> AsyncIterator[bytes]:
        # Iterating hears all that was said before the end; `read` would not, once a write has failed.
        return self.call.__aiter__()

    async def write(self, data: bytes) -> None:
        """Send a message. If the stream is over, reading on says so, after what the referee has said before."""
        with suppress(aio.AioRpcError, asyncio.InvalidStateError):
            await self.call.write(data)

    async def finish(self) -> None:
        """End this side of it."""
        with suppress(aio.AioRpcError, asyncio.InvalidStateError):
            await self.call.done_writing()


class Client(Protocol):
    """What talks to the referee over the streams that `dial` opens."""

    @property
    def welcome(self) -> play_pb2.Welcome | None:
        """The last Welcome."""

    @property
    def goodbye(self) -> str | None:
        """The reason the referee gave when it was done with this bot."""

    async def talk(self, stream: Stream) -> None:
        """Say Hello, and talk until the Goodbye or the end of the stream."""


async def dial(client: Client, where: RefereeAddress) -> None:
    """Have `client` talk until the referee's Goodbye, over as many streams as that takes.

    Raises RefusedError if the referee ends the stream for good, UnreachableError if it is not there or does
    not come back within the grace that its Welcome granted, and what `client` raises.
    """
    async with aio.insecure_channel(where.address, OPTIONS) as channel:
        failures = 0
        lost = monotonic()
        ending = "no answer"
        while True:
            welcome = client.welcome
            patience = welcome.reconnect_grace_ms / 1000 if welcome else FIRST_PATIENCE
            if not await _ready(channel, lost + patience):
                raise UnreachableError(f"no referee at {where.address} within {patience:g} s: {ending}")
            stream = Stream(channel, where.token)
            started = monotonic()
            with suppress(aio.AioRpcError):  # the stream is over; how, its status says, as when it ended in peace
                await client.talk(stream)
            if client.goodbye is not None:
                await stream.finish()
                return
            code = await stream.call.code()
            if code not in _PASSING:
                raise RefusedError(await stream.call.details() or code.name)
            ending = f"the stream ended with {code.name}"
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
