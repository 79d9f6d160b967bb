"""Has a bot answer the referee's messages, without the network.

    Hello ->  <- Welcome, then any number of updates; each Turn among them -> one Action

A lost connection does not end a session: games go on where they were after another Hello, and a turn that
comes again is given the same answer again, without asking the bot.

A bot's methods may be coroutines. Then acting on an update is one, too, and has to be awaited before the next.
"""

from collections.abc import Awaitable, Callable
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard, TypeVar

from aurum.bot import events
from aurum.bot.base import Bot, overrides
from aurum.bot.errors import IllegalAnswer, ProtocolError, blame_author
from aurum.bot.turn import Turn
from aurum.rules import Bid, Card, Exchange, Move, Pass, Phase, Play
from aurum.v1 import game_pb2, play_pb2
from aurum.wire.moves import write_action
from aurum.wire.version import PROTOCOL_VERSION
from google.protobuf.message import DecodeError

if TYPE_CHECKING:
    from google.protobuf.internal.containers import RepeatedCompositeFieldContainer

VERSION = "0.1.0"

Actions: TypeAlias = "RepeatedCompositeFieldContainer[play_pb2.Action]"

_T = TypeVar("_T")
_METHODS = {
    game_pb2.PHASE_BID: "bid",
    game_pb2.PHASE_EXCHANGE: "exchange",
    game_pb2.PHASE_LEAD: "play",
    game_pb2.PHASE_FOLLOW: "play",
}
"""By phase, what a bot is asked for unless it has a `choose` of its own; a later protocol may know others."""
_ANSWERS = {Card, Play, Bid, Pass, Exchange}
"""The types of what a bot may return."""


class Session:
    """One bot, from its first Hello to the Goodbye."""

    def __init__(self, bot: Bot) -> None:
        self.goodbye: str | None = None
        """The reason the referee gave when it was done with this bot."""
        self.welcome: play_pb2.Welcome | None = None
        """The last Welcome."""
        self._bot = bot
        self._choose = bot.choose
        self._strict = bot.strict
        self._hears_rounds = overrides(bot, "round_end")
        self._games: dict[int, events.GameInfo] = {}

    def hello(self) -> play_pb2.PlayRequest:
        """The first message of a stream."""
        bot = self._bot
        return play_pb2.PlayRequest(
            hello=play_pb2.Hello(
                protocol_version=PROTOCOL_VERSION,
                bot=bot.name or type(bot).__name__,
                version=bot.version,
                language="python",
                sdk=f"aurum-python/{VERSION}",
            )
        )

    @staticmethod
    def read(data: bytes) -> play_pb2.PlayResponse:
        """The message that arrived as `data`."""
        try:
            return play_pb2.PlayResponse.FromString(data)
        except DecodeError:
            raise ProtocolError("malformed", "the referee sent bytes that are no PlayResponse") from None

    def begin(self, first: play_pb2.PlayResponse) -> None:
        """Take the first message of a stream."""
        self.welcome = welcome_of(first)

    def take(self, update: play_pb2.Update, received: float, answers: Actions) -> Awaitable[None] | None:
        """Act on one update; the answer to a turn is appended to `answers`, the actions of a message.

        `received`: when it arrived, on the monotonic clock. Returns what is to be awaited before the answers are sent
        and another update is taken; None if nothing is. Raises AuthorError if the bot's code failed; so does awaiting.
        """
        kind = update.WhichOneof("kind")
        if kind == "turn":
            return self._answer(update.turn, received, answers)
        if kind == "game_start":
            return self._game_start(update.game_start)
        if kind == "round_end":
            if self._hears_rounds and (game := self._games.get(update.round_end.game)):
                return self._call("round_end", self._bot.round_end, events.round_ended(update.round_end, game), game)
        elif kind == "game_end":
            # Nothing to a process that was started anew in mid-game.
            if game := self._games.pop(update.game_end.game, None):
                return self._call("game_end", self._bot.game_end, events.game_ended(update.game_end, game), game)
        elif kind == "fault":
            concerned = self._games.get(update.fault.game)
            return self._call("fault", self._bot.fault, events.fault(update.fault, concerned), concerned)
        elif kind == "goodbye":
            self.goodbye = update.goodbye.reason
        # Anything else is a kind of update that a later protocol has added: nothing to answer.
        return None

    def _game_start(self, message: play_pb2.GameStart) -> Awaitable[None] | None:
        # After a reconnection a game may be announced again: it goes on as it was.
        if message.game in self._games:
            return None
        game = self._games[message.game] = events.GameInfo(message)
        return self._call("game_start", self._bot.game_start, game, game)

    def _call(
        self, name: str, hook: Callable[[_T], Awaitable[None] | None], event: _T, game: events.GameInfo | None
    ) -> Awaitable[None] | None:
        try:
            called = hook(event)
            if called is None or not is_awaitable(called):
                return None
        except (Exception, SystemExit) as error:
            blame_author(self._where(name, game), error)
        return self._finish_call(called, name, game)

    async def _finish_call(self, called: Awaitable[None], name: str, game: events.GameInfo | None) -> None:
        try:
            await called
        except (Exception, SystemExit) as error:
            blame_author(self._where(name, game), error)

    def _where(self, hook: str, game: events.GameInfo | None) -> str:
        return f"{type(self._bot).__name__}.{hook} failed{f' of game {game.id}, seat {game.seat}' if game else ''}"

    def _answer(self, message: play_pb2.Turn, received: float, answers: Actions) -> Awaitable[None] | None:
        game = self._games.get(message.game)
        if game is None:
            sentence = f"the referee speaks of game {message.game}, which it has not started"
            raise ProtocolError("unknown_game", sentence)
        if game.answer is not None and game.answer.number == message.number:
            answers.append(game.answer)
            return None
        if message.phase not in _METHODS:
            raise ProtocolError(
                "unknown_phase",
                f"the referee asks for phase {message.phase} in game {message.game}, turn {message.number}: "
                "this bot knows no such phase",
            )
        turn = Turn(message, game, received)
        action = answers.add(game=message.game, number=message.number)
        try:
            answer = self._choose(turn)
            if type(answer) not in _ANSWERS and is_awaitable(answer):
                return self._finish_answer(answer, turn, action)
            self._write(action, answer, turn)
        except (Exception, SystemExit) as error:
            blame_author(self._place(turn), error)
        game.answer = action
        return None

    async def _finish_answer(self, answer: Awaitable[Move | Card], turn: Turn, action: play_pb2.Action) -> None:
        try:
            self._write(action, await answer, turn)
        except (Exception, SystemExit) as error:
            blame_author(self._place(turn), error)
        turn.game.answer = action

    def _write(self, action: play_pb2.Action, answer: object, turn: Turn) -> None:
        """Write an answer; raises IllegalAnswer unless it is legal, or a move at all if the bot is not strict."""
        if not (_is_legal(answer, turn) if self._strict else type(answer) in _ANSWERS):
            raise IllegalAnswer(self._wrong(answer, turn))
        write_action(action, answer)  # type: ignore[arg-type] # what is legal is a move or a card

    def _wrong(self, answer: object, turn: Turn) -> str:
        from aurum.bot.advice.answers import wrong_answer
        from aurum.bot.advice.places import place_of

        method = self._method(turn)
        place = place_of(getattr(self._bot, method))
        sentence = wrong_answer(answer, turn.phase, turn.legal, lambda: turn.sample(Random(0)))
        return f"{type(self._bot).__name__}.{method}{f' ({place})' if place else ''} {sentence}"

    def _place(self, turn: Turn) -> str:
        return f"{type(self._bot).__name__}.{self._method(turn)} failed at {turn!r}"

    def _method(self, turn: Turn) -> str:
        """Which of the bot's methods is asked."""
        return "choose" if overrides(self._bot, "choose") else _METHODS[turn.message.phase]


def is_awaitable(value: object) -> TypeGuard[Awaitable[Any]]:
    """Whether a bot's method was a coroutine, or something else that has to be awaited."""
    return hasattr(type(value), "__await__")


def welcome_of(first: play_pb2.PlayResponse) -> play_pb2.Welcome:
    """The Welcome, of this protocol version, that the first message of a stream must hold; raises ProtocolError."""
    if not first.HasField("welcome"):
        raise ProtocolError("no_welcome", "the referee's first message is no Welcome")
    if first.welcome.protocol_version != PROTOCOL_VERSION:
        raise ProtocolError(
            "version",
            f"the referee speaks protocol version {first.welcome.protocol_version}, "
            f"this bot version {PROTOCOL_VERSION}: install the aurum-arena of the tournament",
        )
    return first.welcome


def _is_legal(answer: object, turn: Turn) -> bool:
    """Whether this answers the turn; a card stands for its bid or play."""
    kind = type(answer)
    if kind is Card:
        return answer in turn.cards and turn.phase is not Phase.EXCHANGE
    if kind is Pass:
        return turn.may_pass
    return kind in _ANSWERS and answer in turn.legal
