"""Writing a game down as it is played, and reading moves back (the record of proto/aurum/v1/record.proto)."""

from collections.abc import Sequence

from aurum.referee.projection import fill_result, wire, wires
from aurum.rules import (
    BIDS,
    EXCHANGES,
    PASS,
    PLAYS,
    Bid,
    Card,
    Exchange,
    Game,
    GameEnd,
    Move,
    Phase,
    Play,
    RoundEnd,
    Ruleset,
    placing,
)
from aurum.v1 import game_pb2, play_pb2, record_pb2

CARDS: tuple[Card | None, ...] = tuple(Card(v) if v in Card._value2member_map_ else None for v in range(105))
"""By value on the wire: the card, or None where there is none."""

_GAME_END = {
    GameEnd.FIRST_TO_TWO: game_pb2.GAME_END_RULE_FIRST_TO_TWO,
    GameEnd.BEST_OF_THREE: game_pb2.GAME_END_RULE_BEST_OF_THREE,
    GameEnd.THREE_ROUNDS_TOTAL: game_pb2.GAME_END_RULE_THREE_ROUNDS_TOTAL,
}
_GAME_END_OF = {value: end for end, value in _GAME_END.items()}


class MalformedError(ValueError):
    """Fields that say no move, or a record that cannot be read; the message says what is wrong."""


def fill_ruleset(message: game_pb2.Ruleset, ruleset: Ruleset) -> None:
    """Write a ruleset, every field spelled out."""
    message.preset = ruleset.preset
    message.gold_zeros = ruleset.gold_zeros
    message.game_end = _GAME_END[ruleset.game_end]


def ruleset_of(message: game_pb2.Ruleset) -> Ruleset:
    """Read a ruleset; raises MalformedError if its end of game is unknown."""
    if message.game_end not in _GAME_END_OF:
        raise MalformedError(f"ruleset.game_end is {message.game_end}, which is no rule for the end of a game")
    return Ruleset(message.gold_zeros, _GAME_END_OF[message.game_end], message.preset)


def card_of(value: int, field: str) -> Card:
    """The card of a wire value; raises MalformedError naming the field."""
    card = CARDS[value] if 0 <= value < len(CARDS) else None
    if card is None:
        raise MalformedError(f"{field} is {value}, which is no card")
    return card


def exchange_of(message: game_pb2.Exchange) -> Exchange:
    """Read an exchange; raises MalformedError if a field is no card."""
    gold, card = card_of(message.gold, "exchange.gold"), card_of(message.card, "exchange.card")
    if gold.is_gold and not card.is_gold and message.seat < 4:
        return EXCHANGES[gold.rank][message.seat][card]
    return Exchange(gold, card, message.seat)


def answer_of(action: play_pb2.Action, phase: Phase) -> Move:
    """The move that an action says in this phase; raises MalformedError if it says none."""
    kind = action.WhichOneof("move")
    if kind == "card":
        card = card_of(action.card, "card")
        if phase is Phase.BID:
            return BIDS.get(card) or Bid(card)
        return PLAYS[card]
    if kind == "exchange":
        return exchange_of(action.exchange)
    if kind == "pass":
        return PASS
    raise MalformedError("the action holds no move (card, exchange or pass)")


def move_of(message: record_pb2.MoveRecord) -> Move:
    """The move of a record; raises MalformedError if it holds none."""
    kind = message.WhichOneof("move")
    if kind == "play":
        return PLAYS[card_of(message.play, "play")]
    if kind == "bid":
        card = card_of(message.bid, "bid")
        return BIDS.get(card) or Bid(card)
    if kind == "exchange":
        return exchange_of(message.exchange)
    if kind == "pass":
        return PASS
    raise MalformedError("a move record holds no move")


class Recorder:
    """The record of one game, written while `game` is played: `record`.

    Moves are written at the end of their round, all at once: with many games under way, code that runs for one move
    here and one there is never in the caches.
    """

    def __init__(self, game: Game, id: str, deal_number: int) -> None:  # noqa: A002 - the record's own word
        self.record = record_pb2.GameRecord(id=id, deal_key=game.deal.key, deal=deal_number)
        fill_ruleset(self.record.ruleset, game.ruleset)
        self.deal(game)

    def deal(self, game: Game) -> None:
        """Write down the cards of the round that was just dealt."""
        self._moves: list[tuple[int, Move, int, bool]] = []
        self._round = self.record.rounds.add()
        self._round.first_player = game.round.first_player
        for hand in game.cards.hands:
            self._round.hands.add().cards.extend(wires(hand))
        self._round.leftover.extend(wires(game.cards.leftover))

    @property
    def next_move(self) -> tuple[int, int]:
        """Where the next move will stand: round (from 1) and index among the round's moves."""
        return len(self.record.rounds), len(self._moves)

    def move(self, seat: int, move: Move, ms: int = 0, by_referee: bool = False) -> None:
        """Note a move that was applied; `ms`: how long it took."""
        self._moves.append((seat, move, ms, by_referee))

    def end_round(self, game: Game) -> None:
        """Write down the round that the last move ended, and the next round's cards if there is one."""
        ended = game.finished
        assert ended is not None
        assert ended.ended_by is not None
        if ended.end is RoundEnd.FORCED:
            self.move(ended.ended_by, PASS, by_referee=True)
        for move in self._moves:
            _fill_move(self._round.moves.add(), *move)
        fill_result(self._round.result, game.results[-1])
        if not game.over:
            self.deal(game)

    def end_game(self, game: Game, forfeited: Sequence[int] = ()) -> None:
        """Write down the result of the finished game; `forfeited`: sides that lost by faults, ascending."""
        result = game.result()
        message = self.record.result
        message.nuggets.extend(result.nuggets)
        message.points.extend(result.points)
        message.rank.extend(result.rank)
        message.forfeited.extend(forfeited)
        message.placing.extend(placing(result.rank, forfeited))


def _fill_move(entry: record_pb2.MoveRecord, seat: int, move: Move, ms: int, by_referee: bool) -> None:
    if seat:
        entry.seat = seat
    if type(move) is Play:
        entry.play = wire(move.card)
    elif type(move) is Bid:
        entry.bid = wire(move.card)
    elif type(move) is Exchange:
        exchange = entry.exchange
        exchange.gold, exchange.card, exchange.seat = wire(move.gold), wire(move.card), move.seat
    else:
        getattr(entry, "pass").SetInParent()  # a keyword, so no plain attribute
    if ms:
        entry.ms = ms
    if by_referee:
        entry.by_referee = True
