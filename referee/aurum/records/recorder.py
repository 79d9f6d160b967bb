"""Writes a game down as it is played (the record of proto/aurum/v1/record.proto)."""

from collections.abc import Sequence

from aurum.rules import PASS, Game, Move, RoundEnd, placing
from aurum.v1 import record_pb2
from aurum.wire.cards import all_to_wire
from aurum.wire.game import write_round_result, write_ruleset
from aurum.wire.records import write_move_record


class Recorder:
    """The record of one game, written while `game` is played: `record`.

    Moves are written at the end of their round, all at once: with many games under way, code that runs for one move
    here and one there is never in the caches.
    """

    def __init__(self, game: Game, id: str, deal_number: int) -> None:  # noqa: A002 - the record's own word
        self.record = record_pb2.GameRecord(id=id, deal_key=game.deal.key, deal=deal_number)
        write_ruleset(self.record.ruleset, game.ruleset)
        self.deal(game)

    def deal(self, game: Game) -> None:
        """Write down the cards of the round that was just dealt."""
        self._moves: list[tuple[int, Move, int, bool]] = []
        self._round = self.record.rounds.add()
        self._round.first_player = game.round.first_player
        for hand in game.cards.hands:
            self._round.hands.add().cards.extend(all_to_wire(hand))
        self._round.leftover.extend(all_to_wire(game.cards.leftover))

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
            write_move_record(self._round.moves.add(), *move)
        write_round_result(self._round.result, game.results[-1])
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
