"""Bids well, then plays a card that is in another seat's hand.

Fault: ILLEGAL_MOVE. The SDK would stop such a bot before the referee sees the card; `strict = False` lets it pass.
"""

from aurum.bot import Bot, Card, Turn, run


class AnotherSeatsCard(Bot):
    strict = False

    def bid(self, turn: Turn) -> Card:
        return turn.hand[0]

    def play(self, turn: Turn) -> Card:
        return turn.unseen[0]


if __name__ == "__main__":
    run(AnotherSeatsCard)
