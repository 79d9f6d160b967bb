"""A Dask cluster on this machine, its scheduler and each worker a process of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TESTS = Path(__file__).parent

SCHEDULER = """
import asyncio, distributed
async def main():
    async with distributed.Scheduler(host="127.0.0.1", port=0, dashboard=False, dashboard_address=None) as scheduler:
        print(scheduler.address, flush=True)
        await scheduler.finished()
asyncio.run(main())
"""
WORKER = """
import asyncio, sys, distributed
async def main():
    address, threads = sys.argv[1:]
    async with distributed.Worker(address, nthreads=int(threads), dashboard=False, dashboard_address=None) as worker:
        print(worker.address, flush=True)
        await worker.finished()
asyncio.run(main())
"""


class LocalCluster:
    """Workers have no nanny: one that is killed stays dead. Plays of the tests can be imported there."""

    def __init__(self, folder: Path, allowed_failures: int) -> None:
        self._folder = folder
        self._env = os.environ | {
            "PYTHONPATH": str(TESTS),
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(allowed_failures),
            "DASK_TEMPORARY_DIRECTORY": str(folder),
        }
        self.processes: list[subprocess.Popen[str]] = []
        self.address, _, self.port = self._start(SCHEDULER).rpartition(":")
        self.url = f"dask://127.0.0.1:{self.port}"

    def add_worker(self, threads: int = 1) -> None:
        """Start one more worker, and wait until it is there."""
        self._start(WORKER, f"{self.address}:{self.port}", str(threads))

    @property
    def dead(self) -> int:
        """Processes that have ended."""
        return sum(process.poll() is not None for process in self.processes)

    def _start(self, program: str, *arguments: str) -> str:
        process = subprocess.Popen(
            [sys.executable, "-c", program, *arguments],
            cwd=self._folder,
            env=self._env,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.processes.append(process)
        assert process.stdout is not None
        return process.stdout.readline().strip()


@contextmanager
def local_cluster(folder: Path, workers: int, allowed_failures: int = 3) -> Iterator[LocalCluster]:
    """A cluster that is killed at the end."""
    cluster = LocalCluster(folder, allowed_failures)
    try:
        for _ in range(workers):
            cluster.add_worker()
        yield cluster
    finally:
        for process in reversed(cluster.processes):
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()
