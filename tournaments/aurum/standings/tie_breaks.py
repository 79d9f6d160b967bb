"""Ranks bots by match points, and bots that are level on points by tie-breaks.

The tie-breaks are FIDE's (Handbook C.07, the edition in force from 1 March 2026, article numbers in brackets), in this
order: direct encounter, Buchholz Cut-1, Sonneborn-Berger, margin; then the order of entry. A match of three counts as
three meetings of two, so every sum runs over the opponents met, one or two a round.

Only finished rounds count. In a Swiss every entrant has something in each of them: a match, a bye, or an absence,
before it came or after it left. What an absence does to others is settled by [16.3]: to its opponents a bot that left
has drawn ever since, so that leaving costs them nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from aurum.formats.match_points import match_halves
from aurum.formats.rounds import TournamentRound, finished
from aurum.results.match_totals import Totals

_Meetings = Mapping[str, Sequence[tuple[str, int]]]
"""By bot: each opponent met, and the half points taken from it: 2, 1 or 0."""


@dataclass(frozen=True)
class TieBreaks:
    """A bot's points and tie-breaks. All but `margin` are exact: multiples of 1/2, of 1/4 for Sonneborn-Berger.

    Fields:
        bot: its name.
        points: match points; half a point for a drawn match.
        encounter: its rank in the matches among all that are level with it on points, 1 is best; None if nobody is
            or not all of them have met [6.1, 6.2; not 6.3, which ranks some of those who have not].
        buchholz: the sum of its opponents' points, the least of them left out [8.1, 14.1].
        sonneborn_berger: the sum of its opponents' points, each times what it took from that opponent [9.1].
        margin: the mean difference in card points to each opponent in each game; not of games that one of the two
            forfeited, in which a stand-in may have earned the cards.
    """

    bot: str
    points: float
    encounter: int | None
    buchholz: float
    sonneborn_berger: float
    margin: float


def ranked_by_points(
    rounds: Sequence[TournamentRound], totals: Totals, entered: Sequence[str], byes_give_points: bool
) -> list[TieBreaks]:
    """Every entrant with its points and tie-breaks, the best first.

    Args:
        rounds: of the event so far, in order; those that are not finished do not count.
        totals: of the finished games.
        entered: the bots, in the order of entry.
        byes_give_points: whether a round without a match is a bye, which does, or an absence. Else it is neither:
            everyone rests in turn, so it gives no points and no opponent.
    """
    done = [played for played in rounds if finished(played, totals)]
    meetings = _meetings(done, totals, entered)
    by_rounds = (
        _swiss_totals(done, meetings)
        if byes_give_points
        else {bot: _RoundTotals(_halves(meetings[bot])) for bot in entered}
    )
    level: defaultdict[int, list[str]] = defaultdict(list)
    for bot in entered:
        level[by_rounds[bot].halves].append(bot)
    encounters = {bot: rank for group in level.values() for bot, rank in _encounter(group, meetings).items()}
    margins = _margins(done, totals, entered)

    found = []
    for bot in entered:
        played = [(by_rounds[other].seen, result) for other, result in meetings[bot]]
        unplayed = [*by_rounds[bot].rests, *by_rounds[bot].absences]
        # Of two equal opponents it does not matter which is cut; that of an absence is cut before any other [16.5].
        cut = min(by_rounds[bot].absences or unplayed + played, default=(0, 0))
        found.append(
            TieBreaks(
                bot,
                by_rounds[bot].halves / 2,
                encounters.get(bot),
                (sum(points for points, _ in unplayed + played) - cut[0]) / 2,
                sum(points * result for points, result in unplayed + played) / 4,
                float(margins[bot]),
            )
        )
    return sorted(found, key=_best_first)  # stable: the order of entry is the last tie-break


def _best_first(found: TieBreaks) -> tuple[float, ...]:
    # Encounters of one group are all given or all None, and only within a group do they compare.
    return -found.points, found.encounter or 0, -found.buchholz, -found.sonneborn_berger, -found.margin


@dataclass(frozen=True)
class _RoundTotals:
    """A bot's rounds, in half points.

    `rests` and `absences` stand in for the opponents of rounds without a match: that opponent's points, and what was
    taken from it [16.4].
    """

    halves: int
    extra: int = 0
    """The half points that its opponents count for it beyond `halves`."""
    rests: tuple[tuple[int, int], ...] = ()
    absences: tuple[tuple[int, int], ...] = ()

    @property
    def seen(self) -> int:
        """Its half points as its opponents count them."""
        return self.halves + self.extra


def _swiss_totals(done: Sequence[TournamentRound], meetings: _Meetings) -> dict[str, _RoundTotals]:
    opponents = max((len(match.bots) for played in done for match in played.matches), default=2) - 1
    rests = Counter(bye.bot for played in done for bye in played.byes)
    last: dict[str, int] = {}
    there: Counter[str] = Counter()
    for number, played in enumerate(done, 1):
        for bot in [*(bot for match in played.matches for bot in match.bots), *(bye.bot for bye in played.byes)]:
            last[bot] = number
            there[bot] += 1
    totals = {}
    for bot, met in meetings.items():
        halves = _halves(met) + 2 * opponents * rests[bot]
        # Nobody's own absence or bye counts for more than a bot that has drawn every match [16.4.2].
        stand_in = min(halves, opponents * len(done))
        totals[bot] = _RoundTotals(
            halves,
            opponents * (len(done) - last.get(bot, 0)),  # gone for good: drawn since [16.3.2]
            ((stand_in, 2),) * (opponents * rests[bot]),
            ((stand_in, 0),) * (opponents * (len(done) - there[bot])),
        )
    return totals


def _meetings(done: Sequence[TournamentRound], totals: Totals, entered: Collection[str]) -> _Meetings:
    found: dict[str, list[tuple[str, int]]] = {bot: [] for bot in entered}
    for played in done:
        for match in played.matches:
            halves = dict(zip(match.bots, match_halves(match.bots, totals[match.id]), strict=True))
            for bot in match.bots:
                for other in match.bots:
                    if other != bot:
                        won = 2 if halves[bot] > halves[other] else int(halves[bot] == halves[other])
                        found[bot].append((other, won))
    return found


def _halves(met: Sequence[tuple[str, int]]) -> int:
    return sum(result for _, result in met)


def _encounter(group: Sequence[str], meetings: _Meetings) -> dict[str, int]:
    """Ranks bots that are level by their matches against each other; none if the bot is alone or two have not met.

    Those who met several times count the mean. Who is level within the group is ranked by the matches among those
    alone, and so on.
    """
    between: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for bot in group:
        for other, result in meetings[bot]:
            between[bot, other].append(result)
    if len(group) == 1 or not all(between.get(pair) for pair in combinations(group, 2)):
        return {}

    def tiers(level: Sequence[str]) -> list[Sequence[str]]:
        totals: defaultdict[Fraction, list[str]] = defaultdict(list)
        for bot in level:
            means = (Fraction(sum(met), len(met)) for other in level if (met := between.get((bot, other))))
            totals[sum(means, Fraction())].append(bot)
        if len(totals) == 1:
            return [level]
        return [tier for total in sorted(totals, reverse=True) for tier in tiers(totals[total])]

    ranks: dict[str, int] = {}
    ahead = 0
    for tier in tiers(group):
        ranks |= dict.fromkeys(tier, ahead + 1)
        ahead += len(tier)
    return ranks


def _margins(done: Sequence[TournamentRound], totals: Totals, entered: Collection[str]) -> dict[str, Fraction]:
    total, count = dict.fromkeys(entered, 0), dict.fromkeys(entered, 0)
    for bot, found in (pair for played in done for match in played.matches for pair in totals[match.id].bots.items()):
        total[bot] += found.margin
        count[bot] += found.compared
    return {bot: Fraction(total[bot], count[bot] or 1) for bot in entered}


def tie_break_note(margins_differ: bool) -> str:
    """The note under standings that are sorted by points.

    Args:
        margins_differ: whether the margin that breaks ties differs from the margin over all games.
    """
    margin = "clean margin (margin without forfeited games)" if margins_differ else "margin"
    return (
        "sorted by points; among equals by direct encounter (DE, if all of them have met), Buchholz Cut-1 (BH-C1), "
        f"Sonneborn-Berger (SB), {margin}, order of entry; FIDE C.07 of March 2026"
    )
