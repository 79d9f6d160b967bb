"""Small matters of what sentences look like."""

from aurum.v1.game_pb2 import FaultKind


def counted(number: int, thing: str) -> str:
    """`1 game`, `2 games`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def harmless(line: str) -> str:
    """The line as it was written, but for what a terminal would obey."""
    return "".join(character if character.isprintable() else "?" for character in line.expandtabs())


def printable(text: str) -> str:
    """The text on one line, harmless to a terminal: bots choose their versions and write their own last words."""
    return harmless(" ".join(text.split()))


def fault_words(kind: FaultKind.ValueType) -> str:
    """A kind of fault as people say it: "illegal move"."""
    return FaultKind.Name(kind).removeprefix("FAULT_KIND_").lower().replace("_", " ")
