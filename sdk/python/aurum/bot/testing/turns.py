"""Turns to ask a bot in a test: of a position, or of a game that was played."""

from collections.abc import Sequence
from time import monotonic

from aurum.bot.events import GameInfo
from aurum.bot.turn import Turn
from aurum.rules import PRESETS, Deal, Game, Round, Ruleset
from aurum.v1 import play_pb2
from aurum.wire.view import TableView, fill_game_start, fill_turn
from google.protobuf import json_format

RULESET = PRESETS["designer"]
_KEY = bytes(32)


def turn_at(
    position: Round | Game,
    *,
    ruleset: Ruleset = RULESET,
    nuggets: Sequence[int] = (),
    seconds: float = 60.0,
    number: int = 1,
) -> Turn:
    """The turn of the seat to act, as the referee would send it: with what that seat may see and no more.

    Args:
        position: of a round, as `position` makes it, or a game under way.
        ruleset: of the game, and `nuggets` what its sides have won; a game has its own.
        seconds: that are left for the decision, from now on.
        number: of the turn among those of this seat.

    Raises ValueError if nobody is to act.
    """
    game = position if isinstance(position, Game) else _game_at(position, ruleset, nuggets)
    if game.round.ended_by is not None:
        raise ValueError("the round is over: nobody is asked")
    seat = game.to_act
    start = play_pb2.GameStart(game=1, clock=play_pb2.Clock(turn_ms=round(seconds * 1000)))
    fill_game_start(start, game, seat)
    message = play_pb2.Turn(game=1, number=number, time_left_ms=start.clock.turn_ms)
    TableView(game, message.table)
    fill_turn(message, game.round)
    return Turn(message, GameInfo(start), monotonic())


def read_turn(text: str) -> Turn:
    """The turn that `arena replay DIR GAME --turn N --json` has written, or any PlayResponse in JSON with one.

    Its time begins to run now. Raises ValueError if there is no GameStart and Turn of one game in it.
    """
    try:
        message = json_format.Parse(text.removeprefix("\ufeff"), play_pb2.PlayResponse())
    except json_format.ParseError as error:
        raise ValueError(f"no PlayResponse: {' '.join(str(error).split())}") from None
    starts = {update.game_start.game: update.game_start for update in message.updates if update.HasField("game_start")}
    for update in message.updates:
        if update.HasField("turn") and (start := starts.get(update.turn.game)):
            return Turn(update.turn, GameInfo(start), monotonic())
    raise ValueError("no turn: write it with arena replay DIR GAME --turn N --json")


def _game_at(position: Round, ruleset: Ruleset, nuggets: Sequence[int]) -> Game:
    game = Game(ruleset, Deal(_KEY, position.players))
    game.round = position
    if nuggets:
        if len(nuggets) != len(game.nuggets):
            raise ValueError(f"nuggets are for {len(nuggets)} sides, the game has {len(game.nuggets)}")
        game.nuggets[:] = nuggets
    return game
