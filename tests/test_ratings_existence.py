"""Whether there is a likeliest table at all: what graphs say, against a linear program that asks the likelihood."""

import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from aurum.rating.connections import ahead, components, islands, tie_sizes
from aurum.rating.models import Model, rate
from aurum.rating.orders import Choice, Group, Order, Side, order_of
from numpy.typing import NDArray
from rating_data import counted
from scipy.optimize import linprog


def has_no_maximum(field: int, choices: list[Choice], sizes: tuple[int, ...]) -> bool:
    """Whether some shift of all parameters makes no choice less likely and one likelier, for ever."""
    ties = list(sizes[1:])

    def features(way: tuple[Side, ...]) -> NDArray[np.float64]:
        vector = np.zeros(field + len(ties))
        for side in way:
            vector[list(side)] += 1 / len(side) / len(way)
        if len(way) in ties:
            vector[field + ties.index(len(way))] = 1
        return vector

    gains = [features(c.chosen) - features(way) for c in choices for n in sizes for way in combinations(c.sides, n)]
    if not gains:
        return False
    matrix = np.array(gains)
    found = linprog(-matrix.sum(axis=0), A_ub=-matrix, b_ub=np.zeros(len(matrix)), bounds=(-1, 1))
    return bool(-found.fun > 1e-7)


def some_games(chance: random.Random, sides: int) -> tuple[int, list[Order]]:
    """A few games among a few bots, many of them drawn."""
    field = chance.randint(sides, 5)
    games = []
    for _ in range(chance.randint(1, 9)):
        seated = tuple((bot,) for bot in chance.sample(range(field), sides))
        worst = chance.choice([2, 3])
        games.append(order_of(seated, tuple(chance.randint(1, worst) for _ in seated)))
    return field, games


@pytest.mark.parametrize("sides", [2, 3])
def test_a_determined_table_has_a_maximum(sides: int) -> None:
    """Where all bots of each island are one component. Of duels the reverse holds too, if anything was decided."""
    chance = random.Random(sides)
    seen = Counter[tuple[bool, bool]]()
    for _ in range(250):
        field, games = some_games(chance, sides)
        counts = counted(games)
        sizes, kept = tie_sizes(counts)
        graph = ahead(field, kept, sizes)
        determined = all(len(components(island, graph, [0] * field)) == 1 for island in islands(field, counts))
        unbounded = has_no_maximum(field, kept, sizes)
        seen[determined, unbounded] += 1
        assert not (determined and unbounded), games
        if sides == 2 and not determined:
            assert unbounded or not kept, games
    assert min(seen[True, False], seen[False, True]) > 20


@pytest.mark.parametrize("sides", [2, 3])
def test_every_fit_converges_to_moderate_figures(sides: int) -> None:
    """Whatever a few games were: no strength beyond what a few results can say, no tie parameter at 0 or infinity."""
    chance = random.Random(sides)
    for _ in range(150):
        field, games = some_games(chance, sides)
        groups: Counter[Group] = Counter((game,) for game in games)
        for model in Model:
            found = rate(field, groups, model)
            leads = [found.lead(bot, found.centre(n)) for n, island in enumerate(found.islands) for bot in island]
            assert all(abs(lead) < 15 for lead in leads if lead is not None), games
            assert all(0.01 < delta < 1000 for delta in found.ties.values()), games
