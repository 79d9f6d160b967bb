"""The matches of a tournament and what came of them, and what every two bots came to: its cross table."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from aurum.formats.match_points import match_halves
from aurum.formats.rounds import Bye, Match, finished
from aurum.results.game_arrays import GameArrays
from aurum.results.match_totals import MatchTotals, Totals, by_match
from aurum.spec.spec import Spec
from aurum.standings.stored import standings_of
from aurum.store.store import Store


@dataclass(frozen=True)
class MatchResult:
    """A match as far as it is played. Figures of bots are in the order of `bots`.

    Fields:
        id, round, bots: as in the schedule.
        games: finished ones.
        planned: games of the whole match.
        score: in games, 1 for each other side that came after the bot's own, 0.5 for each that was equal.
        card_points: in games.
        forfeits: games lost by faults.
        points: for the standings, None until all games are finished.
        advances: the bot that goes on alone, in a format that puts bots out.
    """

    id: str
    round: int
    bots: tuple[str, ...]
    games: int
    planned: int
    score: tuple[float, ...]
    card_points: tuple[int, ...]
    forfeits: tuple[int, ...]
    points: tuple[float, ...] | None
    advances: str | None


@dataclass(frozen=True)
class RoundMatches:
    """A round with its matches; `byes` are of bots without one. `finished` says whether all games are there."""

    number: int
    title: str
    finished: bool
    matches: tuple[MatchResult, ...]
    byes: tuple[Bye, ...]


@dataclass(frozen=True)
class Encounter:
    """What a bot scored in all of its games with another: a share of `games`, each won for 1 and drawn for 0.5."""

    score: float
    games: int


@dataclass(frozen=True)
class Matches:
    """Who plays whom, and how it ended.

    Fields:
        name: of the tournament.
        done: whether it is finished.
        rounds: those that are paired.
        to_come: how many more there will be.
        resting: what a bot without a match has: "bye", or "rests" where everyone does in turn.
        bots: every entrant, the best first.
        encounters: by bot and other bot, where they have met.
    """

    name: str
    done: bool
    rounds: tuple[RoundMatches, ...]
    to_come: int
    resting: str
    bots: tuple[str, ...]
    encounters: Mapping[tuple[str, str], Encounter]


def matches_of(store: Store) -> Matches:
    """The matches of a stored tournament as they are now, whether or not it is finished."""
    spec = store.spec
    with store.frozen():
        rounds, games, done = store.rounds(), store.game_arrays(), store.finished is not None
    totals, forfeits = by_match([games]), _forfeits(games)
    return Matches(
        spec.name,
        done,
        tuple(
            RoundMatches(
                played.number,
                spec.format.round_title(spec, played.number),
                finished(played, totals),
                tuple(_result(spec, match, totals, forfeits) for match in played.matches),
                played.byes,
            )
            for played in rounds
        ),
        1 + len(spec.format.matches_to_come(spec, rounds[:1])) - len(rounds) if rounds and spec.format.waits else 0,
        "bye" if spec.format.bye_note else "rests",
        tuple(row.bot for row in standings_of(store).rows),
        encounters([games]),
    )


def encounters(games: Sequence[GameArrays]) -> dict[tuple[str, str], Encounter]:
    """By bot and other bot, what the first scored in their games. In a game of three, every two bots meet."""
    found: dict[tuple[str, str], Encounter] = {}
    for played in games:
        halves = np.zeros((len(played.bots), len(played.bots)), dtype=np.int64)
        met = np.zeros_like(halves)
        for side, other in permutations(range(played.sides), 2):
            pair = played.bot[:, side], played.bot[:, other]
            mine, theirs = played.placing[:, side], played.placing[:, other]
            np.add.at(halves, pair, 2 * (mine < theirs) + (mine == theirs))
            np.add.at(met, pair, 1)
        for bot, other in np.argwhere(met):
            if bot != other:
                key = played.bots[bot], played.bots[other]
                found[key] = Encounter(float(halves[bot, other]) / 2, int(met[bot, other]))
    return found


def _result(spec: Spec, match: Match, totals: Totals, forfeits: Mapping[tuple[str, str], int]) -> MatchResult:
    nothing = MatchTotals(0, {})
    played = totals.get(match.id, nothing)
    whole = played.games == match.games
    bots = [played.bots.get(bot) for bot in match.bots]
    return MatchResult(
        match.id,
        match.round,
        match.bots,
        played.games,
        match.games,
        tuple(found.halves / 2 if found else 0.0 for found in bots),
        tuple(found.points if found else 0 for found in bots),
        tuple(forfeits.get((match.id, bot), 0) for bot in match.bots),
        tuple(halves / 2 for halves in match_halves(match.bots, played)) if whole else None,
        spec.format.advancing(match, played) if whole else None,
    )


def _forfeits(games: GameArrays) -> dict[tuple[str, str], int]:
    """By match and bot, the games that it forfeited."""
    game, side = np.nonzero(games.forfeited)
    pairs = zip(games.match[game].tolist(), games.bot[game, side].tolist(), strict=True)
    return {(games.matches[match], games.bots[bot]): times for (match, bot), times in Counter(pairs).items()}
