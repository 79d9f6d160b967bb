"""Reads the record of a finished game into its GameRow; makes and splits the ids of games."""

from aurum.results.game_row import GameRow
from aurum.rules import sides_of
from aurum.v1.record_pb2 import GameRecord


def game_id(tournament: str, match: str, deal: int, seating: int) -> str:
    """The id of a game, as its record has it."""
    return f"{tournament}/{match}/{deal}/{seating}"


def split_game_id(id: str) -> tuple[str, int, int]:  # noqa: A002 - the record's own word
    """Match, deal and seating of the game with this id. Raises ValueError if it is not an id that `game_id` makes."""
    parts = id.rsplit("/", 3)
    if len(parts) == 4 and parts[2].isdecimal() and parts[3].isdecimal():
        match, deal, seating = parts[1], int(parts[2]), int(parts[3])
        if game_id(parts[0], match, deal, seating) == id:
            return match, deal, seating
    raise ValueError(f"the id {id!r} is not tournament/match/deal/seating")


def row_of(record: GameRecord) -> GameRow:
    """The row of a record: its seats are summed up by side. Raises ValueError if its id is malformed."""
    match, deal, seating = split_game_id(record.id)
    sides = sides_of(len(record.seats))
    seats = record.seats
    faulty = [fault.seat for fault in record.faults]
    return GameRow(
        match=match,
        deal=deal,
        seating=seating,
        bots=tuple(seats[side[0]].bot for side in sides),
        placing=tuple(record.result.placing),
        points=tuple(record.result.points),
        forfeited=tuple(record.result.forfeited),
        faults=tuple(sum(faulty.count(seat) for seat in side) for side in sides),
        decisions=tuple(sum(seats[seat].decisions for seat in side) for side in sides),
        time_us=tuple(sum(seats[seat].time_us for seat in side) for side in sides),
        delayed=record.delayed,
    )
