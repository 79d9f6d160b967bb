"""The player who moves for a bot at fault, so that the others' game stays meaningful."""

from aurum.rules import PASS, Bid, Move, Phase, Play, Round


def stand_in(current: Round) -> Move:
    """The move of the seat to act: declines exchanges, else the lowest legal card.

    Base cards come before gold, the lower rank before the higher, then the suits in their order B, C, P, S, Z.
    It never ends a round by choice: with no base card to follow it plays its lowest gold.
    """
    if current.phase is Phase.EXCHANGE:
        return PASS
    moves = [move for move in current.legal_moves() if isinstance(move, Bid | Play)]
    return min(moves, key=lambda move: (move.card.is_gold, move.card.rank, move.card.suit))
