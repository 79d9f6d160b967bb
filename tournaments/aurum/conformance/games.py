"""Checks by many games: the real referee, the bot in every seat, the house in the others."""

import asyncio
from collections.abc import Iterable
from random import Random
from typing import Any

from aurum.conformance.brief import asked, brief, wanted
from aurum.conformance.house import House
from aurum.conformance.stage import Stage
from aurum.conformance.staged import SECRET
from aurum.conformance.stream import Failed
from aurum.conformance.table import Table
from aurum.referee.chair import Chair, Form
from aurum.referee.game import RunningGame
from aurum.referee.host import VERSION, listening
from aurum.referee.instance import Instance
from aurum.referee.lane import bot_seed, game_number
from aurum.referee.process import BotProcess
from aurum.referee.server import Server, new_token
from aurum.referee.unit import Clock, GameTask, RefereeError
from aurum.referee.verify import differences
from aurum.rules import PRESETS, deal_key
from aurum.v1 import game_pb2, play_pb2

TABLE = Table()

IN_FLIGHT = 64
"""Games at a time, at most, in each process of the bot."""
_RULESETS = list(PRESETS.values())
_ANSWERED = (game_pb2.FAULT_KIND_ILLEGAL_MOVE, game_pb2.FAULT_KIND_MALFORMED_MESSAGE)


@TABLE.check("plays random games of four in every seat, under every ruleset", needs="large-batch end-of-round leave")
async def games_of_four(stage: Stage) -> None:
    await _Games(stage, 4).play(max(1, stage.subject.games - stage.subject.games // 2), "127.0.0.1:0")


@TABLE.check("plays as many of three, over a Unix-domain socket", needs="large-batch end-of-round leave unix-socket")
async def games_of_three(stage: Stage) -> None:
    await _Games(stage, 3).play(max(1, stage.subject.games // 2), f"unix:{stage.new_folder()}.sock")


class _CheckedGame(RunningGame):
    """A game that remembers what its bot was last asked, and what it answered."""

    bot = 0
    """Its seat."""
    turn: play_pb2.Turn | None = None
    action: play_pb2.Action | None = None

    def fill_turn(self, turn: play_pb2.Turn, now: float) -> None:
        """Write the open turn, unless it is the house's, which looks at the game itself."""
        if self.game.round.to_act == self.bot:
            super().fill_turn(turn, now)
            self.turn, self.action = turn, None

    def answered(self, action: play_pb2.Action, now: float) -> None:
        """The open turn was answered."""
        if self.game.round.to_act == self.bot:
            self.action = action
        super().answered(action, now)

    def raise_if_faulty(self) -> None:
        """Raise Failed with the first fault, if there was one."""
        if not self.record.faults:
            return
        fault = self.record.faults[0]
        kind = game_pb2.FaultKind.Name(fault.kind).removeprefix("FAULT_KIND_")
        if self.turn is None:
            raise Failed(sent="nothing yet", came=kind, expected="a bot that starts", why=fault.detail)
        told = fault.kind in _ANSWERED and self.action is not None
        came = brief(self.action) if told and self.action is not None else kind
        raise Failed(sent=asked(self.turn), came=came, expected=wanted(self.turn), why=fault.detail)


class _Games:
    """Games of so many players, with one process of the bot for each seat."""

    def __init__(self, stage: Stage, players: int) -> None:
        self._stage = stage
        self._players = players
        self._clock = Clock(stage.subject.turn_ms, setup_ms=stage.subject.setup_ms)
        self._loop = asyncio.get_running_loop()
        self._ends: set[asyncio.Future[None]] = set()

    async def play(self, games: int, listen: str) -> None:
        """Play games until one goes wrong: raises Failed where the bot did."""
        async with listening(listen) as (server, address):
            form = Form()
            chairs = [self._chair(seat, form, server, address) for seat in range(self._players)]
            shares = [range(seat, games, self._players) for seat in range(self._players)]
            seats = [asyncio.create_task(self._sit(*seat)) for seat in enumerate(zip(chairs, shares, strict=True))]
            try:
                await asyncio.gather(*seats)
            finally:
                await _cancel(seats)

    async def _sit(self, seat: int, place: tuple[Chair, range]) -> None:
        """Play games with the bot at this seat, the more at a time the faster it answers."""
        chair, numbers = place
        flying: set[asyncio.Task[int]] = set()
        limit = 1
        try:
            for number in numbers:
                while len(flying) >= limit:
                    done, flying = await asyncio.wait(flying, return_when=asyncio.FIRST_COMPLETED)
                    slowest = max([game.result() for game in done])
                    limit = min(2 * limit, IN_FLIGHT) if slowest < self._clock.turn_ms / 10 else max(1, limit // 2)
                flying.add(asyncio.create_task(self._play(chair, seat, number)))
            await asyncio.gather(*flying)
        except Failed as failed:
            failed.output = (await chair.close()).stderr_tail
            raise
        finally:
            await _cancel(flying)
            report = await chair.close()
        if report.unsolicited:
            came = f"{report.unsolicited} messages or answers that match no open turn"
            raise Failed(sent="the turns of its games", came=came, expected="one answer to each Turn")

    async def _play(self, chair: Chair, seat: int, number: int) -> int:
        """Play one game; returns the longest that the bot took for a turn, in milliseconds."""
        key = deal_key(SECRET, number)
        task = GameTask(f"check/{self._players}/{number}", number, key, (0,) * self._players)
        random = Random(key)
        instance = await chair.instance()
        ended: asyncio.Future[None] = self._loop.create_future()
        game = _CheckedGame(
            game_number(task),
            task,
            _RULESETS[(number + number // self._players) % len(_RULESETS)],
            self._clock,
            0,
            [
                instance if other == seat else House(other, random, self._loop.call_soon)
                for other in range(self._players)
            ],
            [bot_seed(key, other) for other in range(self._players)],
            (),
            lambda: None if ended.done() else ended.set_result(None),
        )
        game.bot = seat
        self._ends.add(ended)
        game.begin(self._loop.time())
        try:
            await ended
        finally:
            self._ends.discard(ended)
        game.raise_if_faulty()
        if wrong := differences(game.record):
            raise RefereeError(f"a record that the rules do not give: {wrong[0]}")
        self._stage.count(1)
        return max(move.ms for entries in game.record.rounds for move in entries.moves if move.seat == seat)

    def _chair(self, seat: int, form: Form, server: Server, address: str) -> Chair:
        subject = self._stage.subject

        def new_instance() -> Instance:
            grace = self._clock.reconnect_grace_ms
            return Instance(seat, self._players, new_token(), grace, IN_FLIGHT, VERSION, self._break)

        def start(instance: Instance, _attempt: int) -> BotProcess:
            return self._stage.launch(address, instance.token, seat)

        return Chair(0, seat, form, subject.setup_ms, server, new_instance, start)

    def _break(self, error: BaseException) -> None:
        """Our own bug: the games end with it."""
        for ended in self._ends:
            if not ended.done():
                ended.set_exception(RefereeError(f"the referee failed: {type(error).__name__}: {error}"))


async def _cancel(tasks: Iterable["asyncio.Task[Any]"]) -> None:
    """End tasks, whatever they are at."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
