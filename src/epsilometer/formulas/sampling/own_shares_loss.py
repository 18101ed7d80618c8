"""How far the shares of a sample are from those of the very population it is drawn from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.formulas.count_laws import log_binomial
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray


@source("johnson-kemp-kotz-2005", "Chapter 6: mean deviation of the hypergeometric law")
def own_shares_loss(counts: ArrayLike, sample: ArrayLike) -> FloatArray:
    r"""Expected total variation distance between the shares of a sample and those of its population. Exact.

    .. math:: \frac{1}{2m} \sum_k E|y_k - \mu_k|, \qquad
        E|y - \mu| = \frac{2 (c+1)(n - N - m + c + 1)}{n} \Pr(y = c + 1), \quad c = \lfloor \mu \rfloor

    with :math:`y_k` hypergeometric, :math:`N` = the entries of ``counts`` (values along the last axis), n their
    sum, :math:`m` = ``sample`` in 1 .. n, and :math:`\mu = mN/n`.

    >>> round(float(own_shares_loss([1, 1], 1)), 12)
    0.5
    """
    marked = np.asarray(counts, dtype=np.float64)
    n = marked.sum(axis=-1, keepdims=True)
    m = np.broadcast_to(np.asarray(sample, dtype=np.float64)[..., None], n.shape)
    above = np.floor(m * marked / n) + 1
    ways = above * (n - marked - m + above)
    possible = (above <= np.minimum(m, marked)) & (ways > 0)
    log_probability = _log_hypergeometric(np.where(possible, above, 0), np.where(possible, marked, 0), n, m)
    deviation = np.where(possible, 2 * ways / n * np.exp(log_probability), 0.0)
    return np.asarray(deviation.sum(axis=-1) / (2 * m[..., 0]))


def _log_hypergeometric(drawn: FloatArray, marked: FloatArray, n: FloatArray, m: FloatArray) -> FloatArray:
    """Log probability of so many marked people among m of n, as binomial probabilities of one in m / n."""
    p = np.minimum(m / n, 1 - 1e-16)  # everybody is drawn: the formula above has no weight there
    return log_binomial(drawn, marked, p) + log_binomial(m - drawn, n - marked, p) - log_binomial(m, n, p)
