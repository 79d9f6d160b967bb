"""The registry of checks: functions, each with a sentence that says what it demands and the checks that it needs."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aurum.conformance.scripted.referee import ScriptedReferee

Run = Callable[[ScriptedReferee], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that a bot must do. `run` raises `CheckFailed` if the bot does not do it."""

    name: str
    demand: str
    """Completes "The bot ..."."""
    needs: tuple[str, ...]
    """Names of the checks without which this one says nothing: it is skipped unless all of them have passed."""
    run: Run


class CheckRegistry:
    """The checks of one module, in the order of their declaration."""

    def __init__(self) -> None:
        self.checks: list[Check] = []

    def check(self, demand: str, *, needs: str = "") -> Callable[[Run], Run]:
        """Register the decorated function as a check of the same name; `needs`: names of checks, parted by blanks."""

        def register(run: Run) -> Run:
            self.checks.append(Check(run.__name__.replace("_", "-"), demand, tuple(needs.split()), run))
            return run

        return register
