"""Attackers who know some columns of a person and guess another with the help of a synthetic table."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.errors import MissingExtra

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from epsilometer.vocabulary.arrays import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """Records as codes from 0, numbered alike in all tables; numbers are to be binned first.

    Attributes:
        known: what the attacker knows, records x columns.
        secret: what the attacker wants, one for each record.
    """

    known: IntArray
    secret: IntArray

    def __len__(self) -> int:
        return len(self.secret)

    def part(self, which: IntArray) -> People:
        """Some of them, by number."""
        return People(self.known[which], self.secret[which])


def look_up(table: People, targets: People) -> FloatArray:
    """Chance to be right about each target by looking up who is like the target in what is known. Exact.

    The guess is the most frequent secret of the records of the table with the same known values; without such a
    record, that of all records. Among equally frequent ones each is guessed with the same probability.

    >>> table = People(known=np.array([[0], [0], [1]]), secret=np.array([5, 6, 6]))
    >>> look_up(table, People(known=np.array([[0], [1], [2]]), secret=np.array([5, 5, 6])))
    array([0.5, 0. , 1. ])
    """
    _, cells = np.unique(np.concatenate([table.known, targets.known]), axis=0, return_inverse=True)
    of_table, of_targets = np.split(cells, [len(table)])
    n_secrets = 1 + max(table.secret.max(), targets.secret.max())
    n_each = np.bincount(table.secret, minlength=n_secrets)
    modes = n_each == n_each.max()
    without_match = modes[targets.secret] / modes.sum()

    values, n_records = np.unique(of_table * n_secrets + table.secret, return_counts=True)
    cell = values // n_secrets
    largest = np.zeros(cells.max() + 1, dtype=np.int64)
    np.maximum.at(largest, cell, n_records)
    winners = n_records == largest[cell]
    n_winners = np.bincount(cell[winners], minlength=len(largest))[of_targets]
    right = np.isin(of_targets * n_secrets + targets.secret, values[winners])
    return np.divide(right, n_winners, out=without_match, where=n_winners > 0)


def logistic_model(table: People, targets: People) -> FloatArray:
    """Whether a logistic regression, fitted to the table, is right about each target: 1 or 0.

    It knows each column by itself, so that it has a guess where few or no records are like the target in all.
    """
    try:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import OneHotEncoder
    except ImportError:
        raise MissingExtra("An attacker who trains a model", "synthesis") from None
    if (table.secret == table.secret[0]).all():  # nothing to be told apart
        return (targets.secret == table.secret[0]).astype(np.float64)
    model = make_pipeline(OneHotEncoder(handle_unknown="ignore"), LogisticRegression(max_iter=500))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # a model that is not quite the best is an attacker too
        model.fit(table.known, table.secret)
    return (model.predict(targets.known) == targets.secret).astype(np.float64)


ATTACKERS: Final[Mapping[str, Callable[[People, People], FloatArray]]] = {
    "look-up": look_up,
    "logistic model": logistic_model,
}
"""Attackers by name: each takes a synthetic table and targets, and says how probably it is right about each target."""
