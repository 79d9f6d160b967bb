"""Says why a move is illegal; asked only once it is known to be."""

from typing import TYPE_CHECKING

from aurum.rules.moves import Bid, Exchange, Move, Pass, Play, Reason
from aurum.rules.phase import Phase

if TYPE_CHECKING:
    from aurum.rules.round import Round

_ASKED = {Phase.BID: (Bid,), Phase.EXCHANGE: (Exchange, Pass), Phase.LEAD: (Play,), Phase.FOLLOW: (Play, Pass)}


def why_illegal(position: "Round", move: Move) -> Reason:
    """The first of the rules (docs/rules.md section 6) that an illegal move breaks."""
    seat = position.to_act
    if position.phase is Phase.OVER:
        return Reason.OVER
    if type(move) not in _ASKED[position.phase]:
        return Reason.WRONG_KIND
    if isinstance(move, Pass):
        return Reason.MUST_PLAY
    if isinstance(move, Exchange):
        return _why_no_exchange(position, seat, move)
    if move.card.is_gold:
        if isinstance(move, Bid):
            return Reason.GOLD_BID
        return Reason.GOLD_LEAD if position.phase is Phase.LEAD else Reason.NOT_IN_COLLECTION
    return Reason.SUIT_IN_TRICK if move.card in position.hand(seat) else Reason.NOT_IN_HAND


def _why_no_exchange(position: "Round", seat: int, move: Exchange) -> Reason:
    if not move.gold.is_gold:
        return Reason.NOT_GOLD
    if move.gold not in position.collection(seat):
        return Reason.NOT_IN_COLLECTION
    if move.seat != seat and not (position.players == 4 and move.seat == seat ^ 2):
        return Reason.NOT_OWN_SIDE
    return Reason.NOT_IN_HAND
