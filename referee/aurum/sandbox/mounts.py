"""What is there in a sandbox: places of this machine that are shown, given or hidden, as options of bubblewrap.

Whatever is named in no way is not there. A path means the same inside as outside, unless `give` says otherwise.
"""

import os
from collections import deque
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

_MOST_LINKS = 40
"""As many as the system follows."""


class _Kind(Enum):
    READ = auto()
    WRITE = auto()
    HIDDEN = auto()


class _Place(NamedTuple):
    kind: _Kind
    source: str
    """What is seen there."""


class Mounts:
    """The places of a sandbox. What is said of a place later counts, and what is said of one inside it counts there."""

    def __init__(self) -> None:
        self._places: dict[str, _Place] = {}
        self._links: dict[str, str] = {}

    def show(self, path: str) -> None:
        """Let it be read, and the links on the way to it be followed; what is not there is left out."""
        real, links = followed(path)
        if os.path.exists(real):
            self._links.update(links)
            self._places[real] = _Place(_Kind.READ, real)

    def give(self, path: str, source: str = "") -> None:
        """Let it be written to; with a `source`, that is what is seen there."""
        real, links = followed(path)
        self._links.update(links)
        self._places[real] = _Place(_Kind.WRITE, source or real)

    def link(self, path: str, target: str) -> None:
        """Make a link where there is nothing else."""
        self._links[path] = target

    def hide(self, path: str) -> None:
        """Let it not be seen: an empty folder, or a file that cannot be opened, is in its place."""
        real, _ = followed(path)
        if os.path.exists(real):
            self._places[real] = _Place(_Kind.HIDDEN, real)

    def options(self) -> list[str]:
        """Bubblewrap's options, in an order in which what lies inside comes after what it lies in."""
        options: list[str] = []
        empty = []
        for path in sorted({*self._places, *self._links}, key=lambda path: path.split("/")):
            place, around = self._places.get(path), self._around(path)
            seen = around is not None and around.kind is not _Kind.HIDDEN and around.source == path
            if place is None:
                if not seen:
                    options += ["--symlink", self._links[path], path]
            elif place.kind is _Kind.HIDDEN:
                if not seen:
                    continue
                if os.path.isdir(path):
                    options += ["--tmpfs", path]
                    empty.append(path)
                else:
                    options += ["--ro-bind", os.devnull, path]
            elif not (seen and around == place):
                options += ["--ro-bind" if place.kind is _Kind.READ else "--bind", place.source, path]
        for path in [*empty, "/"]:  # else they could be filled: they are in memory
            options += ["--remount-ro", path]
        return options

    def _around(self, path: str) -> _Place | None:
        """What would be at this path by the place that it lies in; None if it lies in none."""
        for above in parents(path):
            if place := self._places.get(above):
                return _Place(place.kind, place.source.rstrip("/") + path[len(above.rstrip("/")) :])
        return None


def parents(path: str) -> Iterator[str]:
    """The folders that a path lies in, the nearest first."""
    while path != "/":
        path = os.path.dirname(path)
        yield path


def lies_in(path: str, folder: str) -> bool:
    """Whether a path is this folder, or in it."""
    return path == folder or folder in parents(path)


def followed(path: str) -> tuple[str, dict[str, str]]:
    """Where an absolute path leads, and the links on the way: their own paths, and what they say."""
    links: dict[str, str] = {}
    real = "/"
    steps = deque(path.split("/"))
    count = 0
    while steps:
        step = steps.popleft()
        if step in ("", "."):
            continue
        if step == "..":
            real = os.path.dirname(real)
            continue
        here = os.path.join(real, step)
        try:
            target = os.readlink(here)
        except OSError:
            real = here
            continue
        count += 1
        if count > _MOST_LINKS:
            break
        links[here] = target
        if target.startswith("/"):
            real = "/"
        steps.extendleft(reversed(target.split("/")))
    return real, links
