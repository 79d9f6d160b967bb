"""A bot that always does the least, without chance or memory.

Its policy, the same in every language, is the smoke test of an SDK:

    bid        the lowest card of the hand
    exchange   decline
    play       the lowest legal base card; without one, the lowest legal gold card
    end        never by choice: only with no legal card

Lowest is by rank, and among equals by suit in the order B, C, P, S, Z.
"""

from aurum.bot import PASS, Bot, Card, Pass, Turn, run


def lowest(cards: tuple[Card, ...]) -> Card:
    return min(cards, key=lambda card: (card.is_gold, card.rank, card.suit))


class LowestCard(Bot):
    version = "1"

    def bid(self, turn: Turn) -> Card:
        return lowest(turn.hand)

    def play(self, turn: Turn) -> Card | Pass:
        return lowest(turn.cards) if turn.cards else PASS


if __name__ == "__main__":
    run(LowestCard)
