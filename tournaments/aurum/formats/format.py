"""What a tournament format is: one object that answers every question whose answer depends on the format.

A format is one module with a subclass of `Format` and one line in `registry.FORMATS`. Nothing outside this package
asks which format a tournament has.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from aurum.formats.event_spec import EventSpec
from aurum.formats.options import RankBy
from aurum.formats.rounds import Bye, Match, TournamentRound, finished
from aurum.results.match_totals import MatchTotals, Totals


class Complaint(NamedTuple):
    """What is wrong with a spec: the key as errors name it (`bots[2].from_round`), and a sentence."""

    key: str
    sentence: str


class Reached(NamedTuple):
    """How far a bot came: a number, larger for farther, and what that is called."""

    number: int
    name: str


@dataclass(frozen=True)
class Draw:
    """Who meets whom in the round of this number, from 1; bots of its field without a pairing have a bye."""

    number: int
    pairings: Sequence[tuple[str, ...]]
    field: Collection[str]


@dataclass(frozen=True)  # without fields: two objects of one format are equal, also after a copy to another process
class Format(ABC):
    """A way to find opponents, with everything that depends on it."""

    word: ClassVar[str]
    """What the spec calls it."""
    own_keys: ClassVar[Mapping[str, str]] = {}
    """Keys of the spec (`tournament.rounds`, `bots.from_round`) that only this format takes, and other formats that
    list them too; with the sentence for a spec of another format that has them."""
    rank_by: ClassVar[RankBy] = RankBy.ELO
    """What the standings are sorted by unless the spec says otherwise."""
    byes_give_points: ClassVar[bool] = False
    """Whether a bye gives the points of a win, and a round without match or bye is an absence. Then the standings show
    points whatever they are sorted by. Otherwise everyone rests in turn, which counts as nothing."""
    bye_note: ClassVar[str] = ""
    """What a list of the byes says of them; empty where resting is no bye, and nothing is listed."""
    trf_system: ClassVar[str | None] = None
    """How a TRF report says that it was paired; None where TRF cannot report it."""
    amendable: ClassVar[bool] = False
    """Whether bots may be added, and come and go, while the tournament is played."""
    waits: ClassVar[bool] = False
    """Whether results decide who meets whom: each round is then drawn when the one before is finished."""

    def __str__(self) -> str:
        return self.word

    def title(self, spec: EventSpec) -> str:
        """How progress and reports name such a tournament."""
        return self.word.replace("_", " ")

    def complaints(self, spec: EventSpec) -> Iterable[Complaint]:
        """What such a tournament cannot be played with, the most important first; keys of others are not looked at."""
        return ()

    def usual_challengers(self, bots: Sequence[str]) -> tuple[str, ...]:
        """The challengers among these bots if the spec names none."""
        return ()

    def field(self, spec: EventSpec, number: int) -> list[str]:
        """The bots that are to take part in the round of this number."""
        return [bot.name for bot in spec.bots]

    @abstractmethod
    def draws(
        self, spec: EventSpec, secret: bytes, rounds: Sequence[TournamentRound], totals: Totals
    ) -> Iterator[Draw]:
        """Every round in its turn: a pure function of the spec, the secret and the results.

        Args:
            spec: the tournament.
            secret: 32 bytes that decide what is drawn by lot.
            rounds: those drawn before, which grow by each draw. Where the format waits, all of them are finished
                when the next draw is asked for.
            totals: of the finished games; of no interest to a format that does not wait.
        """

    @abstractmethod
    def match_count(self, spec: EventSpec) -> int:
        """Matches of the whole tournament."""

    def matches_to_come(self, spec: EventSpec, ready: Sequence[TournamentRound]) -> Sequence[int]:
        """How many matches each round has that is drawn after these, the rounds that are ready before any result."""
        return ()

    def progress(
        self, bots: Collection[str], rounds: Sequence[TournamentRound], totals: Totals
    ) -> Mapping[str, Reached]:
        """How far each of the bots came in these rounds. Only of formats with `rank_by` PROGRESS."""
        raise NotImplementedError(f"nobody comes farther than others in a {self}")

    def round_title(self, spec: EventSpec, number: int) -> str:
        """How people call the round of this number."""
        return f"round {number}"

    def advancing(self, match: Match, totals: MatchTotals) -> str | None:
        """The bot that a match with all of its games lets go on alone; None where nobody is put out."""
        return None

    def notes(self, rounds: Sequence[TournamentRound]) -> Iterable[str]:
        """What the organiser should know of how these rounds were drawn, a sentence each."""
        return ()

    def warnings(self, spec: EventSpec) -> Iterable[str]:
        """What the organiser should know before the first game, a sentence each."""
        return ()

    def rounds_ready(
        self, spec: EventSpec, secret: bytes, totals: Totals, until_round: int | None = None
    ) -> list[TournamentRound]:
        """Every round that can be drawn now, in order, with its matches and deals numbered; `until_round` is the last.

        Where the format waits: the finished ones and the next. More results only ever append rounds.
        """
        rounds: list[TournamentRound] = []
        matches = 0
        for draw in self.draws(spec, secret, rounds, totals):
            if until_round is not None and draw.number > until_round:
                break
            rounds.append(_numbered(spec, draw, matches))
            matches += len(draw.pairings)
            if draw.number == until_round or (self.waits and not finished(rounds[-1], totals)):
                break
        return rounds


def _numbered(spec: EventSpec, draw: Draw, before: int) -> TournamentRound:
    """The round of a draw, after so many matches."""
    busy = {bot for pairing in draw.pairings for bot in pairing}
    return TournamentRound(
        draw.number,
        tuple(
            Match(
                f"r{draw.number}m{index + 1}",
                draw.number,
                pairing,
                (before + index) * spec.deals,
                spec.deals,
                spec.seatings,
            )
            for index, pairing in enumerate(draw.pairings)
        ),
        tuple(Bye(draw.number, bot.name) for bot in spec.bots if bot.name in draw.field and bot.name not in busy),
    )
