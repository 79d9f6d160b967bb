"""Events of entrants: what a history of them comes to, in whatever order it is put together."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from aurum.spec.spec import BotEntry
from aurum.store.entrants import EntrantEvent, EventKind, FieldEntry, changes, disagreements, entrants_of
from hypothesis import given
from hypothesis import strategies as st

Field = tuple[BotEntry, ...]


def bot(name: str, from_round: int = 1, until_round: int | None = None) -> BotEntry:
    """An entry of a spec."""
    return BotEntry(name, ("true",), Path("/"), (), from_round=from_round, until_round=until_round)


STAYS = [(first, last) for first in range(1, 4) for last in (None, *range(first, 4))]
"""First and last round of a bot."""

fields = st.tuples(*(st.sampled_from([bot(name, *stay) for stay in STAYS]) for name in "ab"))
"""Two bots, each entered for some rounds."""


def history_of(amendments: Sequence[Field], times: Iterable[str | None]) -> list[EntrantEvent]:
    """The events of a tournament that was amended so, at these times."""
    history: list[EntrantEvent] = []
    for field, time in zip(amendments, times, strict=True):
        history += [replace(event, time=time) for event in changes(history, field)]
    return history


@st.composite
def histories(draw: st.DrawFn, store: int, last: Field) -> list[EntrantEvent]:
    """What one of some stores noted of a tournament that has come to this field, each change at a time of its own."""
    amendments = [*draw(st.lists(fields, max_size=3)), last]
    size = len(amendments)
    times = sorted(draw(st.sets(st.integers(0, 99), min_size=size, max_size=size)))
    return history_of(amendments, [f"1999, {time:02}.{store}" for time in times])


@given(st.lists(fields, min_size=1, max_size=5))
def test_a_history_comes_to_what_the_spec_says(amendments: list[Field]) -> None:
    """After each amendment, also when they follow each other faster than a clock ticks."""
    history: list[EntrantEvent] = []
    for field in amendments:
        history += changes(history, field)
        assert [] == disagreements(entrants_of(history), field)
        assert [] == changes(history, field)
    times = [event.time for event in history]
    assert sorted(times, key=str) == times


@given(st.data())
def test_histories_put_together(data: st.DataObject) -> None:
    """Those of stores that agree on the field come to it together, in whatever order."""
    field = data.draw(fields)
    stores = [data.draw(histories(store, field)) for store in range(data.draw(st.integers(1, 3)))]
    union = {event for history in stores for event in history}
    assert [] == disagreements(entrants_of(union), field)
    mixed = data.draw(st.permutations(sorted(union, key=lambda event: event.order)))
    assert entrants_of(union) == entrants_of(mixed)


@pytest.mark.parametrize("earlier", [None, "08:00"])
def test_the_earliest_time_counts(earlier: str | None) -> None:
    """Of stores that began with the same bots; a time that nobody noted is the earliest."""
    field = (bot("a"), bot("b", 2, 3))
    history = [*history_of([field], ["09:00"]), *history_of([field], [earlier])]
    assert [FieldEntry("a", 1, None, earlier), FieldEntry("b", 2, 3, earlier)] == entrants_of(history)


def test_who_comes_back_is_there_since_then() -> None:
    """A withdrawal that is taken back, before the round from which on it would have held."""
    history = history_of([(bot("a"),), (bot("a", 1, 3),), (bot("a"),)], ["1", "2", "3"])
    assert [
        EntrantEvent("1", "a", EventKind.ENTERED, 1),
        EntrantEvent("2", "a", EventKind.WITHDREW, 4),
        EntrantEvent("3", "a", EventKind.ENTERED, 1),
    ] == history
    assert [FieldEntry("a", 1, 3, "2")] == entrants_of(history[:2])
    assert [FieldEntry("a", 1, None, "3")] == entrants_of(history)


def test_a_clock_that_was_set_back() -> None:
    """The new event comes after the old ones all the same."""
    history = history_of([(bot("a"),)], ["2999-12-31T23:59:59.999+00:00"])
    (event,) = changes(history, [bot("a", 2)])
    assert EntrantEvent("3000-01-01T00:00:00.000+00:00", "a", EventKind.ENTERED, 2) == event
