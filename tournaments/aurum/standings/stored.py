"""The standings of a stored tournament, with all notes that belong beneath them."""

from dataclasses import replace

from aurum.common.texts import counted
from aurum.schedule.shards import game_total
from aurum.standings.ranking import Event
from aurum.standings.ratings import Model
from aurum.standings.standings import Standings, standings
from aurum.store.store import Store


def standings_of(store: Store, model: Model = Model.POSTERIOR) -> Standings:
    """The standings as they are stored now, whether or not the tournament is finished."""
    spec = store.spec
    with store.frozen():
        health, rounds = store.health(), store.rounds()
        table = standings(
            [store.game_arrays()],
            bots=[bot.name for bot in spec.bots],
            anchor=spec.anchor,
            event=Event(spec.format, rounds, spec.rank_by),
            benched=health.benched,
            model=model,
        )
        finished = store.finished is not None
        voidings = store.voidings()
    notes = [*table.notes, *spec.format.notes(rounds), *health.machine_notes().values()]
    notes += [voiding.note for voiding in voidings]
    if store.shard is not None:
        notes.insert(
            0,
            f"partial: shard {store.shard}, {table.games} of its {counted(game_total(spec, store.shard), 'game')} are "
            f"played; the whole tournament has {game_total(spec)}: `arena merge` puts shards together",
        )
    elif not finished:
        notes.insert(0, f"unfinished: {table.games} of {game_total(spec)} games are played")
    secret = store.secret.hex() if finished else None
    return replace(table, notes=tuple(notes), commitment=store.commitment, secret=secret)
