"""The law of a sample drawn without putting anybody back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.formulas.count_laws import log_binomial
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray

NEARLY: Final = 1e-16  # nobody or everybody is drawn: the probability must stay inside (0, 1), and cancels


@source("johnson-kemp-kotz-2005", "Chapter 6: the hypergeometric law")
@source("loader-2000", "hypergeometric probabilities from binomial ones")
def hypergeometric(marked_drawn: ArrayLike, marked: ArrayLike, population: ArrayLike, drawn: ArrayLike) -> FloatArray:
    r"""Probability that so many of the people drawn are marked. Exact, also for counts that cannot be: zero.

    .. math:: \Pr(y) = \binom{N}{y} \binom{n - N}{m - y} \Big/ \binom{n}{m}

    with :math:`y` = ``marked_drawn``, :math:`N` = ``marked``, :math:`n` = ``population`` and :math:`m` = ``drawn``,
    from 0 to n.

    >>> float(hypergeometric(1, 2, 4, 2).round(12))
    0.666666666667
    """
    arguments = (marked_drawn, marked, population, drawn)
    y, marked_, n, m = np.broadcast_arrays(*(np.asarray(argument, dtype=np.float64) for argument in arguments))
    possible = (y >= 0) & (y <= marked_) & (m - y >= 0) & (m - y <= n - marked_)
    y = np.where(possible, y, np.maximum(0, m + marked_ - n))
    p = np.clip(m / n, NEARLY, 1 - NEARLY)
    log_probability = log_binomial(y, marked_, p) + log_binomial(m - y, n - marked_, p) - log_binomial(m, n, p)
    return np.where(possible, np.exp(log_probability), 0.0)
