"""How wide a text is on a terminal, and how it is made shorter: by what a reader sees as one character."""

from collections.abc import Iterable

from wcwidth import iter_graphemes, wcswidth

_ELLIPSIS = "\u2026"


def width(text: str) -> int:
    """The columns that a printable text takes: 2 for a wide character, none for what joins or marks another."""
    return max(int(wcswidth(text)), 0)


def padded(text: str, columns: int) -> str:
    """The text with blanks after it, so that it takes so many columns; as it is if it takes more."""
    return text + " " * (columns - width(text))


def shortened(text: str, columns: int) -> str:
    """The text in at most so many columns, 1 or more: its middle is left out, for names often differ at their ends."""
    if width(text) <= columns:
        return text
    characters = list(iter_graphemes(text))
    tail = _fitting(reversed(characters), (columns - 1) // 2)[::-1]
    head = _fitting(characters, columns - 1 - width("".join(tail)))
    return "".join([*head, _ELLIPSIS, *tail])


def _fitting(characters: Iterable[str], columns: int) -> list[str]:
    """The first characters that take at most so many columns."""
    found: list[str] = []
    for character in characters:
        columns -= width(character)
        if columns < 0:
            break
        found.append(character)
    return found
