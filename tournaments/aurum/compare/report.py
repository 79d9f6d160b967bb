"""The report of a comparison: its verdict and every figure, from which all outputs are made."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from aurum.common.texts import counted, harmless, printable
from aurum.compare.comparison import ComparedBot
from aurum.compare.running_comparison import RunningComparison
from aurum.compare.settings import NEW, OLD, Settings
from aurum.results.game_row import GameRow
from aurum.results.played_unit import UnitReport
from aurum.results.rows import game_id
from aurum.statistics.bounds import Bounds
from aurum.statistics.elo import elo_of, estimate
from aurum.statistics.gsprt import Verdict
from aurum.statistics.stopping import corrected_score
from aurum.store.store import Store
from aurum.v1.record_pb2 import GameRecord
from aurum.wire.faults import fault_words


class Ending(StrEnum):
    """How a comparison ended."""

    ACCEPTED = "accepted"
    SAME = "same"
    """OLD and NEW are the same files."""
    REJECTED = "rejected"
    INCONCLUSIVE = "inconclusive"
    FAULTED = "faulted"
    """A bot was at fault."""
    ERROR = "error"
    """The arena failed, not a bot."""
    INTERRUPTED = "interrupted"

    @property
    def code(self) -> int:
        """The exit code."""
        return _CODES[self]


_TAIL_LINES = 20
"""How many of the last lines that a bot wrote before its fault are shown."""

_CODES = {
    Ending.ACCEPTED: 0,
    Ending.SAME: 0,
    Ending.REJECTED: 1,
    Ending.INCONCLUSIVE: 3,
    Ending.FAULTED: 4,
    Ending.ERROR: 5,
    Ending.INTERRUPTED: 130,
}


@dataclass(frozen=True)
class EndingFault:
    """The fault that ended a comparison.

    `kind` is a word of docs/protocol.md, `detail` says what happened at which turn, `stderr_tail` are the last lines
    that the bot wrote there.
    """

    bot: str
    seat: int
    kind: str
    game: str
    round: int
    detail: str
    stderr_tail: tuple[str, ...]


@dataclass(frozen=True)
class Figures:
    """The figures of the deal groups taken, all from NEW's point of view. None where there is too little data.

    `wins`, `draws` and `losses` count games. All that follows `histogram`, which gives the deal groups by score, is of
    the statistic that was chosen: `score` is its mean, `elo` (logistic) what that score means, `elo_low` and
    `elo_high` its 95 % interval, which holds at any time. `elo_corrected` is the median-unbiased Elo, which takes into
    account that a test stops while results look good or bad; None before the verdict. `normalized_elo` is an estimate
    as well, and so is `superiority` (the likelihood of it), which there is only as long as the test has no verdict:
    after a stop it would be wrong. `pair_correlation` is of the results of two games of a group.
    """

    llr: float
    groups: int
    games: int
    wins: int
    draws: int
    losses: int
    histogram: tuple[tuple[float, int], ...]
    score: float | None
    elo: float | None
    elo_low: float
    elo_high: float
    elo_corrected: float | None
    normalized_elo: float | None
    superiority: float | None
    pair_correlation: float | None


@dataclass(frozen=True)
class ComparisonReport:
    """A comparison at its end.

    `faults` are counted by bot, in the games of the groups that were taken. `retried` has a sentence for each deal that
    was played again, since a bot was at fault.
    """

    ending: Ending
    sentence: str
    settings: Settings
    bots: tuple[ComparedBot, ...]
    ruleset: str
    preset: str | None
    figures: Figures
    faults: dict[str, int]
    fault: EndingFault | None
    retried: tuple[str, ...]
    seed: str | None
    commitment: str | None
    secret: str | None
    seconds: float


def figures_of(comparison: RunningComparison) -> Figures:
    """The figures so far."""
    settings, counts = comparison.settings, comparison.test.counts
    groups = comparison.test.groups
    found = estimate(settings.support, counts, settings.games) if groups else None
    low, high = comparison.interval.interval
    test, corrected = comparison.test, None
    stopped = test.verdict is not Verdict.UNDECIDED
    if stopped:
        corrected = corrected_score(test.support, counts, test.bounds, test.games, test.verdict, test.llr)
    return Figures(
        llr=comparison.test.llr,
        groups=groups,
        games=groups * settings.games,
        wins=comparison.results[2],
        draws=comparison.results[1],
        losses=comparison.results[0],
        histogram=tuple(zip(settings.support, counts, strict=True)),
        score=found.score if found else None,
        elo=found.elo if found else None,
        elo_low=elo_of(low),
        elo_high=elo_of(high),
        elo_corrected=None if corrected is None else elo_of(corrected),
        normalized_elo=found.normalized if found else None,
        superiority=found.superiority if found and not stopped else None,
        pair_correlation=comparison.correlation.value,
    )


def comparison_report(
    comparison: RunningComparison,
    store: Store,
    bots: Sequence[ComparedBot],
    preset: str | None,
    seconds: float,
    stopped: tuple[Ending, str] | None = None,
) -> ComparisonReport:
    """The report of a comparison whose games are in `store`. `stopped`: how it ended early, and why in a sentence."""
    fault = fault_in(store, comparison.fault) if comparison.fault else None
    ending, sentence = stopped or _ending(comparison, fault)
    return ComparisonReport(
        ending=ending,
        sentence=sentence,
        settings=comparison.settings,
        bots=tuple(bots),
        ruleset=store.spec.ruleset.preset,
        preset=preset,
        figures=figures_of(comparison),
        faults={bot.name: comparison.faults[bot.name] for bot in bots},
        fault=fault,
        retried=tuple(f"{voiding.bot} {voiding.reason}" for voiding in store.voidings()),
        seed=store.spec.seed,
        commitment=store.commitment,
        secret=None if stopped else store.secret.hex(),  # games are still to be played
        seconds=seconds,
    )


def same_report(
    settings: Settings,
    bots: Sequence[ComparedBot],
    preset: str | None,
    ruleset: str,
    seed: str | None,
    seconds: float,
) -> ComparisonReport:
    """The report on two revisions that are the same files: nothing is to be played."""
    return ComparisonReport(
        ending=Ending.SAME,
        sentence=f"{OLD} and {NEW} are the same files, so nothing was played",
        settings=settings,
        bots=tuple(bots),
        ruleset=ruleset,
        preset=preset,
        figures=figures_of(RunningComparison(settings)),
        faults={bot.name: 0 for bot in bots},
        fault=None,
        retried=(),
        seed=seed,
        commitment=None,
        secret=None,
        seconds=seconds,
    )


def _ending(comparison: RunningComparison, fault: EndingFault | None) -> tuple[Ending, str]:
    if fault is not None:
        return Ending.FAULTED, f"{fault.bot} was at fault in game {fault.game}: {fault.kind}: {fault.detail}"
    ending, bounds = Ending(str(comparison.test.verdict)), comparison.settings.bounds
    if ending is Ending.INCONCLUSIVE:
        return ending, f"{counted(comparison.settings.max_deals, 'deal')} were not enough to tell: that was the cap"
    return ending, accepted(bounds) if ending is Ending.ACCEPTED else rejected(bounds)


def accepted(bounds: Bounds) -> str:
    """What is known if `elo1` is accepted, which rules out `elo0`."""
    elo, unit = bounds.elo0, f"{bounds.model} Elo"
    if elo == 0:
        claim = f"{NEW} is stronger than {OLD}"
    elif elo > 0:
        claim = f"{NEW} is more than {elo:g} {unit} stronger than {OLD}"
    else:
        claim = f"{NEW} is less than {-elo:g} {unit} weaker than {OLD}, if at all"
    return f"{claim} (wrongly said in about {100 * bounds.alpha:g} % of such tests)"


def rejected(bounds: Bounds) -> str:
    """What is known if `elo0` is accepted, which rules out `elo1`."""
    elo, unit = bounds.elo1, f"{bounds.model} Elo"
    if elo == 0:
        claim = f"{NEW} is weaker than {OLD}"
    elif elo > 0:
        claim = f"{NEW} is less than {elo:g} {unit} stronger than {OLD}, if at all"
    else:
        claim = f"{NEW} is more than {-elo:g} {unit} weaker than {OLD}"
    return f"{claim} (wrongly said in about {100 * bounds.beta:g} % of such tests)"


def fault_in(store: Store, row: GameRow) -> EndingFault:
    """The first fault of a game, with the last lines that the instance wrote."""
    id_ = game_id(store.spec.name, row.match, row.deal, row.seating)
    record = GameRecord.FromString(next(content for found, content in store.records() if found == id_))
    fault = record.faults[0]
    bot = record.seats[fault.seat].bot
    return EndingFault(
        bot=bot,
        seat=fault.seat,
        kind=fault_words(fault.kind),
        game=id_,
        round=fault.round,
        detail=printable(fault.detail),
        stderr_tail=_last_words(store.units(), bot, fault.seat),
    )


def _last_words(units: Sequence[UnitReport], bot: str, seat: int) -> tuple[str, ...]:
    """What the bot wrote last at that seat: in the last unit that was stored, since its fault ended the run."""
    tails = [one.stderr_tail for unit in units for one in unit.instances if (one.bot, one.seat) == (bot, seat)]
    written = [tail for tail in tails if tail.strip()]
    return tuple(map(harmless, written[-1].splitlines()[-_TAIL_LINES:])) if written else ()
