"""From a unit to its outcome: a server that listens, the bots brought to their chairs, a lane that plays."""

import asyncio
import contextlib
import importlib.metadata
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from aurum.processes.process import BotProcess, Guardian
from aurum.referee.instance import Instance
from aurum.referee.play import Lane, bot_seed
from aurum.referee.seat import PATIENCE, Chair, Form
from aurum.referee.server import Server, new_token
from aurum.referee.unit import GameTask, Unit, UnitOutcome
from aurum.v1 import record_pb2

VERSION = importlib.metadata.version("aurum-arena")


@contextlib.asynccontextmanager
async def listening(listen: str) -> AsyncIterator[tuple[Server, str]]:
    """A server that listens, and the address to dial."""
    server = Server()
    try:
        yield server, await server.start(listen)
    finally:
        await server.stop(PATIENCE)


@dataclass(frozen=True, slots=True)
class Invitation:
    """A seat that a bot takes which somebody else starts: what it needs to dial in."""

    seat: int
    address: str
    token: str


async def play_unit(
    unit: Unit,
    listen: str = "127.0.0.1:0",
    *,
    invite: Callable[[Sequence[Invitation]], None] | None = None,
    on_record: Callable[[record_pb2.GameRecord], None] | None = None,
) -> UnitOutcome:
    """Bring the bots of a unit to their seats, play its games, end the bots.

    A bot without a command is not launched: `invite` is called with what those who start it need.
    `on_record` gets each game as it ends. Raises OSError if `listen` cannot be had, RefereeError for our own
    bugs.
    """
    failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    records: list[bytes] = [b""] * len(unit.games)

    def keep(index: int, record: record_pb2.GameRecord) -> None:
        records[index] = record.SerializeToString()
        if on_record is not None:
            on_record(record)

    with (
        tempfile.TemporaryDirectory(prefix="aurum-", ignore_cleanup_errors=True) as scratch,
        Guardian(Path(scratch)) as guardian,
    ):
        async with listening(listen) as (server, address):
            launch = _Launch(unit, address, Path(scratch), guardian, failed)
            forms = [Form(benched=bot.benched) for bot in unit.bots]
            chairs: dict[tuple[int, int], Chair] = {}
            invitations = []
            for bot, seat in seats_taken(unit.games):
                if not unit.bots[bot].command:
                    invitations.append(Invitation(seat, address, launch.token(bot, seat)))
                chairs[bot, seat] = Chair(
                    unit.bots[bot].name,
                    seat,
                    forms[bot],
                    unit.clock.setup_ms,
                    server,
                    partial(launch.new_instance, bot, seat),
                    partial(launch.start, bot),
                )
            if invite is not None:
                invite(invitations)
            lane = Lane(unit, chairs, failed)
            try:
                # Everyone first loads, then the games begin: loading must not disturb a timed game.
                await asyncio.gather(*(chair.instance() for chair in chairs.values()))
                await lane.play(keep)
            finally:
                reports = await asyncio.gather(*(chair.close() for chair in chairs.values()))
    return UnitOutcome(tuple(records), tuple(reports), round(lane.monitor.worst * 1000))


class _Launch:
    """How the instances of a unit are made and their processes started."""

    def __init__(
        self, unit: Unit, address: str, scratch: Path, guardian: Guardian, failed: "asyncio.Future[None]"
    ) -> None:
        self._unit = unit
        self._address = address
        self._scratch = scratch
        self._guardian = guardian
        self._failed = failed
        self._lasting: dict[tuple[int, int], str] = {}

    def token(self, bot: int, seat: int) -> str:
        """A new token for each process; for a bot that somebody else starts, one that lasts."""
        if self._unit.bots[bot].command:
            return new_token()
        return self._lasting.setdefault((bot, seat), new_token())

    def new_instance(self, bot: int, seat: int) -> Instance:
        players = len(self._unit.games[0].seating)
        return Instance(
            seat,
            players,
            self.token(bot, seat),
            self._unit.clock.reconnect_grace_ms,
            self._unit.games_in_flight,
            VERSION,
            self._fail,
        )

    def start(self, bot: int, instance: Instance, attempt: int) -> BotProcess | None:
        command = self._unit.bots[bot]
        if not command.command:
            return None
        scratch = self._scratch / f"{bot}-{instance.seat}-{attempt}"
        scratch.mkdir()
        variables = {
            "AURUM_ADDRESS": self._address,
            "AURUM_TOKEN": instance.token,
            "AURUM_SEAT": str(instance.seat),
            "AURUM_SEED": str(bot_seed(self._unit.games[0].deal_key, instance.seat)),
        }
        return BotProcess.start(command, variables, scratch, self._unit.memory_mb, self._guardian)

    def _fail(self, error: BaseException) -> None:
        if not self._failed.done():
            self._failed.set_exception(error)


def seats_taken(games: Sequence[GameTask]) -> list[tuple[int, int]]:
    """Every (bot, seat) that occurs in these games, ascending."""
    return sorted({(bot, seat) for task in games for seat, bot in enumerate(task.seating)})
