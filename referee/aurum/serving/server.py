"""The gRPC server: one address that all bots of a referee dial, told apart by their tokens."""

import asyncio
import contextlib
import hmac
import secrets
from collections.abc import AsyncIterator
from typing import TypeAlias
from urllib.parse import unquote

import grpc
from aurum.processes.process import BotProcess
from aurum.serving.addresses import address_to_dial, address_to_listen_on
from aurum.serving.connections import Connections, Owner
from aurum.v1 import play_pb2
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

Context: TypeAlias = grpc.aio.ServicerContext[bytes, bytes]

SERVICE = play_pb2.DESCRIPTOR.services_by_name["RefereeService"].full_name
MESSAGE_LIMIT = 64 * 1024
"""Bytes that a bot may send in one message."""

_NEVER = 2**31 - 1

OPTIONS = [
    ("grpc.so_reuseport", 0),  # else a second referee binds the same port without a word
    ("grpc.max_receive_message_length", MESSAGE_LIMIT),
    ("grpc.max_concurrent_streams", 4),  # stops rapid resets
    ("grpc.max_metadata_size", 8192),
    ("grpc.absolute_max_metadata_size", 8192),  # else up to 16384 of what is refused is kept of each frame
    ("grpc.server_handshake_timeout_ms", 5000),
    # A bot that thinks in its only thread answers no pings, so none are sent: the system tells whether its machine is
    # there, and its process whether it lives.
    ("grpc.keepalive_time_ms", _NEVER),
    ("grpc.http2.ping_timeout_ms", _NEVER),
    ("grpc.http2.max_ping_strikes", 0),  # a bot's own pings are answered, however many come
    ("grpc.http2.bdp_probe", 0),  # caps what is buffered of a bot that floods
]


def new_token() -> str:
    """A token that names one instance to the server."""
    return secrets.token_urlsafe(24)


PATIENCE = 1.0
"""Seconds from the Goodbye to the kill."""


@contextlib.asynccontextmanager
async def listening(listen: str, *more: str) -> AsyncIterator[tuple["Server", str]]:
    """A server that listens, and the address to dial. Raises OSError if an address cannot be had.

    Args:
        listen: `HOST:PORT` (port 0: any free one) or `unix:PATH`.
        more: further addresses, as they are dialled.
    """
    server = Server()
    try:
        yield server, await server.start(listen, *more)
    finally:
        await server.stop(PATIENCE)


async def receive(context: Context) -> bytes | None:
    """The next message of a stream, or None at its end, which grpc tells by an object of its own."""
    data: object = await context.read()
    return data if isinstance(data, bytes) else None


class StreamOwner:
    """Serves the streams of the bot that has its token: an `Instance`, or whatever else plays with it."""

    turns_asked = 0
    """How many answers it may have been sent, so far."""
    process: BotProcess | None = None
    """Its own, if that is known."""

    def __init__(self, token: str) -> None:
        self.token = token

    def matches(self, token: str) -> bool:
        """Whether a caller's token is this one's; takes the same time either way."""
        return hmac.compare_digest(token.encode(), self.token.encode())

    async def serve(self, context: Context) -> None:
        """Serve one stream until it ends."""
        raise NotImplementedError

    def flooded(self, sentence: str) -> None:
        """More came from its bot than anyone can ask for; its connections are cut."""


class _Somebody:
    """Who has dialled in over a Unix-domain socket, from a process that we do not know: any of those that do that.

    Their tokens are known, but not on which of these connections they were shown.
    """

    def __init__(self, owners: list[StreamOwner]) -> None:
        self._owners = owners

    @property
    def turns_asked(self) -> int:
        """Of all of them together."""
        return sum(owner.turns_asked for owner in self._owners)

    def flooded(self, sentence: str) -> None:
        """Nobody is blamed; who has lost the connection may come back."""


class Server:
    """A gRPC server that gives each stream to the expected owner of its token."""

    def __init__(self) -> None:
        self._owners: list[StreamOwner] = []
        self._streams: set[asyncio.Task[object]] = set()
        self._connections: Connections | None = None
        self._server = grpc.aio.server(options=OPTIONS)
        # Without serializers a handler deals in bytes: it says itself what bytes that do not parse are.
        play: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(self._play)
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {"Play": play}),))
        checks = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(checks, self._server)
        reflection.enable_server_reflection((SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME), self._server)
        self._health = checks

    async def start(self, listen: str, *more: str) -> str:
        """Listen, as `listening` says; returns the address to dial. Raises OSError if an address cannot be had."""
        listen = address_to_listen_on(listen)
        port, *_ = (self._bind(address) for address in (listen, *more))
        await self._server.start()
        places = {address.removeprefix("unix:") for address in (listen, *more) if address.startswith("unix:")}
        self._connections = Connections(places if listen.startswith("unix:") else {port, *places}, self)
        for service in ("", SERVICE):
            await self._health.set(service, health_pb2.HealthCheckResponse.SERVING)
        return address_to_dial(listen, port)

    def notice_loss_within(self, seconds: float) -> None:
        """Have connections end when the other machine has been silent for so long."""
        if self._connections is not None:
            self._connections.notice_loss_within(seconds)

    def _bind(self, address: str) -> int:
        try:
            return self._server.add_insecure_port(address)
        except RuntimeError as error:
            raise OSError(f"cannot listen on {address}: it is taken, or no address of this machine") from error

    async def stop(self, patience: float) -> None:
        """Wait up to `patience` seconds for the streams to end, as those do that were dismissed, then stop."""
        if self._streams:
            await asyncio.wait(self._streams, timeout=patience)
        if self._connections is not None:
            self._connections.close()
        await self._server.stop(0.1)

    def expect(self, owner: StreamOwner) -> None:
        """Let in whoever has the token of this owner."""
        self._owners.append(owner)

    def forget(self, owner: StreamOwner) -> None:
        """Let in nobody with its token any more."""
        if owner in self._owners:
            self._owners.remove(owner)

    def having_socket(self, inode: int) -> Owner | None:
        """Whose process has a socket of this number open."""
        return next((owner for owner in self._owners if owner.process and owner.process.holds_socket(inode)), None)

    def having_process(self, pid: int) -> Owner:
        """Whose process this is."""
        known = (owner for owner in self._owners if pid and owner.process and owner.process.includes(pid))
        return next(known, _Somebody(self._owners))

    async def _play(self, _requests: object, context: Context) -> None:
        metadata = dict(context.invocation_metadata() or ())
        token = str(metadata.get("authorization", "")).removeprefix("Bearer ")
        found = None
        for owner in self._owners:
            if owner.matches(token):
                found = owner
        if found is None:
            await context.abort(
                grpc.StatusCode.UNAUTHENTICATED,
                "no seat for this token: send the metadata `authorization: Bearer TOKEN` with the one you were given",
            )
        stream = asyncio.current_task()
        assert stream is not None
        self._streams.add(stream)
        stream.add_done_callback(self._streams.discard)
        if self._connections is not None:
            self._connections.belongs(unquote(context.peer()), found)
        await found.serve(context)
