"""Where bots meet the referee: a server, and the seats that bots take, for as long as the lobby is open."""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from aurum.processes.launch import Launch
from aurum.processes.process import BotProcess
from aurum.processes.scratch import scratch_folder
from aurum.processes.shortage import machine_has_what_it_takes_to
from aurum.processes.sockets import is_short_for_sockets, parent_for_sockets
from aurum.referee.finished_groups import FinishedGroups
from aurum.referee.instance import Instance, Terms
from aurum.referee.play import Listeners, UnitPlay, fail, no_listeners, play_first_turns, until_failed
from aurum.referee.seat import Seat
from aurum.referee.start_failures import StartFailures
from aurum.referee.unit import Entrant, GameTask, InstanceReport, TrialOutcome, Unit, UnitOutcome
from aurum.sandbox.bubblewrap import usable
from aurum.serving.server import listening
from aurum.v1 import record_pb2
from aurum.wire.view import bot_seed

_TRIAL_TURNS = 4
"""A bid and some cards."""
_TRIAL_MS = 5000
"""So much longer may a turn of a trial take."""
HAND_OVER_S = 1.0
"""After so long, what has been finished of a unit is handed over while the rest is played."""

NOTICE_S = 2.0
"""So long a machine may be silent at least, however short the grace is, before its connection counts as lost."""


class _Place(NamedTuple):
    """Who sits where, and for what: a seat that is kept serves the units that need just this."""

    entrant: Entrant
    terms: Terms
    launched_for: str


@dataclass(frozen=True, slots=True)
class Invitation:
    """A seat that a bot takes which somebody else starts: what it needs to dial in."""

    seat: int
    address: str
    token: str


def _invite_nobody(_invitations: Sequence[Invitation]) -> None:
    """For lobbies whose bots are all launched."""


@dataclass(slots=True)
class UnitSeats:
    """The seats that a unit has borrowed."""

    by_place: dict[tuple[int, int], Seat]
    """By (entrant, seat), ascending."""
    failed: "asyncio.Future[None]"
    """Is set to an exception that is our own bug."""
    reports: tuple[InstanceReport, ...] = field(default=())
    """In the same order; once the seats are given back."""

    def report(self) -> tuple[InstanceReport, ...]:
        """What the instances did since the last report, in the same order."""
        return tuple(seat.report() for seat in self.by_place.values())


class Lobby:
    """A server, and seats with their instances: `async with Lobby() as lobby`, then `lobby.play(unit)` for each unit.

    An instance plays as long as units come that say the same of what it is launched for (`Unit.launched_for`), unless
    it is lost before. It never changes its seat, and meets no deal again in another unit, so that none sees a deal from
    two seats. A unit that ends by an error takes the instances that it borrowed along. What is launched in a sandbox
    dials a Unix socket of the lobby, whatever `listen` is.

    Args:
        listen: `HOST:PORT` (port 0: any free one) or `unix:PATH`.
        invite: is called at the beginning of a unit with what those entrants need that dial in, unless they have it
            already.

    Raises OSError, when it is opened, if `listen` cannot be had, and UserError if the machine lacks something.
    """

    def __init__(
        self,
        listen: str = "127.0.0.1:0",
        *,
        invite: Callable[[Sequence[Invitation]], None] = _invite_nobody,
    ) -> None:
        self._listen = listen
        self._invite = invite
        self._free: dict[_Place, Seat] = {}

    async def __aenter__(self) -> Self:
        async with contextlib.AsyncExitStack() as resources:
            self._scratch = resources.enter_context(scratch_folder())
            sockets = self._scratch
            if not is_short_for_sockets(sockets):
                sockets = resources.enter_context(scratch_folder(parent_for_sockets()))
            self._socket = f"unix:{sockets}/referee"
            self._server, self._address = await resources.enter_async_context(listening(self._listen, self._socket))
            resources.push_async_callback(self._dismiss, lambda _place, _seat: True)
            self._resources = resources.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._resources.aclose()

    async def play(
        self,
        unit: Unit,
        *,
        on_record: Callable[[record_pb2.GameRecord], None] | None = None,
        on_part: Callable[[UnitOutcome], None] | None = None,
        listeners: Listeners = no_listeners,
    ) -> UnitOutcome:
        """Bring the entrants of a unit to their seats and play its games.

        Args:
            unit: the unit.
            on_record: gets each game as it ends.
            on_part: gets, a second after a game has ended, what has come of the unit since it was last called. What it
                got is left out of what is returned.
            listeners: of the games.

        Raises:
            RefereeError: a bug of our own, or of `on_part`.
            UserError: the machine lacks something.
        """
        finished = FinishedGroups(unit.games)
        timer: asyncio.TimerHandle | None = None

        def part(reports: tuple[InstanceReport, ...]) -> UnitOutcome:
            delay_ms = round(play.monitor.take_worst() * 1000)
            return UnitOutcome(finished.take(), reports, delay_ms, play.games_in_flight, finished.waiting)

        def hand_over(on_part: Callable[[UnitOutcome], None]) -> None:
            nonlocal timer
            timer = None
            try:
                on_part(part(seats.report()) if finished.whole else UnitOutcome((), (), 0, waiting=finished.waiting))
            except Exception as error:
                fail(seats.failed, error)

        def keep(index: int, record: record_pb2.GameRecord) -> None:
            nonlocal timer
            finished.add(index, record.SerializeToString())
            if on_record is not None:
                on_record(record)
            if on_part is not None and timer is None:
                timer = asyncio.get_running_loop().call_later(HAND_OVER_S, hand_over, on_part)

        async with self.seats(unit) as seats:
            play = UnitPlay(unit, seats.by_place, seats.failed, listeners)
            try:
                await play.play(keep)
            finally:
                if timer is not None:
                    timer.cancel()
        return part(seats.reports)

    async def try_out(self, unit: Unit) -> TrialOutcome:
        """Start the first entrant of a unit at its first seat, alone, and have it play a few turns of its first game.

        It has more time for each turn than in a game, since others may be loading now.
        """
        time = asyncio.get_running_loop().time
        async with self.seats(unit) as seats:
            seat, begun = next(iter(seats.by_place.values())), time()
            instance = await seat.instance()
            outcome = TrialOutcome(loading_s=time() - begun, loading_cpu_s=seat.cpu())
            if instance.loss is not None:
                return replace(outcome, cannot_start=instance.loss[1])
            clock = unit.settings.clock
            settings = replace(unit.settings, clock=replace(clock, turn_ms=clock.turn_ms + _TRIAL_MS))
            trial = play_first_turns(unit.games[0], settings, instance, _TRIAL_TURNS)
            fault = await until_failed(trial, seats.failed)
            return replace(outcome, fault=fault)

    async def dismiss_launched(self) -> None:
        """End the launched instances that no unit has borrowed."""
        await self._dismiss(lambda place, _seat: place.entrant.launch is not None)

    @contextlib.asynccontextmanager
    async def seats(self, unit: Unit) -> AsyncIterator[UnitSeats]:
        """Borrow a seat for each entrant and seat of a unit, and give them back.

        Instances that the unit has no use for are dismissed first: those of other entrants or seats, which would only
        take memory, and those that must not play it. Entrants that dial in may wait for a unit of theirs. Given back,
        an instance is dismissed if it was launched for this unit alone, and else waits for the next.
        """
        deals = frozenset(task.deal_key for task in unit.games)
        needed = {
            (entrant, number): _Place(unit.entrants[entrant], _terms(unit, number), unit.launched_for)
            for entrant, number in seats_taken(unit.games)
        }
        useful = {place for place in needed.values() if place.entrant.name not in unit.benched}
        taken = {(place.entrant, place.terms.seat) for place in needed.values()}

        def is_of_no_use(place: _Place, seat: Seat) -> bool:
            if place in useful:
                return not deals.isdisjoint(seat.deals)
            return place.entrant.launch is not None or (place.entrant, place.terms.seat) in taken

        await self._dismiss(is_of_no_use)
        if any(entrant.launch is None for entrant in unit.entrants):  # of the others we know the processes
            self._server.notice_loss_within(max(NOTICE_S, unit.settings.clock.reconnect_grace_ms / 1000))
        start_failures = [StartFailures(unit.benched.get(entrant.name, "")) for entrant in unit.entrants]
        borrowed = UnitSeats({}, asyncio.get_running_loop().create_future())
        keep = False
        try:
            invitations = []
            for (index, number), place in needed.items():
                seat = self._free.pop(place, None)
                if seat is None:
                    seat = self._new_seat(place.entrant, place.terms)
                    if place.entrant.launch is None:
                        invitations.append(Invitation(number, self._address, seat.token))
                borrowed.by_place[index, number] = seat
                seat.deals |= deals
                seed = bot_seed(unit.games[0].deal_key, number)
                seat.begin_unit(start_failures[index], seed, partial(fail, borrowed.failed))
            if invitations:
                self._invite(invitations)
            yield borrowed
            keep = unit.launched_for != ""
        finally:
            seats = borrowed.by_place
            await asyncio.gather(*(self._give_back(needed[where], seat, keep) for where, seat in seats.items()))
            borrowed.reports = borrowed.report()

    def _new_seat(self, entrant: Entrant, terms: Terms) -> Seat:
        if entrant.launch is None:
            return Seat(entrant, terms, self._server, None)
        return Seat(entrant, terms, self._server, partial(self._start, entrant.launch, terms))

    def _start(self, launch: Launch, terms: Terms, instance: Instance, seed: int) -> BotProcess:
        variables = {
            "AURUM_ADDRESS": self._socket if usable(launch.sandbox) else self._address,
            "AURUM_TOKEN": instance.token,
            "AURUM_SEAT": str(terms.seat),
            "AURUM_SEED": str(seed),
        }
        with machine_has_what_it_takes_to("make a folder for a bot"):
            home = Path(tempfile.mkdtemp(prefix="", dir=self._scratch))
        return BotProcess.start(launch, variables, home, terms.limits)

    async def _give_back(self, place: _Place, seat: Seat, keep: bool) -> None:
        if keep:
            await seat.flush()
        if keep and seat.can_play_on and place not in self._free:  # another unit may have had a seat like it
            self._free[place] = seat
        else:
            await seat.close()

    async def _dismiss(self, choose: Callable[[_Place, Seat], bool]) -> None:
        """Close free seats."""
        chosen = [place for place, seat in self._free.items() if choose(place, seat)]
        await asyncio.gather(*(self._free.pop(place).close() for place in chosen))


def _terms(unit: Unit, seat: int) -> Terms:
    clock = unit.settings.clock
    return Terms(
        seat=seat,
        players=len(unit.games[0].seating),
        games_in_flight=unit.games_in_flight,
        setup_ms=clock.setup_ms,
        grace_ms=clock.reconnect_grace_ms,
        limits=unit.limits,
    )


def seats_taken(games: Iterable[GameTask]) -> list[tuple[int, int]]:
    """Every (entrant, seat) that occurs in these games, ascending."""
    return sorted({(entrant, seat) for task in games for seat, entrant in enumerate(task.seating)})
