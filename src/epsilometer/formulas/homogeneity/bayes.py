"""The best guess of a member's value from the published counts of the cell, by an attacker who knows the odds.

The attacker knows how the count vectors of cells are distributed (the *prior*), sees one published cell, and
names the most probable value of a member of it. With a prior that treats all values alike this is the largest
published count (:func:`~epsilometer.formulas.homogeneity.hard`); with known unequal shares it is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.errors import OutOfRange
from epsilometer.formulas.homogeneity.rounded_noise import published_distributions
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray
    from epsilometer.vocabulary.noise import Noise

WORKING_SET = 2**20  # numbers per intermediate array


@source("smith-2009", "posterior vulnerability")
def bayes_two_values(counts: ArrayLike, weights: ArrayLike, noise: Noise) -> FloatArray:
    r"""Probability that the best guess from a published cell with two values is right. Exact.

    .. math:: \sum_{y} \max_k \sum_i w_i \frac{n_{ik}}{n_i} \Pr(y_1 \mid n_{i1}) \Pr(y_2 \mid n_{i2})

    over all published pairs :math:`y`, with count vectors :math:`n_i` = the rows of ``counts`` and :math:`w_i` =
    ``weights`` the probability that the member's cell has them: binomial for a cell of known size and shares;
    for a table its own profile, each count vector by its number of people. The second attacker knows everything
    but which cell is which, and does at least as well on that table as any rule that reads one cell.
    Levels reached with probability below 1e-16 are left out.
    Cost: number of count vectors times the square of the largest count plus the reach of the noise.

    >>> from epsilometer.mechanisms import Laplace
    >>> float(bayes_two_values([[2, 0], [1, 1], [0, 2]], [0.49, 0.42, 0.09], Laplace(epsilon=1.0)).round(6))
    0.740673
    """
    n = np.asarray(counts, dtype=np.int64)
    if n.shape[-1] != 2:  # noqa: PLR2004
        raise OutOfRange("number of values", n.shape[-1], "{2}", hint="For more values use bayes_independent_counts.")
    member_has = np.asarray(weights, dtype=np.float64)[:, None] * n / n.sum(axis=1, keepdims=True)
    distinct, position = np.unique(n, return_inverse=True)
    first, second = position.reshape(n.shape).T
    tables = published_distributions(distinct, noise)
    right = [_sum_of_best(table[first], table[second], member_has) for table in tables]
    return np.reshape(right, np.shape(noise.probability_below(0.0)))


def _sum_of_best(first: FloatArray, second: FloatArray, member_has: FloatArray) -> float:
    """Sum over all pairs of levels of the larger of the two joint probabilities, in blocks of first levels."""
    n_levels = first.shape[1]
    step = max(1, WORKING_SET // n_levels)
    total = 0.0
    for start in range(0, n_levels, step):
        block = first[:, start : start + step]
        joint = [(block * has[:, None]).T @ second for has in member_has.T]
        total += float(np.maximum(*joint).sum())
    return total


@source("smith-2009", "posterior vulnerability")
def bayes_independent_counts(prior: ArrayLike, noise: Noise) -> FloatArray:
    r"""Probability that the best guess from a published cell is right, for any number of values. Exact.

    For counts that are independent a priori, with :math:`\Pr(N_k = c)` = ``prior[k, c]``: Poisson of rate
    :math:`\lambda p_k` when shares p are known and sizes are Poisson; negative binomial of shape
    :math:`\alpha_k` when shares are Dirichlet and sizes negative binomial of shape :math:`\sum \alpha_k`. Then
    the best guess is the largest posterior mean, and

    .. math:: \operatorname{E} \max_k \operatorname{E}[N_k \mid y_k] \Big/ \sum_k \operatorname{E} N_k

    is the maximum of independent variables. Levels reached with probability below 1e-16 are left out; the tail
    that ``prior`` leaves out is the caller's.

    >>> from epsilometer.mechanisms import Laplace
    >>> certain = [[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0]]  # three people, all with the first value
    >>> float(bayes_independent_counts(certain, Laplace(epsilon=1.0)).round(6))
    1.0
    """
    prior_mass = np.asarray(prior, dtype=np.float64)
    c = np.arange(prior_mass.shape[1])
    means = []
    for table in published_distributions(c, noise):
        evidence, joint_mean = prior_mass @ table, (prior_mass * c) @ table  # values x levels
        posterior_mean = np.divide(joint_mean, evidence, out=np.zeros_like(evidence), where=evidence > 0)
        means.append(_mean_of_maximum(posterior_mean, evidence) / (prior_mass @ c).sum())
    return np.reshape(means, np.shape(noise.probability_below(0.0)))


def _mean_of_maximum(values: FloatArray, masses: FloatArray) -> float:
    """Mean of the largest of independent discrete variables, one per row."""
    order = np.argsort(values, axis=None)
    owner, mass = order // values.shape[1], masses.ravel()[order]
    all_at_most = np.ones(order.size)
    for row in range(len(values)):
        all_at_most *= np.cumsum(np.where(owner == row, mass, 0.0))
    return float(values.ravel()[order] @ np.diff(all_at_most, prepend=0.0))
