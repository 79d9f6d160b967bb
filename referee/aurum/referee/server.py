"""The gRPC server: one address that all bots of a referee dial, told apart by their tokens."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator
from typing import Protocol

import grpc
from aurum.referee.instance import Context
from aurum.v1 import play_pb2
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

SERVICE = play_pb2.DESCRIPTOR.services_by_name["RefereeService"].full_name
MESSAGE_LIMIT = 64 * 1024
"""Bytes that a bot may send in one message."""

OPTIONS = [
    ("grpc.so_reuseport", 0),  # else a second referee binds the same port without a word
    ("grpc.max_receive_message_length", MESSAGE_LIMIT),
    ("grpc.max_concurrent_streams", 4),  # stops rapid resets
    ("grpc.max_metadata_size", 8192),
    ("grpc.server_handshake_timeout_ms", 5000),
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5000),
    ("grpc.http2.ping_timeout_ms", 5000),  # the one that notices a frozen peer
    ("grpc.http2.min_ping_interval_without_data_ms", 5000),  # else a bot's own keepalive is cut off
    ("grpc.http2.bdp_probe", 0),  # caps what is buffered of a bot that floods
]


def new_token() -> str:
    """A token that names one instance to the server."""
    return secrets.token_urlsafe(24)


PATIENCE = 1.0
"""Seconds from the Goodbye to the kill."""


@contextlib.asynccontextmanager
async def listening(listen: str) -> AsyncIterator[tuple["Server", str]]:
    """A server that listens, and the address to dial. Raises OSError if `listen` cannot be had."""
    server = Server()
    try:
        yield server, await server.start(listen)
    finally:
        await server.stop(PATIENCE)


class StreamOwner(Protocol):
    """Serves the streams of one bot: an `Instance`, or whatever else plays with it."""

    def matches(self, token: str) -> bool:
        """Whether a caller's token is this one's."""

    async def serve(self, context: Context) -> None:
        """Serve one stream until it ends."""


class Server:
    """A gRPC server that gives each stream to the expected owner of its token."""

    def __init__(self) -> None:
        self._owners: list[StreamOwner] = []
        self._streams: set[asyncio.Task[object]] = set()
        self._server = grpc.aio.server(options=OPTIONS)
        # Without serializers a handler deals in bytes: it says itself what bytes that do not parse are.
        play: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(self._play)
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {"Play": play}),))
        checks = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(checks, self._server)
        reflection.enable_server_reflection((SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME), self._server)
        self._health = checks

    async def start(self, listen: str) -> str:
        """Listen on `HOST:PORT` (port 0: any free one) or `unix:PATH`; returns the address to dial.

        Raises OSError if the address cannot be had.
        """
        try:
            port = self._server.add_insecure_port(listen)
        except RuntimeError as error:
            raise OSError(f"cannot listen on {listen}: it is taken, or no address of this machine") from error
        await self._server.start()
        for service in ("", SERVICE):
            await self._health.set(service, health_pb2.HealthCheckResponse.SERVING)
        return listen if listen.startswith("unix:") else f"{listen.rpartition(':')[0]}:{port}"

    async def stop(self, patience: float) -> None:
        """Wait up to `patience` seconds for the streams to end, as those do that were dismissed, then stop."""
        if self._streams:
            await asyncio.wait(self._streams, timeout=patience)
        await self._server.stop(0.1)

    def expect(self, owner: StreamOwner) -> None:
        """Let in whoever has the token of this owner."""
        self._owners.append(owner)

    def forget(self, owner: StreamOwner) -> None:
        """Let in nobody with its token any more."""
        if owner in self._owners:
            self._owners.remove(owner)

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
        await found.serve(context)
