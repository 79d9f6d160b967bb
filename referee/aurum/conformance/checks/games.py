"""Checks by many games: the real referee, with the bot at one seat and simulated opponents at the others."""

import asyncio
from random import Random

from aurum.conformance.checks.concurrency import together
from aurum.conformance.checks.registry import CheckRegistry
from aurum.conformance.scripted.excerpts import expected_answer, message_excerpt, turn_excerpt
from aurum.conformance.scripted.game import SECRET, parsed_updates
from aurum.conformance.scripted.opponent import SimulatedOpponent
from aurum.conformance.scripted.referee import ScriptedReferee
from aurum.conformance.scripted.stream import CheckFailed
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

REGISTRY = CheckRegistry()

IN_FLIGHT = 64
"""How many games an instance of the bot plays at the same time, at most."""
_RULESETS = list(PRESETS.values())
_FAULTY_ANSWERS = (game_pb2.FAULT_KIND_ILLEGAL_MOVE, game_pb2.FAULT_KIND_MALFORMED_MESSAGE)


@REGISTRY.check("plays random games of four in every seat, under every ruleset", needs="large-batch end-of-round leave")
async def games_of_four(referee: ScriptedReferee) -> None:
    games = referee.checked.games
    await _play(referee, 4, games - games // 2, "127.0.0.1:0")


@REGISTRY.check("plays as many of three, over a Unix-domain socket", needs="large-batch end-of-round leave unix-socket")
async def games_of_three(referee: ScriptedReferee) -> None:
    await _play(referee, 3, referee.checked.games // 2, f"unix:{referee.new_folder()}.sock")


async def _play(referee: ScriptedReferee, players: int, games: int, listen: str) -> None:
    """Play games, divided among the seats. Raises CheckFailed at the first in which the bot is at fault."""
    async with listening(listen) as (server, address):
        form = Form()
        seats = [_CheckedSeat(referee, seat, players, form, server, address) for seat in range(players)]
        await together(seat.play(range(seat.seat, games, players)) for seat in seats)


class _CheckedGame(RunningGame):
    """A game that keeps the last turn of the bot and its answer, for the failure that it may raise."""

    bot = 0
    """The bot's seat."""
    asked: bytes = b""
    action: play_pb2.Action | None = None

    def turn(self, now: float) -> bytes:
        """The open turn; nothing if it is an opponent's, since that reads the game itself."""
        if self.game.round.to_act != self.bot:
            return b""
        self.asked, self.action = super().turn(now), None
        return self.asked

    def answered(self, action: play_pb2.Action, now: float) -> None:
        """Keep the answer if it is the bot's."""
        if self.game.round.to_act == self.bot:
            self.action = action
        super().answered(action, now)

    def raise_if_faulty(self) -> None:
        """Raise CheckFailed with the first fault, if there is one."""
        if not self.record.faults:
            return
        fault = self.record.faults[0]
        kind = game_pb2.FaultKind.Name(fault.kind).removeprefix("FAULT_KIND_")
        if not self.asked:
            raise CheckFailed(sent="nothing yet", came=kind, expected="a bot that starts", why=fault.detail)
        turn = parsed_updates(self.asked)[0].turn
        shows_answer = fault.kind in _FAULTY_ANSWERS and self.action is not None
        came = message_excerpt(self.action) if shows_answer and self.action is not None else kind
        raise CheckFailed(sent=turn_excerpt(turn), came=came, expected=expected_answer(turn), why=fault.detail)


class _CheckedSeat:
    """Plays the games of the bot at one seat, with the more games in flight the faster it answers."""

    def __init__(
        self, referee: ScriptedReferee, seat: int, players: int, form: Form, server: Server, address: str
    ) -> None:
        self.seat = seat
        self._stage = referee
        self._players = players
        self._address = address
        self._clock = Clock(referee.checked.turn_ms, setup_ms=referee.checked.setup_ms)
        self._loop = asyncio.get_running_loop()
        self._ends: set[asyncio.Future[None]] = set()
        self._chair = Chair("bot", seat, form, self._clock.setup_ms, server, self._new_instance, self._start)

    async def play(self, numbers: range) -> None:
        """Play the games of these numbers."""
        in_flight: set[asyncio.Task[int]] = set()
        limit = 1
        try:
            for number in numbers:
                while len(in_flight) >= limit:
                    done, in_flight = await asyncio.wait(in_flight, return_when=asyncio.FIRST_COMPLETED)
                    slowest = max([game.result() for game in done])
                    limit = min(2 * limit, IN_FLIGHT) if slowest < self._clock.turn_ms / 10 else max(1, limit // 2)
                in_flight.add(asyncio.create_task(self._game(number)))
            await asyncio.gather(*in_flight)
        except CheckFailed as failed:
            failed.output = (await self._chair.close()).stderr_tail
            raise
        finally:
            for game in in_flight:
                game.cancel()
            await asyncio.gather(*in_flight, return_exceptions=True)
            report = await self._chair.close()
        if report.unsolicited:
            came = f"{report.unsolicited} messages or answers that match no open turn"
            raise CheckFailed(sent="the turns of its games", came=came, expected="one answer to each Turn")

    async def _game(self, number: int) -> int:
        """Play one game; returns the longest that the bot took for a turn, in milliseconds."""
        key = deal_key(SECRET, number)
        task = GameTask(f"check/{self._players}/{number}", number, key, (0,) * self._players)
        ruleset = _RULESETS[(number + number // self._players) % len(_RULESETS)]
        random = Random(key)
        seats = range(self._players)
        players: list[Player] = [SimulatedOpponent(seat, random, self._loop.call_soon) for seat in seats]
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
        return Instance(self.seat, self._players, new_token(), grace, IN_FLIGHT, VERSION, self._fail)

    def _start(self, instance: Instance, _attempt: int) -> BotProcess:
        return self._stage.launch(self._address, instance.token, self.seat)

    def _fail(self, error: BaseException) -> None:
        """End the games with RefereeError: the exception is a bug of the referee."""
        for ended in self._ends:
            if not ended.done():
                ended.set_exception(RefereeError(f"the referee failed: {type(error).__name__}: {error}"))
