"""The results of the checks as a checklist for people."""

from collections.abc import Sequence

from aurum.common.texts import counted, harmless
from aurum.conformance.scripted.stream import CheckFailed
from aurum.conformance.suite import Result
from aurum.referee.last_words import reason

_WIDTH = 24
_OUTPUT_LINES = 12


def lines(result: Result) -> list[str]:
    """The lines of a result: one that names the check, and below a failure those that explain it."""
    name = result.check.name
    if result.skipped:
        return [f"skip  {name:{_WIDTH}}  {result.skipped}"]
    demand = f"{name:{_WIDTH}}  {result.check.demand} ({result.check.level})"
    if result.failure is None:
        return [f"ok    {demand}"]
    verdict = "FAIL" if result.check.must else "warn"
    return [f"{verdict}  {demand}", *(f"      {line}" for line in explained(result.failure))]


def explained(failure: CheckFailed) -> list[str]:
    """What was sent, what came, what should have come, how the process ended, and what it wrote."""
    parts = [
        ("sent", failure.sent),
        ("came", failure.came),
        ("expected", failure.expected),
        ("why", failure.why),
        ("the bot", failure.ending),
    ]
    found = [f"{label:<10}{harmless(content)}" for label, content in parts if content]
    written = failure.output.splitlines()
    last = written[-_OUTPUT_LINES:]
    if (words := reason(failure.output)) and not any(words[:40] in line for line in last):
        last = [words, "...", *last]
    for number, line in enumerate(last):
        found.append(f"{'' if number else 'output':<10}{harmless(line)}")
    return found


def summary(results: Sequence[Result], seconds: float) -> str:
    """The last line of the checklist: how many checks passed, failed, were but warnings, and were skipped."""
    failed = sum(result.failure is not None and result.check.must for result in results)
    warned = sum(result.failure is not None and not result.check.must for result in results)
    skipped = sum(bool(result.skipped) for result in results)
    passed = len(results) - failed - warned - skipped
    rest = f", {counted(warned, 'warning')}" if warned else ""
    rest += f", {skipped} skipped" if skipped else ""
    return f"{len(results)} checks: {passed} passed, {failed} failed{rest} ({seconds:.1f} s)"


def text(results: Sequence[Result], seconds: float) -> str:
    """The whole checklist."""
    return "\n".join([*(line for result in results for line in lines(result)), summary(results, seconds), ""])
