"""A referee as a worker process: what an executor runs."""

import asyncio
import multiprocessing
import os
import signal
import threading
from functools import cache
from multiprocessing.queues import Queue

from aurum.referee import host
from aurum.referee.unit import Unit, UnitOutcome


@cache
def _loop() -> asyncio.AbstractEventLoop:
    # One for the life of the process: grpc.aio does not survive the end of the loop it was first used on.
    return asyncio.new_event_loop()


def play_unit(unit: Unit) -> UnitOutcome:
    """Play a unit in this process, from launching its bots to their end.

    Raises RefereeError for our own bugs: the unit is void.
    """
    return _loop().run_until_complete(host.play_unit(unit))


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
