"""The file that --out names."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from aurum.tournaments.errors import UserError


@contextmanager
def opened(out: Path | None) -> Iterator[TextIO | None]:
    """The file, if one is wanted: opened before the work, which takes its time. Raises UserError if it cannot be."""
    if out is None:
        yield None
        return
    try:
        file = out.open("w", encoding="utf-8")
    except OSError as error:
        raise UserError(f"--out {out}: {error.strerror}") from error
    with file:
        yield file
