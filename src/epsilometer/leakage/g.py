"""g-vulnerability: what the best action gains on average, for any gain a user writes down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.errors import OutOfRange
from epsilometer.leakage.expected_values import expected_before, expected_before_and_after
from epsilometer.leakage.hyper_distribution import joint_of
from epsilometer.leakage.reading import cells, dense, plain, read_prior_and_channel
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from epsilometer.leakage.reading import MatrixLike, Number, VectorLike


@source("gonze-2023", "Definition 2.2.3")
def prior(prior: VectorLike, gain: MatrixLike) -> Number:
    r"""What does the best action gain before any output is seen? Exact.

    .. math:: \max_w \sum_x \pi_x g(w, x)

    with :math:`\pi` = ``prior`` and :math:`g` = ``gain``, actions x secrets.

    >>> prior([0.5, 0.5], [[4, 0], [0, 1]])
    2.0
    """
    return plain(expected_before(prior, gain=gain).max())


@source("gonze-2023", "Definition 2.2.8")
def posterior(prior: VectorLike, channel: MatrixLike, gain: MatrixLike) -> Number:
    r"""What does the best action gain on average once the output is seen? Exact.

    .. math:: \sum_y \max_w \sum_x \pi_x C_{x,y} g(w, x)

    with :math:`C` = ``channel``. Never below the prior vulnerability.

    >>> posterior([0.5, 0.5], [[1, 0], [0, 1]], [[4, 0], [0, 1]])
    2.5
    """
    return _before_and_after(prior, channel, gain)[1]


@source("gonze-2023", "Definition 2.2.10")
def additive_leakage(prior: VectorLike, channel: MatrixLike, gain: MatrixLike) -> Number:
    """How much more does the best action gain with the output? Exact: posterior minus prior.

    >>> additive_leakage([0.5, 0.5], [[1, 0], [0, 1]], [[4, 0], [0, 1]])
    0.5
    """
    before, after = _before_and_after(prior, channel, gain)
    return after - before


@source("gonze-2023", "Definition 2.2.10")
def multiplicative_leakage(prior: VectorLike, channel: MatrixLike, gain: MatrixLike) -> Number:
    """How many times as much does the best action gain with the output? Exact: posterior divided by prior.

    Undefined where the best action gains nothing, or loses, without the output.

    >>> multiplicative_leakage([0.5, 0.5], [[1, 0], [0, 1]], [[4, 0], [0, 1]])
    1.25
    """
    before, after = _before_and_after(prior, channel, gain)
    if not before > 0:
        raise OutOfRange("the prior vulnerability", before, "(0, inf)", hint="Use additive_leakage for such gains.")
    return after / before


@source("AlvimEtAl2020", "optimal strategy")
def strategy(prior: VectorLike, channel: MatrixLike, gain: MatrixLike) -> NDArray[np.int64]:
    """Which action is best for each output? The first of the best, numbered from 0.

    >>> strategy([0.5, 0.5], [[1, 0], [0, 1]], [[4, 0], [0, 1]])
    array([0, 1])
    """
    _, after = expected_before_and_after(prior, channel, gain=gain)
    return after.argmax(axis=1)


@source("AlvimEtAl2020", "additive capacity")
def additive_capacity(prior: VectorLike, channel: MatrixLike) -> Number:
    r"""What is the most that any gain with values from 0 to 1 leaks additively on this prior? Exact.

    .. math:: \max_{0 \le t \le 1} \; \sum_y \int_0^t c_y(s) \, ds - t

    where :math:`c_y(s)` is the channel's column of output y, largest first, each entry as wide as its secret's
    prior probability. One action for each output suffices; if no action may gain more than t before the output is
    seen, the action for y does best by gaining 1 on the secrets that give y most likely, until t is spent. The sum
    is concave in t and its slope, the sum of the entries reached, passes one at the best t. A sparse channel is
    made dense.

    >>> additive_capacity([0.5, 0.5], [[1, 0], [0, 1]])
    0.5
    """
    weights, rows = read_prior_and_channel(prior, channel)
    rows = dense(rows)
    likeliest_first = np.argsort(-rows, axis=0)
    heights, widths = np.take_along_axis(rows, likeliest_first, axis=0), weights[likeliest_first]
    ends = np.cumsum(widths, axis=0)
    drops = -np.diff(heights, axis=0, append=0 * heights[:1])
    by_end = np.argsort(ends, axis=None)
    slopes = heights[0].sum() - np.cumsum(drops.ravel()[by_end])
    slopes[-1] = 0  # beyond the last entry of every column, whatever rounding says
    best = ends.ravel()[by_end][np.argmax(slopes <= 1)]
    spent = np.clip(best - (ends - widths), 0, widths)
    return plain((heights * spent).sum() - best)


@source("AlvimEtAl2020", "additive capacity over one-spanning gains")
def spanning_capacity(prior: VectorLike, channel: MatrixLike) -> Number:
    r"""What is the most that any gain leaks additively on this prior whose actions each vary by at most 1? Exact.

    .. math:: \sum_y p_y \, TV(\pi, \delta^y) = \sum_{x,y} \max(0, \pi_x C_{x,y} - \pi_x p_y)

    the mean distance between belief and prior, with :math:`p_y` the probability of output y. Such an action may
    gain anything as long as two secrets differ by at most 1; gains from 0 to 1 are among them, so it is never below
    :func:`additive_capacity`.

    >>> spanning_capacity([0.5, 0.5], [[1, 0], [0, 1]])
    0.5
    """
    weights, rows = read_prior_and_channel(prior, channel)
    joint = joint_of(weights, rows)
    secrets, outputs, values = cells(joint)  # a joint probability of zero has nothing to add
    excess = values - weights[secrets] * joint.sum(axis=0)[outputs]
    return plain(np.maximum(excess, 0).sum())


def _before_and_after(prior: VectorLike, channel: MatrixLike, gain: MatrixLike) -> tuple[Number, Number]:
    before, after = expected_before_and_after(prior, channel, gain=gain)
    return plain(before.max()), plain(after.max(axis=1).sum())
