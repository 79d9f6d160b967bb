"""Events made by lot, without playing, and what independent programs for chess tournaments say of their reports."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from aurum.formats.rounds import Bye, Match, TournamentRound
from aurum.results.game_row import GameRow
from aurum.results.match_totals import Totals, by_match
from aurum.schedule.schedule import rounds_ready
from aurum.spec.spec import Spec
from gacrux.tiebreak import tiebreak
from gacrux.trf2json import trf2json
from tiebreak_core import GameRecord, PlayerTiebreakData, calculate_all_strict
from tournament_rows import rows_of

SECRET = bytes(32)


@dataclass(frozen=True)
class Event:
    """Finished rounds, their games, and the bots in the order of entry."""

    bots: list[str]
    rounds: list[TournamentRound]
    games: list[GameRow]
    swiss: bool

    @property
    def totals(self) -> Totals:
        """What the games come to, by match."""
        return by_match(self.games)


@dataclass(frozen=True)
class Marks:
    """What a program makes of one bot."""

    points: float
    buchholz_cut1: float
    sonneborn_berger: float


def match_rows(match: Match, chance: random.Random) -> list[GameRow]:
    """The games of a match, each deal with a placing by lot."""
    worth = {bot: chance.randrange(3) for bot in match.bots}
    return rows_of(match, lambda bots: [1 + sum(worth[other] > worth[bot] for other in bots) for bot in bots])


def played(spec: Spec, chance: random.Random) -> Event:
    """The whole event of a spec, with results by lot."""
    rows: list[GameRow] = []
    while True:
        rounds = rounds_ready(spec, SECRET, by_match(rows))
        new = [match for drawn in rounds for match in drawn.matches if match.id not in {row.match for row in rows}]
        if not new:
            return Event([bot.name for bot in spec.bots], rounds, rows, spec.rounds is not None)
        rows += [row for match in new for row in match_rows(match, chance)]


def patchy(field: int, rounds: int, chance: random.Random, sides: int = 2) -> Event:
    """An event in which bots come late and leave early, paired by nothing but lot."""
    bots = [f"b{number}" for number in range(field)]
    span = {bot: (chance.choice([1, 1, 1, 2, 3]), rounds - chance.choice([0, 0, 0, 1, 2])) for bot in bots}
    drawn, rows, deal = [], [], 0
    for number in range(1, rounds + 1):
        there = [bot for bot in bots if span[bot][0] <= number <= span[bot][1]]
        chance.shuffle(there)
        resting = [there.pop() for _ in range(len(there) % sides)]
        matches: list[Match] = []
        for at in range(0, len(there), sides):
            match = Match(f"r{number}m{len(matches) + 1}", number, tuple(there[at : at + sides]), deal, 2)
            deal += 2
            matches.append(match)
            rows += match_rows(match, chance)
        drawn.append(TournamentRound(number, tuple(matches), tuple(Bye(number, bot) for bot in resting)))
    return Event(bots, drawn, rows, True)


def renamed(event: Event, names: Mapping[str, str]) -> Event:
    """The event with other names."""
    rounds = [
        TournamentRound(
            drawn.number,
            tuple(replace(match, bots=tuple(names[bot] for bot in match.bots)) for match in drawn.matches),
            tuple(Bye(drawn.number, names[bye.bot]) for bye in drawn.byes),
        )
        for drawn in event.rounds
    ]
    games = [replace(row, bots=tuple(names[bot] for bot in row.bots)) for row in event.games]
    return Event([names[bot] for bot in event.bots], rounds, games, event.swiss)


def by_gacrux(lines: Sequence[str], *, swiss: bool) -> list[Marks]:
    """gacrux on a TRF report, in the order of entry. It must have nothing to object to."""
    file = trf2json()
    file.parse_file("\n".join(lines) + "\n", 0)
    assert file.get_status() == 0, file.chessjson["status"]
    tournament = file.get_tournament(1)
    asked = {"tiebreak": ["PTS", "BH/C1", "SB"], "swiss": swiss, "pre_determined": not swiss, "check": False}
    result = tiebreak(tournament, -1, asked).compute_tiebreaks(tournament, asked)
    found = sorted(result["competitors"], key=lambda competitor: competitor["cid"])
    return [Marks(*map(float, competitor["tiebreakScore"])) for competitor in found]


def by_tiebreak_core(lines: Sequence[str], *, swiss: bool) -> list[Marks]:
    """tiebreak-core on the columns of a TRF report, in the order of entry; C.07 of 2026."""
    taken = {"1": 1.0, "=": 0.5, "0": 0.0, "U": 1.0, "Z": 0.0}
    players, rounds = {}, 0
    for line in lines:
        if not line.startswith("001"):
            continue
        games = []
        for number, at in enumerate(range(91, len(line), 10), 1):
            rounds = max(rounds, number)
            opponent, colour, result = int(line[at : at + 4]), line[at + 5], line[at + 7]
            if opponent:
                games.append(
                    GameRecord(opponent, 0, taken[result], {"w": "white", "b": "black"}[colour], number, "played")
                )
            elif swiss:
                kind = "pairing_bye" if result == "U" else "requested_bye"
                games.append(GameRecord(-1, 0, taken[result], "white", number, kind))
        players[int(line[4:8])] = PlayerTiebreakData(int(line[4:8]), 0, float(line[80:84]), games)
    mode = "swiss" if swiss else "round_robin"
    found = []
    for _, player in sorted(players.items()):
        asked = ["buchholz_cut1", "sonneborn_berger"]
        values = calculate_all_strict(player, players, asked, rounds, "fide-2026", mode=mode)
        found.append(Marks(player.points, *(values[name] for name in asked)))
    return found


PROGRAMS: tuple[Callable[..., list[Marks]], ...] = (by_gacrux, by_tiebreak_core)
