"""One finished game as the schedule and the ratings read it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class GameRow:
    """One finished game. All tuples are by side: two entries with four players, three with three.

    match, deal and seating are unique together; (match, deal) is the deal group. `placing` is what is rated and
    scored: 1 is first, equal numbers are shared, sides that forfeited come last. `forfeited` lists sides;
    `faults` and `decisions` are counts, `time_us` the time of those decisions in microseconds, all summed over
    the side's seats. `delayed`: the referee itself was late by more than a tenth of the turn's limit.
    """

    match: str
    deal: int
    seating: int
    bots: tuple[str, ...]
    placing: tuple[int, ...]
    points: tuple[int, ...]
    forfeited: tuple[int, ...]
    faults: tuple[int, ...]
    decisions: tuple[int, ...]
    time_us: tuple[int, ...]
    delayed: bool
