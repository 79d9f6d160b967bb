"""What is said of a bot: a checklist for people, and JUnit XML for machines."""

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from aurum.conformance.stream import Failed
from aurum.conformance.suite import Result

_WIDTH = 24
_OUTPUT_LINES = 12
_NO_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def lines(result: Result) -> list[str]:
    """A result in the checklist: one line, and under a failure what explains it."""
    name = result.check.name
    if result.skipped:
        return [f"skip  {name:{_WIDTH}}  {result.skipped}"]
    if result.failure is None:
        return [f"ok    {name:{_WIDTH}}  {result.check.demand}"]
    return [f"FAIL  {name:{_WIDTH}}  {result.check.demand}", *(f"      {line}" for line in explained(result.failure))]


def explained(failure: Failed) -> list[str]:
    """What was sent, what came, what should have, and what the bot has to say."""
    parts = [
        ("sent", failure.sent),
        ("came", failure.came),
        ("expected", failure.expected),
        ("why", failure.why),
        ("the bot", failure.ending),
    ]
    found = [f"{label:<10}{printable(said)}" for label, said in parts if said]
    for number, line in enumerate(failure.output.splitlines()[-_OUTPUT_LINES:]):
        found.append(f"{'' if number else 'output':<10}{printable(line)}")
    return found


def summary(results: Sequence[Result], seconds: float) -> str:
    """The last line."""
    failed = sum(result.failure is not None for result in results)
    skipped = sum(bool(result.skipped) for result in results)
    rest = f", {skipped} skipped" if skipped else ""
    return f"{len(results)} checks: {len(results) - failed - skipped} passed, {failed} failed{rest} ({seconds:.1f} s)"


def text(results: Sequence[Result], seconds: float) -> str:
    """The whole checklist."""
    return "\n".join([*(line for result in results for line in lines(result)), summary(results, seconds), ""])


def printable(said: str) -> str:
    """What a bot says, harmless to a terminal."""
    return "".join(character if character.isprintable() else "?" for character in said.expandtabs())


def junit(results: Sequence[Result], seconds: float) -> str:
    """The results as JUnit XML, as Jenkins and GitHub's actions read it."""
    counts = {
        "tests": str(len(results)),
        "failures": str(sum(result.failure is not None for result in results)),
        "errors": "0",
        "time": f"{seconds:.3f}",
    }
    skipped = str(sum(bool(result.skipped) for result in results))
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", {"name": "arena check", **counts, "skipped": skipped})
    for result in results:
        named = {"classname": "arena check", "name": result.check.name, "time": f"{result.seconds:.3f}"}
        case = ElementTree.SubElement(suite, "testcase", named)
        if result.skipped:
            ElementTree.SubElement(case, "skipped", {"message": result.skipped})
        elif result.failure is not None:
            message = f"the bot {result.check.demand}: expected {result.failure.expected}, came {result.failure.came}"
            failure = ElementTree.SubElement(case, "failure", {"message": _xml(message)})
            failure.text = _xml("\n".join(explained(result.failure)))
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def _xml(said: str) -> str:
    return _NO_XML.sub("?", said)
