"""How often the majority of a cell in a published sample names a member's value, for two values.

The people of the sample are drawn from the whole table; how many of them come from a cell is left to chance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.formulas.sampling.hypergeometric import hypergeometric
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray

BLOCK: Final = 2**18  # numbers per intermediate array


@source("johnson-kemp-kotz-2005", "Chapter 6: the hypergeometric law")
def right_by_majority(counts: ArrayLike, drawn: ArrayLike) -> FloatArray:
    r"""Probability that the majority of some people drawn from a cell is a member's value. Exact.

    .. math:: \frac12 + \frac{(n_1 - n_2)^2}{2 n} \sum_{j=0}^{\lceil t/2 \rceil - 1}
        \frac{1}{n - 2j} \binom{n_1}{j} \binom{n_2}{j} \Big/ \binom{n}{2j}

    with :math:`n_1, n_2` = a row of ``counts``, :math:`n = n_1 + n_2` and :math:`t` = ``drawn``, the numbers
    1, 2, ..., which may go beyond n: then everybody is drawn. A tie is broken by a coin. Each term is a tie after 2j
    people that the next one breaks, in favour of either value in proportion to those who are left; the person after
    that one changes nothing on average. The answer is one row per cell, and never falls along it.

    >>> right_by_majority([[3, 1]], [1, 2, 3, 4]).round(12)
    array([[0.625, 0.625, 0.75 , 0.75 ]])
    """
    first, second = np.asarray(counts, dtype=np.float64).T[..., None]
    n, t = first + second, np.asarray(drawn, dtype=np.float64)
    tied = np.floor(t / 2)
    breaks = (t % 2 == 1) & (t <= n)
    left = np.where(breaks, n - 2 * tied, 1.0)
    tie = hypergeometric(np.where(breaks, tied, 0.0), first, n, np.where(breaks, 2 * tied, 0.0))
    gains = np.where(breaks, (first - second) ** 2 / (2 * n) * tie / left, 0.0)
    return 0.5 + np.cumsum(gains, axis=-1)


@source("johnson-kemp-kotz-2005", "Chapter 6: the hypergeometric law")
def named_from_sample(counts: ArrayLike, fallback: ArrayLike, population: int, samples: ArrayLike) -> FloatArray:
    r"""Probability that the majority of its cell in a sample names a member's value. Exact.

    .. math:: \sum_{t \ge 1} \Pr(t) V(t) + \Pr(0) \sum_k g_k n_k / n

    with :math:`\Pr(t)` hypergeometric: t of the n people of a cell, a row of ``counts``, are among ``samples`` of
    the ``population``; V(t) as in :func:`right_by_majority`, and :math:`g` = ``fallback`` the probability with which
    each value is named if nobody of the cell is in the sample. The answer is samples x cells.
    What has a probability below 1e-20 is left out.

    >>> named_from_sample([[3, 1]], [1.0, 0.0], 4, [4, 1]).round(12)
    array([[0.75 ],
           [0.625]])
    """
    cells, sizes = np.asarray(counts, dtype=np.int64), np.sum(counts, axis=-1)
    by_fallback = cells @ np.asarray(fallback, dtype=np.float64) / sizes
    m = np.asarray(samples, dtype=np.int64)
    named = np.empty((len(m), len(cells)))
    for rows in _blocks(np.minimum(sizes, m.max())):
        t = np.arange(1, min(int(sizes[rows].max()), int(m.max())) + 1)
        right = right_by_majority(cells[rows], t)
        for number, sample in enumerate(m.tolist()):
            likely = _likely(sizes[rows], population, sample, len(t))
            drawn = hypergeometric(t[likely], sizes[rows][:, None], population, sample)
            nobody = hypergeometric(0, sizes[rows], population, sample)
            named[number, rows] = (drawn * right[:, likely]).sum(axis=-1) + nobody * by_fallback[rows]
    return named


def _likely(sizes: IntArray, population: int, sample: int, most: int) -> slice:
    """Which of the numbers 1, 2, ..., ``most`` of people drawn from the cells have any probability.

    By Bernstein's inequality what lies ten standard deviations and forty people away has less than 1e-20.
    """
    rate = sample / population
    reach = 10 * np.sqrt(sizes.max() * rate * (1 - rate)) + 40
    first = max(1, int(sizes.min() * rate - reach))
    return slice(first - 1, min(most, int(sizes.max() * rate + reach) + 1))


def _blocks(widths: IntArray) -> list[IntArray]:
    """Return the numbers of the cells in groups of about one width, each small enough for its arrays."""
    order = np.argsort(widths, kind="stable")
    groups, start = [], 0
    while start < len(order):
        fitting = np.arange(1, len(order) - start + 1) * widths[order[start:]] <= BLOCK  # true, then false
        stop = start + max(1, int(np.count_nonzero(fitting)))
        groups.append(order[start:stop])
        start = stop
    return groups
