"""The smallest bot: a legal move at random.

It draws from `turn.rng`, which the referee seeds, so a tournament with a seed plays out the same again. In an
exchange window it first tosses a coin whether to exchange at all: among the moves themselves there are dozens of
exchanges to one pass, and all gold would be gone at once.
"""

from aurum.bot import PASS, Bot, Move, Phase, Turn, run


class RandomBot(Bot):
    version = "1"

    def choose(self, turn: Turn) -> Move:
        moves = turn.legal
        if turn.phase is Phase.EXCHANGE:
            if turn.rng.random() < 0.5:
                return PASS
            moves = tuple(move for move in moves if move != PASS)
        return turn.rng.choice(moves)


if __name__ == "__main__":
    run(RandomBot)
