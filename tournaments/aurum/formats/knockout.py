"""A knockout: its seeds, its rounds, who won a match, and how far everyone came."""

from collections.abc import Iterable, Sequence

from aurum.formats.options import Seeding
from aurum.formats.points import Games, finished, match_halves
from aurum.formats.rounds import Match, Round
from aurum.pairing.bracket import Slots, advanced, drawn, meetings
from aurum.pairing.swiss import lot
from aurum.results.game_row import GameRow
from aurum.spec.spec import Spec


def seeds(spec: Spec, secret: bytes) -> list[str]:
    """The bots, the best seed first: in the order of the spec, or drawn by lot."""
    names = [bot.name for bot in spec.bots]
    return sorted(names, key=lambda bot: lot(secret, "seed", bot)) if spec.seeding is Seeding.LOT else names


def winner(match: Match, rows: Sequence[GameRow]) -> str:
    """Who goes on after these games: by points, then by the margin in card points, then as the better seed.

    The points are those of a Swiss match: by which bot outdid the other in more games. The better seed stands first.
    """
    better, other = match.bots
    ahead = match_halves(match.bots, rows)
    card_points = dict.fromkeys(match.bots, 0)
    for row in rows:
        for bot, points in zip(row.bots, row.points, strict=True):
            card_points[bot] += points
    return other if (ahead[1], card_points[other]) > (ahead[0], card_points[better]) else better


def next_slots(slots: Slots, names: Sequence[str], played: Round, games: Games) -> list[int | None]:
    """The slots after a finished round."""
    won = {winner(match, games[match.id]) for match in played.matches}
    beaten = {names.index(bot) for match in played.matches for bot in match.bots if bot not in won}
    return advanced(slots, beaten)


def first_slots(spec: Spec) -> list[int | None]:
    """The slots of the first round."""
    return drawn(len(spec.bots))


def tables_of(slots: Slots, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Who meets whom at these slots, the better seed first."""
    return [(names[better], names[other]) for better, other in meetings(slots)]


def eliminated(bots: Iterable[str], rounds: Iterable[Round], games: Games) -> dict[str, int]:
    """By bot, the round in which it was put out; whoever is still in has a number above all rounds so far.

    When the last round is finished, that is the winner alone. Only finished rounds count.
    """
    done = [played for played in rounds if finished(played, games)]
    out = dict.fromkeys(bots, 1 + max((played.number for played in done), default=0))
    for played in done:
        for match in played.matches:
            won = winner(match, games[match.id])
            out |= {bot: played.number for bot in match.bots if bot != won}
    return out
