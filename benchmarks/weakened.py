"""The heuristic bot, made a little different: opponents of nearly its strength, for benchmarks/variance.py.

    [ASTRAY=PERCENT] [PATIENCE=POINTS] python -m benchmarks.weakened      (in the project's folder)

ASTRAY: in that share of its turns to play a card, it plays any legal one. The chance is the referee's, so games can
be played again. PATIENCE: another value of `heuristic.PATIENCE`; nothing is left to chance by that.
"""

import os

from aurum.bot import Move, Phase, Turn, run

from example_bots import heuristic

ASTRAY = float(os.environ.get("ASTRAY", "0")) / 100
heuristic.PATIENCE = float(os.environ.get("PATIENCE", heuristic.PATIENCE))


class Weakened(heuristic.Heuristic):
    def choose(self, turn: Turn) -> Move:
        played = turn.phase in (Phase.LEAD, Phase.FOLLOW)
        if played and ASTRAY and turn.rng.random() < ASTRAY:
            return turn.rng.choice(turn.legal)
        return super().choose(turn)


if __name__ == "__main__":
    run(Weakened)
