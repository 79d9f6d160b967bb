"""Logs, counts and limits the attempts to play a deal group that failed through no bot's fault."""

import traceback
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from aurum.common.errors import RunError
from aurum.common.texts import counted
from aurum.schedule.jobs import Job

ATTEMPTS = 3
"""How often a deal group is tried before the run gives up."""


class FailedAttempts:
    """Counts the failed attempts at each deal group, and writes each into `log`, a file that is made if need be."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._count: Counter[tuple[str, int]] = Counter()

    def add(self, job: Job, error: BaseException) -> None:
        """Count that a job came to nothing because of `error`.

        Raises:
            RunError: it was the last attempt at one of its deal groups.
        """
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._log.open("a", encoding="utf-8") as log:
            log.write(f"{now} {job.match.id}, deals {job.deals}\n{''.join(traceback.format_exception(error))}\n")
        groups = [(job.match.id, deal) for deal in job.deals]
        self._count.update(groups)
        attempts = max((self._count[group] for group in groups), default=0)
        if attempts >= ATTEMPTS:
            raise RunError(
                f"{job.match.id} ({' - '.join(job.match.bots)}): {counted(job.games, 'game')} came to nothing "
                f"{attempts} times, by no bot's fault: see {self._log}; all other finished games are stored"
            ) from error
