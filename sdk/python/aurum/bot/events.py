"""What a bot hears besides its turns: games that begin, rounds and games that end, its own faults."""

from random import Random
from typing import Any, NamedTuple

from aurum.bot.lazy import lazy
from aurum.bot.table import Table
from aurum.rules import Card, GameResult, RoundResult, Ruleset
from aurum.v1 import play_pb2
from aurum.wire.cards import read_cards
from aurum.wire.faults import fault_name
from aurum.wire.game import read_round_result, read_ruleset


class Clock(NamedTuple):
    """How long a bot may think, in seconds."""

    turn: float
    """For each turn."""
    bank: float
    """In all, for what the turns of a game take beyond `turn`."""
    increment: float
    """Given back to the bank after each turn."""


class GameInfo:
    """What stays the same throughout a game, and the bot's own things in it."""

    def __init__(self, message: play_pb2.GameStart) -> None:
        self.message = message
        """The protocol's own message."""
        self.id = message.game
        """An opaque number."""
        self.seat = message.seat
        self.players = message.players
        """3 or 4."""
        self.seed = message.seed
        """The same deal and seat give the same seed; it says nothing of the cards."""
        self.memory: dict[str, Any] = {}
        """For whatever the bot wants to remember from turn to turn of this game."""
        self.answer: play_pb2.Action | None = None

    @lazy
    def ruleset(self) -> Ruleset:
        return read_ruleset(self.message.ruleset)

    @lazy
    def clock(self) -> Clock:
        clock = self.message.clock
        return Clock(clock.turn_ms / 1000, clock.bank_ms / 1000, clock.increment_ms / 1000)

    @lazy
    def names(self) -> tuple[str, ...]:
        """By seat, if the tournament makes names known; otherwise empty."""
        return tuple(self.message.names)

    @lazy
    def rng(self) -> Random:
        """This game's own generator, seeded by `seed`: a bot that draws only from it is reproducible."""
        return Random(self.seed)

    def __repr__(self) -> str:
        return f"<GameInfo {self.id}: seat {self.seat} of {self.players}, {self.ruleset}>"


class RoundEnded(NamedTuple):
    """A round is over."""

    game: GameInfo
    table: Table
    """As it stood at the end."""
    result: RoundResult
    shown_hand: tuple[Card, ...]
    """The remaining hand of the seat that ended the round, which everyone is shown."""
    unfinished_trick: tuple[Card, ...]
    """The trick that was under way, which counts for nothing."""


class GameEnded(NamedTuple):
    """A game is over."""

    game: GameInfo
    result: GameResult
    forfeited: tuple[int, ...]
    """Sides that forfeited by faults."""
    placing: tuple[int, ...]
    """By side, what is rated: the forfeited sides come last."""


class Fault(NamedTuple):
    """What this bot did wrong, as the referee recorded it."""

    game: GameInfo | None
    """None where it concerns no one game."""
    number: int
    """The turn; 0 where it concerns none."""
    kind: str
    """As in the protocol, in lower case: `illegal_move`, `timeout`, ..."""
    detail: str
    """A sentence for the author."""


def round_ended(message: play_pb2.RoundEnd, game: GameInfo) -> RoundEnded:
    return RoundEnded(
        game,
        Table(message.table),
        read_round_result(message.result),
        read_cards(message.shown_hand),
        read_cards(message.unfinished_trick),
    )


def game_ended(message: play_pb2.GameEnd, game: GameInfo) -> GameEnded:
    result = message.result
    return GameEnded(
        game,
        GameResult(tuple(result.nuggets), tuple(result.points), tuple(result.rank)),
        tuple(result.forfeited),
        tuple(result.placing),
    )


def fault(message: play_pb2.Fault, game: GameInfo | None) -> Fault:
    return Fault(game, message.number, fault_name(message.kind), message.detail)
