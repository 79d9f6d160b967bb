"""Opens the files that options name."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, TextIO

from aurum.common.errors import UserError


@contextmanager
def opened(out: Path | None, option: str = "--out", mode: Literal["w", "a"] = "w") -> Iterator[TextIO | None]:
    """Open the file, if one is wanted, before the long work begins. Raises UserError if that is impossible."""
    if out is None:
        yield None
        return
    try:
        file = out.open(mode, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{option} {out}: {error.strerror}") from error
    with file:
        yield file
