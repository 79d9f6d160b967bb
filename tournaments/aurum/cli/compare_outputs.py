"""Writes the files of a comparison for other programs."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, Self, TextIO

from aurum.cli.junit import Case, junit
from aurum.cli.outfile import opened
from aurum.compare.presentation import as_json, headline, markdown, text
from aurum.compare.report import ComparisonReport, Ending
from aurum.compare.wording import test_words

_KINDS: Final[dict[Ending, Literal["failure", "error", "skipped"] | None]] = {
    Ending.ACCEPTED: None,
    Ending.REJECTED: "failure",
    Ending.INCONCLUSIVE: "skipped",
    Ending.FAULTED: "error",
    Ending.ERROR: "error",
    Ending.INTERRUPTED: "error",
}
"""How a JUnit test case shows each ending: no verdict is neither a success nor a failure."""


@dataclass(frozen=True)
class Outputs:
    """The files that are wanted, opened before the first game, so that no old report is taken for this one's."""

    json: TextIO | None
    junit: TextIO | None
    summary: TextIO | None

    @classmethod
    @contextmanager
    def opened(cls, json: Path | None, junit: Path | None, summary: Path | None) -> Iterator[Self]:
        """Open the files. Raises UserError if one cannot be opened."""
        with (
            opened(json, "--json") as first,
            opened(junit, "--junit") as second,
            opened(summary, "--summary", "a") as third,
        ):
            yield cls(first, second, third)

    def write(self, report: ComparisonReport) -> None:
        """Write the report into each file."""
        if self.json is not None:
            self.json.write(as_json(report))
        if self.junit is not None:
            self.junit.write(junit("arena compare", [_case(report)], report.seconds))
        if self.summary is not None:
            self.summary.write(markdown(report))


def _case(report: ComparisonReport) -> Case:
    return Case(
        name=test_words(report.settings, report.preset),
        seconds=report.seconds,
        kind=_KINDS[report.ending],
        message=headline(report),
        output=text(report),
    )
