"""The domain of a column that nobody declared, found under differential privacy.

Values are kept if their noisy count is above a threshold that a single person's value passes with probability delta
at most. Ranges are found on a grid that does not depend on the data: powers of two first, then even steps.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from epsilometer.errors import BadTable
from epsilometer.synthesizers.budget import noise_scale
from epsilometer.synthesizers.domain import Categories, ColumnDomain, Range, bounded
from epsilometer.vocabulary.spending import Spending

if TYPE_CHECKING:
    from epsilometer.synthesizers.budget import Budget
    from epsilometer.synthesizers.noise import Noise
    from epsilometer.tables.records import Records
    from epsilometer.vocabulary.arrays import FloatArray

LARGEST_POWER: Final = 64  # numbers up to 2^64 in size, and as near to zero as 2^-64
STEPS: Final = 64  # of the second, even grid
SURE: Final = 4.0  # standard deviations of the noise in a sum of counts that noise alone hardly reaches


def found_domain(
    records: Records, name: str, budget: Budget | None, noise: Noise, *, n_bins: int
) -> tuple[ColumnDomain, tuple[Spending, ...]]:
    """Find what a column holds; missing values are always provided for. Also what was spent.

    The type of a column of truth values says it all, which takes no budget.
    """
    if budget is None or not needs_finding(records, name):
        return Categories((False, True), missing=True), ()
    if records.is_numeric(name):
        return _found_range(records, name, budget, noise, n_bins=n_bins)
    return _found_values(records, name, budget, noise)


def needs_finding(records: Records, name: str) -> bool:
    """Whether the type of a column leaves its domain open."""
    return not pa.types.is_boolean(records.rows.schema.field(name).type)


def _found_values(records: Records, name: str, budget: Budget, noise: Noise) -> tuple[Categories, tuple[Spending, ...]]:
    scale = noise_scale(1, budget.epsilon)
    counted = pc.value_counts(records.values(name).drop_null().combine_chunks())
    values = counted.field("values").to_pylist()
    counts = noise.keyed(values, np.asarray(counted.field("counts"), dtype=np.int64), scale)
    often = counts >= smallest_shown(budget)
    kept = sorted(value for value, shown in zip(values, often, strict=True) if shown)
    if not kept:
        raise BadTable(
            f"No value of column {name!r} is common enough to be found privately: that takes a count of about"
            f" {smallest_shown(budget):,}. Declare its values, or leave the column out if it names people."
        )
    spent = Spending(f"values of {name}", budget.epsilon, budget.delta, f"geometric, scale {scale:g}")
    return Categories(tuple(kept), missing=True), (spent,)


def smallest_shown(budget: Budget) -> int:
    r"""Smallest noisy count at which a value is shown: a count of one reaches it with probability delta at most. Exact.

    Two-sided geometric noise is at least k with probability :math:`q^k / (1 + q)`, :math:`q = e^{-\varepsilon}`.

    >>> from epsilometer.synthesizers.budget import Budget
    >>> smallest_shown(Budget(1.0, 1e-6))
    15
    """
    q = math.exp(-budget.epsilon)
    return 1 + max(1, math.ceil(-math.log(budget.delta * (1 + q)) / budget.epsilon))


def _found_range(
    records: Records, name: str, budget: Budget, noise: Noise, *, n_bins: int
) -> tuple[Range, tuple[Spending, ...]]:
    numbers = records.numbers(name)
    numbers = numbers[~np.isnan(numbers)]
    coarse, fine = budget.parts(1, 1)
    kind = records.rows.schema.field(name).type
    whole = bounded(name, kind, 0, 1, n_bins=1, missing=True).whole
    powers = np.ldexp(1.0, np.arange(0 if whole else -LARGEST_POWER, LARGEST_POWER + 1))
    rough = _occupied(numbers, np.concatenate([-powers[::-1], [0.0], powers]), coarse, noise, name)
    grid = bounded(name, kind, rough[0], rough[1] - whole, n_bins=STEPS, missing=True).edges
    low, high = _occupied(numbers, grid, fine, noise, name)
    found = bounded(name, kind, low, high - whole, n_bins=n_bins, missing=True)
    spent = Spending(
        f"range of {name}", budget.epsilon, 0.0, f"geometric, scale {noise_scale(1, coarse.epsilon):g}, twice"
    )
    return found, (spent,)


def _occupied(numbers: FloatArray, edges: FloatArray, budget: Budget, noise: Noise, name: str) -> tuple[float, float]:
    """Ends of the stretch outside of which there are no more numbers than noise alone would put there."""
    inside = numbers[(numbers >= edges[0]) & (numbers <= edges[-1])]
    scale = noise_scale(1, budget.epsilon)
    counts = noise.whole(np.histogram(inside, edges)[0].astype(np.int64), scale)
    # sums from either end vary less, for what they hold, than single counts do
    enough = SURE * scale * np.sqrt(2 * np.arange(1, len(counts) + 1))
    from_below, from_above = (np.flatnonzero(np.cumsum(side) > enough) for side in (counts, counts[::-1]))
    if not len(from_below) or not len(from_above):
        raise BadTable(
            f"The range of column {name!r} cannot be found privately: with ε = {budget.epsilon:.3g} for it that takes"
            f" {math.ceil(enough[-1]):,} rows or more. Declare its range, or the ranges of other columns."
        )
    first, last = int(from_below[0]), len(counts) - int(from_above[0])
    return float(edges[min(first, last - 1)]), float(edges[max(last, first + 1)])
