"""The knockout: whoever loses a match is out, and the standings say how far everyone came."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from aurum.formats.event_spec import EventSpec
from aurum.formats.format import Complaint, Draw, Format, Reached
from aurum.formats.match_points import match_halves
from aurum.formats.options import RankBy, Seeding
from aurum.formats.rounds import Match, TournamentRound, finished
from aurum.pairing.bracket import advanced, drawn, meetings, round_count
from aurum.pairing.swiss_pairs import lot
from aurum.results.match_totals import MatchTotals, Totals


class Knockout(Format):
    """A round is drawn from the winners of the one before."""

    word = "knockout"
    own_keys = {"tournament.seeding": 'only a knockout has seeds: remove the key, or set format = "knockout"'}
    rank_by = RankBy.PROGRESS
    bye_note = "byes, which are not rated"
    waits = True

    def complaints(self, spec: EventSpec) -> Iterable[Complaint]:
        """It has two sides and one order."""
        if spec.rank_by is not self.rank_by:
            yield Complaint("tournament.rank_by", "a knockout ranks by how far a bot came: remove the key")
        if spec.side_count != 2:
            yield Complaint(
                "tournament.players",
                "a knockout is for two sides, since a match puts out one of two bots: set players = 4, or another "
                "format",
            )

    def draws(
        self, spec: EventSpec, secret: bytes, rounds: Sequence[TournamentRound], totals: Totals
    ) -> Iterator[Draw]:
        """By the bracket; where the field is no power of two the top seeds have a bye in the first round."""
        names = seeds(spec, secret)
        slots = drawn(len(names))
        while len(slots) > 1:
            pairings = [(names[better], names[other]) for better, other in meetings(slots)]
            yield Draw(len(rounds) + 1, pairings, [names[seed] for seed in slots if seed is not None])
            beaten = {names.index(bot) for match in rounds[-1].matches for bot in _losers(match, totals)}
            slots = advanced(slots, beaten)

    def match_count(self, spec: EventSpec) -> int:
        """Each puts one bot out, until one is left."""
        return len(spec.bots) - 1

    def matches_to_come(self, spec: EventSpec, ready: Sequence[TournamentRound]) -> Sequence[int]:
        """Each round halves the field."""
        left = sum(len(drawn.matches) + len(drawn.byes) for drawn in ready)
        counts = []
        while left > 1:
            counts.append(left // 2)
            left -= left // 2
        return counts

    def round_title(self, spec: EventSpec, number: int) -> str:
        """With how near the end it is, for the last of them."""
        plain, name = f"round {number}", round_name(number, len(spec.bots))
        return plain if name == plain else f"{plain} ({name})"

    def advancing(self, match: Match, totals: MatchTotals) -> str | None:
        """The winner."""
        return winner(match, totals)

    def progress(
        self, bots: Collection[str], rounds: Sequence[TournamentRound], totals: Totals
    ) -> Mapping[str, Reached]:
        """By the round in which a bot was put out."""
        return {
            bot: Reached(number, round_name(number, len(bots)))
            for bot, number in eliminated(bots, rounds, totals).items()
        }


def seeds(spec: EventSpec, secret: bytes) -> list[str]:
    """The bots, the best seed first: in the order of the spec, or drawn by lot."""
    names = [bot.name for bot in spec.bots]
    return sorted(names, key=lambda bot: lot(secret, "seed", bot)) if spec.seeding is Seeding.LOT else names


def winner(match: Match, totals: MatchTotals) -> str:
    """Who goes on after games with these totals: by points, then by the margin in card points, then as the better seed.

    The points are those of a Swiss match: by which bot outdid the other in more games. The better seed stands first.
    """
    better, other = match.bots
    ahead = match_halves(match.bots, totals)
    better_points, other_points = (totals.bots[bot].points for bot in match.bots)
    return other if (ahead[1], other_points) > (ahead[0], better_points) else better


def eliminated(bots: Iterable[str], rounds: Iterable[TournamentRound], totals: Totals) -> dict[str, int]:
    """By bot, the round in which it was put out; whoever is still in has a number above all rounds so far.

    When the last round is finished, that is the winner alone. Only finished rounds count.
    """
    done = [played for played in rounds if finished(played, totals)]
    out = dict.fromkeys(bots, 1 + max((played.number for played in done), default=0))
    for played in done:
        for match in played.matches:
            out |= dict.fromkeys(_losers(match, totals), played.number)
    return out


def round_name(number: int, field: int) -> str:
    """What the round of this number is called in a knockout of so many bots; the one after the final: `won`."""
    return _NAMES.get(round_count(field) - number, f"round {number}")


_NAMES: Mapping[int, str] = {-1: "won", 0: "final", 1: "semifinal", 2: "quarterfinal"}
"""By the rounds that come after."""


def _losers(match: Match, totals: Totals) -> list[str]:
    won = winner(match, totals[match.id])
    return [bot for bot in match.bots if bot != won]


KNOCKOUT = Knockout()
