"""Small matters of what sentences look like."""

import difflib
import re
from collections.abc import Iterable

_SHOWN = 60
JOINERS = re.compile("[\u200c\u200d]")
"""Characters that are not seen and do no harm: many languages, and emoji, are not written properly without them."""


def counted(number: int, thing: str) -> str:
    """`1 game`, `2 games`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def harmless(line: str) -> str:
    """The line as it was written, but for what a terminal would obey."""
    return "".join(
        character if character.isprintable() or JOINERS.match(character) else "?" for character in line.expandtabs()
    )


def printable(text: str) -> str:
    """The text on one line, harmless to a terminal: bots choose their versions and write their own last words."""
    return harmless(" ".join(text.split()))


def shown(value: object) -> str:
    """The value as a user may recognise it: on one line and never long."""
    text = repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def guess(word: str, known: Iterable[str]) -> str:
    """` (did you mean x?)`, or nothing when no known word is near."""
    near = difflib.get_close_matches(word, list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else ""
