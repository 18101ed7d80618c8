"""What noise makes of a cell: paper 001's eight scenarios, for the counts as they are."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.formulas.homogeneity.fates import fates_of, lone_sum
from epsilometer.formulas.homogeneity.publication import surviving_probability, vanishing_probability
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray
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
    own = lone_sum(place, fates.vanish, fates.seen)
    foreign = lone_sum(place, fates.vanish, fates.survive - fates.seen)
    none, several = _none_and_several(counts, noise)
    one_value = [np.where(n_present == 1, outcome, 0.0) for outcome in (own, foreign, several, none)]
    more_values = [np.where(n_present > 1, outcome, 0.0) for outcome in (several, none, foreign, own)]
    return np.stack(one_value + more_values, axis=-1)


def _none_and_several(counts: ArrayLike, noise: Noise) -> tuple[FloatArray, FloatArray]:
    """Probability that no value and that at least two values are published; sums of positive terms only."""
    columns = np.moveaxis(np.asarray(counts), -1, 0)
    none = np.ones_like(vanishing_probability(columns[0], noise))
    one, several = np.zeros_like(none), np.zeros_like(none)
    for column in columns:
        z, s = vanishing_probability(column, noise), surviving_probability(column, noise)
        none, one, several = none * z, one * z + none * s, several + one * s
    return none, several
