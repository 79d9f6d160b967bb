"""The documents as tests read them: their fenced blocks, tables, headings and links.

A comment on the line before a block says what it is:

    <!-- file: NAME -->            saved as NAME, for the blocks after it
    <!-- message: NAME -->         a message of aurum.v1 in protobuf's JSON mapping
    <!-- workflow: NAME -->        of a CI service; test_compare_bots.py and test_action.py run it
    <!-- in the background -->     commands that go on while the blocks after it run
    <!-- not run: WHY -->          nothing checks it
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]

_FENCE = re.compile(r"(?:^<!-- (?P<note>[^\n]*) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.M | re.S)


def name_of(doc: Path) -> str:
    """A document as tests name it."""
    return str(doc.relative_to(ROOT))


@dataclass(frozen=True)
class Block:
    """A fenced block; `place` is where it stands, `note` what its comment says, if it has one."""

    place: str
    language: str
    note: str
    text: str

    def noted(self, kind: str) -> str:
        """What follows `kind: ` in the note; empty if it is another note."""
        return self.note.partition(f"{kind}: ")[2] if self.note.startswith(f"{kind}: ") else ""


def blocks(doc: Path) -> list[Block]:
    """The fenced blocks of a document, in order."""
    content = doc.read_text(encoding="utf-8")
    found = []
    for match in _FENCE.finditer(content):
        line = content.count("\n", 0, match.start("language")) + 1
        found.append(Block(f"{name_of(doc)}:{line}", match["language"], match["note"] or "", match["text"]))
    return found


def prose(doc: Path) -> str:
    """A document without its fenced blocks."""
    return _FENCE.sub("", doc.read_text(encoding="utf-8"))


def sections(doc: Path) -> dict[str, str]:
    """The prose under each heading, up to the next one, by the heading without its #s and backticks."""
    parts = re.split(r"^#+ (.+)$", prose(doc), flags=re.M)
    return {title.replace("`", ""): text for title, text in zip(parts[1::2], parts[2::2], strict=True)}


def rows(section: str) -> list[list[str]]:
    """The cells of a section's tables, row by row, without the rows of headings."""
    table = [line for line in section.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in table]
    rules = [number for number, row in enumerate(cells) if set("".join(row)) <= set("-:")]
    return [row for number, row in enumerate(cells) if number not in rules and number + 1 not in rules]


def code(cell: str) -> list[str]:
    """What stands in backticks."""
    return re.findall(r"`([^`]+)`", cell)


def links(doc: Path) -> Iterator[str]:
    """The targets of a document's links to other files and headings of ours."""
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(doc)):
        if not target.startswith(("http://", "https://")):
            yield target


def anchors(doc: Path) -> set[str]:
    """The names by which a document's headings can be linked to, as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", prose(doc), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
