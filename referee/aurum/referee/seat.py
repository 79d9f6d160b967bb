"""One bot at one seat over many games: brings its instance there, and a new one when that is lost."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from aurum.processes.process import LOG_LIMIT, BotProcess
from aurum.referee.instance import Instance
from aurum.referee.server import Server
from aurum.referee.unit import START_LIMIT, InstanceReport
from aurum.v1 import game_pb2

PATIENCE = 1.0
"""Seconds from the Goodbye to the kill."""


@dataclass
class Form:
    """How a bot has started lately: shared by its chairs."""

    benched: str = ""
    """If not empty, it is not started any more; the sentence says why."""
    failures: int = 0
    """To start, in a row."""

    def started(self, well: bool) -> None:
        """Count a start."""
        self.failures = 0 if well else self.failures + 1
        if self.failures >= START_LIMIT:
            self.benched = f"benched after {self.failures} failures to start in a row"


class Chair:
    """The seat of a bot.

    `new_instance` makes an instance that the server can let in; `start`, called with it and the number of
    the attempt, starts its process, or returns None if somebody else does (a bot that dials in from
    elsewhere); it raises OSError if that is impossible.
    """

    def __init__(
        self,
        bot: str,
        seat: int,
        form: Form,
        setup_ms: int,
        server: Server,
        new_instance: Callable[[], Instance],
        start: Callable[[Instance, int], BotProcess | None],
    ) -> None:
        self._bot = bot
        self._seat = seat
        self._form = form
        self._setup = setup_ms / 1000
        self._server = server
        self._new_instance = new_instance
        self._start = start
        self._instance: Instance | None = None
        self._process: BotProcess | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()
        self._exit = "was not started"
        self._tail = ""
        self._starts = 0
        self._failures = 0
        self._unsolicited = 0
        self._decisions = 0
        self._cpu = self._wait = 0.0

    async def instance(self) -> Instance:
        """The instance for a new game: one that is ready, or one whose `loss` says why it cannot play.

        Starts it, or a new one if the last was lost, and waits until it has said Hello or failed.
        """
        async with self._lock:
            if self._instance is not None and self._instance.loss is not None and not self._form.benched:
                await self._end(self._instance, 0)
            if self._instance is None:
                self._instance = self._new_instance()  # kept before we wait: who is called off meanwhile must end it
                await self._bring(self._instance)
            return self._instance

    def cpu(self) -> float:
        """CPU seconds of its process so far; 0 if unknown."""
        return self._process.cpu() if self._process is not None else 0.0

    async def close(self) -> InstanceReport:
        """Say Goodbye, end the process, and report."""
        async with self._lock:
            if self._instance is not None:
                self._instance.dismiss("the games are over")
                await self._end(self._instance, PATIENCE if self._instance.loss is None else 0)
        return InstanceReport(
            bot=self._bot,
            seat=self._seat,
            starts=self._starts,
            start_failures=self._failures,
            unsolicited=self._unsolicited,
            exit=self._exit,
            stderr_tail=self._tail,
            decisions=self._decisions,
            cpu_s=self._cpu,
            wait_s=max(0.0, self._wait),
        )

    async def _bring(self, instance: Instance) -> None:
        if self._form.benched:
            instance.lose(game_pb2.FAULT_KIND_START_FAILED, self._form.benched)
            return
        self._server.expect(instance)
        self._starts += 1
        try:
            self._process = self._start(instance, self._starts)
        except OSError as error:
            instance.lose(game_pb2.FAULT_KIND_START_FAILED, f"cannot be started: {error}")
        if self._process is not None:
            self._watcher = asyncio.create_task(self._watch(instance, self._process))
        await asyncio.wait({instance.ready}, timeout=self._setup)
        if not instance.ready.done():
            sentence = f"said no Hello within the set-up time of {self._setup:g} s{self._last_words()}"
            instance.lose(game_pb2.FAULT_KIND_START_FAILED, sentence)
        started = instance.loss is None
        self._failures = 0 if started else self._failures + 1
        self._form.started(started)
        if self._process is not None:
            # Loading in a crowd is no starvation: only what comes after it counts.
            self._wait -= self._process.waited()

    async def _watch(self, instance: Instance, process: BotProcess) -> None:
        self._exit = await process.exited
        if process.written > LOG_LIMIT:
            sentence = f"wrote more than {LOG_LIMIT >> 20} MiB to its output and error"
            instance.lose(game_pb2.FAULT_KIND_FLOODED, sentence)
        elif not instance.ready.done():
            sentence = f"{self._exit} before it said Hello{self._last_words()}"
            instance.lose(game_pb2.FAULT_KIND_START_FAILED, sentence)
        else:
            sentence = f"{self._exit} in the middle of its games{self._last_words()}"
            instance.lose(game_pb2.FAULT_KIND_CRASHED, sentence)

    def _last_words(self) -> str:
        if self._process is None:
            return ""
        tail = self._process.tail
        return f"; the last it wrote: {tail.splitlines()[-1][:300]}" if tail else "; it wrote nothing"

    async def _end(self, instance: Instance, patience: float) -> None:
        """End the instance and its process, keep what is to be reported, and leave the chair empty."""
        instance.finish()
        if self._process is not None:
            await self._process.stop(patience)
            self._cpu += self._process.cpu_s
            self._wait += self._process.wait_s
            self._tail = self._process.tail
        if self._watcher is not None:
            await self._watcher
        self._server.forget(instance)
        self._unsolicited += instance.unsolicited
        self._decisions += instance.decisions
        self._instance = self._process = self._watcher = None
