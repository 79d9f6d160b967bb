"""A referee as a worker: what an executor runs, in a process that plays one unit at a time."""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from functools import cache
from multiprocessing.queues import Queue

from aurum.referee import lobby
from aurum.referee.unit import RefereeError, Unit, UnitOutcome

_TICK_S = 0.5


@cache
def _loop() -> asyncio.AbstractEventLoop:
    # One for the life of the process: grpc.aio does not survive the end of the loop it was first used on. Any thread
    # may run it, one at a time.
    return asyncio.new_event_loop()


def play_unit(unit: Unit, wanted: Callable[[], bool] = lambda: True) -> UnitOutcome:
    """Play a unit in this process, from launching its bots to their end.

    Args:
        unit: the unit.
        wanted: asked twice a second; once it says no, the bots are ended. For workers that outlive whoever waits for
            the unit, and whose threads cannot be ended from outside.

    Raises RefereeError for our own bugs, and for a unit that is not wanted any more: it is void.
    """
    return _loop().run_until_complete(_play(unit, wanted))


async def _play(unit: Unit, wanted: Callable[[], bool]) -> UnitOutcome:
    playing = asyncio.create_task(lobby.play_unit(unit))
    while not (await asyncio.wait({playing}, timeout=_TICK_S))[0]:
        if not wanted():
            playing.cancel()
            await asyncio.wait({playing})
            raise RefereeError("the unit was called off: nobody waits for it any more")
    return playing.result()


def start_worker(cores: "Queue[int] | None") -> None:
    """Make this process a worker: on a core of its own if `cores` has one for it, ending with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is the parent's to answer
    if cores is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {cores.get()})
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: "multiprocessing.process.BaseProcess") -> None:
    parent.join()
    os._exit(1)  # the guardian ends the bots
