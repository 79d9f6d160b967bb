"""Brings the instance of one bot to one seat, and a new one when that is lost."""

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from aurum.processes.process import LOG_LIMIT, BotProcess
from aurum.referee.instance import Instance, Terms
from aurum.referee.last_words import last_words
from aurum.referee.start_failures import StartFailures
from aurum.referee.unit import BETWEEN_GAMES, Entrant, InstanceReport
from aurum.serving.server import PATIENCE, Server, new_token
from aurum.v1 import game_pb2

Start: TypeAlias = Callable[[Instance, int], BotProcess]
"""Starts the process of an instance, with a seed for its own chance; raises UserError if the machine cannot."""


_SUCCESS = "exited with code 0"
_STEP_S = 0.5
"""How often it is looked how long a process that has to say Hello has waited for a processor."""
_LONGEST_SETUP = 10
"""After so many times its set-up time a process is not waited for any longer, however busy the machine is."""


class Seat:
    """A seat that an entrant takes with one instance at a time, over one unit or several.

    `begin_unit` must be called before anything is asked of it. `start` is None for an entrant that dials in: `token`
    then lets in each of its processes, as long as there is the seat.
    """

    def __init__(self, entrant: Entrant, terms: Terms, server: Server, start: Start | None) -> None:
        self.entrant = entrant
        self.terms = terms
        self.token = new_token()
        self.deals: set[bytes] = set()
        """The keys of the deals that an instance here may have seen."""
        self._server = server
        self._start = start
        self._instance: Instance | None = None
        self._process: BotProcess | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()
        self._exit = "was not started"
        self._ended_idle = ""
        """How a process ended that did so between two games."""
        self._tail = ""
        self._decisions = self._unsolicited = 0
        self._cpu = self._wait = 0.0
        self._starts = self._failures = 0

    def begin_unit(self, start_failures: StartFailures, seed: int, on_error: Callable[[BaseException], None]) -> None:
        """Play a unit from now on.

        Args:
            start_failures: of the entrant, counted together with those at its other seats.
            seed: for the own chance of what is launched here.
            on_error: is called with an exception that is our own bug, or a UserError if the machine lacks something.
        """
        self._start_failures = start_failures
        self._seed = seed
        self._on_error = on_error

    async def instance(self) -> Instance:
        """The instance for a new game: one that is ready, or one whose `loss` says why it cannot play.

        Starts it, or a new one if the last was lost, and waits until it has said Hello or failed.

        Raises UserError if the machine cannot start it.
        """
        async with self._lock:
            if self._instance is not None and self._instance.loss is not None and not self._start_failures.benched:
                await self._end(self._instance, 0)
            if self._instance is None:
                # Kept before we wait: who is called off meanwhile must end it.
                token = self.token if self._start is None else new_token()
                self._instance = Instance(
                    self.terms, token, lambda error: self._on_error(error), launched=self._start is not None
                )
                await self._bring(self._instance)
            return self._instance

    @property
    def can_play_on(self) -> bool:
        """Whether the next unit finds here what it needs: an instance, or a token that its owner knows."""
        return self._start is None or (self._instance is not None and self._instance.loss is None)

    def excuse(self, seconds: float) -> None:
        """The referee itself was late by so much."""
        if self._instance is not None:
            self._instance.excuse(seconds)

    def cpu(self) -> float:
        """CPU seconds of its process so far; 0 if unknown."""
        return self._process.cpu() if self._process is not None else 0.0

    async def flush(self) -> None:
        """Wait until the last updates of its games are sent."""
        if self._instance is not None:
            await self._instance.flush(PATIENCE)

    async def close(self) -> None:
        """Say Goodbye and end the process."""
        async with self._lock:
            if self._instance is not None:
                self._instance.dismiss("the games are over")
                await self._end(self._instance, PATIENCE if self._instance.loss is None else 0)

    def report(self) -> InstanceReport:
        """What the instances here did since the last report."""
        if self._instance is not None:
            self._add_counts(self._instance)
        cpu, wait, tail, end = self._cpu, self._wait, self._tail, self._exit
        if self._process is not None:
            cpu, wait, tail = cpu + self._process.cpu(), wait + self._process.waited(), self._process.tail
            end = "plays on" if self._instance is None or self._instance.loss is None else self._instance.loss[1]
            # What it had until now is reported: the next report is of what it will have beyond that.
            self._cpu, self._wait = -self._process.cpu_s, -self._process.wait_s
        else:
            self._cpu = self._wait = 0.0
        decisions, self._decisions = self._decisions, 0
        unsolicited, self._unsolicited = self._unsolicited, 0
        starts, self._starts = self._starts, 0
        failures, self._failures = self._failures, 0
        if self._ended_idle:
            end, self._ended_idle = self._ended_idle, ""
        return InstanceReport(
            bot=self.entrant.name,
            seat=self.terms.seat,
            starts=starts,
            start_failures=failures,
            unsolicited=unsolicited,
            exit=end,
            stderr_tail=tail,
            decisions=decisions,
            cpu_s=cpu,
            wait_s=max(0.0, wait),
        )

    async def _bring(self, instance: Instance) -> None:
        if self._start_failures.benched:
            instance.lose(game_pb2.FAULT_KIND_START_FAILED, self._start_failures.benched)
            return
        self._server.expect(instance)
        self._starts += 1
        if self._start is not None:
            instance.process = self._process = self._start(instance, self._seed)
            self._watcher = asyncio.create_task(self._watch(instance, self._process))
        setup_s = self.terms.setup_ms / 1000
        await self._wait_until_ready(instance, setup_s)
        if instance.ready.done():
            instance.ready.result()  # raises what is no fault of the bot's
        else:
            sentence = f"said no Hello within the set-up time of {setup_s:g} s{self._last_words()}{self._hint()}"
            instance.lose(game_pb2.FAULT_KIND_START_FAILED, sentence)
        failed = instance.loss is not None
        self._failures = self._failures + 1 if failed else 0
        why = instance.loss[1] if instance.loss is not None else ""
        self._start_failures.add(
            int(failed), not failed, lambda count: f"benched after {count} failures to start in a row ({why})"
        )
        if self._process is not None:
            # Loading in a crowd is no starvation: only what comes after it counts.
            self._wait -= self._process.waited()

    async def _wait_until_ready(self, instance: Instance, setup_s: float) -> None:
        """Wait for so long for the Hello.

        What is measured is the bot: time in which the referee itself stood still, or in which the process, or one that
        it started, was ready to run but others had the processor, as when many bots load at once, does not count.
        """
        clock = asyncio.get_running_loop().time
        begun = clock()
        left, waited = setup_s, 0.0
        while left > 0 and clock() < begun + _LONGEST_SETUP * setup_s:
            step = min(left, _STEP_S)
            if (await asyncio.wait({instance.ready}, timeout=step))[0]:
                return
            before, waited = waited, self._process.waited() if self._process is not None else 0.0
            left -= max(0.0, step - (waited - before))

    async def _watch(self, instance: Instance, process: BotProcess) -> None:
        self._exit = await process.exited
        if process.trouble is not None:
            self._on_error(process.trouble)
            if not instance.ready.done():
                instance.ready.set_exception(process.trouble)
        elif process.written > LOG_LIMIT:
            sentence = f"wrote more than {LOG_LIMIT >> 20} MiB to its output and error"
            instance.lose(game_pb2.FAULT_KIND_FLOODED, sentence)
        elif not instance.ready.done():
            how = f" before it said Hello{self._last_words()}{self._hint()}" if process.could_start else ""
            sentence = self._exit + how
            instance.lose(game_pb2.FAULT_KIND_START_FAILED, sentence)
        else:
            idle = instance.idle
            when = BETWEEN_GAMES if idle else "in the middle of its games"
            sentence = f"{self._exit} {when}{self._last_words()}"
            if self._exit == _SUCCESS:
                sentence += "; a bot may end only when the referee has said Goodbye"
            if instance.lose(game_pb2.FAULT_KIND_CRASHED, sentence) and idle:
                self._ended_idle = sentence

    def _hint(self) -> str:
        """What may be wrong with a bot that did not get as far as its Hello."""
        if self._process is None:
            return ""
        if self._exit == _SUCCESS and not self._process.tail:
            return ": is the call missing that runs the bot?"
        return self._process.hint

    def _last_words(self) -> str:
        if self._process is None:
            return ""
        return last_words(self._process.tail)

    async def _end(self, instance: Instance, patience: float) -> None:
        """End the instance and its process, keep what is to be reported, and leave the seat empty."""
        instance.finish()
        if self._process is not None:
            await self._process.stop(patience)
            self._cpu += self._process.cpu_s
            self._wait += self._process.wait_s
            self._tail = self._process.tail
        if self._watcher is not None:
            await self._watcher
            if instance.loss is not None:
                self._exit = instance.loss[1]
        self._server.forget(instance)
        self._add_counts(instance)
        self._instance = self._process = self._watcher = None

    def _add_counts(self, instance: Instance) -> None:
        decisions, unsolicited = instance.take_counts()
        self._decisions += decisions
        self._unsolicited += unsolicited
