"""Finds, in what a program wrote before it ended, the line that says why.

Seldom the last one: Node ends with its version, Rust with a hint about backtraces, Go and Java with the frames of the
stack, and what a bot prints comes in between.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import PurePath

LONGEST = 300
"""Characters of a reason."""

_LINE = 1000
"""Characters of a line that are looked at."""

_PLACES = (
    re.compile(r'\s+File "(?P<file>.+)", line (?P<line>\d+)'),  # Python
    re.compile(r"(?:file://)?(?P<file>/.+):(?P<line>\d+)$"),  # Node
)
_PLACE_WITHIN = 12
"""Lines before an error in which its place is looked for."""

_REFUSED = re.compile(r"aurum(?: bridge)?: the referee refused: ")

_WEAK = re.compile(r"(?:[\w./-]+: )?(?:fatal )?error(?:\[\w+\])?: ", re.IGNORECASE)
"""What compilers and tools write; the first of such lines is the reason, the others follow from it."""


def reason(output: str) -> str:
    """The line that says why a program ended, with its place in the source where that is near; else the last line.

    Empty if nothing was written.
    """
    lines = [line.rstrip()[:_LINE] for line in output.splitlines()]
    if refused := next(filter(_REFUSED.match, lines), ""):  # whatever it led to
        return refused[:LONGEST]
    for number in range(len(lines) - 1, -1, -1):
        for pattern, sentence in _PATTERNS:
            if match := pattern.match(lines[number]):
                found = sentence(match, lines, number)
                if found:
                    return found[:LONGEST]
    written = [line.strip() for line in lines if line.strip()]
    weak = next((line for line in written if _WEAK.match(line)), "")
    return (weak or (written[-1] if written else ""))[:LONGEST]


def last_words(output: str) -> str:
    """What a program wrote about its end, as the end of a sentence."""
    found = reason(output)
    if not found:
        return "; it wrote nothing"
    last = output.splitlines()[-1].strip()
    is_last = last.startswith(found) or found.startswith(last)  # a place may have been added to it
    return f"; {'the last it wrote' if is_last else 'it wrote'}: {found.removesuffix('.')}"


def _whole(match: re.Match[str], _lines: Sequence[str], _number: int) -> str:
    return match[0]


def _placed(match: re.Match[str], lines: Sequence[str], number: int) -> str:
    """An error, and where it was raised."""
    for line in reversed(lines[max(0, number - _PLACE_WITHIN) : number]):
        if place := next(filter(None, (pattern.match(line) for pattern in _PLACES)), None):
            return f"{match[0]} ({PurePath(place['file']).name}, line {place['line']})"
    return match[0]


def _raised(match: re.Match[str], lines: Sequence[str], number: int) -> str:
    """An exception of Python's whose name does not say that it is one: it stands below a traceback."""
    is_below = number > 0 and lines[number - 1].startswith("    ")
    return _placed(match, lines, number) if is_below and _PLACES[0].match("\n".join(lines[number - 2 : number])) else ""


def _explained(match: re.Match[str], lines: Sequence[str], number: int) -> str:
    """What the Python SDK says of a mistake, which names the place itself unless it stands below a traceback."""
    message = match["message"]
    if number and lines[number - 1].startswith("    "):
        return message + _placed(match, lines, number).removeprefix(match[0])
    return message


def _panic(match: re.Match[str], lines: Sequence[str], number: int) -> str:
    """A panic of Rust's: its message is on the next line."""
    message = lines[number + 1].strip() if number + 1 < len(lines) else ""
    return f"{message} ({match['place']})" if message else match[0]


def _what(match: re.Match[str], lines: Sequence[str], number: int) -> str:
    """An exception of C++'s: its class is on the line before."""
    name = re.search(r"instance of '(.+)'", lines[number - 1]) if number else None
    return f"{name[1]}: {match['message']}" if name else match["message"]


_PATTERNS: Sequence[tuple[re.Pattern[str], Callable[[re.Match[str], Sequence[str], int], str]]] = (
    (re.compile(r"aurum\.bot\.errors\.\w+: (?P<message>.*)"), _explained),
    (re.compile(r"aurum(?: bridge)?: .*"), _whole),  # an SDK's sentence, or the bridge's
    (re.compile(r"thread '.*' (?:\(\d+\) )?panicked at (?P<place>\S+:\d+:\d+):$"), _panic),
    (re.compile(r"thread '.*' panicked at .+"), _whole),  # as Rust said it before 1.73
    (re.compile(r"(?:panic|fatal error): .*"), _whole),  # Go
    (re.compile(r'(?:Exception in thread "[^"]*"|Caused by:) \S.*'), _whole),  # Java
    (re.compile(r"\s+what\(\):\s+(?P<message>.*)"), _what),
    (re.compile(r"terminate called .+|.+: Assertion .+ failed\.?$"), _whole),
    (re.compile(r"\S+\.rb:\d+:(?:in .+| syntax error.*)"), _whole),  # Ruby
    (re.compile(r"(?:Uncaught )?[\w.]*(?:Error|Exception)\b(?: \[\w+\])?(?::.*)?$"), _placed),  # Python, JavaScript
    (re.compile(r"[A-Za-z_][\w.]*(?:: .*)?$"), _raised),
)
"""How a line begins that says why a program ended, and what is told of it. The last one that there is counts."""
