"""Make sdk/vectors anew: `python tests/make_vectors.py [FOLDER]`.

The cases that the unit tests of every SDK run; sdk/vectors/README.md says what stands in them. They change only if
the protocol does, or the random play that the turns come from: look at the difference before committing it.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from aurum.rules import Card
from vector_sessions import sessions
from vector_turns import Json, turns

FOLDER = Path(__file__).resolve().parents[1] / "sdk" / "vectors"
WIDTH = 120

NOT_CARDS = [
    "",
    "B",
    "7",
    "B0",
    "B11",
    "B01",
    "B100",
    "b7",
    "X3",
    "G9",
    "G10",
    "G-1",
    " B7",
    "B7 ",
    "B7.0",
    "B7C5",
    "?0",
]
"""Texts that `parse` must refuse: cards have one spelling."""


def cards() -> Iterator[Json]:
    """Every card: its name, and what follows from its value."""
    for card in Card:
        yield {
            "name": str(card),
            "value": int(card),
            "suit": int(card.suit),
            "rank": card.rank,
            "gold": card.is_gold,
        }


def files() -> dict[str, Json]:
    """What each file holds."""
    return {
        "cards.json": {"cards": list(cards()), "not_cards": NOT_CARDS},
        "turns.json": {"turns": list(turns())},
        "sessions.json": {"sessions": list(sessions())},
    }


def written(value: Any, indent: int = 0) -> str:
    """JSON in which all that fits on a line stands on one."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(line) + indent <= WIDTH:
        return line
    space = " " * (indent + 1)
    if isinstance(value, list):
        parts = [written(each, indent + 1) for each in value]
        return "[\n" + ",\n".join(space + part for part in parts) + "\n" + " " * indent + "]"
    parts = [f"{json.dumps(key)}: {written(each, indent + 1)}" for key, each in value.items()]
    return "{\n" + ",\n".join(space + part for part in parts) + "\n" + " " * indent + "}"


def main(folder: Path) -> None:
    """Write all files."""
    for name, content in files().items():
        (folder / name).write_text(written(content) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
