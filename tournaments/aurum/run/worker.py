"""Plays units in a worker process, one at a time: what an executor runs."""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from multiprocessing.queues import Queue
from multiprocessing.util import Finalize
from typing import TypeAlias

from aurum.referee.events import Event, EventSender
from aurum.referee.lobby import Lifetime, Lobby
from aurum.referee.unit import GameTask, RefereeError, Unit, UnitOutcome

_TICK_S = 0.5

Send: TypeAlias = Callable[[Event], None]
"""Hands on what happens in games while they are played; it must be quick, since the referee waits for it."""


def play_unit(unit: Unit, wanted: Callable[[], bool] = lambda: True, send: Send | None = None) -> UnitOutcome:
    """Play a unit in this process.

    Args:
        unit: the unit.
        wanted: asked twice a second; once it says no, the bots are ended. For workers that outlive whoever waits for
            the unit, and whose threads cannot be ended from outside.
        send: gets the events of the unit's games while they are played.

    Raises RefereeError for our own bugs, and for a unit that is not wanted any more: it is void.
    """
    process = _process()
    return process.loop.run_until_complete(process.play(unit, wanted, send))


@dataclass
class _Process:
    """What this process keeps from unit to unit: its event loop, and its lobby, which the first unit opens."""

    lifetime: Lifetime = Lifetime.UNIT
    # One for the life of the process: grpc.aio does not survive the end of the loop it was first used on. Any thread
    # may run it, one at a time.
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    lobby: Lobby | None = None

    async def play(self, unit: Unit, wanted: Callable[[], bool], send: Send | None) -> UnitOutcome:
        if self.lobby is None:
            self.lobby = await Lobby(lifetime=self.lifetime).__aenter__()
            Finalize(None, self.close, exitpriority=1)  # at the end of an executor's processes too, unlike atexit

        def listeners(task: GameTask) -> Iterable[EventSender]:
            return () if send is None else (EventSender(task.id, send),)

        playing = asyncio.create_task(self.lobby.play(unit, listeners=listeners))
        while not (await asyncio.wait({playing}, timeout=_TICK_S))[0]:
            if not wanted():
                playing.cancel()
                await asyncio.wait({playing})
                raise RefereeError("the unit was called off: nobody waits for it any more")
        return playing.result()

    def close(self) -> None:
        """Close the lobby; where a thread still plays, its guardian ends the bots with this process."""
        lobby, self.lobby = self.lobby, None
        if lobby is not None and not self.loop.is_running():
            self.loop.run_until_complete(lobby.__aexit__(None, None, None))


@cache
def _process() -> _Process:
    return _Process()


def start_worker(cores: "Queue[int] | None", lifetime: Lifetime = Lifetime.UNIT) -> None:
    """Make this process a worker, which ends with its parent; before it plays its first unit.

    Args:
        cores: has the core that it is to run on; without it, it may run on all.
        lifetime: how long instances play.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is the parent's to answer
    _process().lifetime = lifetime
    if cores is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {cores.get()})
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: "multiprocessing.process.BaseProcess") -> None:
    parent.join()
    os._exit(1)  # the guardian ends the bots
