"""Checks by many games: the real referee, with the bot at one seat and simulated opponents at the others."""

import asyncio
from functools import partial
from random import Random

from aurum.conformance.checks.concurrency import together
from aurum.conformance.checks.registry import CheckRegistry
from aurum.conformance.scripted.excerpts import expected_answer, message_excerpt, turn_excerpt
from aurum.conformance.scripted.game import SECRET, parsed_updates
from aurum.conformance.scripted.opponent import SimulatedOpponent
from aurum.conformance.scripted.referee import ScriptedReferee
from aurum.conformance.scripted.stream import CheckFailed
from aurum.processes.launch import Limits
from aurum.processes.process import BotProcess
from aurum.records.verify import differences
from aurum.referee.game import Player, RunningGame
from aurum.referee.instance import Instance, Terms
from aurum.referee.play import fail, keep_in_flight, play_out, until_failed
from aurum.referee.seat import Seat
from aurum.referee.start_failures import StartFailures
from aurum.referee.unit import Clock, Entrant, GameSettings, GameTask, RefereeError
from aurum.rules import PRESETS, deal_key
from aurum.serving.server import Server, listening
from aurum.v1 import game_pb2, play_pb2
from aurum.wire.faults import fault_name
from aurum.wire.view import bot_seed

REGISTRY = CheckRegistry()

IN_FLIGHT = 64
"""How many games an instance of the bot plays at the same time, at most."""
_RULESETS = list(PRESETS.values())
_FAULTY_ANSWERS = (game_pb2.FAULT_KIND_ILLEGAL_MOVE, game_pb2.FAULT_KIND_MALFORMED_MESSAGE)


@REGISTRY.check("plays random games of four in every seat, under every ruleset", needs="large-batch end-of-round leave")
async def games_of_four(referee: ScriptedReferee) -> None:
    games = referee.checked.games
    await _play(referee, 4, games - games // 2, referee.new_address())


@REGISTRY.check("plays as many of three, over a Unix-domain socket", needs="large-batch end-of-round leave unix-socket")
async def games_of_three(referee: ScriptedReferee) -> None:
    await _play(referee, 3, referee.checked.games // 2, referee.new_address(unix=True))


async def _play(referee: ScriptedReferee, players: int, games: int, listen: str) -> None:
    """Play games, divided among the seats. Raises CheckFailed at the first in which the bot is at fault."""
    async with listening(listen) as (server, address):
        start_failures = StartFailures()
        seats = [_CheckedSeat(referee, seat, players, start_failures, server, address) for seat in range(players)]
        await together(seat.play(range(seat.number, games, players)) for seat in seats)


class _CheckedGame(RunningGame):
    """A game that keeps the last turn of the bot and its answer, for the failure that it may raise."""

    bot = 0
    """The bot's seat."""
    asked: bytes = b""
    action: play_pb2.Action | None = None

    def turn(self, now: float) -> bytes:
        """The open turn, which is the bot's: opponents read the game itself."""
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
        kind = fault_name(fault.kind).upper()
        if not self.asked:
            raise CheckFailed(sent="nothing yet", came=kind, expected="a bot that starts", why=fault.detail)
        turn = parsed_updates(self.asked)[0].turn
        shows_answer = fault.kind in _FAULTY_ANSWERS and self.action is not None
        came = message_excerpt(self.action) if shows_answer and self.action is not None else kind
        raise CheckFailed(sent=turn_excerpt(turn), came=came, expected=expected_answer(turn), why=fault.detail)


class _CheckedSeat:
    """Plays the games of the bot at one seat, with the more games in flight the faster it answers."""

    def __init__(
        self,
        referee: ScriptedReferee,
        seat: int,
        players: int,
        start_failures: StartFailures,
        server: Server,
        address: str,
    ) -> None:
        self.number = seat
        self._referee = referee
        self._players = players
        self._address = address
        checked = referee.checked
        self._clock = clock = Clock(
            checked.turn_ms, setup_ms=checked.setup_ms, reconnect_grace_ms=checked.reconnect_grace_ms
        )
        self._limit = 1
        terms = Terms(seat, players, IN_FLIGHT, clock.setup_ms, clock.reconnect_grace_ms, Limits())
        self._seat = Seat(Entrant("bot", referee.checked.launch), terms, server, self._start)
        self._failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._seat.begin_unit(start_failures, bot_seed(SECRET, seat), partial(fail, self._failed))

    async def play(self, numbers: range) -> None:
        """Play the games of these numbers."""
        try:
            await until_failed(keep_in_flight(map(self._game, numbers), lambda: self._limit), self._failed)
        except CheckFailed as failed:
            await self._seat.close()
            failed.output = self._seat.report().stderr_tail
            raise
        finally:
            await self._seat.close()
        if unsolicited := self._seat.report().unsolicited:
            came = f"{unsolicited} messages or answers that match no open turn"
            raise CheckFailed(sent="the turns of its games", came=came, expected="one answer to each Turn")

    async def _game(self, number: int) -> None:
        """Play one game, and double or halve the number in flight as it was fast or slow."""
        key = deal_key(SECRET, number)
        task = GameTask(f"check/{self._players}/{number}", number, key, (0,) * self._players)
        ruleset = _RULESETS[(number + number // self._players) % len(_RULESETS)]
        random = Random(key)
        call_soon = asyncio.get_running_loop().call_soon
        players: list[Player] = [SimulatedOpponent(seat, random, call_soon) for seat in range(self._players)]
        players[self.number] = await self._seat.instance()
        game = _CheckedGame(task, GameSettings(ruleset, self._clock), players)
        game.bot = self.number
        record = await play_out(game)
        game.raise_if_faulty()
        if wrong := differences(record):
            raise RefereeError(f"a record that the rules do not give: {wrong[0]}")
        self._referee.count(1)
        slowest = max(move.ms for entries in record.rounds for move in entries.moves if move.seat == self.number)
        fast = slowest < self._clock.turn_ms / 10
        self._limit = min(2 * self._limit, IN_FLIGHT) if fast else max(1, self._limit // 2)

    def _start(self, instance: Instance, _seed: int) -> BotProcess:
        return self._referee.launch(self._address, instance.token, self.number)
