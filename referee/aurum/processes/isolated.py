"""Runs a module of this room as a program of its own, which starts fast: without site-packages and the environment."""

import sys
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_RUN = "import sys; sys.path.insert(0, sys.argv.pop(1)); from {} import main; main()"


def isolated(module: str, *arguments: str) -> list[str]:
    """The command that calls `main()` of a module, which may import this room and the standard library alone."""
    return [sys.executable, "-I", "-S", "-c", _RUN.format(module), str(_ROOT), *arguments]
