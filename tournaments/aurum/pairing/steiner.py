"""Constructs Steiner triple systems, trios in which every two entrants meet exactly once, and the nearest to them.

They exist where `field` is 1 or 3 modulo 6 (Kirkman 1847): field * (field - 1) / 6 trios. Constructions of Bose
(1939) and Skolem (1958), after Lindner and Rodger, Design Theory, sections 1.2 and 1.3: three copies of a
commutative quasigroup in a ring, in which two of one copy meet their product in the next.
"""

from collections.abc import Callable
from itertools import combinations

from aurum.pairing.trios import Trio


def exists(field: int) -> bool:
    """Whether there is a system of so many entrants."""
    return field % 6 in (1, 3)


def steiner(field: int) -> list[Trio]:
    """The trios of a system of `field` entrants, numbered from 0, ascending.

    Raises:
        ValueError: there is none.
    """
    if not exists(field):
        raise ValueError(f"no Steiner triple system of {field}")
    return sorted(_bose(field) if field % 6 == 3 else _skolem(field))


def with_five(field: int) -> list[Trio]:
    """Trios in which every two entrants meet exactly once, but for the first five, none of whom meet: 5 modulo 6.

    The 6n + 5 construction of Lindner and Rodger, Design Theory, section 1.4.

    Raises:
        ValueError: there are none.
    """
    if field % 6 != 5:
        raise ValueError(f"no trios of {field} around five")
    size = (field - 2) // 3
    half = (size + 1) // 2
    turned = [0, *range(2, size), 1] if size > 1 else [0]  # leaves the first in its place, and moves the others round

    def at(a: int, copy: int) -> int:
        return 2 + 3 * a + copy

    trios = []
    for a in range(1, size, 2):  # every second of those that are moved, and the one that it is moved to
        b, before = turned[a], turned.index(a)
        trios += [
            _trio((0, at(a, 0), at(a, 1))),
            _trio((0, at(a, 2), at(b, 0))),
            _trio((0, at(b, 1), at(b, 2))),
            _trio((1, at(a, 1), at(a, 2))),
            _trio((1, at(b, 0), at(b, 1))),
            _trio((1, at(a, 0), at(before, 2))),
        ]
    for a, b in combinations(range(size), 2):
        product = (a + b) * half % size
        trios.append(_trio((at(a, 0), at(b, 0), at(product, 1))))
        trios.append(_trio((at(a, 1), at(b, 1), at(product, 2))))
        trios.append(_trio((at(a, 2), at(b, 2), at(turned[product], 0))))
    return sorted(trios)


def _bose(field: int) -> list[Trio]:
    size = field // 3
    half = (size + 1) // 2  # a half, modulo size: the product of two is their mean, so a * a = a
    columns = [_trio((a, a + size, a + 2 * size)) for a in range(size)]
    return columns + _products(size, lambda a, b: (a + b) * half % size)


def _skolem(field: int) -> list[Trio]:
    size = field // 3
    half, alone = size // 2, field - 1

    def product(a: int, b: int) -> int:
        total = (a + b) % size  # renamed so that a * a = a for the first half, and (a + half) * (a + half) = a
        return total // 2 if total % 2 == 0 else (total + size - 1) // 2

    columns = [_trio((a, a + size, a + 2 * size)) for a in range(half)]
    with_alone = [
        _trio((alone, half + a + copy * size, a + (copy + 1) % 3 * size)) for a in range(half) for copy in range(3)
    ]
    return columns + with_alone + _products(size, product)


def _products(size: int, product: Callable[[int, int], int]) -> list[Trio]:
    return [
        _trio((a + copy * size, b + copy * size, product(a, b) + (copy + 1) % 3 * size))
        for a, b in combinations(range(size), 2)
        for copy in range(3)
    ]


def _trio(members: Trio) -> Trio:
    first, second, third = sorted(members)
    return first, second, third
