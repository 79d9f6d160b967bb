"""Plays units in a worker process: what an executor runs."""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from itertools import count
from multiprocessing.queues import Queue
from multiprocessing.util import Finalize
from typing import Any, TypeAlias, TypeVar

from aurum.records.events import Event, EventSender
from aurum.referee.lobby import Lobby
from aurum.referee.unit import GameTask, RefereeError, TrialOutcome, Unit, UnitOutcome

IDLE_S = 60.0
"""After so long without a unit the bots are ended: the run may be over, where a worker outlives it."""

_TICK_S = 0.5
_HEARTBEAT_TICKS = 4


@dataclass(frozen=True, slots=True)
class UnitPart:
    """What has come of a unit since its last part."""

    unit: str
    """Its id."""
    outcome: UnitOutcome


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """A worker is alive and plays a unit."""

    unit: str
    """Its id."""


Message: TypeAlias = Event | UnitPart | Heartbeat
"""What a worker sends to the run while it plays a unit."""

Send: TypeAlias = Callable[[Message], None]
"""Sends a message; it must be quick, since the referee waits for it."""

Result = TypeVar("Result")


def play_unit(
    unit: Unit, wanted: Callable[[], bool] = lambda: True, send: Send | None = None, *, with_events: bool = False
) -> UnitOutcome:
    """Play a unit in this process, and return what came of it, or the last part of that.

    Args:
        unit: the unit.
        wanted: asked twice a second; once it says no, the bots are ended. For workers that outlive whoever waits for
            the unit, and whose threads cannot be ended from outside.
        send: gets the other parts as they are finished, and, `with_events`, the events of the unit's games.
        with_events: whether somebody wants the events.

    Raises RefereeError for our own bugs, and for a unit that is not wanted any more: it is void.
    """
    process = _process()
    alive = wanted if send is None else _with_heartbeats(wanted, unit.id, send)
    return process.run(process.play(unit, alive, send, with_events)).result()


def _with_heartbeats(wanted: Callable[[], bool], unit: str, send: Send) -> Callable[[], bool]:
    """`wanted`, which is asked every tick as long as the event loop runs, and then says now and then that it does."""
    ticks = count()

    def ask() -> bool:
        if next(ticks) % _HEARTBEAT_TICKS == 0:
            send(Heartbeat(unit))
        return wanted()

    return ask


def try_out(unit: Unit, wanted: Callable[[], bool] = lambda: True) -> TrialOutcome:
    """Try the first entrant of a unit in this process, as `Lobby.try_out` does.

    `wanted` is as for `play_unit`, and so is what is raised.
    """
    process = _process()
    return process.run(process.try_out(unit, wanted)).result()


async def end_bots() -> None:
    """End the bots that this process keeps for units to come; called in any event loop."""
    process = _process()
    await asyncio.wrap_future(process.run(process.dismiss()))


class _Process:
    """What this process keeps from unit to unit: an event loop, and a lobby, which the first unit opens.

    The loop runs in a thread of its own, so that what happens to the bots between two units is noticed then.
    """

    def __init__(self) -> None:
        # One for the life of the process: grpc.aio does not survive the end of the loop it was first used on.
        self._loop = asyncio.new_event_loop()
        self._lobby: Lobby | None = None
        self._playing = 0
        self._idle: asyncio.TimerHandle | None = None
        threading.Thread(target=self._loop.run_forever, daemon=True).start()

    def run(self, work: Coroutine[Any, Any, Result]) -> "Future[Result]":
        """Run this in the loop; called in any other thread."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def play(self, unit: Unit, wanted: Callable[[], bool], send: Send | None, with_events: bool) -> UnitOutcome:
        """Play a unit."""

        def listeners(task: GameTask) -> Iterable[EventSender]:
            return (EventSender(task.id, send),) if send is not None and with_events else ()

        def send_part(outcome: UnitOutcome) -> None:
            if send is not None:
                send(UnitPart(unit.id, outcome))

        async with self._lobby_in_use() as lobby:
            playing = lobby.play(unit, on_part=None if send is None else send_part, listeners=listeners)
            return await _while_wanted(playing, wanted)

    async def try_out(self, unit: Unit, wanted: Callable[[], bool]) -> TrialOutcome:
        """Try an entrant."""
        async with self._lobby_in_use() as lobby:
            return await _while_wanted(lobby.try_out(unit), wanted)

    @asynccontextmanager
    async def _lobby_in_use(self) -> AsyncIterator[Lobby]:
        """The lobby, whose instances are ended a while after its last use."""
        if self._idle is not None:
            self._idle.cancel()
        self._playing += 1
        try:
            if self._lobby is None:
                self._lobby = await Lobby().__aenter__()
                Finalize(None, self._close, exitpriority=1)  # at the end of an executor's processes too, unlike atexit
            yield self._lobby
        finally:
            self._playing -= 1
            self._idle = self._loop.call_later(IDLE_S, self._end_idle)

    def _end_idle(self) -> None:
        self._ending = self._loop.create_task(self.dismiss())

    async def dismiss(self) -> None:
        """End the bots that no unit has borrowed."""
        if self._lobby is not None:
            await self._lobby.dismiss_launched()

    def _close(self) -> None:
        """Close the lobby; where a unit is still played, its guardian ends the bots with this process."""
        lobby, self._lobby = self._lobby, None
        if lobby is not None and not self._playing:
            self.run(lobby.__aexit__(None, None, None)).result()


async def _while_wanted(work: Coroutine[Any, Any, Result], wanted: Callable[[], bool]) -> Result:
    """Do this as long as it is wanted. Raises RefereeError if it is not, and what the work raises."""
    task = asyncio.create_task(work)
    while not (await asyncio.wait({task}, timeout=_TICK_S))[0]:
        if not wanted():
            task.cancel()
            await asyncio.wait({task})
            raise RefereeError("the unit was called off: nobody waits for it any more")
    return task.result()


@cache
def _process() -> _Process:
    return _Process()


def start_worker(cores: "Queue[tuple[int, ...]] | None") -> None:
    """Make this process a worker, which ends with its parent; before it plays its first unit.

    Args:
        cores: has the cores that it is to run on; without it, it may run on all.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is the parent's to answer
    if cores is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores.get())  # and with it all threads and processes that are started from now on
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: "multiprocessing.process.BaseProcess") -> None:
    parent.join()
    os._exit(1)  # the guardian ends the bots
