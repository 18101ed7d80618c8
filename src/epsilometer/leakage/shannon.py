"""Shannon entropy: how many bits the secret holds. Always floats, fractions included: logarithms are irrational."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import entr

from epsilometer.leakage.hyper_distribution import joint_of
from epsilometer.leakage.reading import as_floats, is_sparse, read_channel, read_prior, read_prior_and_channel
from epsilometer.leakage.shannon_capacity import certified_capacity
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.leakage.reading import Matrix, MatrixLike, VectorLike


@source("AlvimEtAl2020", "Shannon entropy")
def prior(prior: VectorLike) -> float:
    r"""How many bits does the secret hold before any output is seen? Exact.

    .. math:: H(X) = -\sum_x \pi_x \log_2 \pi_x

    >>> prior([0.5, 0.25, 0.25])
    1.5
    """
    return _bits(read_prior(prior))


@source("AlvimEtAl2020", "conditional Shannon entropy")
def posterior(prior: VectorLike, channel: MatrixLike) -> float:
    r"""How many bits does the secret still hold on average once the output is seen? Exact.

    .. math:: H(X \mid Y) = H(X, Y) - H(Y)

    >>> posterior([0.5, 0.5], [[1.0, 0.0], [0.0, 1.0]])
    0.0
    """
    return _before_and_after(prior, channel)[1]


@source("AlvimEtAl2020", "mutual information")
def additive_leakage(prior: VectorLike, channel: MatrixLike) -> float:
    r"""How many bits about the secret does the output tell on average? Exact: prior minus posterior.

    >>> additive_leakage([0.5, 0.5], [[1.0, 0.0], [0.0, 1.0]])
    1.0
    """
    before, after = _before_and_after(prior, channel)
    return max(before - after, 0.0)  # rounding must not make information negative


@source("blahut-1972", "upper and lower bounds on the capacity")
def capacity(channel: MatrixLike) -> float:
    r"""How many bits can an output tell on average at most, whatever the prior? A bound, less than 1e-9 too high.

    .. math:: \max_\pi I(\pi, C) \le \max_x D_x, \qquad D_x = \sum_y C_{x,y} \log_2 (C_{x,y} / q_y), \quad q = \pi C

    holds for every prior :math:`\pi`, and the best prior attains it. The prior used is one whose own mutual
    information, which no capacity falls below, lies less than 1e-9 under the bound.

    >>> round(capacity([[1.0, 0.0], [0.5, 0.5]]), 6)
    0.321928
    """
    return certified_capacity(as_floats(read_channel(channel)))


def _before_and_after(prior: VectorLike, channel: MatrixLike) -> tuple[float, float]:
    weights, rows = read_prior_and_channel(prior, channel)
    joint = joint_of(weights, rows)
    return _bits(weights), max(_bits(joint) - _bits(joint.sum(axis=0)), 0.0)


def _bits(probabilities: Matrix) -> float:
    numbers = probabilities.data if is_sparse(probabilities) else as_floats(probabilities)
    return float(entr(numbers).sum() / np.log(2))
