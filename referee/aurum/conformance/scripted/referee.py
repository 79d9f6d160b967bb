"""The scripted referee: launches the bot as in a tournament, and the script of a check decides what it does next."""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

from aurum.conformance.scripted.game import ScriptedGame
from aurum.conformance.scripted.proxy import Proxy
from aurum.conformance.scripted.stream import ENDED, GRACE_MS, CheckFailed, ScriptedStream
from aurum.processes.launch import Launch, Limits
from aurum.processes.process import LOG_LIMIT, BotProcess
from aurum.processes.shortage import machine_has_what_it_takes_to
from aurum.sandbox.bubblewrap import usable
from aurum.sandbox.sandbox import Sandbox
from aurum.serving.server import Context, Server, StreamOwner, new_token

EXIT_S = 3.0
"""How long a bot may take to exit after its Goodbye. In a tournament it is one second, but the machine may be busy."""
_ENDING_S = 1.0
"""How long to wait for a process to end after its stream did, so that the failure can say how it ended."""


@dataclass(frozen=True, slots=True)
class CheckedBot:
    """The bot under check, and the settings of its checks."""

    command: tuple[str, ...]
    folder: str
    games: int
    """How many random games are played in all."""
    turn_ms: int
    setup_ms: int
    reconnect_grace_ms: int = GRACE_MS
    sandbox: Sandbox | None = None

    @property
    def launch(self) -> Launch:
        """How its processes are launched."""
        return Launch(self.command, self.folder, sandbox=self.sandbox)


class CheckedInstance(StreamOwner):
    """One instance of the bot: its process at one seat, and the streams that it opens."""

    def __init__(self, checked: CheckedBot, proxy: Proxy, token: str, seat: int, players: int) -> None:
        super().__init__(token)
        self.proxy = proxy
        self.seat = seat
        self.players = players
        self._checked = checked
        self._streams: asyncio.Queue[ScriptedStream] = asyncio.Queue()
        self._current: ScriptedStream | None = None

    async def serve(self, context: Context) -> None:
        """Serve a stream until the script ends it; the server awaits this."""
        stream = ScriptedStream(context)
        self._streams.put_nowait(stream)
        await stream.serve()

    @property
    def bot_process(self) -> BotProcess:
        """Its process, which is launched before a script uses the instance."""
        assert self.process is not None
        return self.process

    @property
    def grace_s(self) -> float:
        """How long it may take to come back, in seconds."""
        return self._checked.reconnect_grace_ms / 1000

    def launched(self, process: BotProcess) -> None:
        """Note its process, which was just launched."""
        self.process = process

    async def accept_hello(self, within: float | None = None) -> ScriptedStream:
        """Wait for its next stream and take the Hello there; by default it may take its whole set-up time."""
        seconds = self._checked.setup_ms / 1000 if within is None else within
        stream = await self._next_stream(seconds)
        await stream.expect_hello(seconds)
        return stream

    async def accept_and_welcome(self, within: float | None = None, *, grace_ms: int | None = None) -> ScriptedStream:
        """Wait for its next stream, take the Hello there and answer it with a Welcome."""
        stream = await self.accept_hello(within)
        grace_ms = self._checked.reconnect_grace_ms if grace_ms is None else grace_ms
        await stream.send_welcome(seat=self.seat, players=self.players, grace_ms=grace_ms)
        return stream

    async def _next_stream(self, within: float) -> ScriptedStream:
        opened = asyncio.create_task(self._streams.get())
        ended = self.bot_process.exited
        try:
            await asyncio.wait({opened, ended}, timeout=within, return_when=asyncio.FIRST_COMPLETED)
        finally:
            opened.cancel()
        if ended.done() and self.bot_process.trouble is not None:
            raise self.bot_process.trouble
        if not opened.done():
            raise CheckFailed(
                sent="nothing yet" if self._current is None else "the end of the stream",
                came=f"it {ended.result()}" if ended.done() else f"nothing within {within:g} s",
                expected="a call of Play with the metadata `authorization: Bearer TOKEN`, and a Hello",
                why=self.bot_process.hint.removeprefix("; ") if self._current is None else "",
            )
        if self._current is not None:
            self._current.end()
        self._current = opened.result()
        return self._current

    async def exit(self, code: int, within: float, sent: str) -> None:
        """Demand that its process ends by itself `within` so many seconds, with this exit code."""
        expected = f"to exit with code {code} within {within:g} s"
        await asyncio.wait({self.bot_process.exited}, timeout=within)
        if not self.bot_process.exited.done():
            raise CheckFailed(sent=sent, came="it ran on", expected=expected)
        ending = self.bot_process.exited.result()
        if ending != f"exited with code {code}":
            raise CheckFailed(sent=sent, came=f"it {ending}", expected=expected)

    async def dismiss(self, stream: ScriptedStream, when: str = "") -> None:
        """Send a Goodbye, as a referee does, and demand that the bot exits with code 0."""
        await stream.send_goodbye()
        stream.end()
        await self.exit(0, EXIT_S, f"a Goodbye{when}")

    async def add_process_state(self, failed: CheckFailed) -> None:
        """Add to a failure how its process ended, if it did, and the end of what it wrote."""
        if failed.came == ENDED:
            await asyncio.wait({self.bot_process.exited}, timeout=_ENDING_S)
            if self.bot_process.exited.done():
                failed.ending = self.bot_process.exited.result()
        if self.bot_process.written > LOG_LIMIT:
            failed.ending = f"was killed, having written more than {LOG_LIMIT >> 20} MiB to its output and error"
        failed.output = self.bot_process.tail

    async def end(self) -> None:
        """End its stream, its proxy and its process."""
        if self._current is not None:
            self._current.end()
        self.proxy.close()
        await self.bot_process.stop(0)


class ScriptedReferee:
    """Launches instances of the bot for one check, and makes games for them.

    The check calls `count` with a number of games that it has played, so that a long one shows its progress.
    """

    def __init__(
        self,
        checked: CheckedBot,
        server: Server,
        socket: str,
        scratch: Path,
        count: Callable[[int], None],
    ) -> None:
        self.checked = checked
        self.server = server
        self._scratch = scratch
        self.count = count
        self._socket = socket

    @contextlib.asynccontextmanager
    async def bot(
        self, *, players: int = 4, seat: int = 0, unix: bool = False, reachable: bool = True
    ) -> AsyncIterator[CheckedInstance]:
        """An instance of the bot, launched for one seat and ended when the block is left.

        With `unix`, or in a sandbox, it dials a Unix-domain socket instead of TCP. Unless it is `reachable`, the
        referee refuses connections until the script opens the instance's proxy.
        """
        socket = self.new_folder().with_suffix(".sock")
        proxy = Proxy.unix(socket, self._socket) if self._unix(unix) else Proxy.tcp(self._socket)
        token = new_token()
        instance = CheckedInstance(self.checked, proxy, token, seat, players)
        self.server.expect(instance)
        if reachable:
            await proxy.open()
        instance.launched(self.launch(proxy.address, token, seat))
        try:
            yield instance
        except CheckFailed as failed:
            await instance.add_process_state(failed)
            raise
        finally:
            await instance.end()
            self.server.forget(instance)

    def launch(self, address: str, token: str, seat: int) -> BotProcess:
        """Launch a process of the bot."""
        variables = {"AURUM_ADDRESS": address, "AURUM_TOKEN": token, "AURUM_SEAT": str(seat), "AURUM_SEED": "1"}
        return BotProcess.start(self.checked.launch, variables, self.new_folder(), Limits())

    def new_folder(self) -> Path:
        """Make a new folder, for one process of the bot. Raises UserError if the machine has no room for it."""
        with machine_has_what_it_takes_to("make a folder for the bot"):
            return Path(tempfile.mkdtemp(prefix="", dir=self._scratch))

    def new_address(self, *, unix: bool = False) -> str:
        """An address for another server: a Unix-domain socket if asked for or in a sandbox, else any free port."""
        return f"unix:{self.new_folder()}.sock" if self._unix(unix) else "127.0.0.1:0"

    def _unix(self, asked: bool) -> bool:
        return asked or usable(self.checked.sandbox)

    def game(
        self, instance: CheckedInstance, deal: int, *, ruleset: str = "german", turn_ms: int | None = None
    ) -> ScriptedGame:
        """A game of deal number `deal` with this instance at its seat."""
        return ScriptedGame(
            deal,
            players=instance.players,
            seat=instance.seat,
            ruleset=ruleset,
            turn_ms=turn_ms or self.checked.turn_ms,
        )
