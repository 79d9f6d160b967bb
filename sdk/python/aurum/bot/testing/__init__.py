"""For unit tests of a bot, without a referee: turns to ask it, and games between bots in one process.

turn = turn_at(position(["B1 Z4", "C3", "P5", "S7"], trick="Z9", to_act=0, leader=3))
assert MyBot().play(turn) == Card.B1

assert play_games(MyBot, OtherBot, deals=10).won > 10
"""

from aurum.bot.testing.games import Score, play_game, play_games
from aurum.bot.testing.positions import position
from aurum.bot.testing.turns import read_turn, turn_at

__all__ = ["Score", "play_game", "play_games", "position", "read_turn", "turn_at"]
