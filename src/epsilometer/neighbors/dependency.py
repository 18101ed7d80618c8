"""Which columns of a table go together: the linked parts of its dependency graph."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.sparse.csgraph import connected_components

from epsilometer.errors import OutOfRange
from epsilometer.tables.shared_bins import binned_codes
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.tables.records import Records
    from epsilometer.vocabulary.arrays import IntArray

LINKED_FROM: Final = 0.2  # Cramer's V of columns that are linked; the paper does not say what dependent means


def dependency_codes(records: Records) -> IntArray:
    """Records as codes whose associations are measured: numbers in bins of about equal size, missing by itself.

    >>> import pyarrow as pa
    >>> from epsilometer.tables.records import Records
    >>> people = pa.table({"age": [20, 30, None, 40], "sex": ["f", "m", "f", "f"]})
    >>> dependency_codes(Records(people, "people")).T
    array([[0, 1, 3, 2],
           [0, 1, 0, 0]])
    """
    return np.column_stack([binned_codes(name, [records])[0][0] for name in records.columns])


@source("chen-2021", "Section 3.2.4: linked parts of the dependency graph")
def dependency_cliques(codes: IntArray, *, linked_from: float = LINKED_FROM) -> list[list[int]]:
    """Which columns are linked, directly or through others? Each is in one clique, in the order of the columns.

    Two columns are linked directly if :func:`association` is at least ``linked_from``. The paper leaves open what
    makes columns dependent, so that measure and limit are ours; it calls clique what graph theory calls component.

    >>> dependency_cliques(np.array([[0, 0, 1], [1, 0, 0], [0, 1, 1], [1, 1, 0]] * 10))
    [[0, 2], [1]]
    """
    if not 0 < linked_from <= 1:
        raise OutOfRange(
            "linked_from", linked_from, "(0, 1]", hint="It is an association: 1 if one column tells another."
        )
    n_columns = codes.shape[1]
    linked = np.eye(n_columns, dtype=np.bool_)
    for one, other in combinations(range(n_columns), 2):
        linked[one, other] = association(codes[:, one], codes[:, other]) >= linked_from
    n_cliques, clique = connected_components(linked, directed=False)
    return [np.flatnonzero(clique == number).tolist() for number in range(n_cliques)]


@source("bergsma-2013", "bias-corrected Cramer's V")
def association(one: IntArray, other: IntArray) -> float:
    r"""How strongly are two columns of codes associated, from 0 for not at all to 1? Exact.

    .. math:: \tilde V = \sqrt{\frac{\max(0, \varphi^2 - \frac{(r-1)(c-1)}{n-1})}{\min(\tilde r, \tilde c) - 1}},
        \quad \varphi^2 = \sum_{x, y} \frac{n_{xy}^2}{n_x n_y} - 1, \quad \tilde r = r - \frac{(r-1)^2}{n-1}

    with r and c the numbers of codes, whole numbers from 0, that occur. Columns of many values look associated by
    chance alone, which is what is subtracted. Zero if a column has one value only, or another one in every record.

    >>> association(np.array([0, 0, 1, 1]), np.array([1, 1, 0, 0])), association(np.array([0, 0]), np.array([0, 1]))
    (1.0, 0.0)
    """
    n, n_x, n_y = len(one), np.bincount(one), np.bincount(other)
    r, c = int(np.count_nonzero(n_x)), int(np.count_nonzero(n_y))
    room = min(_corrected(r, n), _corrected(c, n))
    if room <= 0:
        return 0.0
    cell, n_xy = np.unique(one * len(n_y) + other, return_counts=True)
    squared = (n_xy / n_x[cell // len(n_y)] * n_xy / n_y[cell % len(n_y)]).sum() - 1
    return float(min(np.sqrt(max(0.0, squared - (r - 1) * (c - 1) / (n - 1)) / room), 1.0))


def _corrected(n_values: int, n: int) -> float:
    """How far above one the corrected number of values is; zero for one value, and for as many as records."""
    return (n_values - 1) * (n - n_values) / max(n - 1, 1)
