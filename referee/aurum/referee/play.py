"""A referee at work: a server, the chairs around it, and games in flight between them."""

import asyncio
import hmac
from collections.abc import Callable, Mapping
from hashlib import sha256

from aurum.referee.delay import DelayMonitor
from aurum.referee.game import RunningGame
from aurum.referee.instance import Instance
from aurum.referee.seat import Chair
from aurum.referee.unit import GameTask, RefereeError, Unit
from aurum.v1 import record_pb2


def game_number(task: GameTask) -> int:
    """The opaque number that names a game on the wire: below 2^53, the same at every run."""
    return int.from_bytes(sha256(task.deal_key + b"game:" + task.id.encode()).digest()[:6], "big")


def bot_seed(deal_key: bytes, seat: int) -> int:
    """The seed of a bot's own chance: below 2^53; from it nothing of the deal can be computed."""
    return int.from_bytes(hmac.digest(deal_key, b"seed:%d" % seat, "sha256")[:6], "big")


class Lane:
    """Plays the games of a unit between the instances in `chairs`, by (bot, seat).

    `failed` is set to an exception that is our own bug; `play` then ends with RefereeError.
    """

    def __init__(self, unit: Unit, chairs: Mapping[tuple[int, int], Chair], failed: "asyncio.Future[None]") -> None:
        self._unit = unit
        self._chairs = chairs
        self._failed = failed
        self._slots = asyncio.Semaphore(unit.games_in_flight)
        self.monitor = DelayMonitor()

    async def play(self, on_record: Callable[[int, record_pb2.GameRecord], None]) -> None:
        """Play all games; `on_record` gets each one's index and record as it ends.

        Raises RefereeError if the referee itself failed.
        """
        games = [asyncio.create_task(self._play(i, task, on_record)) for i, task in enumerate(self._unit.games)]
        self._failed.add_done_callback(lambda _: [game.cancel() for game in games])
        try:
            await asyncio.gather(*games)
        except Exception as error:
            raise RefereeError(f"the referee failed: {type(error).__name__}: {error}") from error
        except asyncio.CancelledError:
            cause = self._failed.exception() if self._failed.done() else None
            if cause is None:
                raise
            raise RefereeError(f"the referee failed: {type(cause).__name__}: {cause}") from cause
        finally:
            self.monitor.stop()
            for game in games:
                game.cancel()

    async def _play(self, index: int, task: GameTask, on_record: Callable[[int, record_pb2.GameRecord], None]) -> None:
        unit = self._unit
        async with self._slots:
            chairs = [self._chairs[bot, seat] for seat, bot in enumerate(task.seating)]
            instances = await asyncio.gather(*(chair.instance() for chair in chairs))
            loop = asyncio.get_running_loop()
            ended: asyncio.Future[None] = loop.create_future()
            names = [unit.bots[bot].name for bot in task.seating]
            game = RunningGame(
                game_number(task),
                task,
                unit.ruleset,
                unit.clock,
                unit.tolerated_faults,
                instances,
                [bot_seed(task.deal_key, seat) for seat in range(len(chairs))],
                names if unit.names else (),
                lambda: ended.set_result(None),
            )
            alone = unit.games_in_flight == 1
            cpu = [chair.cpu() if alone else 0.0 for chair in chairs]
            start = loop.time()
            game.record.started.GetCurrentTime()
            game.begin(start)
            await ended
            record = game.record
            record.elapsed.FromNanoseconds(int((loop.time() - start) * 1e9))
            for player, name, instance in zip(record.seats, names, instances, strict=True):
                _introduce(player, name, instance)
            if alone:
                for player, chair, before in zip(record.seats, chairs, cpu, strict=True):
                    player.cpu_us = max(0, round((chair.cpu() - before) * 1e6))
            delay = self.monitor.since(start)
            record.referee_delay_ms = round(delay * 1000)
            record.delayed = delay > unit.clock.turn_ms / 10_000
        on_record(index, record)


def _introduce(player: record_pb2.SeatPlayer, name: str, instance: Instance) -> None:
    player.bot = name
    if instance.hello is not None:
        player.version, player.language = instance.hello.version[:64], instance.hello.language[:64]
