"""The log-likelihood of choices in the Davidson-Luce model (`aurum.rating.davidson_luce`), and its derivatives.

The logarithm of every weight is linear in the parameters (strengths in nats, then ln delta_t), so the log-likelihood is
concave, its gradient is what was observed less what was expected, and its second derivative is minus the covariance of
a choice, summed over choices. Everything is computed from whole-number counts in a fixed order: the same games give the
same bits in whatever order they came.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from aurum.rating.orders import WHOLE, Choice
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]
Indices = NDArray[np.intp]
Counts = Mapping[Choice, int]
"""How often each choice was made, in halves."""


class ChoiceArrays:
    """The choices among the same number of sides, as arrays.

    Args:
        rows: their positions among all choices.
        choices: those.
        sizes: how many sides may be chosen at once in these choices.
        ties: the sizes that have a parameter of their own.
        number: the column of each side; the ties' columns come after all of them.
    """

    def __init__(
        self,
        rows: Sequence[int],
        choices: Sequence[Choice],
        sizes: Sequence[int],
        ties: Sequence[int],
        number: Mapping[tuple[int, ...], int],
    ) -> None:
        sides = len(choices[0].sides)
        ways = [way for size in sizes if size <= sides for way in combinations(range(sides), size)]
        index = {way: position for position, way in enumerate(ways)}
        self.rows: Indices = np.array(rows, dtype=np.intp)
        self.columns: Indices = np.empty((len(rows), sides + len(ties)), dtype=np.intp)
        self.columns[:, :sides] = [[number[side] for side in choice.sides] for choice in choices]
        self.columns[:, sides:] = len(number) + np.arange(len(ties))
        self.ways: Matrix = np.zeros((len(ways), sides + len(ties)))
        """The derivative of the logarithm of each way's weight."""
        for position, way in enumerate(ways):
            self.ways[position, way] = 1 / len(way)
            if len(way) in ties:
                self.ways[position, sides + ties.index(len(way))] = 1
        taken = [index[tuple(choice.sides.index(side) for side in choice.chosen)] for choice in choices]
        self.taken: Indices = np.array(taken, dtype=np.intp)
        self.products: Matrix = (self.ways[:, :, None] * self.ways[:, None, :]).reshape(len(ways), -1)

    def log_weights(self, parameters: Vector) -> Matrix:
        """By choice and way."""
        result: Matrix = parameters[self.columns] @ self.ways.T
        return result

    def log_probabilities(self, parameters: Vector) -> Matrix:
        """By choice and way."""
        logs = self.log_weights(parameters)
        logs -= logs.max(axis=1, keepdims=True)
        logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
        return logs

    def residuals(self, parameters: Vector) -> Matrix:
        """By choice and column: the derivative of the log-likelihood, which is what was taken less what was likely."""
        result: Matrix = self.ways[self.taken] - np.exp(self.log_probabilities(parameters)) @ self.ways
        return result


class Likelihood:
    """The log-likelihood of choices and its derivatives.

    Parameters are the strengths of `field` bots, then ln delta_t of `sizes[1:]`. Inside, a side has a strength of its
    own; `members` is how those follow from the bots'. `arrays` are the choices, those of the same number of sides
    together.
    """

    def __init__(self, field: int, choices: Sequence[Choice], sizes: tuple[int, ...]) -> None:
        self._choices = choices
        self._sides = sorted({side for choice in choices for side in choice.sides})
        number = {side: column for column, side in enumerate(self._sides)}
        ties = sizes[1:]
        self.width = field + len(ties)
        self.members: Matrix = np.zeros((len(self._sides) + len(ties), self.width))
        for side, column in number.items():
            self.members[column, list(side)] = 1 / len(side)
        self.members[len(self._sides) :, field:] = np.eye(len(ties))
        alike: dict[tuple[int, int], list[int]] = {}
        for row, choice in enumerate(choices):
            alike.setdefault((len(choice.sides), 0 if choice.ties else len(choice.chosen)), []).append(row)
        self.arrays = [
            ChoiceArrays(rows, [choices[row] for row in rows], (certain,) if certain else sizes, ties, number)
            for (_, certain), rows in sorted(alike.items())
        ]

    def value(self, parameters: Vector, weights: Vector) -> float:
        """The logarithm itself."""
        inside = self.members @ parameters
        total = 0.0
        for arrays in self.arrays:
            logs = arrays.log_probabilities(inside)
            total += float(weights[arrays.rows] @ logs[np.arange(len(arrays.rows)), arrays.taken])
        return total

    def score(self, parameters: Vector, weights: Vector) -> Vector:
        """The first derivative."""
        inside = self.members @ parameters
        score: Vector = np.zeros(len(inside))
        for arrays in self.arrays:
            residuals = weights[arrays.rows, None] * arrays.residuals(inside)
            score += np.bincount(arrays.columns.ravel(), residuals.ravel(), len(inside))
        result: Vector = self.members.T @ score
        return result

    def meat(self, parameters: Vector, clusters: Sequence[tuple[Counts, int]]) -> Matrix:
        """The sum over clusters of s s^T, s a cluster's first derivative; each as often as its number says.

        A cluster has few bots, so s is 0 nearly everywhere: only what is not is kept. One dense s for each cluster
        would take gigabytes where hundreds of bots have all met.
        """
        inside = self.members @ parameters
        size = len(inside)
        groups, columns, values = self._cluster_scores(inside, [cluster for cluster, _ in clusters])
        times: Vector = np.array([number for _, number in clusters], dtype=np.float64)
        widths = np.bincount(groups, minlength=len(clusters))
        flat: Vector = np.zeros(size * size)
        for width in np.unique(widths[widths > 0]):
            alike = widths[groups] == width
            column, value = columns[alike].reshape(-1, width), values[alike].reshape(-1, width)
            cells = column[:, :, None] * size + column[:, None, :]
            products = times[widths == width, None, None] * value[:, :, None] * value[:, None, :]
            flat += np.bincount(cells.ravel(), products.ravel(), len(flat))
        result: Matrix = self.members.T @ flat.reshape(size, size) @ self.members
        return result

    def _cluster_scores(self, inside: Vector, clusters: Sequence[Counts]) -> tuple[Indices, Indices, Vector]:
        """First derivatives of clusters where they are not 0: cluster, column and value, sorted by the first two."""
        row_of = {choice: row for row, choice in enumerate(self._choices)}
        sizes = [len(cluster) for cluster in clusters]
        total = sum(sizes)
        groups: Indices = np.repeat(np.arange(len(clusters)), sizes)
        rows: Indices = np.fromiter((row_of[choice] for cluster in clusters for choice in cluster), np.intp, total)
        halves = np.fromiter((half for cluster in clusters for half in cluster.values()), np.float64, total)
        place: Indices = np.zeros(len(self._choices), dtype=np.intp)  # of a choice among those like it
        cells, values = [np.empty(0, np.intp)], [np.empty(0)]
        for arrays in self.arrays:
            mine = np.isin(rows, arrays.rows)
            place[arrays.rows] = np.arange(len(arrays.rows))
            local = place[rows[mine]]
            cells.append((groups[mine, None] * len(inside) + arrays.columns[local]).ravel())
            values.append((halves[mine, None] / WHOLE * arrays.residuals(inside)[local]).ravel())
        found, inverse = np.unique(np.concatenate(cells), return_inverse=True)
        sums: Vector = np.bincount(inverse, np.concatenate(values), len(found)).astype(np.float64)
        return found // len(inside), found % len(inside), sums

    def information(self, parameters: Vector, weights: Vector) -> Matrix:
        """Minus the second derivative."""
        inside = self.members @ parameters
        size = len(inside)
        flat: Vector = np.zeros(size * size)
        for arrays in self.arrays:
            likely = np.exp(arrays.log_probabilities(inside))
            mean = likely @ arrays.ways
            spread = likely @ arrays.products - (mean[:, :, None] * mean[:, None, :]).reshape(len(mean), -1)
            cells = arrays.columns[:, :, None] * size + arrays.columns[:, None, :]
            flat += np.bincount(cells.ravel(), (weights[arrays.rows, None] * spread).ravel(), len(flat))
        result: Matrix = self.members.T @ flat.reshape(size, size) @ self.members
        return result

    def largest_change(self, step: Vector) -> float:
        """By how many nats a step changes the odds of two ways to choose, at most."""
        inside = self.members @ step
        return max((float(np.ptp(arrays.log_weights(inside), axis=1).max()) for arrays in self.arrays), default=0.0)
