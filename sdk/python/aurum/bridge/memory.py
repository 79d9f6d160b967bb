"""Remembers turns and answers, so that a new stream repeats nothing: the command never learns of a lost connection.

After another Hello the referee says again what games there are and which turns are open. The command has heard of those
games, and is thinking about those turns or has answered them.
"""

from dataclasses import dataclass

from aurum.v1 import play_pb2


@dataclass
class _Game:
    turn: int = 0
    """The number of the last turn that the command was asked."""
    answer: play_pb2.Action | None = None
    """Its answer to that, once it was sent: it may have been lost."""


class Memory:
    """Of each game that goes on, the last turn and its answer."""

    def __init__(self) -> None:
        self._games: dict[int, _Game] = {}
        self._welcomed = False

    def take(self, message: play_pb2.PlayResponse) -> list[play_pb2.Action]:
        """Leave in a message what is new to the command; returns the answers that are to be sent again."""
        if message.HasField("welcome"):
            if self._welcomed:
                message.ClearField("welcome")
            self._welcomed = True
        again: list[play_pb2.Action] = []
        known = [index for index, update in enumerate(message.updates) if self._knows(update, again)]
        for index in reversed(known):
            del message.updates[index]
        return again

    def answered(self, action: play_pb2.Action) -> None:
        """The command's answer is being sent."""
        game = self._games.get(action.game)
        if game is not None and game.turn == action.number and not game.answer:
            game.answer = action

    def _knows(self, update: play_pb2.Update, again: list[play_pb2.Action]) -> bool:
        kind = update.WhichOneof("kind")
        if kind == "game_start":
            if update.game_start.game in self._games:
                return True
            self._games[update.game_start.game] = _Game()
        elif kind == "turn":
            turn = update.turn
            game = self._games.setdefault(turn.game, _Game())
            if game.turn == turn.number:
                if game.answer is not None:
                    again.append(game.answer)
                return True
            self._games[turn.game] = _Game(turn.number)
        elif kind == "game_end":
            self._games.pop(update.game_end.game, None)
        return False
