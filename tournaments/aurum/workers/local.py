"""The worker processes of this machine."""

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing.process import BaseProcess
from types import TracebackType

from aurum.common.texts import counted
from aurum.processes.cores import cores, quota, usable_cores
from aurum.spec.spec import Pin, Spec
from aurum.workers.core_locks import CoreLocks
from aurum.workers.worker import start_worker

_PATIENCE_S = 5.0


def worker_count(spec: Spec) -> int:
    """How many worker processes this machine plays a tournament with: as many as the spec says, or as it has cores for.

    Where a quota makes the time of the cores short, there are as many workers as it is enough for.
    """
    return spec.workers or max(1, usable_cores() // spec.cores_per_worker)


def shortage(spec: Spec) -> str:
    """What the workers of this machine lack, in a sentence; empty if nothing."""
    share = quota()
    if share >= (spec.workers or len(cores())):
        return ""
    return (
        f"a CPU quota gives this run the time of {share:g} of {len(cores())} cores: "
        f"{counted(worker_count(spec), 'worker')} will play"
    )


def local_workers(spec: Spec) -> Executor:
    """Workers for a tournament. Each gets cores of its own, unless the spec says otherwise, if each plays one game at a
    time and there are enough cores that no other run on this machine has.
    """
    count, each = worker_count(spec), spec.cores_per_worker
    locks = CoreLocks()
    taken = locks.take(cores(), count * each) if spec.pin is Pin.AUTO and spec.games_in_flight == 1 else []
    shares = [tuple(taken[first : first + each]) for first in range(0, len(taken), each)]
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

    def _own(self) -> set[BaseProcess]:
        return set(multiprocessing.active_children()) - self._others

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._locks:
            if kind is not None:
                self.kill()
            super().__exit__(kind, error, trace)

    def kill(self) -> None:
        """End all workers now; what they were playing is void."""
        workers = self._own()
        for worker in workers:
            worker.terminate()  # their guardians end the bots
        for worker in workers:
            worker.join(_PATIENCE_S)
            worker.kill()
        self.shutdown(wait=True, cancel_futures=True)
