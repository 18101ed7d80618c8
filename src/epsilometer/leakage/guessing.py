"""Guessing entropy: how many tries naming the secret takes, likeliest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.leakage.hyper_distribution import joint_of
from epsilometer.leakage.reading import is_sparse, plain, read_prior, read_prior_and_channel
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.leakage.reading import Matrix, MatrixLike, Number, VectorLike


@source("massey-1994", "expected number of guesses")
def prior(prior: VectorLike) -> Number:
    r"""How many tries does the secret take on average before any output is seen? Exact.

    .. math:: \sum_i i \, \pi_{[i]}

    with :math:`\pi_{[i]}` the i-th largest probability of ``prior``.

    >>> prior([0.25, 0.5, 0.25])
    1.75
    """
    return _tries(read_prior(prior)[:, None])


@source("AlvimEtAl2020", "posterior guessing entropy")
def posterior(prior: VectorLike, channel: MatrixLike) -> Number:
    r"""How many tries does the secret take on average once the output is seen? Exact.

    .. math:: \sum_y \sum_i i \, J_{[i],y}

    with :math:`J_{[i],y}` the i-th largest joint probability of output y.

    >>> posterior([0.5, 0.5], [[1.0, 0.0], [0.5, 0.5]])
    1.25
    """
    return _tries(joint_of(*read_prior_and_channel(prior, channel)))


@source("AlvimEtAl2020", "leakage of uncertainty")
def additive_leakage(prior: VectorLike, channel: MatrixLike) -> Number:
    """How many tries does the output save on average? Exact: prior minus posterior.

    >>> additive_leakage([0.5, 0.5], [[1.0, 0.0], [0.5, 0.5]])
    0.25
    """
    before, after = _before_and_after(prior, channel)
    return before - after


@source("AlvimEtAl2020", "leakage of uncertainty")
def multiplicative_leakage(prior: VectorLike, channel: MatrixLike) -> Number:
    """How many times as many tries does the secret take without the output? Exact: prior divided by posterior.

    >>> multiplicative_leakage([0.5, 0.5], [[1.0, 0.0], [0.5, 0.5]])
    1.2
    """
    before, after = _before_and_after(prior, channel)
    return before / after


def _before_and_after(prior: VectorLike, channel: MatrixLike) -> tuple[Number, Number]:
    weights, rows = read_prior_and_channel(prior, channel)
    return _tries(weights[:, None]), _tries(joint_of(weights, rows))


def _tries(joint: Matrix) -> Number:
    """Return the sum of all entries, each times its place in its column, largest first."""
    if is_sparse(joint):
        outputs = np.repeat(np.arange(joint.shape[1]), np.diff(joint.indptr))
        largest_first = np.lexsort((-joint.data, outputs))  # columns stay where they are
        places = np.arange(1, joint.nnz + 1) - joint.indptr[outputs]
        return plain(places @ joint.data[largest_first])
    places = np.arange(1, len(joint) + 1)
    return plain((places @ -np.sort(-joint, axis=0)).sum())
