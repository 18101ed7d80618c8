r"""Where the likelihood of Dirichlet parameters may have its maxima, of which there can be several.

For a given sum of the parameters the likelihood is concave in them, so that there is one best set of parameters: the
ridge. There, the likelihood rises with every parameter at one rate :math:`\lambda`,

.. math:: h_k(\alpha_k) = \sum_c \frac{U_k[c]}{c + \alpha_k} = \lambda

with :math:`U_k[c]` the number of cells with more than c records of value k. Each maximum lies on the ridge, where
:math:`\lambda` falls below what the sizes of the cells take off: :math:`\sum_c V[c] / (c + \alpha_\cdot)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray, IntArray

SUMS: Final = (1e-12, 1e9)  # of the parameters: cells that are as good as homogeneous, and as good as alike
SPACING: Final = 0.25  # of the logarithms of the rates that are looked at first
WIDEST: Final = 0.5  # between the logarithms of the sums that are looked at
CLOSEST: Final = 1e-9  # of the logarithms of rates
EACH_UP_TO: Final = 64  # from there on, counts are taken together that are alike
ALIKE: Final = 1.05
AT_ONCE: Final = 2**20  # numbers
PRECISION: Final = 1e-13
MOST_STEPS: Final = 100


@dataclass(frozen=True, slots=True, eq=False)
class _Tallies:
    """Numbers of cells with more than c records, of one value after the other, without those that are none.

    Attributes:
        cells: the numbers; of large c that are alike, their sum.
        above: c, or the mean of those that are alike.
        value: which value each is of.
        starts: the first of each value.
    """

    cells: FloatArray
    above: FloatArray
    value: IntArray
    starts: IntArray

    @classmethod
    def of(cls, exceeding: FloatArray) -> _Tallies:
        """Take values x c; somebody has each value."""
        firsts = _firsts(exceeding.shape[1])
        cells = np.add.reduceat(exceeding, firsts, axis=1)
        weighted = np.add.reduceat(exceeding * np.arange(exceeding.shape[1]), firsts, axis=1)
        value, place = np.nonzero(cells)
        found = cells[value, place]
        return cls(found, weighted[value, place] / found, value, np.flatnonzero(place == 0))

    def rates(self, parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return h of each parameter and minus its derivative: values x whatever the parameters are for."""
        shifted = self.above[:, None] + parameters[self.value]
        shares = self.cells[:, None] / shifted
        rate = np.add.reduceat(shares, self.starts)
        return rate, np.add.reduceat(np.divide(shares, shifted, out=shares), self.starts)


def _firsts(n: int) -> IntArray:
    """Return where to begin anew: at each small number, and then at each that is larger by a factor."""
    if n <= EACH_UP_TO:
        return np.arange(n)
    powers = np.arange(np.log(n / EACH_UP_TO) / np.log(ALIKE))
    return np.union1d(np.arange(EACH_UP_TO), np.floor(EACH_UP_TO * ALIKE**powers).astype(np.int64))


@source("minka-2000", "gradient of the Polya distribution; for a given sum of the parameters its logarithm is concave")
def ridge_tops(u: FloatArray, v: FloatArray) -> list[FloatArray]:
    """Return parameters near each maximum, the largest sum first: ``u`` of values x c, and ``v`` of the sizes.

    >>> u, v = np.array([[3.0, 2, 1, 0], [3, 1, 1, 1]]), np.array([4.0, 4, 3, 1])  # of (3, 0), (2, 1), (0, 4), (1, 1)
    >>> [top.round(1).tolist() for top in ridge_tops(u, v)]  # the maximum is at 0.79 and 0.74
    [[0.7, 0.7]]
    """
    of_values, of_sizes = _Tallies.of(u), _Tallies.of(v[None])
    # with a small sum the rate is that of the cells that have a value at all, with a large one that of all records
    logs = np.arange(np.log(u.sum() / SUMS[1]), np.log(u[:, 0].sum() / SUMS[0]), SPACING)
    ridge = _ridge(logs, of_values)
    while True:
        steps = -np.diff(np.log(ridge.sum(axis=0)))
        gaps = np.flatnonzero((steps > WIDEST) & (np.diff(logs) > CLOSEST))
        if not len(gaps):
            break
        middle = (logs[gaps] + logs[gaps + 1]) / 2
        logs, ridge = (
            np.insert(known, gaps + 1, more, axis=-1)
            for known, more in ((logs, middle), (ridge, _ridge(middle, of_values)))
        )
    rises = np.exp(logs) > of_sizes.rates(ridge.sum(axis=0)[None])[0][0]
    return list(ridge.T[1:][rises[1:] & ~rises[:-1]])


def _ridge(logs: FloatArray, of_values: _Tallies) -> FloatArray:
    """Solve for the parameters at each rate: values x rates."""
    at_once = max(1, AT_ONCE // len(of_values.cells))
    return np.concatenate(
        [_solved(np.exp(some), of_values) for some in np.split(logs, range(at_once, len(logs), at_once))], axis=1
    )


def _solved(rates: FloatArray, of_values: _Tallies) -> FloatArray:
    """Newton's steps on 1/h, which is concave: from the left they never go too far."""
    parameters = of_values.cells[of_values.starts][:, None] / rates
    for _ in range(MOST_STEPS):
        found, fall = of_values.rates(parameters)
        step = found * (found / rates - 1) / fall
        parameters = parameters + step
        if (np.abs(step) <= PRECISION * parameters).all():
            break
    return parameters
