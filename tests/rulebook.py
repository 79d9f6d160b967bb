"""What docs/rules.md says, a sentence or a table row at a time, and which test holds it.

A test of the rules names what it holds: `@rule("5", "Gold cannot lead")`, the section and how the sentence
or the row begins. `statements` reads the document, so that a sentence without a test is found.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

DOCUMENT = Path(__file__).parent.parent / "docs" / "rules.md"
_Test = TypeVar("_Test", bound=Callable[..., None])


class Statement(NamedTuple):
    """A sentence or a table row; `text` without markup."""

    section: str
    text: str


def rule(section: str, *beginnings: str) -> Callable[[_Test], _Test]:
    """Mark a test as holding statements of a section, each named by how it begins."""

    def mark(test: _Test) -> _Test:
        held = getattr(test, "holds", ())
        test.holds = (*held, *[Statement(section, beginning) for beginning in beginnings])  # type: ignore[attr-defined]
        return test

    return mark


def statements(document: str) -> Iterator[Statement]:
    """Every statement of the numbered sections, in order."""
    for part in re.split(r"^## ", document, flags=re.MULTILINE)[1:]:
        heading, _, body = part.partition("\n")
        section = heading.partition(".")[0]
        for block in _blocks(body):
            if block.startswith("|"):
                yield Statement(section, _plain(" | ".join(cell.strip() for cell in block.strip("|").split("|"))))
            else:
                yield from (Statement(section, sentence) for sentence in _sentences(block))


def _blocks(body: str) -> Iterator[str]:
    """Paragraphs, list items and table rows (without a table's head), each in one line."""
    block = ""
    lines = body.split("\n")
    for number, line in enumerate(lines):
        if line.startswith("|"):
            is_head = lines[number + 1].startswith("|-") if number + 1 < len(lines) else False
            if not is_head and not line.startswith("|-"):
                yield line
        elif not line.strip() or re.match(r"\s*([-*]|\d\.|[a-z]\.) ", line):
            if block:
                yield block
            block = re.sub(r"^\s*([-*]|\d\.|[a-z]\.)? ?", "", line)
        else:
            block = f"{block} {line.strip()}".strip()
    if block:
        yield block


def _sentences(block: str) -> list[str]:
    """The sentences of a block; a bold label in front ("**Lead.**") is none."""
    text = _plain(re.sub(r"^\*\*[^*]+\.\*\* ", "", block))
    return [sentence for sentence in re.split(r"(?<=[.)])\s+(?=[A-Z(\d])", text) if sentence]


def _plain(text: str) -> str:
    return re.sub(r"[*`]", "", text).strip()
