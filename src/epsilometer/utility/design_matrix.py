"""Records as numbers that a linear model or a network can learn from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.tables.records import shared_codes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.tables.records import Records
    from epsilometer.vocabulary.arrays import FloatArray, IntArray

MOST_CATEGORIES: Final = 50  # of a column; the rarer ones count as one


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """A matrix for a regression, without its constant.

    Attributes:
        features: records of all tables one after the other x features.
        column: the column of the table that each feature comes from, by its number.
    """

    features: FloatArray
    column: IntArray


def design_matrix(tables: Sequence[Records], columns: Sequence[str], *, n_learned: int) -> Design:
    """Numbers to mean 0 and spread 1, categories to one feature each; missing is a category, in numbers too.

    Mean, spread and categories are those of the first ``n_learned`` tables. The most frequent category has no
    feature, nor has one that does not occur there; columns of a single value have none at all.

    >>> import pyarrow as pa
    >>> from epsilometer.tables.records import read_records
    >>> people = read_records(pa.table({"age": [20, 40, None], "sex": ["f", "m", "f"]}))
    >>> design_matrix([people], ["age", "sex"], n_learned=1).features
    array([[-1.,  0.,  0.],
           [ 1.,  0.,  1.],
           [ 0.,  1.,  0.]])
    """
    n_known = sum(len(records) for records in tables[:n_learned])
    parts = [
        _of_numbers(np.concatenate([records.numbers(name) for records in tables]), n_known)
        if tables[0].is_numeric(name)
        else _of_categories(np.concatenate(shared_codes(name, tables)[0]), n_known)
        for name in columns
    ]
    widths = [part.shape[1] for part in parts]
    return Design(np.concatenate(parts, axis=1), np.repeat(np.arange(len(columns)), widths))


def _of_numbers(numbers: FloatArray, n_known: int) -> FloatArray:
    missing = np.isnan(numbers)
    known = numbers[:n_known][~missing[:n_known]]
    features = []
    if known.size and np.ptp(known) > 0:
        features.append(np.where(missing, 0.0, (numbers - known.mean()) / known.std()))
    if 0 < known.size < n_known:
        features.append(missing.astype(np.float64))
    return np.stack(features, axis=1) if features else np.empty((len(numbers), 0))


def _of_categories(codes: IntArray, n_known: int) -> FloatArray:
    counts = np.bincount(codes[:n_known], minlength=codes.max() + 1)
    rank = np.argsort(np.argsort(-counts, kind="stable"))
    category = np.where(counts > 0, np.minimum(rank, MOST_CATEGORIES), 0)  # 0 is the most frequent
    return np.equal.outer(category[codes], np.arange(1, category.max() + 1)).astype(np.float64)
