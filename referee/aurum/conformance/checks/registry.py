"""The table of checks: each is a function with a name, a sentence of what it demands, and the checks that it needs."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aurum.conformance.scripted.referee import Stage

Run = Callable[[Stage], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that a bot must do. `run` raises `Failed` if it does not."""

    name: str
    demand: str
    """Completes "The bot ..."."""
    needs: tuple[str, ...]
    """Checks without which this one says nothing: if one of them has not passed, it is skipped."""
    run: Run


class Table:
    """Checks in the order of their declaration."""

    def __init__(self) -> None:
        self.checks: list[Check] = []

    def check(self, demand: str, *, needs: str = "") -> Callable[[Run], Run]:
        """Declare a function as the check of its name; `needs` are names."""

        def declare(run: Run) -> Run:
            self.checks.append(Check(run.__name__.replace("_", "-"), demand, tuple(needs.split()), run))
            return run

        return declare
