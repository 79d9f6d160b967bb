"""Who takes part in a tournament since when: a history of events, and the field that follows from it.

The spec says which bots are entered, for which rounds; pairings read the spec. An event says when the spec first said
so. The store adds events in the transaction that changes the spec, so the last state of the history is always what the
spec says; `arena verify` compares the two.

A history is a set: two copies of a store have, together, the union of their events. Of a bot that enters again as it
is entered already the earliest time counts, so shards that were begun one after another agree on when it came.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import groupby

from aurum.spec.spec import BotEntry


class EventKind(StrEnum):
    """What an entrant did."""

    ENTERED = "entered"
    WITHDREW = "withdrew"


@dataclass(frozen=True)
class EntrantEvent:
    """A bot entered the tournament, or withdrew from it.

    Attributes:
        time: when the store learned of it (ISO 8601, UTC, to the millisecond); None if no arena noted it. No two
            changes of one store have the same time, but all events of one change have.
        bot: its name.
        event: which of the two. Who enters is entered to the end, also after a withdrawal.
        round: the first round of the tournament for which it holds.
    """

    time: str | None
    bot: str
    event: EventKind
    round: int

    @property
    def order(self) -> tuple[str, str, str, int]:
        """By which a history is sorted; times that nobody noted are earlier than all others."""
        return self.time or "", self.bot, self.event, self.round


@dataclass(frozen=True)
class FieldEntry:
    """A bot of the field, and the rounds it is entered for.

    Attributes:
        bot: its name.
        from_round: its first round.
        until_round: its last round; None is to the end.
        since: when it was entered for these rounds, as an event's time.
    """

    bot: str
    from_round: int
    until_round: int | None
    since: str | None


def entrants_of(history: Iterable[EntrantEvent]) -> list[FieldEntry]:
    """The field after these events, whatever their order; sorted by name."""
    field: dict[str, FieldEntry] = {}
    for (time, bot), change in groupby(
        sorted(history, key=lambda event: event.order), key=lambda event: (event.time, event.bot)
    ):
        before = after = field.get(bot)
        for event in change:
            if event.event is EventKind.ENTERED:
                after = FieldEntry(bot, event.round, None, time)
            elif after is not None:
                after = replace(after, until_round=event.round - 1, since=time)
        if after is not None and (before is None or _rounds(before) != _rounds(after)):
            field[bot] = after
    return [field[bot] for bot in sorted(field)]


def disagreements(field: Iterable[FieldEntry], bots: Iterable[BotEntry]) -> list[str]:
    """The names of the bots for which a field and the bots of a spec do not say the same."""
    entered = {bot.name: (bot.from_round, bot.until_round) for bot in bots}
    recorded = {entrant.bot: _rounds(entrant) for entrant in field}
    return [name for name in dict.fromkeys((*entered, *recorded)) if entered.get(name) != recorded.get(name)]


def changes(history: Iterable[EntrantEvent], bots: Iterable[BotEntry]) -> list[EntrantEvent]:
    """The events of now after which the field is what the bots of a spec say; none if it is so already."""
    history = list(history)
    field = {entrant.bot: entrant for entrant in entrants_of(history)}
    now = _time_after(history)
    return [event for bot in bots for event in _events(field.get(bot.name), bot, now)]


def _events(before: FieldEntry | None, bot: BotEntry, now: str) -> Iterator[EntrantEvent]:
    if before is not None and _rounds(before) == (bot.from_round, bot.until_round):
        return
    if before is None or before.from_round != bot.from_round or bot.until_round is None:
        yield EntrantEvent(now, bot.name, EventKind.ENTERED, bot.from_round)
    if bot.until_round is not None:
        yield EntrantEvent(now, bot.name, EventKind.WITHDREW, bot.until_round + 1)


def _time_after(history: Iterable[EntrantEvent]) -> str:
    """The time; or, if the clock was set back since, the one after the last event's, so that the order is kept."""
    last = max((event.time for event in history if event.time), default="")
    now = _text(datetime.now(UTC))
    return now if now > last else _text(datetime.fromisoformat(last) + timedelta(milliseconds=1))


def _text(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds")


def _rounds(entrant: FieldEntry) -> tuple[int, int | None]:
    return entrant.from_round, entrant.until_round
