"""Runs checks on a bot, several at the same time, each after the checks that it needs."""

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from aurum.conformance.checks import compatibility, connection, ending, games, phases, starting, turns
from aurum.conformance.checks.concurrency import together
from aurum.conformance.checks.registry import Check
from aurum.conformance.scripted.referee import CheckedBot, ScriptedReferee
from aurum.conformance.scripted.stream import CheckFailed, CheckSkipped
from aurum.processes.scratch import scratch_folder
from aurum.processes.sockets import parent_for_sockets
from aurum.serving.server import listening

CHECKS = tuple(
    check
    for module in (starting, phases, turns, connection, compatibility, ending, games)
    for check in module.REGISTRY.checks
)
AT_ONCE = 4
"""How many checks run at the same time: most of them wait, for a process to start or for a time to pass."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a check ended: it passed, failed, or was skipped for a reason."""

    check: Check
    seconds: float
    failure: CheckFailed | None = None
    skipped: str = ""

    @property
    def passed(self) -> bool:
        """Whether the bot does what the check demands."""
        return self.failure is None and not self.skipped


class CheckListener(Protocol):
    """Is called as checks begin, advance and end."""

    def begun(self, check: Check) -> None:
        """A check has begun."""

    def counted(self, check: Check, games: int) -> None:
        """A check has played so many more games."""

    def ended(self, result: Result) -> None:
        """A check has ended."""


def with_needs(names: Iterable[str]) -> list[Check]:
    """The checks of these names and all checks that they need, in the order of `CHECKS`."""
    by_name = {check.name: check for check in CHECKS}
    wanted: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted.add(name)
            waiting += by_name[name].needs
    return [check for check in CHECKS if check.name in wanted]


async def run(checked: CheckedBot, checks: Sequence[Check], listener: CheckListener) -> list[Result]:
    """Run checks on a bot; `checks` contains all that they need. Returns their results, in the same order.

    Raises RefereeError if the referee itself failed.
    """
    loop = asyncio.get_running_loop()
    results: dict[str, asyncio.Future[Result]] = {check.name: loop.create_future() for check in checks}
    slots = asyncio.Semaphore(AT_ONCE)
    with scratch_folder(parent_for_sockets()) as scratch:
        async with listening(f"unix:{scratch}/referee") as (server, address):
            socket = address.removeprefix("unix:")

            def referee_of(check: Check) -> ScriptedReferee:
                return ScriptedReferee(checked, server, socket, scratch, partial(listener.counted, check))

            await together(_run_in_turn(check, referee_of(check), results, slots, listener) for check in checks)
    return [result.result() for result in results.values()]


async def _run_in_turn(
    check: Check,
    referee: ScriptedReferee,
    results: Mapping[str, "asyncio.Future[Result]"],
    slots: asyncio.Semaphore,
    listener: CheckListener,
) -> None:
    needed = [await results[name] for name in check.needs]
    missing = [need for need in needed if not need.passed]
    if missing:
        how = "failed" if missing[0].failure is not None else "was skipped"
        result = Result(check, 0.0, skipped=f"needs {missing[0].check.name}, which {how}")
    else:
        async with slots:
            listener.begun(check)
            result = await _run(check, referee)
    results[check.name].set_result(result)
    listener.ended(result)


async def _run(check: Check, referee: ScriptedReferee) -> Result:
    start = time.monotonic()
    failure: CheckFailed | None = None
    skipped = ""
    try:
        await check.run(referee)
    except CheckFailed as failed:
        failure = failed
    except CheckSkipped as reason:
        skipped = str(reason)
    return Result(check, time.monotonic() - start, failure, skipped)
