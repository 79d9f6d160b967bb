"""Has a bot answer the referee's messages, without the network.

    Hello ->  <- Welcome, then any number of updates; each Turn among them -> one Action

A lost connection does not end a session: games go on where they were after another Hello, and a turn that
comes again is given the same answer again, without asking the bot.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from aurum.bot import events
from aurum.bot.base import Bot, overrides
from aurum.bot.errors import AuthorError, IllegalAnswer, ProtocolError
from aurum.bot.turn import Turn
from aurum.rules import Card, Move, Pass, Phase
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

    def take(self, update: play_pb2.Update, received: float, answers: Actions) -> None:
        """Act on one update; the answer to a turn is appended to `answers`, the actions of a message.

        `received`: when it arrived, on the monotonic clock. Raises AuthorError if the bot's code failed.
        """
        kind = update.WhichOneof("kind")
        if kind == "turn":
            self._answer(update.turn, received, answers)
        elif kind == "game_start":
            self._game_start(update.game_start)
        elif kind == "round_end":
            if self._hears_rounds and (game := self._games.get(update.round_end.game)):
                self._call("round_end", self._bot.round_end, events.round_ended(update.round_end, game), game)
        elif kind == "game_end":
            # Nothing to a process that was started anew in mid-game.
            if game := self._games.pop(update.game_end.game, None):
                self._call("game_end", self._bot.game_end, events.game_ended(update.game_end, game), game)
        elif kind == "fault":
            concerned = self._games.get(update.fault.game)
            self._call("fault", self._bot.fault, events.fault(update.fault, concerned), concerned)
        elif kind == "goodbye":
            self.goodbye = update.goodbye.reason
        # Anything else is a kind of update that a later protocol has added: nothing to answer.

    def _game_start(self, message: play_pb2.GameStart) -> None:
        # After a reconnection a game may be announced again: it goes on as it was.
        if message.game not in self._games:
            game = self._games[message.game] = events.GameInfo(message)
            self._call("game_start", self._bot.game_start, game, game)

    def _call(self, name: str, hook: Callable[[_T], None], event: _T, game: events.GameInfo | None) -> None:
        try:
            hook(event)
        except Exception as error:
            where = f" of game {game.id}, seat {game.seat}" if game else ""
            raise AuthorError(f"{type(self._bot).__name__}.{name} failed{where}") from error

    def _answer(self, message: play_pb2.Turn, received: float, answers: Actions) -> None:
        game = self._games.get(message.game)
        if game is None:
            sentence = f"the referee speaks of game {message.game}, which it has not started"
            raise ProtocolError("unknown_game", sentence)
        if game.answer is not None and game.answer.number == message.number:
            answers.append(game.answer)
            return
        if message.phase not in _METHODS:
            raise ProtocolError(
                "unknown_phase",
                f"the referee asks for phase {message.phase} in game {message.game}, turn {message.number}: "
                "this bot knows no such phase",
            )
        turn = Turn(message, game, received)
        action = answers.add(game=message.game, number=message.number)
        try:
            move = self._choose(turn)
            if self._strict:
                _check(move, turn)
            write_action(action, move)
        except Exception as error:
            method = "choose" if overrides(self._bot, "choose") else _METHODS[message.phase]
            raise AuthorError(f"{type(self._bot).__name__}.{method} failed at {turn!r}") from error
        game.answer = action


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


def _check(move: Move | Card, turn: Turn) -> None:
    """Raise IllegalAnswer unless this answers the turn; a card stands for its bid or play."""
    kind = type(move)
    if kind is Card:
        legal = move in turn.cards and turn.phase is not Phase.EXCHANGE
    elif kind is Pass:
        legal = turn.may_pass
    else:
        legal = move in turn.legal
    if not legal:
        raise IllegalAnswer(f"{move!r} is no legal answer; legal are: {', '.join(map(str, turn.legal))}")
