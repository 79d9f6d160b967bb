"""Hands units to workers and waits for them: the one loop of a run and of a calibration."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future
from queue import Empty, SimpleQueue
from typing import Generic, TypeAlias, TypeVar

from aurum.common.errors import Interrupted, UserError
from aurum.referee.unit import Unit
from aurum.workers.worker import Message

TICK_S = 1.0
"""After so long without anything else `on_tick` is called."""

Work = TypeVar("Work")
Result = TypeVar("Result")

Submit: TypeAlias = Callable[[Unit], Future[Result]]
"""Hands a unit to an executor."""


class UnitsInFlight(Generic[Work, Result]):
    """Plays units in an executor, a bounded number at once, and yields each as it ends.

    It notices an interruption or a time limit while it waits for a unit to end, so never in the middle of what the
    caller does with one that has ended.

    Args:
        unit_of: makes the unit of a piece of work, of a job for one, just before it is submitted.
        on_tick: called about once a second while no unit ends.
        on_message: called with each message that `receive` was given.
    """

    def __init__(
        self,
        unit_of: Callable[[Work], Unit],
        on_tick: Callable[[], None],
        on_message: Callable[[Message], None] | None = None,
    ) -> None:
        self._unit_of = unit_of
        self._on_tick = on_tick
        self._on_message = on_message
        self._in_flight: dict[Future[Result], tuple[Work, Unit]] = {}
        # None stands for an interruption: put() of a SimpleQueue is safe inside a signal handler.
        self._happened: SimpleQueue[Future[Result] | Message | None] = SimpleQueue()

    @property
    def units(self) -> list[Unit]:
        """The units that were submitted and have not ended."""
        return [unit for _, unit in self._in_flight.values()]

    def interrupt(self) -> None:
        """Make `play` raise Interrupted when it waits next; may be called in a signal handler."""
        self._happened.put(None)

    def receive(self, message: Message) -> None:
        """Have `play` pass a message on, in its own thread and before any unit that ends from now on."""
        self._happened.put(message)

    def play(
        self,
        submit: Submit[Result],
        waiting: deque[Work],
        most: Callable[[], int],
        time_limit: float = float("inf"),
    ) -> Iterator[tuple[Work, Unit, Future[Result]]]:
        """Play all that is waiting, and yield each piece with its unit and its future, which is done, as they end.

        Args:
            submit: hands a unit to an executor.
            waiting: taken from the left; the caller may put a piece back there that is to be played again.
            most: how many units may be in flight at once; asked before each is submitted.
            time_limit: a time of the monotonic clock.

        Raises:
            Interrupted: `interrupt` was called.
            TimeoutError: the time limit has passed, and no unit has ended for a tick.
            BrokenExecutor: a worker died. What was in flight counts as such until `abandon` is called.
            UserError: a worker cannot play here.
        """
        while waiting or self._in_flight:
            while waiting and len(self._in_flight) < most():
                self._submit(submit, waiting.popleft())
            future = self._next(time_limit)
            error = future.exception()
            if isinstance(error, BrokenExecutor | UserError):
                raise error
            yield *self._in_flight.pop(future), future

    def abandon(self) -> list[Work]:
        """Forget the units in flight, whose workers are gone, and return their work."""
        abandoned = [work for work, _ in self._in_flight.values()]
        self._in_flight.clear()
        return abandoned

    def _submit(self, submit: Submit[Result], work: Work) -> None:
        unit = self._unit_of(work)
        future = submit(unit)
        self._in_flight[future] = work, unit
        future.add_done_callback(self._happened.put)

    def _next(self, time_limit: float) -> Future[Result]:
        tick = time.monotonic() + TICK_S
        while True:
            try:
                happened = self._happened.get(timeout=max(0.0, tick - time.monotonic()))
            except Empty:
                pass
            else:
                if happened is None:
                    raise Interrupted
                if isinstance(happened, Future):
                    if happened in self._in_flight:  # or else it is of workers that are gone
                        return happened
                elif self._on_message is not None:
                    self._on_message(happened)
            if time.monotonic() >= tick:
                tick = time.monotonic() + TICK_S
                self._on_tick()
                if time.monotonic() > time_limit:
                    raise TimeoutError
