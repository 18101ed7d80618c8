"""What may be done to noisy counts before they are published: it sees nothing else, and so costs nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.synthesizers.consistency import agreeing, consistent
from epsilometer.synthesizers.histogram import nonnegative
from epsilometer.synthesizers.noisy_marginals import Marginal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.vocabulary.arrays import FloatArray, IntArray


def post_processed(
    noisy: Sequence[IntArray | FloatArray],
    columns: Sequence[Sequence[str]],
    variances: Sequence[float],
    steps: Sequence[str],
) -> list[FloatArray]:
    """Make noisy tables look more like counts of one table.

    ``"totals"`` makes tables agree on the columns they share, and so on one total, weighing what each says by its
    noise; ``"non-negative"`` moves to the nearest counts that are not negative and keeps the total; ``"whole"`` rounds
    so that the total stays the nearest whole number. They are done in this order, however they are named. With the
    first two, tables agree exactly in their total and nearly in the columns they share.

    Args:
        noisy: noisy counts, one axis for each column.
        columns: the columns of each table.
        variances: of the noise on one count of each table.
        steps: what to do.
    """
    tables = [each.astype(np.float64) for each in noisy]
    if "totals" in steps:
        tables = _agreeing(tables, columns, variances, nowhere_negative="non-negative" in steps)
    elif "non-negative" in steps:
        tables = [nonnegative(each) for each in tables]
    return [whole(each) for each in tables] if "whole" in steps else tables


def published(noisy: FloatArray | IntArray, threshold: float) -> IntArray:
    """Counts as they are published: zero below the threshold, otherwise the nearest whole number, at least 1.

    That is what the formulas of risk take a published count for. At the threshold 1/2 it is rounding, and negative
    counts become zero.

    >>> published(np.array([-3, 0, 1, 7]), 0.5), published(np.array([4, 5]), 4.5)
    (array([0, 0, 1, 7]), array([0, 5]))
    """
    return np.where(noisy < threshold, 0, np.maximum(1, np.floor(noisy + 0.5))).astype(np.int64)


def whole(counts: FloatArray) -> FloatArray:
    """Round down, and the largest remainders up, so that the total is the nearest whole number.

    >>> whole(np.array([1.6, 0.7, 1.7]))
    array([1., 1., 2.])
    """
    down = np.floor(counts)
    n_up = int(round(counts.sum()) - down.sum())
    up = np.argsort((down - counts).ravel(), kind="stable")[:n_up]
    down.ravel()[up] += 1
    return down


def _agreeing(
    tables: Sequence[FloatArray],
    columns: Sequence[Sequence[str]],
    variances: Sequence[float],
    *,
    nowhere_negative: bool,
) -> list[FloatArray]:
    """The same tables, with axes in one order for all of them while they are compared."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(name for names in columns for name in names))}
    orders = [np.argsort([numbers[name] for name in names]) for names in columns]
    marginals = [
        Marginal(tuple(sorted(numbers[name] for name in names)), table.transpose(order))
        for table, names, order in zip(tables, columns, orders, strict=True)
    ]
    adjusted = consistent(marginals, variances) if nowhere_negative else agreeing(marginals, variances)
    return [
        np.ascontiguousarray(each.table.transpose(np.argsort(order)))
        for each, order in zip(adjusted, orders, strict=True)
    ]
