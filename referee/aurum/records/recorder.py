"""Writes a game down as it is played (the record of proto/aurum/v1/record.proto)."""

from collections.abc import Sequence

from aurum.records.listener import Cards, GameListener, Hidden
from aurum.rules import PASS, Game, GameResult, Move, RoundEnd, RoundResult
from aurum.v1 import game_pb2, record_pb2
from aurum.wire.cards import all_to_wire
from aurum.wire.game import write_game_result, write_round_result, write_ruleset
from aurum.wire.records import write_move_record


class Recorder(GameListener):
    """The record of one game, written while `game` is played: `record`.

    Moves are written at the end of their round, all at once: with many games under way, code that runs for one move
    here and one there is never in the caches.
    """

    def __init__(self, game: Game, id: str, deal_number: int) -> None:  # noqa: A002 - the record's own word
        self.record = record_pb2.GameRecord(id=id, deal_key=game.deal.key, deal=deal_number)
        write_ruleset(self.record.ruleset, game.ruleset)
        self._moves: list[tuple[int, Move | Hidden[Move], int, bool]] = []

    def round_dealt(self, number: int, first_player: int, leftover: Cards, hands: Hidden[tuple[Cards, ...]]) -> None:
        """Write down the cards of the round that was just dealt."""
        self._moves = []
        self._round = self.record.rounds.add()
        self._round.first_player = first_player
        for hand in hands.reveal():
            self._round.hands.add().cards.extend(all_to_wire(hand))
        self._round.leftover.extend(all_to_wire(leftover))

    def moved(self, seat: int, move: Move | Hidden[Move], ms: int = 0, by_referee: bool = False) -> None:
        """Note a move that was applied; `ms`: how long it took."""
        self._moves.append((seat, move, ms, by_referee))

    def fault(self, seat: int, kind: game_pb2.FaultKind.ValueType, detail: Hidden[str], ms: int) -> None:
        """Write down a fault, and that the next move is its consequence."""
        self.record.faults.add(
            seat=seat,
            kind=kind,
            round=len(self.record.rounds),
            move=len(self._moves),
            detail=detail.reveal(),
            elapsed_ms=ms,
        )

    def round_over(self, result: RoundResult, end: RoundEnd, shown_hand: Cards, unfinished: Cards) -> None:
        """Write down the moves and the result of the round."""
        if end is RoundEnd.FORCED:
            self.moved(result.ended_by, PASS, by_referee=True)
        for seat, move, ms, by_referee in self._moves:
            shown = move.reveal() if isinstance(move, Hidden) else move
            write_move_record(self._round.moves.add(), seat, shown, ms, by_referee)
        write_round_result(self._round.result, result)

    def game_over(
        self,
        result: GameResult,
        forfeited: Sequence[int] = (),
        decisions: Sequence[int] = (),
        seconds: Sequence[float] = (),
    ) -> None:
        """Write down the result, and by seat, if it is given, how many decisions were made and how long they took."""
        write_game_result(self.record.result, result, forfeited)
        for count, time in zip(decisions, seconds, strict=True):
            self.record.seats.add(decisions=count, time_us=round(time * 1e6))
