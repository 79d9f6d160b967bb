"""One bot at one seat over many games: starts its instance, and a new one when that is lost."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from aurum.referee.instance import Instance
from aurum.referee.process import LOG_LIMIT, BotProcess, Guardian
from aurum.referee.server import Server, new_token
from aurum.referee.unit import BotCommand, InstanceReport
from aurum.v1 import game_pb2

START_LIMIT = 5
"""After so many failures to start in a row, a bot is benched."""
PATIENCE = 1.0
"""Seconds from the Goodbye to the kill."""


class Chair(Protocol):
    """Where an instance sits: who plays there now, and what became of it."""

    async def instance(self) -> Instance:
        """The instance for a new game: one that is ready, or one whose `loss` says why it cannot play."""

    def cpu(self) -> float:
        """CPU seconds of its process so far; 0 if unknown."""

    async def close(self) -> InstanceReport:
        """Say Goodbye, end the process, and report."""


@dataclass
class Form:
    """How a bot has started lately: shared by its chairs."""

    failures: int = 0
    """In a row."""


class LaunchedChair:
    """A chair for a bot that the referee starts itself, as `AURUM_*` in its environment tells it."""

    def __init__(
        self,
        bot: int,
        seat: int,
        command: BotCommand,
        form: Form,
        server: Server,
        address: str,
        setup_ms: int,
        seed: int,
        memory_mb: int,
        scratch: Path,
        guardian: Guardian,
        new_instance: Callable[[int, str], Instance],
    ) -> None:
        self._bot = bot
        self._seat = seat
        self._command = command
        self._form = form
        self._server = server
        self._address = address
        self._setup = setup_ms / 1000
        self._seed = seed
        self._memory_mb = memory_mb
        self._scratch = scratch
        self._guardian = guardian
        self._new_instance = new_instance
        self._instance: Instance | None = None
        self._process: BotProcess | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()
        self._exit = "was not started"
        self._tail = ""
        self._starts = 0
        self._unsolicited = 0
        self._decisions = 0
        self._cpu = self._wait = 0.0

    async def instance(self) -> Instance:
        """See `Chair`: launches, or launches again, and waits until it is ready or has failed."""
        async with self._lock:
            if self._instance is not None and self._instance.loss is not None and not self._benched():
                await self._end(self._instance, 0)
            if self._instance is None:
                self._instance = self._launch()
            instance = self._instance
            if not instance.ready.done():
                await asyncio.wait({instance.ready}, timeout=self._setup)
                if not instance.ready.done():
                    sentence = f"said no Hello within {self._setup:g} s of its launch{self._last_words()}"
                    instance.lose(game_pb2.FAULT_KIND_START_FAILED, sentence)
                self._form.failures = 0 if instance.loss is None else self._form.failures + 1
                # Loading in a crowd is no starvation: only what comes after it counts.
                self._wait -= self._process.waited() if self._process is not None else 0.0
        return instance

    def cpu(self) -> float:
        """See `Chair`."""
        return self._process.cpu() if self._process is not None else 0.0

    async def close(self) -> InstanceReport:
        """See `Chair`."""
        async with self._lock:
            if self._instance is not None:
                self._instance.dismiss("the games are over")
                await self._end(self._instance, PATIENCE if self._instance.loss is None else 0)
        return InstanceReport(
            bot=self._bot,
            seat=self._seat,
            starts=self._starts,
            start_failures=self._form.failures,
            unsolicited=self._unsolicited,
            exit=self._exit,
            stderr_tail=self._tail,
            decisions=self._decisions,
            cpu_s=self._cpu,
            wait_s=self._wait,
        )

    def _benched(self) -> str:
        if self._command.benched:
            return self._command.benched
        if self._form.failures >= START_LIMIT:
            return f"benched after {self._form.failures} failures to start in a row"
        return ""

    def _launch(self) -> Instance:
        instance = self._new_instance(self._seat, new_token())
        if benched := self._benched():
            instance.lose(game_pb2.FAULT_KIND_START_FAILED, benched)
            return instance
        self._server.expect(instance)
        self._starts += 1
        scratch = self._scratch / f"{self._bot}-{self._seat}-{self._starts}"
        scratch.mkdir()
        variables = {
            "AURUM_ADDRESS": self._address,
            "AURUM_TOKEN": instance.token,
            "AURUM_SEAT": str(self._seat),
            "AURUM_SEED": str(self._seed),
        }
        try:
            self._process = BotProcess.start(self._command, variables, scratch, self._memory_mb, self._guardian)
        except OSError as error:
            instance.lose(game_pb2.FAULT_KIND_START_FAILED, f"cannot be started: {error}")
        else:
            self._watcher = asyncio.create_task(self._watch(instance, self._process))
        return instance

    async def _watch(self, instance: Instance, process: BotProcess) -> None:
        self._exit = await process.exited
        if process.written > LOG_LIMIT:
            instance.lose(game_pb2.FAULT_KIND_FLOODED, f"wrote more than {LOG_LIMIT >> 20} MiB to its output and error")
        elif not instance.ready.done():
            instance.lose(game_pb2.FAULT_KIND_START_FAILED, f"{self._exit} before it said Hello{self._last_words()}")
        else:
            instance.lose(game_pb2.FAULT_KIND_CRASHED, f"{self._exit} in the middle of its games{self._last_words()}")

    def _last_words(self) -> str:
        tail = self._process.tail if self._process is not None else ""
        return f"; the last it wrote: {tail.splitlines()[-1][:300]}" if tail else "; it wrote nothing"

    async def _end(self, instance: Instance, patience: float) -> None:
        """End the instance's process, keep what is to be reported, and leave the chair empty."""
        instance.finish()
        if self._process is not None:
            await self._process.stop(patience)
            self._cpu += self._process.cpu_s
            self._wait += self._process.wait_s
            self._tail = self._process.tail
            self._server.forget(instance)
        if self._watcher is not None:
            await self._watcher
        self._unsolicited += instance.unsolicited
        self._decisions += instance.decisions
        self._instance = self._process = self._watcher = None
