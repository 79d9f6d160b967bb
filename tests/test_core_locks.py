"""Locks on cores: two runs on one machine never have the same core, and a lock ends with its owner."""

import subprocess
import sys

import pytest
from aurum.workers.core_locks import CoreLocks

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the locks are Linux's")

CORES = range(9000, 9004)
"""That no machine has: other tests play on the real ones."""


@pytest.mark.process
def test_what_one_has_another_does_not_get() -> None:
    """All that was asked for, or nothing, which keeps nothing from others."""
    with CoreLocks() as first, CoreLocks() as second:
        assert first.take(CORES, 3) == [9000, 9001, 9002]
        assert second.take(CORES, 2) == []
        assert second.take(CORES, 1) == [9003]
    with CoreLocks() as third:
        assert third.take(CORES, 4) == list(CORES)


@pytest.mark.process
def test_the_locks_of_a_process_that_was_killed_are_free() -> None:
    """There is nothing to clean up."""
    script = (
        "from aurum.workers.core_locks import CoreLocks\n"
        "locks = CoreLocks()\n"
        "print(locks.take(range(9004, 9008), 4), flush=True)\n"
        "input()\n"
    )
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == "[9004, 9005, 9006, 9007]\n"
        with CoreLocks() as locks:
            assert locks.take(range(9004, 9008), 1) == []
        owner.kill()
        owner.wait()
        with CoreLocks() as locks:
            assert locks.take(range(9004, 9008), 4) == [9004, 9005, 9006, 9007]
