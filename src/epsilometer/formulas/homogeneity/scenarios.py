"""What noise makes of a cell: paper 001's eight scenarios, for the counts as they are."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.formulas.homogeneity.fates import fates_of
from epsilometer.formulas.homogeneity.totals import sum_of_parts, weighted_sum
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from epsilometer.formulas.homogeneity.fates import Fates
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray
    from epsilometer.vocabulary.noise import Noise


class Scenario(IntEnum):
    """Paper 001's number of each scenario: the true cell has one value or several, the published cell ...

    Scenarios 1 and 8 are the homogeneity attack; the paper counts 8 although it tells the truth only about
    the members who have the value that is left.
    """

    ONE_VALUE_SHOWS_IT = 1
    ONE_VALUE_SHOWS_ANOTHER = 2
    ONE_VALUE_SHOWS_SEVERAL = 3
    ONE_VALUE_SHOWS_NONE = 4
    SEVERAL_VALUES_SHOW_SEVERAL = 5
    SEVERAL_VALUES_SHOW_NONE = 6
    SEVERAL_VALUES_SHOW_A_FOREIGN_ONE = 7
    SEVERAL_VALUES_SHOW_ONE_OF_THEM = 8


@source("homogeneity-v2", "Section 3.2, Scenarios 1 to 8")
def scenario_probabilities(counts: ArrayLike, noise: Noise) -> FloatArray:
    """Probability of each scenario for each cell, scenarios 1 to 8 in this order along the last axis. Exact.

    A cell with one value runs through scenarios 1 to 4, a cell with several through 5 to 8; the others are 0.
    The eight sum to one for every cell with a record. A cell without records belongs to no scenario: all are 0.
    Scenarios 1 and 8 together are :func:`~epsilometer.formulas.homogeneity.local`.

    >>> from epsilometer.mechanisms import Laplace
    >>> scenario_probabilities([3, 0], Laplace(epsilon=1.0)).round(4)
    array([0.6681, 0.0124, 0.2908, 0.0286, 0.    , 0.    , 0.    , 0.    ])
    """
    fates, place = fates_of(counts, noise)
    n_present = (np.asarray(counts) > 0).sum(axis=-1)
    none, own, foreign, several = _outcomes(place, fates)
    one_value = [np.where(n_present == 1, outcome, 0.0) for outcome in (own, foreign, several, none)]
    more_values = [np.where(n_present > 1, outcome, 0.0) for outcome in (several, none, foreign, own)]
    return np.stack(one_value + more_values, axis=-1)


@source("homogeneity-v2", "Section 3.2, Scenarios 1 to 8, summed over the cells of a table")
def scenario_totals(counts: IntArray, n_cells: ArrayLike, noise: Noise) -> FloatArray:
    """Expected number of cells in each scenario, along the first axis: sums of :func:`scenario_probabilities`. Exact.

    >>> from epsilometer.mechanisms import Laplace
    >>> scenario_totals(np.array([[3, 0], [2, 1]]), [1, 2], Laplace(epsilon=1.0)).round(4)
    array([0.6681, 0.0124, 0.2908, 0.0286, 1.238 , 0.0677, 0.    , 0.6943])
    """

    def totals(some: IntArray, weights: FloatArray, known: Noise) -> FloatArray:
        fates, place = fates_of(some, known)
        of_one = weights * (np.count_nonzero(some, axis=1) == 1)
        none, own, foreign, several = _outcomes(place, fates)
        one_value = [weighted_sum(outcome, of_one) for outcome in (own, foreign, several, none)]
        more_values = [weighted_sum(outcome, weights - of_one) for outcome in (several, none, foreign, own)]
        return np.stack(one_value + more_values)

    return sum_of_parts(totals, counts, n_cells, noise)


def _outcomes(place: IntArray, fates: Fates) -> Iterator[FloatArray]:
    """Probability that no value is published, that only one is, somebody's or nobody's, and that several are.

    Sums of positive terms only. The axis of the privacy parameters comes first.
    """
    first, *others = place.reshape(-1, place.shape[-1]).T
    none, survives, own = (np.take(table, first, axis=0) for table in (fates.vanish, fates.survive, fates.seen))
    foreign, several = survives - own, np.zeros_like(own)
    for at in others:
        z, survives, is_own = (np.take(table, at, axis=0) for table in (fates.vanish, fates.survive, fates.seen))
        several += (own + foreign) * survives
        own = own * z + none * is_own
        foreign = foreign * z + none * (survives - is_own)
        none *= z
    return (state.T.reshape(none.shape[1:] + place.shape[:-1]) for state in (none, own, foreign, several))
