"""A grid: named columns of text, chosen and fitted to a width before they are written in any style."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from aurum.layout.widths import shortened, width

Item = TypeVar("Item")
GAP = 2
"""Blanks between two columns of text."""
_LEAST = 12
"""A column that may be shortened keeps so many characters."""


@dataclass(frozen=True)
class Column(Generic[Item]):
    """What a column shows of each item.

    Fields:
        title: over it.
        cell: the text for an item.
        meaning: what the figure says, in a few words, for readers who ask.
        left: whether it is written from the left, as words are and numbers are not.
        key: whether it says which row this is: it is written again where a wide grid is continued.
        shortens: whether its texts may be shortened where the width does not suffice.
    """

    title: str
    cell: Callable[[Item], str]
    meaning: str = ""
    left: bool = False
    key: bool = False
    shortens: bool = False


@dataclass(frozen=True)
class Head:
    """A column of a grid whose cells are known: as `Column`."""

    title: str
    left: bool = False
    key: bool = False
    shortens: bool = False


@dataclass(frozen=True)
class Grid:
    """Columns and rows of cells, as many in each row as there are columns; `caption` may be empty."""

    caption: str
    heads: tuple[Head, ...]
    rows: tuple[tuple[str, ...], ...]

    def widths(self) -> list[int]:
        """The columns of a terminal that each column needs."""
        cells = zip(*self.rows, strict=True) if self.rows else [()] * len(self.heads)
        return [max([width(head.title), *map(width, column)]) for head, column in zip(self.heads, cells, strict=True)]

    def part(self, columns: Iterable[int]) -> "Grid":
        """The columns of these numbers."""
        chosen = list(columns)
        rows = tuple(tuple(row[column] for column in chosen) for row in self.rows)
        return Grid(self.caption, tuple(self.heads[column] for column in chosen), rows)


def grid_of(columns: Sequence[Column[Item]], items: Iterable[Item], caption: str = "") -> Grid:
    """The grid that shows these columns of these items, a row each."""
    return Grid(
        caption,
        tuple(Head(column.title, column.left, column.key, column.shortens) for column in columns),
        tuple(tuple(column.cell(item) for column in columns) for item in items),
    )


def fitted(grid: Grid, limit: int) -> Iterator[Grid]:
    """The grid in one piece of at most `limit` columns of a terminal, or in several that repeat the key columns.

    Texts that may be shortened are, if that keeps it in one piece; no figure ever is.
    """
    widths = grid.widths()
    floors = [min(needed, _LEAST) if head.shortens else needed for head, needed in zip(grid.heads, widths, strict=True)]
    if _total(floors) <= limit:
        whole = _capped(grid, _cap(grid, widths, limit))
        if _total(whole.widths()) <= limit:
            yield whole
            return
    keys = [number for number, head in enumerate(grid.heads) if head.key]
    others = [number for number, head in enumerate(grid.heads) if not head.key]
    narrow = _capped(grid, max(_LEAST, limit // 3))
    widths = narrow.widths()
    piece: list[int] = []
    for number in others:
        if piece and _total([widths[i] for i in (*keys, *piece, number)]) > limit:
            yield narrow.part([*keys, *piece])
            piece = []
        piece.append(number)
    yield narrow.part([*keys, *piece])


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _cap(grid: Grid, widths: Sequence[int], limit: int) -> int:
    """The greatest width for texts that may be shortened with which the whole grid fits."""
    cap = max(widths, default=0)
    while cap > _LEAST and limit < _total(
        [min(needed, cap) if head.shortens else needed for head, needed in zip(grid.heads, widths, strict=True)]
    ):
        cap -= 1
    return cap


def _capped(grid: Grid, cap: int) -> Grid:
    """The grid with texts that may be shortened in about so many columns: in more where two would look the same."""
    shown = [
        _distinct(cells, cap) if head.shortens else cells
        for head, cells in zip(grid.heads, zip(*grid.rows, strict=True), strict=False)
    ]
    return replace(grid, rows=tuple(zip(*shown, strict=True)))


def _distinct(texts: Sequence[str], cap: int) -> Sequence[str]:
    """The texts in at most `cap` columns of a terminal, or in as few as keep different texts different."""
    different, longest = len(set(texts)), max(map(width, texts), default=0)
    while cap < longest:
        found = [shortened(text, cap) for text in texts]
        if len(set(found)) == different:
            return found
        cap += 1
    return texts
