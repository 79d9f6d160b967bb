"""The worker processes of this machine."""

import contextlib
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing.process import BaseProcess
from threading import Timer
from types import TracebackType
from typing import ParamSpec, TypeVar

from aurum.common.texts import counted
from aurum.processes.cores import cores, quota, usable_cores
from aurum.processes.shortage import machine_has_what_it_takes_to
from aurum.sandbox.bubblewrap import shortage
from aurum.spec.spec import Pin, Spec
from aurum.workers.core_locks import CoreLocks
from aurum.workers.worker import start_worker

P = ParamSpec("P")
T = TypeVar("T")

_PATIENCE_S = 5.0
_CLOSING_S = 60.0
"""How long workers that have nothing to do any more may take to end: bots and their folders end with them."""


def worker_count(spec: Spec) -> int:
    """How many worker processes this machine plays a tournament with: as many as the spec says, or as it has cores for.

    Where a quota makes the time of the cores short, there are as many workers as it is enough for.
    """
    return spec.workers or max(1, usable_cores() // spec.cores_per_worker)


def shortages(spec: Spec) -> list[str]:
    """What the workers of this machine lack, in a sentence each.

    Raises UserError if the bots must run in a sandbox, and none works here.
    """
    found = []
    if without_sandbox := shortage(spec.sandbox):
        found.append(without_sandbox)
    share = quota()
    if share < (spec.workers or len(cores())):
        found.append(
            f"a CPU quota gives this run the time of {share:g} of {len(cores())} cores: "
            f"{counted(worker_count(spec), 'worker')} will play"
        )
    return found


def local_workers(spec: Spec) -> Executor:
    """Workers for a tournament. Each gets cores of its own, unless the spec says otherwise, if each plays one game at a
    time and there are enough cores that no other run on this machine has.
    """
    count, each = worker_count(spec), spec.cores_per_worker
    locks = CoreLocks()
    taken = locks.take(cores(), count * each) if spec.pin is Pin.AUTO and spec.games_in_flight == 1 else []
    shares = [tuple(taken[first : first + each]) for first in range(0, len(taken), each)]
    with machine_has_what_it_takes_to("start workers"):
        return LocalWorkers(count, shares or None, locks)


class LocalWorkers(ProcessPoolExecutor):
    """An executor whose processes, and the bots they play with, end at once when its `with` is left by an error.

    Args:
        count: of processes.
        pin_to: the cores of each of them; without it, the system moves them between cores as it likes.
        locks: of these cores; they are freed when the `with` is left.
    """

    def __init__(
        self,
        count: int,
        pin_to: Sequence[tuple[int, ...]] | None,
        locks: CoreLocks | None = None,
    ) -> None:
        spawn = multiprocessing.get_context("spawn")  # a fork would copy threads, signals and sockets by halves
        numbers = None
        if pin_to is not None:
            numbers = spawn.Queue()
            for some in pin_to:
                numbers.put(some)
        self._locks = locks or CoreLocks()
        self._others = set(multiprocessing.active_children())
        super().__init__(count, mp_context=spawn, initializer=start_worker, initargs=(numbers,))

    def submit(self, work: Callable[P, T], /, *args: P.args, **options: P.kwargs) -> Future[T]:
        """Have a worker do something. Raises UserError if the machine has no process for the worker."""
        with machine_has_what_it_takes_to("start a worker"):
            return super().submit(work, *args, **options)

    def _own(self) -> set[BaseProcess]:
        return set(multiprocessing.active_children()) - self._others

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        late = Timer(_CLOSING_S, self._kill_own)  # one that is stopped, or hangs, would be waited for for ever
        with self._locks:
            if kind is not None:
                self.kill()
            late.start()
            try:
                super().__exit__(kind, error, trace)
            finally:
                late.cancel()

    def kill(self) -> None:
        """End all workers now; what they were playing is void."""
        workers = self._own()
        for worker in workers:
            worker.terminate()  # the supervisors of their bots end those
            if worker.pid is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(worker.pid, signal.SIGCONT)  # one that is stopped would not hear of it
        until = time.monotonic() + _PATIENCE_S
        for worker in workers:
            worker.join(max(0.0, until - time.monotonic()))
        self._kill_own()
        self.shutdown(wait=True, cancel_futures=True)

    def _kill_own(self) -> None:
        for worker in self._own():
            worker.kill()
