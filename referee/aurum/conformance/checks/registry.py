"""The registry of checks: functions, each with a sentence that says what it demands and the checks that it needs."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aurum.conformance.scripted.referee import ScriptedReferee

Run = Callable[[ScriptedReferee], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that a bot must do, or should. `run` raises `CheckFailed` if the bot does not do it."""

    name: str
    demand: str
    """Completes "The bot ..."."""
    needs: tuple[str, ...]
    """Names of the checks without which this one says nothing: it is skipped unless all of them have passed."""
    run: Run
    must: bool = True
    """Whether a bot that does not do it loses games where nothing else goes wrong; if not, it only should do it."""

    @property
    def level(self) -> str:
        """`must` or `should`."""
        return "must" if self.must else "should"


class CheckRegistry:
    """The checks of one module, in the order of their declaration."""

    def __init__(self) -> None:
        self.checks: list[Check] = []

    def check(self, demand: str, *, needs: str = "", must: bool = True) -> Callable[[Run], Run]:
        """Register the decorated function as a check of the same name; `needs`: names of checks, parted by blanks."""

        def register(run: Run) -> Run:
            self.checks.append(Check(run.__name__.replace("_", "-"), demand, tuple(needs.split()), run, must))
            return run

        return register

    def should(self, demand: str, *, needs: str = "") -> Callable[[Run], Run]:
        """Register the decorated function as a check of what a bot should do, and need not."""
        return self.check(demand, needs=needs, must=False)
