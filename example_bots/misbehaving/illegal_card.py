"""Follows, when it can, with a card of its hand whose suit is in the trick already.

Fault: ILLEGAL_MOVE. The SDK would stop such a bot before the referee sees the card; `strict = False` lets it pass.
"""

from aurum.bot import PASS, Bot, Card, Pass, Phase, Turn, run


class IllegalCard(Bot):
    strict = False

    def bid(self, turn: Turn) -> Card:
        return turn.hand[0]

    def play(self, turn: Turn) -> Card | Pass:
        forbidden = [card for card in turn.hand if card not in turn.cards]
        if turn.phase is Phase.FOLLOW and forbidden:
            return forbidden[0]
        return turn.cards[0] if turn.cards else PASS


if __name__ == "__main__":
    run(IllegalCard)
