"""A bot that answers at once: passes in exchange windows, else plays the first legal card."""

from aurum.bot import PASS, Bot, Card, Move, Phase, Turn, run


class InstantBot(Bot):
    strict = False  # it measures the wire, not the SDK's care for its author

    def choose(self, turn: Turn) -> Move | Card:
        if turn.phase is Phase.EXCHANGE or not turn.cards:
            return PASS
        return turn.cards[0]


if __name__ == "__main__":
    run(InstantBot)
