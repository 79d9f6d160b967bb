"""A comparison's report as text for people, Markdown for the page of a CI run, and JSON for programs."""

import json
from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from aurum.common.texts import counted, printable
from aurum.compare.report import ComparisonReport, Ending, Figures
from aurum.compare.settings import NEW
from aurum.compare.wording import UNKNOWN, correlation_words, elo_words, llr_words, test_words
from tabulate import tabulate

FORMAT = 1
"""The version of the JSON: it grows when a key changes its meaning."""

STOPPED = (
    "The test stops once its games look clear, so their Elo overstates the difference, while the interval, which holds "
    "at any time, mostly still contains 0; the corrected Elo is too high as often as too low."
)
"""What a reader of the figures has to know after a verdict."""
WIDTH = 100

_BAR = 40


def text(report: ComparisonReport) -> str:
    """The verdict in a sentence, then all figures."""
    if report.ending is Ending.SAME:
        return headline(report) + "\n"
    table = tabulate(_rows(report), tablefmt="plain", disable_numparse=True)
    parts = [headline(report), *_last_words(report), *_retried(report), "", table]
    if _stopped(report):
        parts += ["", *wrap(STOPPED, WIDTH)]
    if report.figures.groups:
        parts += ["", "deal groups by score:", *(f"  {line}" for line in _histogram(report))]
    return "\n".join(parts) + "\n"


def markdown(report: ComparisonReport) -> str:
    """The same as Markdown, for GitHub's step summary."""
    # In a cell a backtick would end the code, a bar the cell.
    rows = [(name, "`" + cell.replace("`", "'").replace("|", "\\|") + "`") for name, cell in _rows(report)]
    table = tabulate(rows, ("", ""), "github", disable_numparse=True)
    parts = [f"## arena compare: {report.ending}", "", headline(report), "", *_retried(report), table, ""]
    if report.fault and report.fault.stderr_tail:
        parts += ["", *_fenced(_last_words(report)), ""]
    if _stopped(report):
        parts += [STOPPED, ""]
    if report.figures.groups:
        parts += ["Deal groups by score:", "", *_fenced(_histogram(report)), ""]
    return "\n".join(parts)


def _stopped(report: ComparisonReport) -> bool:
    return report.ending in (Ending.ACCEPTED, Ending.REJECTED)


def headline(report: ComparisonReport) -> str:
    """The verdict in a sentence."""
    return f"{report.ending}: {report.sentence}"


def line(report: ComparisonReport) -> str:
    """Verdict and main figures in one line, as for a comment on a pull request."""
    figures = report.figures
    if not figures.groups:
        return headline(report)
    games = counted(figures.games, "game")
    return f"{headline(report)}; Elo {elo_words(figures)} after {games} ({_win_draw_loss(figures)})"


def _win_draw_loss(figures: Figures) -> str:
    return f"{figures.wins}/{figures.draws}/{figures.losses}"


def _retried(report: ComparisonReport) -> list[str]:
    return [f"played again: {printable(sentence)}" for sentence in report.retried]


def _rows(report: ComparisonReport) -> Iterator[tuple[str, str]]:
    settings, figures = report.settings, report.figures
    for bot in report.bots:
        command = printable(bot.command)
        yield bot.name, f"{bot.revision} ({bot.commit[:12]}): {command}" if bot.commit else command
    yield "test", test_words(settings, report.preset)
    yield "LLR", llr_words(figures, settings)
    yield f"Elo of {settings.statistic}", f"{elo_words(figures)}, at any time 95 %"
    if figures.elo_corrected is not None:
        yield "corrected for stopping", f"{figures.elo_corrected:+.1f}"
    yield "normalized Elo", _shown(figures.normalized_elo, "+.1f")
    if figures.superiority is not None:
        yield f"P({NEW} is stronger)", _shown(figures.superiority, ".1%")
    yield "score", _shown(figures.score, ".2%")
    yield "pair correlation", correlation_words(figures)
    yield "games", f"{figures.games} ({figures.groups} deals in {settings.games} seatings; cap {settings.max_deals})"
    yield f"W/D/L of {NEW}", _win_draw_loss(figures)
    yield "faults", ", ".join(f"{bot} {count}" for bot, count in report.faults.items())
    yield "rules", f"{report.ruleset}, {settings.players} players"
    yield "seed", printable(report.seed) if report.seed is not None else "drawn"
    yield "commitment", f"sha256 {report.commitment}" if report.commitment else UNKNOWN
    if report.secret:
        yield "secret", report.secret


def _shown(figure: float | None, style: str) -> str:
    return UNKNOWN if figure is None else format(figure, style)


def _histogram(report: ComparisonReport) -> list[str]:
    most = max(count for _, count in report.figures.histogram)
    rows = [
        (f"{score:.3f}".rstrip("0").rstrip("."), str(count), "#" * round(_BAR * count / most))
        for score, count in report.figures.histogram
    ]
    table = tabulate(rows, tablefmt="plain", disable_numparse=True, colalign=("left", "right", "left"))
    return [line.rstrip() for line in table.splitlines()]


def _last_words(report: ComparisonReport) -> list[str]:
    return [f"  | {line}" for line in report.fault.stderr_tail] if report.fault else []


def _fenced(lines: list[str]) -> list[str]:
    """A block of code, fenced by more backticks than any of its lines begins with."""
    longest = max((len(line) - len(line.lstrip("`")) for line in (line.strip(" |") for line in lines)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text", *lines, fence]


def as_json(report: ComparisonReport) -> str:
    """The whole report, by the keys that docs/comparing.md lists."""
    return json.dumps(mapping(report), indent=2, ensure_ascii=False) + "\n"


def mapping(report: ComparisonReport) -> dict[str, Any]:
    """What `as_json` writes."""
    settings, figures = report.settings, report.figures
    return {
        "format": FORMAT,
        "verdict": str(report.ending),
        "exit_code": report.ending.code,
        "sentence": report.sentence,
        "line": line(report),
        "bots": [vars(bot) for bot in report.bots],
        "players": settings.players,
        "ruleset": report.ruleset,
        "preset": report.preset,
        **settings.chosen,
        "max_deals": settings.max_deals,
        "llr_lower": settings.bounds.lower,
        "llr_upper": settings.bounds.upper,
        **vars(figures) | {"histogram": [{"score": score, "groups": groups} for score, groups in figures.histogram]},
        "faults": report.faults,
        "fault": vars(report.fault) | {"stderr_tail": list(report.fault.stderr_tail)} if report.fault else None,
        "retried": list(report.retried),
        "seed": report.seed,
        "commitment": report.commitment,
        "secret": report.secret,
        "seconds": round(report.seconds, 3),
    }
