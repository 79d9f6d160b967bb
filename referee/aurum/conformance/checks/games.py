"""Checks by many games: the real referee, the bot in every seat, the house in the others."""

import asyncio
from random import Random

from aurum.conformance.checks.concurrency import together
from aurum.conformance.checks.registry import Table
from aurum.conformance.scripted.excerpts import brief, brief_turn, wanted
from aurum.conformance.scripted.game import SECRET, updates_of
from aurum.conformance.scripted.opponent import House
from aurum.conformance.scripted.referee import Stage
from aurum.conformance.scripted.stream import Failed
from aurum.processes.process import BotProcess
from aurum.records.verify import differences
from aurum.referee.game import Player, RunningGame
from aurum.referee.instance import Instance
from aurum.referee.lobby import VERSION, listening
from aurum.referee.play import bot_seed, game_number
from aurum.referee.seat import Chair, Form
from aurum.referee.server import Server, new_token
from aurum.referee.unit import Clock, GameTask, RefereeError
from aurum.rules import PRESETS, deal_key
from aurum.v1 import game_pb2, play_pb2

TABLE = Table()

IN_FLIGHT = 64
"""Games at a time, at most, in each process of the bot."""
_RULESETS = list(PRESETS.values())
_ANSWERED = (game_pb2.FAULT_KIND_ILLEGAL_MOVE, game_pb2.FAULT_KIND_MALFORMED_MESSAGE)


@TABLE.check("plays random games of four in every seat, under every ruleset", needs="large-batch end-of-round leave")
async def games_of_four(stage: Stage) -> None:
    games = stage.subject.games
    await _play(stage, 4, games - games // 2, "127.0.0.1:0")


@TABLE.check("plays as many of three, over a Unix-domain socket", needs="large-batch end-of-round leave unix-socket")
async def games_of_three(stage: Stage) -> None:
    await _play(stage, 3, stage.subject.games // 2, f"unix:{stage.new_folder()}.sock")


async def _play(stage: Stage, players: int, games: int, listen: str) -> None:
    """Play games, shared out among the seats, until one goes wrong: raises Failed where the bot did."""
    async with listening(listen) as (server, address):
        form = Form()
        places = [_Place(stage, seat, players, form, server, address) for seat in range(players)]
        await together(place.play(range(place.seat, games, players)) for place in places)


class _CheckedGame(RunningGame):
    """A game that remembers what its bot was last asked, and what it answered."""

    bot = 0
    """Its seat."""
    asked: bytes = b""
    action: play_pb2.Action | None = None

    def turn(self, now: float) -> bytes:
        """The open turn; nothing if it is the house's, which looks at the game itself."""
        if self.game.round.to_act != self.bot:
            return b""
        self.asked, self.action = super().turn(now), None
        return self.asked

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
        if not self.asked:
            raise Failed(sent="nothing yet", came=kind, expected="a bot that starts", why=fault.detail)
        turn = updates_of(self.asked)[0].turn
        told = fault.kind in _ANSWERED and self.action is not None
        came = brief(self.action) if told and self.action is not None else kind
        raise Failed(sent=brief_turn(turn), came=came, expected=wanted(turn), why=fault.detail)


class _Place:
    """The bot at one seat: one process of it, with the more games at a time the faster it answers."""

    def __init__(self, stage: Stage, seat: int, players: int, form: Form, server: Server, address: str) -> None:
        self.seat = seat
        self._stage = stage
        self._players = players
        self._address = address
        self._clock = Clock(stage.subject.turn_ms, setup_ms=stage.subject.setup_ms)
        self._loop = asyncio.get_running_loop()
        self._ends: set[asyncio.Future[None]] = set()
        self._chair = Chair("bot", seat, form, self._clock.setup_ms, server, self._new_instance, self._start)

    async def play(self, numbers: range) -> None:
        """Play the games of these numbers."""
        flying: set[asyncio.Task[int]] = set()
        limit = 1
        try:
            for number in numbers:
                while len(flying) >= limit:
                    done, flying = await asyncio.wait(flying, return_when=asyncio.FIRST_COMPLETED)
                    slowest = max([game.result() for game in done])
                    limit = min(2 * limit, IN_FLIGHT) if slowest < self._clock.turn_ms / 10 else max(1, limit // 2)
                flying.add(asyncio.create_task(self._game(number)))
            await asyncio.gather(*flying)
        except Failed as failed:
            failed.output = (await self._chair.close()).stderr_tail
            raise
        finally:
            for game in flying:
                game.cancel()
            await asyncio.gather(*flying, return_exceptions=True)
            report = await self._chair.close()
        if report.unsolicited:
            came = f"{report.unsolicited} messages or answers that match no open turn"
            raise Failed(sent="the turns of its games", came=came, expected="one answer to each Turn")

    async def _game(self, number: int) -> int:
        """Play one game; returns the longest that the bot took for a turn, in milliseconds."""
        key = deal_key(SECRET, number)
        task = GameTask(f"check/{self._players}/{number}", number, key, (0,) * self._players)
        ruleset = _RULESETS[(number + number // self._players) % len(_RULESETS)]
        random = Random(key)
        seats = range(self._players)
        players: list[Player] = [House(seat, random, self._loop.call_soon) for seat in seats]
        players[self.seat] = await self._chair.instance()
        ended: asyncio.Future[None] = self._loop.create_future()

        def end() -> None:
            if not ended.done():
                ended.set_result(None)

        seeds = [bot_seed(key, seat) for seat in seats]
        game = _CheckedGame(game_number(task), task, ruleset, self._clock, 0, players, seeds, (), end)
        game.bot = self.seat
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
        return max(move.ms for entries in game.record.rounds for move in entries.moves if move.seat == self.seat)

    def _new_instance(self) -> Instance:
        grace = self._clock.reconnect_grace_ms
        return Instance(self.seat, self._players, new_token(), grace, IN_FLIGHT, VERSION, self._break)

    def _start(self, instance: Instance, _attempt: int) -> BotProcess:
        return self._stage.launch(self._address, instance.token, self.seat)

    def _break(self, error: BaseException) -> None:
        """Our own bug: the games end with it."""
        for ended in self._ends:
            if not ended.done():
                ended.set_exception(RefereeError(f"the referee failed: {type(error).__name__}: {error}"))
