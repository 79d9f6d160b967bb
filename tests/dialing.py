"""Bots without the SDK, on generated code alone, and a referee process for them to dial."""

import queue
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import grpc
from aurum.v1 import game_pb2, play_pb2

ROOT = Path(__file__).resolve().parent.parent
ARENA = [str(Path(sys.executable).parent / "arena")]
PATIENCE = 30.0
"""Seconds that a test waits for what must come; nothing is measured by it."""


class RefereeProcess:
    """`arena referee` with some options; `seats` maps each free seat to (address, token)."""

    def __init__(self, *options: str, seats: int = 4) -> None:
        self.process = subprocess.Popen(
            [*ARENA, "referee", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        self.seats: dict[int, tuple[str, str]] = {}
        assert self.process.stdout is not None
        while len(self.seats) < seats:
            line = self.process.stdout.readline()
            match = re.fullmatch(r"seat (\d): AURUM_ADDRESS=(\S+) AURUM_SEAT=\d AURUM_TOKEN=(\S+)\n", line)
            if match is None:
                self.process.kill()
                raise AssertionError(f"unexpected output {line!r}: {self.process.communicate()[1]}")
            self.seats[int(match[1])] = (match[2], match[3])

    def finish(self) -> str:
        """Wait for its end, which must be in peace; returns what it printed since the invitations."""
        output, errors = self.process.communicate(timeout=PATIENCE)
        assert (0, "") == (self.process.returncode, errors)
        return output

    def __enter__(self) -> "RefereeProcess":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.communicate()


class RawBot:
    """One stream, message by message. `send` takes a request or, to misbehave, bytes."""

    def __init__(self, address: str, token: str) -> None:
        self._channel = grpc.insecure_channel(address, [("grpc.enable_http_proxy", 0)])
        self._requests: queue.Queue[bytes | None] = queue.Queue()
        play: grpc.StreamStreamMultiCallable[bytes, bytes] = self._channel.stream_stream(
            "/aurum.v1.RefereeService/Play"
        )
        self._call = play(
            iter(self._requests.get, None),
            metadata=(("authorization", f"Bearer {token}"),),
            timeout=PATIENCE,
            wait_for_ready=True,
        )
        self._updates: Iterator[play_pb2.Update] = self._read()
        self.welcome: play_pb2.Welcome | None = None

    def send(self, message: play_pb2.PlayRequest | bytes) -> None:
        self._requests.put(message if isinstance(message, bytes) else message.SerializeToString())

    def hello(self, version: int = 1) -> "RawBot":
        """Say Hello and take the Welcome."""
        self.send(play_pb2.PlayRequest(hello=play_pb2.Hello(protocol_version=version, bot="raw", language="none")))
        first = play_pb2.PlayResponse.FromString(next(self._call))
        assert first.HasField("welcome")
        self.welcome = first.welcome
        self._first = first
        return self

    def next(self, kind: str) -> play_pb2.Update:
        """The next update of a kind; those before it are passed over."""
        for update in self._updates:
            if update.WhichOneof("kind") == kind:
                return update
        raise AssertionError(f"the stream ended before a {kind}")

    def turn(self) -> play_pb2.Turn:
        return self.next("turn").turn

    def answer(self, turn: play_pb2.Turn, number: int | None = None) -> None:
        """Answer a turn legally: pass an exchange, else the first legal card."""
        action = play_pb2.Action(game=turn.game, number=turn.number if number is None else number)
        if turn.phase == game_pb2.PHASE_EXCHANGE or not turn.legal_cards:
            getattr(action, "pass").SetInParent()
        else:
            action.card = turn.legal_cards[0]
        self.send(play_pb2.PlayRequest(actions=[action]))

    def play_on(self) -> str:
        """Answer every turn until the Goodbye; returns its reason."""
        for update in self._updates:
            kind = update.WhichOneof("kind")
            if kind == "turn":
                self.answer(update.turn)
            elif kind == "goodbye":
                return update.goodbye.reason
        raise AssertionError("the stream ended without a Goodbye")

    def ending(self) -> tuple[grpc.StatusCode, str]:
        """How the stream ends: status and sentence."""
        try:
            for _ in self._updates:
                pass
        except grpc.RpcError:
            pass
        return self._call.code(), self._call.details()

    def hang_up(self) -> None:
        """Drop the connection without a word."""
        self._call.cancel()
        self._channel.close()

    def _read(self) -> Iterator[play_pb2.Update]:
        if self.welcome is not None:
            yield from self._first.updates
        for data in self._call:
            yield from play_pb2.PlayResponse.FromString(data).updates


class Autoplayers:
    """Raw bots on threads that play on to their Goodbye."""

    def __init__(self, seats: dict[int, tuple[str, str]]) -> None:
        self.reasons: dict[int, str] = {}
        self._threads = [
            threading.Thread(target=self._play, args=(seat, *place), daemon=True) for seat, place in seats.items()
        ]
        for thread in self._threads:
            thread.start()

    def join(self) -> dict[int, str]:
        """Wait for all of them; by seat: the reason of the Goodbye, for those that got one."""
        for thread in self._threads:
            thread.join(PATIENCE)
        return self.reasons

    def _play(self, seat: int, address: str, token: str) -> None:
        bot = RawBot(address, token).hello()
        self.reasons[seat] = bot.play_on()
