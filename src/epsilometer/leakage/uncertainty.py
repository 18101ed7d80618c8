"""Uncertainty: what the best action loses on average, for any loss a user writes down.

The mirror image of :mod:`epsilometer.leakage.g`: actions minimise, and a leakage is what an output takes off the loss.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.errors import OutOfRange
from epsilometer.leakage.expected_values import expected_before, expected_before_and_after
from epsilometer.leakage.reading import plain
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from epsilometer.leakage.reading import MatrixLike, Number, VectorLike


@source("gonze-2023", "Definition 2.2.5")
def prior(prior: VectorLike, loss: MatrixLike) -> Number:
    r"""What does the best action lose before any output is seen? Exact.

    .. math:: \min_w \sum_x \pi_x \ell(w, x)

    with :math:`\pi` = ``prior`` and :math:`\ell` = ``loss``, actions x secrets.

    >>> prior([0.5, 0.5], [[0, 1], [1, 0]])
    0.5
    """
    return plain(expected_before(prior, loss=loss).min())


@source("AlvimEtAl2020", "posterior uncertainty")
def posterior(prior: VectorLike, channel: MatrixLike, loss: MatrixLike) -> Number:
    r"""What does the best action lose on average once the output is seen? Exact.

    .. math:: \sum_y \min_w \sum_x \pi_x C_{x,y} \ell(w, x)

    with :math:`C` = ``channel``. Never above the prior uncertainty.

    >>> posterior([0.5, 0.5], [[1.0, 0.0], [0.5, 0.5]], [[0, 1], [1, 0]])
    0.25
    """
    return _before_and_after(prior, channel, loss)[1]


@source("AlvimEtAl2020", "leakage of uncertainty")
def additive_leakage(prior: VectorLike, channel: MatrixLike, loss: MatrixLike) -> Number:
    """How much does the output take off the best action's loss? Exact: prior minus posterior.

    >>> additive_leakage([0.5, 0.5], [[1.0, 0.0], [0.5, 0.5]], [[0, 1], [1, 0]])
    0.25
    """
    before, after = _before_and_after(prior, channel, loss)
    return before - after


@source("AlvimEtAl2020", "leakage of uncertainty")
def multiplicative_leakage(prior: VectorLike, channel: MatrixLike, loss: MatrixLike) -> Number:
    """How many times as much does the best action lose without the output? Exact: prior divided by posterior.

    Undefined where the output leaves nothing to lose.

    >>> multiplicative_leakage([0.5, 0.5], [[1.0, 0.0], [0.5, 0.5]], [[0, 1], [1, 0]])
    2.0
    """
    before, after = _before_and_after(prior, channel, loss)
    if not after > 0:
        raise OutOfRange("the posterior uncertainty", after, "(0, inf)", hint="Use additive_leakage for such losses.")
    return before / after


@source("AlvimEtAl2020", "optimal strategy")
def strategy(prior: VectorLike, channel: MatrixLike, loss: MatrixLike) -> NDArray[np.int64]:
    """Which action is best for each output? The first of the best, numbered from 0.

    >>> strategy([0.5, 0.5], [[1.0, 0.0], [0.5, 0.5]], [[0, 1], [1, 0]])
    array([0, 1])
    """
    _, after = expected_before_and_after(prior, channel, loss=loss)
    return after.argmin(axis=1)


def _before_and_after(prior: VectorLike, channel: MatrixLike, loss: MatrixLike) -> tuple[Number, Number]:
    before, after = expected_before_and_after(prior, channel, loss=loss)
    return plain(before.min()), plain(after.min(axis=1).sum())
