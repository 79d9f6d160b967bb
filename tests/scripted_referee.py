"""A referee that says what a test tells it to, over real sockets: what a bot does can be seen from its side.

    def script(stream):
        assert stream.hello().bot == "Lowest"
        yield welcome()
        yield PlayResponse(updates=[...])
        assert len(stream.answers(1)) == 1

    with ScriptedReferee(script) as referee, bot_process(source, referee) as process:
        ...

Each stream that a bot opens runs the next script. An assertion that fails in a script fails the test.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self, cast

import grpc
from aurum.v1 import play_pb2, play_pb2_grpc

TOKEN = "a-token"
LIMIT = 60.0
"""Seconds after which a bot that should have ended, or answered, has failed its test."""


class Stream:
    """A stream as its script sees it."""

    def __init__(self, requests: Iterator[play_pb2.PlayRequest], context: grpc.ServicerContext) -> None:
        self._requests = requests
        self._context = context
        self.received: list[play_pb2.PlayRequest] = []
        """Every message that was read."""
        metadata = cast("Sequence[tuple[str, str]]", context.invocation_metadata())
        self.authorization = dict(metadata).get("authorization")

    def read(self) -> play_pb2.PlayRequest | None:
        """The next message; None once the bot has ended the stream."""
        try:
            message = next(self._requests, None)
        except grpc.RpcError:
            return None
        if message is not None:
            self.received.append(message)
        return message

    def hello(self) -> play_pb2.Hello:
        """The Hello that must be the first message."""
        message = self.read()
        assert message is not None
        assert message.HasField("hello")
        return message.hello

    def answers(self, count: int) -> list[play_pb2.Action]:
        """The next answers, in as many messages as they come in."""
        actions: list[play_pb2.Action] = []
        while len(actions) < count:
            message = self.read()
            assert message is not None, f"the stream ended after {len(actions)} of {count} answers"
            actions.extend(message.actions)
        assert len(actions) == count
        return actions

    def end(self, code: grpc.StatusCode, details: str) -> None:
        """Let the stream end with this status when the script returns."""
        self._context.set_code(code)
        self._context.set_details(details)


Script = Callable[[Stream], Iterator[play_pb2.PlayResponse]]


class ScriptedReferee(play_pb2_grpc.RefereeServiceServicer):
    """Serves one script a stream, at `address`, until the `with` block is left."""

    def __init__(self, *scripts: Script, listen: str = "127.0.0.1:0") -> None:
        self._scripts = list(scripts)
        self._failures: list[BaseException] = []
        self.streams: list[Stream] = []
        """The streams that were opened, in order."""
        self._handlers = ThreadPoolExecutor(8)
        self._server = grpc.server(self._handlers, options=(("grpc.so_reuseport", 0),))
        play_pb2_grpc.add_RefereeServiceServicer_to_server(self, self._server)
        port = self._server.add_insecure_port(listen)
        self.address = listen if listen.startswith("unix:") else f"127.0.0.1:{port}"

    def Play(  # noqa: N802 - the service's own name
        self, request_iterator: Iterator[play_pb2.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[play_pb2.PlayResponse]:
        stream = Stream(request_iterator, context)
        self.streams.append(stream)
        try:
            yield from self._scripts[len(self.streams) - 1](stream)
        except Exception as failure:
            self._failures.append(failure)
            raise

    def stop(self) -> None:
        """Go away, as a referee that was killed."""
        self._server.stop(0).wait()

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()
        self._handlers.shutdown()
        if self._failures:
            raise self._failures[0]


def welcome(grace_ms: int = 5000, version: int = 1) -> play_pb2.PlayResponse:
    """The referee's first message."""
    return play_pb2.PlayResponse(
        welcome=play_pb2.Welcome(
            protocol_version=version, seat=0, players=4, reconnect_grace_ms=grace_ms, referee="scripted"
        )
    )


def goodbye(reason: str = "the games are over") -> play_pb2.PlayResponse:
    """The referee's last message."""
    return play_pb2.PlayResponse(updates=[play_pb2.Update(goodbye=play_pb2.Goodbye(reason=reason))])


@contextmanager
def bot_process(
    script: Path, address: str | None, arguments: Sequence[str] = (), env: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """A bot's own process, started as the arena starts it, killed when the block is left."""
    contract = {} if address is None else {"AURUM_ADDRESS": address, "AURUM_TOKEN": TOKEN, "AURUM_SEAT": "0"}
    path = {"PATH": os.environ["PATH"], "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    process = subprocess.Popen(
        [sys.executable, str(script), *arguments],
        env={**path, **contract, **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """How a bot's process ended by itself: its exit code, and what it wrote to stderr."""
    _, stderr = process.communicate(timeout=LIMIT)
    return process.returncode, stderr
