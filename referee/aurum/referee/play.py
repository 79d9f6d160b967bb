"""Plays games: one, any number of them in flight, the games of a unit; and a few turns of one, to try a bot."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from typing import TypeAlias, TypeVar

from aurum.common.errors import UserError
from aurum.records.listener import GameListener, Hidden
from aurum.referee.delay import DelayMonitor
from aurum.referee.game import Loss, Player, RunningGame
from aurum.referee.instance import Instance
from aurum.referee.seat import Seat
from aurum.referee.throttle import Throttle
from aurum.referee.unit import GameSettings, GameTask, RefereeError, Unit
from aurum.rules import GameResult, Move
from aurum.v1 import game_pb2, record_pb2
from aurum.wire.faults import fault_words

Played = TypeVar("Played")

MOST_OUTPUT = 2000
"""So many characters of what a process at fault has written are kept in the record of a game."""

Listeners: TypeAlias = Callable[[GameTask], Iterable[GameListener]]
"""Makes the listeners of a game, beside the recorder."""


def no_listeners(_task: GameTask) -> Iterable[GameListener]:
    """No listeners."""
    return ()


class _Over(GameListener):
    """Notices the end of a game."""

    def __init__(self, over: "asyncio.Future[None]") -> None:
        self._over = over

    def game_over(
        self, result: GameResult, forfeited: Sequence[int], decisions: Sequence[int], seconds: Sequence[float]
    ) -> None:
        if not self._over.done():  # nobody waits any more
            self._over.set_result(None)


async def play_out(game: RunningGame) -> record_pb2.GameRecord:
    """Play a new game to its end, between whatever players it has; returns its record, with its start and duration.

    An error of a player is not noticed here: who makes the players must cancel this then.
    """
    loop = asyncio.get_running_loop()
    over: asyncio.Future[None] = loop.create_future()
    game.listen(_Over(over))
    start = loop.time()
    game.record.started.GetCurrentTime()
    game.begin(start)
    await over
    game.record.elapsed.FromNanoseconds(int((loop.time() - start) * 1e9))
    return game.record


async def keep_in_flight(games: Iterable[Coroutine[None, None, None]], limit: Callable[[], int]) -> None:
    """Run all of these, each made when it begins, and at most `limit()` at once, which is asked whenever one ends.

    Raises the first error of any of them, or CancelledError; then the others are cancelled.
    """
    in_flight: set[asyncio.Task[None]] = set()
    errors: list[BaseException] = []
    ended = asyncio.Event()

    def end(game: "asyncio.Task[None]") -> None:
        in_flight.discard(game)
        if not game.cancelled() and (error := game.exception()) is not None:
            errors.append(error)
        ended.set()

    async def room(most: Callable[[], int]) -> None:
        while not errors and len(in_flight) > most():
            ended.clear()
            await ended.wait()
        if errors:
            raise errors[0]

    left = iter(games)
    try:
        while True:
            await room(lambda: limit() - 1)
            game = next(left, None)
            if game is None:
                break
            task = asyncio.create_task(game)
            in_flight.add(task)
            task.add_done_callback(end)
        await room(lambda: 0)
    finally:
        for task in in_flight:
            task.cancel()
        await asyncio.gather(*in_flight, return_exceptions=True)


class _Nobody:
    """A player that is not there: the stand-in plays its seat."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.loss: Loss = game_pb2.FAULT_KIND_START_FAILED, "nobody sits here"

    def enter(self, game: RunningGame) -> None: ...
    def leave(self, game: RunningGame) -> None: ...
    def ask(self, game: RunningGame, now: float) -> None: ...
    def tell(self, news: bytes) -> None: ...


class _FirstTurns(GameListener):
    """Notices when a seat has played so many moves of its own, or is at fault."""

    def __init__(self, seat: int, turns: int, over: "asyncio.Future[str]") -> None:
        self._seat = seat
        self._left = turns
        self._over = over

    def moved(self, seat: int, move: Move | Hidden[Move], ms: int, by_referee: bool) -> None:
        if seat == self._seat:
            self._left -= 1
            if not self._left and not self._over.done():
                self._over.set_result("")

    def fault(self, seat: int, kind: game_pb2.FaultKind.ValueType, detail: Hidden[str], ms: int) -> None:
        if seat == self._seat and not self._over.done():
            self._over.set_result(f"{fault_words(kind)}: {detail.reveal()}")


async def play_first_turns(task: GameTask, settings: GameSettings, player: Player, turns: int) -> str:
    """Have a player play so many turns of a game between stand-ins; its first fault there, or nothing."""
    over: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    players = [player if seat == player.seat else _Nobody(seat) for seat in range(len(task.seating))]
    game = RunningGame(task, settings, players)
    game.listen(_FirstTurns(player.seat, turns, over))
    game.begin(asyncio.get_running_loop().time())
    return await over


def fail(failed: "asyncio.Future[None]", error: BaseException) -> None:
    """Have what runs `until_failed` end with this error, if it is the first."""
    if not failed.done():
        failed.set_exception(error)


async def until_failed(playing: Coroutine[None, None, Played], failed: "asyncio.Future[None]") -> Played:
    """Play, and as soon as `failed` has an exception, which is no bot's fault, cancel that and raise it.

    Raises UserError as it is, if the machine lacks something, and anything else as the cause of a RefereeError.
    """
    task = asyncio.create_task(playing)

    def cancel(failed: "asyncio.Future[None]") -> None:
        if not failed.cancelled() and failed.exception() is not None:
            task.cancel()

    failed.add_done_callback(cancel)
    try:
        return await task
    except asyncio.CancelledError:
        cause = failed.exception() if failed.done() and not failed.cancelled() else None
        if cause is None:
            raise
        if isinstance(cause, UserError):
            raise cause from None
        raise _own(cause) from cause


def _own(error: BaseException) -> RefereeError:
    return RefereeError(f"the referee failed: {type(error).__name__}: {error}")


class UnitPlay:
    """Plays a unit's games, at most games_in_flight at once, between the instances at `seats`, by (entrant, seat).

    `failed` is set to an exception that is our own bug; `play` then ends with RefereeError.
    """

    def __init__(
        self,
        unit: Unit,
        seats: Mapping[tuple[int, int], Seat],
        failed: "asyncio.Future[None]",
        listeners: Listeners = no_listeners,
    ) -> None:
        self._unit = unit
        self._seats = seats
        self._failed = failed
        self._listeners = listeners
        self._tolerance = unit.settings.clock.turn_ms / 10_000
        self.monitor = DelayMonitor(self._tolerance, self._excuse)
        self._throttle = Throttle(unit.games_in_flight, unit.settings.clock.turn_ms) if unit.adaptive else None

    @property
    def games_in_flight(self) -> int:
        """How many games are in flight, at most."""
        return self._unit.games_in_flight if self._throttle is None else self._throttle.limit

    async def play(self, on_record: Callable[[int, record_pb2.GameRecord], None]) -> None:
        """Wait until everyone has loaded, and play all games; `on_record` gets each one's index and record as it ends.

        Raises RefereeError if the referee itself failed, and UserError if the machine lacks something.
        """
        try:
            await until_failed(self._play_all(on_record), self._failed)
        except (RefereeError, UserError):
            raise
        except Exception as error:
            raise _own(error) from error
        finally:
            self.monitor.stop()

    def _excuse(self, seconds: float) -> None:
        for seat in self._seats.values():
            seat.excuse(seconds)

    async def _play_all(self, on_record: Callable[[int, record_pb2.GameRecord], None]) -> None:
        # Everyone first loads, then the games begin: loading must not disturb a timed game.
        await asyncio.gather(*(seat.instance() for seat in self._seats.values()))
        games = (self._play(index, task, on_record) for index, task in enumerate(self._unit.games))
        await keep_in_flight(games, lambda: self.games_in_flight)

    async def _play(self, index: int, task: GameTask, on_record: Callable[[int, record_pb2.GameRecord], None]) -> None:
        unit = self._unit
        seats = [self._seats[entrant, seat] for seat, entrant in enumerate(task.seating)]
        instances = await asyncio.gather(*(seat.instance() for seat in seats))
        names = [unit.entrants[entrant].name for entrant in task.seating]
        game = RunningGame(task, unit.settings, instances, names)
        game.listen(*self._listeners(task))
        if self._throttle is not None:
            game.listen(self._throttle)
        alone = unit.games_in_flight == 1
        cpu = [seat.cpu() if alone else 0.0 for seat in seats]
        start = asyncio.get_running_loop().time()
        record = await play_out(game)
        for player, name, instance in zip(record.seats, names, instances, strict=True):
            _introduce(player, name, instance)
        if alone:
            for player, seat, before in zip(record.seats, seats, cpu, strict=True):
                player.cpu_us = max(0, round((seat.cpu() - before) * 1e6))
        for seat_number in {fault.seat for fault in record.faults}:
            if (process := instances[seat_number].process) is not None:
                record.seats[seat_number].output = _end_of(process.tail)
        delay = self.monitor.since(start)
        record.referee_delay_ms = round(delay * 1000)
        # Who floods the referee makes it late, and must not have its lost games played again for that.
        flooded = any(fault.kind == game_pb2.FAULT_KIND_FLOODED for fault in record.faults)
        record.delayed = delay > self._tolerance and not flooded
        on_record(index, record)


def _end_of(output: str) -> str:
    """The end of it that a record keeps, in whole lines if these are not very long."""
    if len(output) <= MOST_OUTPUT:
        return output
    end = output[-MOST_OUTPUT:]
    _, line_break, lines = end.partition("\n")
    return lines if line_break else end


def _introduce(player: record_pb2.SeatPlayer, name: str, instance: Instance) -> None:
    player.bot = name
    if instance.hello is not None:
        player.version, player.language = instance.hello.version[:64], instance.hello.language[:64]
