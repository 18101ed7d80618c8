"""Bayes vulnerability: how often a single guess names the secret."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.leakage.column_maxima import checked_maxima
from epsilometer.leakage.hyper_distribution import joint_of
from epsilometer.leakage.reading import plain, read_channel, read_prior, read_prior_and_channel, read_prior_and_rows
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from epsilometer.leakage.reading import MatrixLike, Number, VectorLike


@source("gonze-2023", "Definition 2.2.4")
@source("smith-2009", "vulnerability")
def prior(prior: VectorLike) -> Number:
    r"""How likely is the best guess to be right before any output is seen? Exact: :math:`\max_x \pi_x`.

    >>> prior([0.5, 0.25, 0.25])
    0.5
    """
    return plain(read_prior(prior).max())


@source("gonze-2023", "Definition 2.2.9")
@source("smith-2009", "conditional vulnerability")
def posterior(prior: VectorLike, channel: MatrixLike) -> Number:
    r"""How likely is the best guess to be right once the output is seen? Exact.

    .. math:: \sum_y \max_x \pi_x C_{x,y}

    with :math:`\pi` = ``prior`` and :math:`C` = ``channel``. From the prior vulnerability to 1.

    >>> posterior([0.5, 0.5], [[1.0, 0.0], [0.5, 0.5]])
    0.75
    """
    return _before_and_after(prior, channel)[1]


@source("gonze-2023", "Definition 2.2.10")
def additive_leakage(prior: VectorLike, channel: MatrixLike) -> Number:
    """By how much does the output raise the chance of a right guess? Exact: posterior minus prior.

    >>> additive_leakage([0.5, 0.5], [[1.0, 0.0], [0.5, 0.5]])
    0.25
    """
    before, after = _before_and_after(prior, channel)
    return after - before


@source("gonze-2023", "Definition 2.2.10")
def multiplicative_leakage(prior: VectorLike, channel: MatrixLike) -> Number:
    """How many times as likely does the output make a right guess? Exact: posterior divided by prior, at least 1.

    >>> multiplicative_leakage([0.5, 0.5], [[1.0, 0.0], [0.5, 0.5]])
    1.5
    """
    before, after = _before_and_after(prior, channel)
    return after / before


@source("AlvimEtAl2020", "multiplicative Bayes capacity")
def capacity(channel: MatrixLike) -> Number:
    r"""What is the largest multiplicative leakage over all priors? Exact.

    .. math:: \sum_y \max_x C_{x,y}

    The uniform prior attains it, and no prior with any gain that is never negative leaks more.

    >>> capacity([[1.0, 0.0], [0.5, 0.5]])
    1.5
    """
    return plain(read_channel(channel).max(axis=0).sum())


@source("AlvimEtAl2020", "optimal strategy")
def strategy(prior: VectorLike, channel: MatrixLike) -> NDArray[np.int64]:
    """Which secret is the best guess for each output? The first of the best, numbered from 0.

    For an output that never occurs any guess is as good, and the answer is 0.

    >>> strategy([0.5, 0.5], [[1.0, 0.0], [0.5, 0.5]])
    array([0, 1])
    """
    joint = joint_of(*read_prior_and_channel(prior, channel))
    return np.asarray(joint.argmax(axis=0), dtype=np.int64)


def _before_and_after(prior: VectorLike, channel: MatrixLike) -> tuple[Number, Number]:
    weights, rows = read_prior_and_rows(prior, channel)
    return plain(weights.max()), plain(checked_maxima(weights, rows).sum())
