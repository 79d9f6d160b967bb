"""The table of a stored tournament, with everything that should be read beneath it."""

from dataclasses import replace

from aurum.tournaments.conduct import Conduct
from aurum.tournaments.formats import Format
from aurum.tournaments.ranking import Event
from aurum.tournaments.ratings import Model
from aurum.tournaments.schedule import group_size
from aurum.tournaments.shards import Shard, deal_total
from aurum.tournaments.spec import Spec
from aurum.tournaments.standings import Standings, standings
from aurum.tournaments.store import Store
from aurum.tournaments.swiss import swiss_notes
from aurum.tournaments.wording import counted


def game_total(spec: Spec, shard: Shard | None = None) -> int:
    """Games of the whole tournament, or of a part of it."""
    total = deal_total(spec)
    return (total if shard is None else len(shard.deals(total))) * group_size(spec)


def standings_of(store: Store, model: Model = Model.DAVIDSON_LUCE) -> Standings:
    """The standings as they are stored now, whether or not the tournament is finished."""
    spec = store.spec
    with store.frozen():
        conduct, rounds = Conduct(spec.clock.turn_ms, store.units()), store.rounds()
        table = standings(
            store.games(),
            bots=[bot.name for bot in spec.bots],
            anchor=spec.anchor,
            event=Event(spec.format, rounds, spec.rank_by),
            benched=conduct.benched,
            model=model,
        )
        finished = store.finished is not None
    pairings = swiss_notes(rounds) if spec.format is Format.SWISS else ()
    notes = [*table.notes, *pairings, *conduct.machine_notes().values()]
    if store.shard is not None:
        notes.insert(
            0,
            f"partial: shard {store.shard}, {table.games} of its {counted(game_total(spec, store.shard), 'game')} are "
            f"played; the whole tournament has {game_total(spec)}: `arena merge` puts shards together",
        )
    elif not finished:
        notes.insert(0, f"unfinished: {table.games} of {game_total(spec)} games are played")
    return replace(table, notes=tuple(notes))
