"""Puts into aurum-bot what belongs to it, but lies in other folders of the clone.

These rooms are shared with the referee. The sdist has them beside its own, so the wheel that is built from it needs no
help; a wheel that is built in the clone does.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOMS = ("proto/aurum/v1", "referee/aurum/rules", "referee/aurum/wire")

SUFFIXES = {".py", ".pyi", ".proto", ".typed"}
"""Of the files of a room. Whatever else lies there was left behind by something."""


class RoomsOfTheClone(BuildHookInterface[Any]):
    """See above."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add them to what is built, unless they are there: in an sdist, or in an editable install, by its path."""
        if version == "editable" or Path(self.root, "PKG-INFO").is_file():
            return
        clone = Path(self.root).parents[1]
        for room in ROOMS:
            root, _, package = room.partition("/")
            for file in sorted((clone / root / package).rglob("*")):
                if file.suffix in SUFFIXES:
                    build_data["force_include"][str(file)] = str(file.relative_to(clone / root))
