"""Where checks take place: a referee that does what a script says, and the bot, launched as in a tournament."""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

from aurum.conformance.scripted.game import StagedGame
from aurum.conformance.scripted.proxy import Line
from aurum.conformance.scripted.stream import ENDED, GRACE_MS, Failed, Stream
from aurum.processes.command import BotCommand
from aurum.processes.process import LOG_LIMIT, BotProcess, Guardian
from aurum.referee.instance import Context
from aurum.referee.server import Server, new_token

MEMORY_MB = 4096
"""As in a tournament that does not say otherwise."""
EXIT_S = 3.0
"""For a bot to exit after its Goodbye. A referee kills it after one second; a busy machine is no failure of the bot."""
_ENDING_S = 1.0
"""How long a process may take to end after its stream did, for its end to be told with the failure."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What is checked, and how patiently."""

    command: tuple[str, ...]
    folder: str
    games: int
    """Random games in all."""
    turn_ms: int
    setup_ms: int

    @property
    def bot(self) -> BotCommand:
        """As the referee launches it."""
        return BotCommand("checked", self.command, self.folder)


class Candidate:
    """One process of the bot, and the streams that it opens."""

    def __init__(self, subject: Subject, line: Line, token: str, seat: int, players: int) -> None:
        self.line = line
        self.seat = seat
        self.players = players
        self._subject = subject
        self._token = token
        self._streams: asyncio.Queue[Stream] = asyncio.Queue()
        self._current: Stream | None = None
        self._process: BotProcess | None = None

    def matches(self, token: str) -> bool:
        """Whether a call is this one's (see `aurum.referee.server.Guest`)."""
        return token == self._token

    async def serve(self, context: Context) -> None:
        """Serve a stream until its script has done with it."""
        stream = Stream(context)
        self._streams.put_nowait(stream)
        await stream.served()

    @property
    def process(self) -> BotProcess:
        """The process; it is launched before a script sees its candidate."""
        assert self._process is not None
        return self._process

    def launched(self, process: BotProcess) -> None:
        """It runs."""
        self._process = process

    async def greeted(self, within: float | None = None) -> Stream:
        """The next stream that it opens, with its Hello taken; by default it has its whole set-up time for that."""
        seconds = self._subject.setup_ms / 1000 if within is None else within
        stream = await self._next_stream(seconds)
        await stream.hello(seconds)
        return stream

    async def welcomed(self, within: float | None = None, *, grace_ms: int = GRACE_MS) -> Stream:
        """The same, with the Hello answered."""
        stream = await self.greeted(within)
        await stream.welcome(seat=self.seat, players=self.players, grace_ms=grace_ms)
        return stream

    async def _next_stream(self, within: float) -> Stream:
        opened = asyncio.create_task(self._streams.get())
        ended = self.process.exited
        try:
            await asyncio.wait({opened, ended}, timeout=within, return_when=asyncio.FIRST_COMPLETED)
        finally:
            opened.cancel()
        if not opened.done():
            raise Failed(
                sent="nothing yet" if self._current is None else "the end of the stream",
                came=f"it {ended.result()}" if ended.done() else f"nothing within {within:g} s",
                expected="a call of Play with the metadata `authorization: Bearer TOKEN`, and a Hello",
            )
        if self._current is not None:
            self._current.end()
        self._current = opened.result()
        return self._current

    async def exit(self, code: int, within: float, sent: str) -> None:
        """Wait for its process to end by itself, which must be with this exit code."""
        expected = f"to exit with code {code} within {within:g} s"
        await asyncio.wait({self.process.exited}, timeout=within)
        if not self.process.exited.done():
            raise Failed(sent=sent, came="it ran on", expected=expected)
        ending = self.process.exited.result()
        if ending != f"exited with code {code}":
            raise Failed(sent=sent, came=f"it {ending}", expected=expected)

    async def dismiss(self, stream: Stream, when: str = "") -> None:
        """Say Goodbye, as a referee does, and see it off."""
        await stream.goodbye()
        stream.end()
        await self.exit(0, EXIT_S, f"a Goodbye{when}")

    async def explain(self, failed: Failed) -> None:
        """Add what its process has to say to a failure."""
        if failed.came == ENDED:
            await asyncio.wait({self.process.exited}, timeout=_ENDING_S)
            if self.process.exited.done():
                failed.ending = self.process.exited.result()
        if self.process.written > LOG_LIMIT:
            failed.ending = f"was killed, having written more than {LOG_LIMIT >> 20} MiB to its output and error"
        failed.output = self.process.tail

    async def end(self) -> None:
        """End its stream, its line and its process."""
        if self._current is not None:
            self._current.end()
        self.line.close()
        await self.process.stop(0)


class Stage:
    """Launches bots for checks; `count` shows how far a long one has got."""

    def __init__(
        self,
        subject: Subject,
        server: Server,
        socket: str,
        scratch: Path,
        guardian: Guardian,
        count: Callable[[int], None],
    ) -> None:
        self.subject = subject
        self.server = server
        self._scratch = scratch
        self._guardian = guardian
        self.count = count
        self._socket = socket

    @contextlib.asynccontextmanager
    async def bot(
        self, *, players: int = 4, seat: int = 0, unix: bool = False, listening: bool = True
    ) -> AsyncIterator[Candidate]:
        """The bot, launched for one seat and ended with the block.

        `listening`: whether the referee can be reached from the start; else the script opens its line.
        """
        socket = self.new_folder().with_suffix(".sock")
        line = Line.unix(socket, self._socket) if unix else Line.tcp(self._socket)
        token = new_token()
        candidate = Candidate(self.subject, line, token, seat, players)
        self.server.expect(candidate)
        if listening:
            await line.open()
        candidate.launched(self.launch(line.address, token, seat))
        try:
            yield candidate
        except Failed as failed:
            await candidate.explain(failed)
            raise
        finally:
            await candidate.end()
            self.server.forget(candidate)

    def launch(self, address: str, token: str, seat: int) -> BotProcess:
        """Start a process of the bot."""
        variables = {"AURUM_ADDRESS": address, "AURUM_TOKEN": token, "AURUM_SEAT": str(seat), "AURUM_SEED": "1"}
        return BotProcess.start(self.subject.bot, variables, self.new_folder(), MEMORY_MB, self._guardian)

    def new_folder(self) -> Path:
        """A new folder, for one process of the bot."""
        return Path(tempfile.mkdtemp(prefix="", dir=self._scratch))

    def game(
        self, candidate: Candidate, deal: int, *, ruleset: str = "german", turn_ms: int | None = None
    ) -> StagedGame:
        """A game with the bot at its seat."""
        return StagedGame(
            deal,
            players=candidate.players,
            seat=candidate.seat,
            ruleset=ruleset,
            turn_ms=turn_ms or self.subject.turn_ms,
        )
