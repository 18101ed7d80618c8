r"""The expected risk of all cells of a table together, in closed form.

The closed form of one cell (:mod:`~epsilometer.formulas.homogeneity.closed_forms`) is a sum of powers. Summed over
cells, most of them depend on the privacy parameter through the size of the cell alone; what is left to be worked out
for each parameter is one power of each count,

.. math:: \sum_{\text{cells}} \sum_k (q + (1 - q) p_k)^n, \qquad
    (q + (1 - q) p_k)^n \le e^{-(1 - q) (n - n_k)}.

By the bound a value counts only if almost everybody in the cell has it. The others are left out where they cannot be
seen in the total, and their bound is added. So memory and not arithmetic bounds the time of large tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from epsilometer.vocabulary.long_arrays import of_parts, row_sums, sums_of_places
from epsilometer.vocabulary.noise import ExponentialTails
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from epsilometer.vocabulary.arrays import FloatArray, IntArray

_FIRST_DEPTH: Final = 60.0  # powers below exp(-60) are left out at first
_NEGLIGIBLE: Final = 1e-16  # of the total
_LARGE_HEAD: Final = 64.0  # times the last digit that the difference of two sums of powers may be off by
_OFTEN: Final = 4  # times that a pair of numbers must recur for a tally of pairs to pay


class _Reach(NamedTuple):
    """Up to where numbers count: others in a cell (for each privacy parameter), records of a value, sizes."""

    others: FloatArray
    own: int
    size: int


class _Sums(NamedTuple):
    """What the risk of all cells consists of, each cell with its weight.

    Attributes:
        powers: for each privacy parameter the sum of (q + (1 - q) p_k)^n over cells and values. Where the head of the
            tails is large, each is less p_k^n, and times the head.
        nobody: for each size the probability that nobody draws a value, summed over cells and values.
        cells: for each size within reach the weight of the cells.
    """

    powers: FloatArray
    nobody: FloatArray
    cells: FloatArray


class _Values(NamedTuple):
    """Records of values (a row each) in cells of some sizes and weights."""

    own: IntArray
    sizes: IntArray
    weights: NDArray[Any]

    def where(self, wanted: NDArray[np.bool_]) -> tuple[IntArray, IntArray, FloatArray]:
        """Return the records, sizes and weights that are wanted."""
        value, cell = np.divmod(np.flatnonzero(wanted), len(self.sizes))
        return self.own[value, cell], self.sizes[cell], self.weights[cell].astype(np.float64, copy=False)

    def everywhere(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Return all records, with sizes and weights."""
        weights = self.weights.astype(np.float64, copy=False)
        return self.own.ravel(), np.tile(self.sizes, len(self.own)), np.tile(weights, len(self.own))


def total_in_closed_form(
    counts: IntArray, weights: IntArray, total_weight: int, largest: int, tails: ExponentialTails
) -> FloatArray:
    """Sum of the expected risk of cells of up to ``largest`` records, each with a weight. Exact.

    >>> from epsilometer.mechanisms import Laplace
    >>> counts, noise = np.array([[2, 1], [3, 0]]), Laplace(epsilon=1.0)
    >>> float(total_in_closed_form(counts, np.array([1, 2]), 3, 3, noise.exponential_tails).round(6))
    1.790433
    """
    n_values = counts.shape[1]
    flat = ExponentialTails(*(np.atleast_1d(part) for part in (tails.head, tails.decay, tails.empty)))
    risk = _two_values if n_values == 2 else _any_values  # noqa: PLR2004
    depth = _FIRST_DEPTH
    while True:
        reach = _reach(depth, n_values, largest, flat)
        total = np.maximum(risk(_sums(counts, weights, largest, flat, reach), n_values, flat), 0.0)
        left_out = 2 * total_weight * np.exp(-depth)
        if (left_out <= _NEGLIGIBLE * total).all():
            scale = 1.0 if n_values == 2 else flat.head ** (n_values - 1)  # noqa: PLR2004
            return np.asarray((total + left_out) * scale).reshape(tails.decay.shape)
        depth *= 2


@source("homogeneity-v2", "Definition 8, summed for two values")
def _two_values(sums: _Sums, _n_values: int, tails: ExponentialTails) -> FloatArray:
    """Combine the powers as for one cell; if nobody draws a value, everybody draws the other one."""
    small = np.minimum(tails.head, _LARGE_HEAD)
    rises = np.where(tails.head > _LARGE_HEAD, sums.powers, small * (sums.powers - sums.nobody.sum()))
    with np.errstate(divide="ignore"):  # log 0 = -inf is meant
        log_head = np.log(tails.head)  # it may be so large that only its products with powers are numbers
    one_value = sums.nobody[: len(sums.cells)]
    vanish = _over_sizes(one_value, log_head, tails.decay)
    vanish_both = _over_sizes(sums.cells - one_value, 2 * log_head, tails.decay)
    return rises + tails.empty * (sums.nobody.sum() - vanish) - vanish - 2 * vanish_both


@source("homogeneity-v2", "Definition 8, summed for noise whose z(0) follows the rule too")
def _any_values(sums: _Sums, n_values: int, tails: ExponentialTails) -> FloatArray:
    """Combine the powers as for one cell, but for the heads of the values that vanish, which all terms have."""
    one = np.zeros(len(tails.decay))
    nobody = _over_sizes(sums.nobody[: len(sums.cells)], one, tails.decay)
    anybody = _over_sizes(n_values * sums.cells, one, tails.decay)
    return sums.powers - (1 - tails.head) * nobody - tails.head * anybody


def _over_sizes(numbers: FloatArray, log_factor: FloatArray, decay: FloatArray) -> FloatArray:
    """Sum of numbers for each size, times q^n and a factor."""
    n = np.arange(1, len(numbers))  # there is no cell without records
    with np.errstate(divide="ignore"):  # log 0 = -inf is meant
        logs = zip(log_factor, np.log(decay), strict=True)
    return np.array([np.einsum("i,i", numbers[1:], np.exp(factor + n * log_decay)) for factor, log_decay in logs])


def _reach(depth: float, n_values: int, largest: int, tails: ExponentialTails) -> _Reach:
    """Leave out powers that, with what they are multiplied by, come to exp(-depth) for all values of a cell."""
    with np.errstate(divide="ignore"):  # without noise to speak of, everything counts
        others = (depth + np.log(n_values * np.maximum(tails.head, 1.0))) / (1 - tails.decay)
        size = 2 + (depth + np.log(n_values)) / -np.log(tails.decay)  # two of the factors may be spent on heads
    own = depth + np.log(2 * _LARGE_HEAD * n_values)
    return _Reach(np.minimum(others, largest), int(min(own, largest)), int(min(size.max(), largest)))


def _sums(counts: IntArray, weights: IntArray, largest: int, tails: ExponentialTails, reach: _Reach) -> _Sums:
    farthest = int(reach.others.max())
    everything = farthest >= largest

    def of_part(some: IntArray, weight: IntArray) -> _Sums:
        sizes = row_sums(some)
        near = np.flatnonzero(sizes <= reach.size)
        cells = _by_size(sizes[near], weight[near], reach.size)
        values = _values(some, sizes, weight, largest)
        nobody = _nobody(*values.where(values.own <= reach.own), largest)
        counting = values.everywhere() if everything else values.where(values.sizes - values.own <= farthest)
        return _Sums(_powers(*counting, tails, reach.others), nobody, cells)

    # numbers that do not count cost little: longer parts leave more of the time to them than to numpy's calls
    numbers_per_row = counts.shape[1] if everything else -(-counts.shape[1] // 2)
    sums = of_parts(of_part, counts, weights, numbers_per_row=numbers_per_row, passes=len(tails.decay))
    return _Sums(*(np.sum(parts, axis=0) for parts in zip(*sums, strict=True)))


def _values(counts: IntArray, sizes: IntArray, weights: IntArray, largest: int) -> _Values:
    """Return the records of all values; where few numbers recur in cells of a size, each of them once."""
    n_pairs = (int(counts.max()) + 1) * (largest + 1)
    if n_pairs > counts.size / _OFTEN:
        return _Values(counts.T, sizes, weights)
    pairs = counts.T * (largest + 1) + sizes
    sums = sums_of_places(pairs.ravel(), np.tile(weights, counts.shape[1]), n_pairs)
    different = np.flatnonzero(sums)
    own, sizes = np.divmod(different, largest + 1)
    return _Values(own[None], sizes, sums[different])


def _nobody(own: IntArray, sizes: IntArray, weights: FloatArray, largest: int) -> FloatArray:
    """Probability that nobody in a cell draws a value, added up for each size."""
    with np.errstate(divide="ignore"):  # if everybody has it, log1p(-1) = -inf is meant
        return _by_size(sizes, weights * np.exp(sizes * np.log1p(-own / sizes)), largest)


def _by_size(sizes: IntArray, numbers: NDArray[Any], largest: int) -> FloatArray:
    """Add up numbers for each size, from none to the largest."""
    return np.asarray(np.bincount(sizes, numbers, minlength=largest + 1), dtype=np.float64)


def _powers(
    own: IntArray, sizes: IntArray, weights: FloatArray, tails: ExponentialTails, reach: FloatArray
) -> FloatArray:
    """Sum of the powers for each privacy parameter, of as many counts as are within its reach."""
    ends = [len(own)]
    if len(reach) > 1:
        others = sizes - own
        order = np.argsort(others.astype(np.int16), kind="stable")  # closed forms end at 10,000 records
        own, sizes, weights = own[order], sizes[order], weights[order]
        ends = np.searchsorted(others[order], reach, side="right").tolist()
    n = sizes.astype(np.float64)
    shares, room, sums = own / n, np.empty(len(n)), np.empty(len(reach))
    for i, (end, h, q) in enumerate(zip(ends, tails.head, tails.decay, strict=True)):
        power = _log_power(shares[:end], n[:end], q, out=room[:end])
        if h > _LARGE_HEAD:
            power += np.log(h)
            np.exp(power, out=power)
            power *= _share_of_rise(own[:end], n[:end], q)
        else:
            np.exp(power, out=power)
        sums[i] = np.einsum("i,i", power, weights[:end])  # a product would be given to threads that get in the way
    return sums


def _share_of_rise(own: IntArray, n: FloatArray, q: float) -> FloatArray:
    """1 - p^n / (q + (1 - q) p)^n."""
    odds = np.divide(q * (n - own), own, out=np.full(len(n), np.inf), where=own > 0)
    return -np.expm1(-n * np.log1p(odds))


def _log_power(shares: FloatArray, n: FloatArray, q: float, out: FloatArray) -> FloatArray:
    """Return n log(q + (1 - q) share), step by step in memory that the processor has at hand."""
    np.multiply(shares, 1 - q, out=out)
    np.add(out, q, out=out)
    with np.errstate(divide="ignore"):  # log 0 = -inf is meant
        np.log(out, out=out)
    return np.multiply(out, n, out=out)
