"""Writes the files of a comparison for other programs."""

from pathlib import Path
from typing import Final, Literal

from aurum.cli.junit import Case, junit
from aurum.cli.reports import ReportFile
from aurum.common.errors import UserError
from aurum.compare.presentation import as_json, headline, markdown, text
from aurum.compare.report import ComparisonReport, Ending
from aurum.compare.wording import test_words

_KINDS: Final[dict[Ending, Literal["failure", "error", "skipped"] | None]] = {
    Ending.ACCEPTED: None,
    Ending.SAME: None,
    Ending.REJECTED: "failure",
    Ending.INCONCLUSIVE: "skipped",
    Ending.FAULTED: "error",
    Ending.ERROR: "error",
    Ending.INTERRUPTED: "error",
}
"""How a JUnit test case shows each ending: no verdict is neither a success nor a failure."""


class Outputs:
    """The files that are wanted, tried before the first game; what they held of an earlier comparison is removed.

    Raises:
        UserError: one of them cannot be written.
    """

    def __init__(self, json: Path | None, junit: Path | None, summary: Path | None) -> None:
        self._json = None if json is None else ReportFile(json, "--json", fresh=True)
        self._junit = None if junit is None else ReportFile(junit, "--junit", fresh=True)
        self._summary = None if summary is None else ReportFile(summary, "--summary", append=True)

    def write(self, report: ComparisonReport) -> list[str]:
        """Write the report into each file. Returns a sentence for each that cannot be written."""
        made = (
            (self._json, as_json),
            (self._junit, lambda report: junit("arena compare", [_case(report)], report.seconds)),
            (self._summary, markdown),
        )
        lost = []
        for file, text_of in made:
            try:
                if file is not None:
                    file.put([text_of(report)])
            except UserError as error:
                lost.append(str(error))
        return lost


def _case(report: ComparisonReport) -> Case:
    return Case(
        name=test_words(report.settings, report.preset),
        seconds=report.seconds,
        kind=_KINDS[report.ending],
        message=headline(report),
        output=text(report),
    )
