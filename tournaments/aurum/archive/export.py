"""Exports the games of a tournament, one line of JSON each."""

from collections.abc import Iterator

from aurum.common.errors import UserError
from aurum.records.json_lines import to_line
from aurum.store.store import Store
from aurum.v1.record_pb2 import GameRecord


def refuse_unfinished(store: Store, unfinished: bool) -> None:
    """Raise UserError if it is not finished, and `unfinished` does not allow that: records show every hand."""
    if store.finished is None and not unfinished:
        raise UserError(
            f"{store.path}: the tournament is not finished, and its records show every hand: "
            "finish it with the command that began it, or give --unfinished"
        )


def export_lines(store: Store, unfinished: bool = False) -> Iterator[str]:
    """Every game of a tournament as a line, by deal and seating.

    Raises:
        UserError: it is not finished and `unfinished` does not allow that: a record shows every hand, and while
            games are to be played a bot could be tuned to how its opponents bid and hold back.
    """
    refuse_unfinished(store, unfinished)
    return (to_line(GameRecord.FromString(record)) for _, record in store.records())
