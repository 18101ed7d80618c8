"""Noisy marginals made to look like those of one table: alike where they overlap, with one total, not negative."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.synthesizers.histogram import nonnegative
from epsilometer.synthesizers.noisy_marginals import Marginal
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from collections.abc import Sequence

ROUNDS: Final = 5


def consistent(marginals: Sequence[Marginal], variances: Sequence[float] = ()) -> tuple[Marginal, ...]:
    """Make marginals agree and not be negative, in turn, ``ROUNDS`` times.

    The last turn is exact for the signs and for the total, which is at least 1; the marginals then agree nearly.
    """
    for _ in range(ROUNDS):
        marginals = tuple(Marginal(each.columns, nonnegative(each.table)) for each in agreeing(marginals, variances))
    return tuple(marginals)


@source("qardaji-2014", "mutual consistency on all intersections of views")
def agreeing(marginals: Sequence[Marginal], variances: Sequence[float] = ()) -> tuple[Marginal, ...]:
    """Change noisy marginals so that they agree wherever they overlap. Exact.

    What several marginals say of the columns they share is averaged, each weighted by how few noisy counts it sums
    and how little noise is on each (``variances``; none for noise of one scale), and the difference from that spread
    evenly over the cells. Small overlaps come first: a later one does not undo an
    earlier one, as long as overlaps of overlaps are among them.

    >>> one, other = Marginal((0,), np.array([3.0, 1.0])), Marginal((1,), np.array([2.0, 2.0, 4.0]))
    >>> [each.table.sum().item() for each in agreeing([one, other])]
    [5.6, 5.6]
    """
    tables = [each.table.copy() for each in marginals]
    noise = variances or [1.0] * len(tables)
    for overlap in sorted(_overlaps(marginals), key=lambda columns: (len(columns), sorted(columns))):
        shared = sorted(overlap)
        holders = [i for i, each in enumerate(marginals) if overlap <= set(each.columns)]
        said = [Marginal(marginals[i].columns, tables[i]).onto(shared) for i in holders]
        estimate = np.average(said, axis=0, weights=[1 / (noise[i] * tables[i].size) for i in holders])
        for i, sums in zip(holders, said, strict=True):
            shape = [size if c in overlap else 1 for c, size in zip(marginals[i].columns, tables[i].shape, strict=True)]
            tables[i] += ((estimate - sums) * sums.size / tables[i].size).reshape(shape)
    return tuple(Marginal(each.columns, table) for each, table in zip(marginals, tables, strict=True))


def _overlaps(marginals: Sequence[Marginal]) -> set[frozenset[int]]:
    """All sets of columns that two or more marginals share, and what those have in common again."""
    found: set[frozenset[int]] = set()
    sets = {frozenset(each.columns) for each in marginals}
    while more := {one & other for one, other in combinations(sets | found, 2)} - found:
        found |= more
    return found
