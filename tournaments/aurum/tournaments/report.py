"""The table of a stored tournament, with everything that should be read beneath it."""

from dataclasses import replace

from aurum.tournaments.conduct import Conduct
from aurum.tournaments.formats import Format
from aurum.tournaments.schedule import group_size, match_count
from aurum.tournaments.spec import Spec
from aurum.tournaments.standings import Standings, standings
from aurum.tournaments.store import Store


def game_total(spec: Spec) -> int:
    """Games of the whole tournament."""
    return match_count(spec) * spec.deals * group_size(spec)


def standings_of(store: Store) -> Standings:
    """The standings as they are stored now, whether or not the tournament is finished."""
    spec = store.spec
    with store.frozen():
        conduct = Conduct(spec.clock.turn_ms, store.units())
        table = standings(
            store.games(),
            bots=[bot.name for bot in spec.bots],
            anchor=spec.anchor,
            swiss=store.rounds() if spec.format is Format.SWISS else (),
            benched=conduct.benched,
        )
        finished = store.finished is not None
    notes = [*table.notes, *conduct.machine_notes().values()]
    if not finished:
        notes.insert(0, f"unfinished: {table.games} of {game_total(spec)} games are played")
    return replace(table, notes=tuple(notes))
