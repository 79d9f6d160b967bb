"""Writes JUnit XML, as Jenkins, GitLab and GitHub's actions read it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree

_NO_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Case:
    """A test case. `kind` is None if it passed; else `message` is one line, and `details` are more."""

    name: str
    seconds: float
    kind: Literal["failure", "error", "skipped"] | None = None
    message: str = ""
    details: str = ""
    output: str = ""


def junit(suite: str, cases: Sequence[Case], seconds: float) -> str:
    """The cases of one suite as XML. Characters that XML cannot contain become question marks."""
    kinds = [case.kind for case in cases]
    counts = {
        "tests": str(len(cases)),
        "failures": str(kinds.count("failure")),
        "errors": str(kinds.count("error")),
        "time": f"{seconds:.3f}",
    }
    root = ElementTree.Element("testsuites", counts)
    skipped = {"skipped": str(kinds.count("skipped"))}
    listed = ElementTree.SubElement(root, "testsuite", {"name": suite, **counts, **skipped})
    for case in cases:
        named = {"classname": suite, "name": case.name, "time": f"{case.seconds:.3f}"}
        element = ElementTree.SubElement(listed, "testcase", named)
        if case.kind:
            outcome = ElementTree.SubElement(element, case.kind, {"message": _xml(case.message)})
            outcome.text = _xml(case.details) or None
        if case.output:
            ElementTree.SubElement(element, "system-out").text = _xml(case.output)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _xml(text: str) -> str:
    return _NO_XML.sub("?", text)
