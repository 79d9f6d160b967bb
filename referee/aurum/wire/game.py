"""What is known of a game on the wire: its ruleset, its tricks and exchanges, the results of its rounds."""

from collections.abc import Sequence

from aurum.rules import BidChange, GameEnd, GameResult, RoundResult, Ruleset, Trick, placing
from aurum.v1 import game_pb2
from aurum.wire.cards import MalformedError, all_to_wire, checked_card, read_card, read_cards, to_wire

_GAME_END = {
    GameEnd.FIRST_TO_TWO: game_pb2.GAME_END_RULE_FIRST_TO_TWO,
    GameEnd.BEST_OF_THREE: game_pb2.GAME_END_RULE_BEST_OF_THREE,
    GameEnd.THREE_ROUNDS_TOTAL: game_pb2.GAME_END_RULE_THREE_ROUNDS_TOTAL,
}
_GAME_END_OF = {value: end for end, value in _GAME_END.items()}


def write_ruleset(message: game_pb2.Ruleset, ruleset: Ruleset) -> None:
    """Write a ruleset, every field spelled out."""
    message.preset = ruleset.preset
    message.gold_zeros = ruleset.gold_zeros
    message.game_end = _GAME_END[ruleset.game_end]


def read_ruleset(message: game_pb2.Ruleset) -> Ruleset:
    """Read a ruleset; raises MalformedError if its end of game is unknown."""
    if message.game_end not in _GAME_END_OF:
        raise MalformedError(f"ruleset.game_end is {message.game_end}, which is no rule for the end of a game")
    return Ruleset(message.gold_zeros, _GAME_END_OF[message.game_end], message.preset)


def write_trick(message: game_pb2.Trick, trick: Trick) -> None:
    """Write a completed trick."""
    message.leader = trick.leader
    message.cards.extend(all_to_wire(trick.cards))
    message.winner = trick.winner
    message.collector = trick.collector
    if trick.collected is not None:
        message.collected = to_wire(trick.collected)


def read_trick(message: game_pb2.Trick) -> Trick:
    """Read a completed trick."""
    return Trick(
        message.leader, read_cards(message.cards), message.winner, message.collector, read_card(message.collected)
    )


def write_bid_change(message: game_pb2.BidChange, change: BidChange) -> None:
    """Write an exchange that was made."""
    message.trick = change.trick
    message.seat = change.seat
    message.gold = to_wire(change.gold)
    message.bid_seat = change.bid_seat
    message.laid = to_wire(change.laid)
    message.taken = to_wire(change.taken)


def read_bid_change(message: game_pb2.BidChange) -> BidChange:
    """Read an exchange that was made."""
    return BidChange(
        message.trick,
        message.seat,
        checked_card(message.gold, "gold"),
        message.bid_seat,
        checked_card(message.laid, "laid"),
        checked_card(message.taken, "taken"),
    )


def write_round_result(message: game_pb2.RoundResult, result: RoundResult) -> None:
    """Write the result of a round."""
    message.tricks.extend(result.tricks)
    message.bids.extend(result.bids)
    message.bid_points.extend(result.bid_points)
    message.gold_points.extend(result.gold_points)
    message.points.extend(result.points)
    message.winners.extend(result.winners)
    message.ended_by = result.ended_by


def read_round_result(message: game_pb2.RoundResult) -> RoundResult:
    """Read the result of a round."""
    return RoundResult(
        tuple(message.tricks),
        tuple(message.bids),
        tuple(message.bid_points),
        tuple(message.gold_points),
        tuple(message.points),
        tuple(message.winners),
        message.ended_by,
    )


def write_game_result(message: game_pb2.GameResult, result: GameResult, forfeited: Sequence[int] = ()) -> None:
    """Write the result of a game, and which sides have forfeited it."""
    message.nuggets.extend(result.nuggets)
    message.points.extend(result.points)
    message.rank.extend(result.rank)
    message.forfeited.extend(forfeited)
    message.placing.extend(placing(result.rank, forfeited))
