"""All checks, in order, and how they are run: side by side, each after those that it needs."""

import asyncio
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from aurum.conformance.checks import compatibility, connection, ending, games, phases, starting, turns
from aurum.conformance.checks.concurrency import together
from aurum.conformance.checks.registry import Check
from aurum.conformance.scripted.referee import Stage, Subject
from aurum.conformance.scripted.stream import Failed, NotMet
from aurum.processes.process import Guardian
from aurum.referee.lobby import listening

CHECKS = tuple(
    check for part in (starting, phases, turns, connection, compatibility, ending, games) for check in part.TABLE.checks
)
AT_ONCE = 4
"""Checks at a time: most of them wait, for a process to start or for a time to pass."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a check ended: it passed, failed, or was skipped for a reason."""

    check: Check
    seconds: float
    failure: Failed | None = None
    skipped: str = ""

    @property
    def passed(self) -> bool:
        """Whether the bot does what is demanded."""
        return self.failure is None and not self.skipped


class Watcher(Protocol):
    """Who is told how the checks get on."""

    def begun(self, check: Check) -> None:
        """A check has begun."""

    def counted(self, check: Check, games: int) -> None:
        """So many games more of a check were played."""

    def ended(self, result: Result) -> None:
        """A check has ended."""


def with_needs(names: Iterable[str]) -> list[Check]:
    """The checks of these names and all that they need, in order."""
    by_name = {check.name: check for check in CHECKS}
    wanted: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted.add(name)
            waiting += by_name[name].needs
    return [check for check in CHECKS if check.name in wanted]


async def run(subject: Subject, checks: Sequence[Check], watcher: Watcher) -> list[Result]:
    """Run checks on a bot; `checks` holds what each of them needs. Returns their results, in the same order."""
    loop = asyncio.get_running_loop()
    results: dict[str, asyncio.Future[Result]] = {check.name: loop.create_future() for check in checks}
    slots = asyncio.Semaphore(AT_ONCE)
    with (
        tempfile.TemporaryDirectory(prefix="aurum-", ignore_cleanup_errors=True) as scratch,
        Guardian(Path(scratch)) as guardian,
    ):
        async with listening(f"unix:{scratch}/referee") as (server, address):
            socket = address.removeprefix("unix:")

            def stage(check: Check) -> Stage:
                return Stage(subject, server, socket, Path(scratch), guardian, partial(watcher.counted, check))

            await together(_run(check, stage(check), results, slots, watcher) for check in checks)
    return [result.result() for result in results.values()]


async def _run(
    check: Check,
    stage: Stage,
    results: Mapping[str, "asyncio.Future[Result]"],
    slots: asyncio.Semaphore,
    watcher: Watcher,
) -> None:
    needed = [await results[name] for name in check.needs]
    missing = [need for need in needed if not need.passed]
    if missing:
        how = "failed" if missing[0].failure is not None else "was skipped"
        result = Result(check, 0.0, skipped=f"needs {missing[0].check.name}, which {how}")
    else:
        async with slots:
            watcher.begun(check)
            result = await _judge(check, stage)
    results[check.name].set_result(result)
    watcher.ended(result)


async def _judge(check: Check, stage: Stage) -> Result:
    start = time.monotonic()
    failure: Failed | None = None
    skipped = ""
    try:
        await check.run(stage)
    except Failed as failed:
        failure = failed
    except NotMet as reason:
        skipped = str(reason)
    return Result(check, time.monotonic() - start, failure, skipped)
