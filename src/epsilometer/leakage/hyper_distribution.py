"""What an observer believes after seeing an output, and how often."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from epsilometer.leakage.reading import dense, is_sparse, read_prior_and_channel
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from epsilometer.leakage.reading import Matrix, MatrixLike, VectorLike

SAME_BELIEF = 1e-12  # floats this close in every probability are one belief; fractions must be equal


@dataclass(frozen=True, slots=True, eq=False)
class Hyper:
    """The distribution of an observer's beliefs about the secret.

    Attributes:
        outer: how likely each belief is.
        inners: the beliefs, one in each column: secrets x beliefs.
    """

    outer: NDArray[Any]
    inners: NDArray[Any]


@source("gonze-2023", "Equation 2.1")
def joint(prior: VectorLike, channel: MatrixLike) -> Matrix:
    r"""How likely is each secret together with each output? Exact; sparse if the channel is.

    .. math:: J_{x,y} = \pi_x C_{x,y}

    with :math:`\pi` = ``prior`` and :math:`C` = ``channel``.

    >>> joint([0.5, 0.5], [[1.0, 0.0], [0.5, 0.5]])
    array([[0.5 , 0.  ],
           [0.25, 0.25]])
    """
    return joint_of(*read_prior_and_channel(prior, channel))


@source("gonze-2023", "Definition 2.2.7")
def hyper(prior: VectorLike, channel: MatrixLike) -> Hyper:
    r"""Which beliefs can an observer end up with, and how likely is each? Exact.

    .. math:: p_y = \sum_x J_{x,y}, \qquad \delta^y_x = J_{x,y} / p_y

    Outputs that never occur are left out; outputs that lead to the same belief become one, in the place of the
    first. The beliefs of a sparse channel are dense.

    >>> beliefs = hyper([0.5, 0.5], [[0.5, 0.5, 0.0], [0.25, 0.25, 0.5]])
    >>> beliefs.outer
    array([0.75, 0.25])
    """
    together = dense(joint_of(*read_prior_and_channel(prior, channel)))
    outer = together.sum(axis=0)
    possible = (outer > 0).astype(bool)
    outer, inners = outer[possible], together[:, possible] / outer[possible]
    _, first, belief = np.unique(_levels(inners), axis=1, return_index=True, return_inverse=True)
    merged = np.zeros(len(first), dtype=outer.dtype)
    np.add.at(merged, belief.ravel(), outer)
    in_order = np.argsort(first)
    return Hyper(merged[in_order], inners[:, first[in_order]])


def joint_of(prior: Matrix, channel: Matrix) -> Matrix:
    """Return the joint probabilities of a checked prior and channel."""
    if is_sparse(channel):
        weighted = channel.data * prior[channel.indices]
        return sparse.csc_array((weighted, channel.indices, channel.indptr), shape=channel.shape)
    return prior[:, None] * channel


def _levels(inners: NDArray[Any]) -> NDArray[np.int64]:
    """Number the different values of each row, so that equal beliefs become equal columns of whole numbers."""
    tolerance = 0 if inners.dtype == object else SAME_BELIEF
    order = np.argsort(inners, axis=1)
    steps = np.diff(np.take_along_axis(inners, order, axis=1), axis=1) > tolerance
    levels = np.zeros(inners.shape, dtype=np.int64)
    np.put_along_axis(levels, order[:, 1:], np.cumsum(steps, axis=1), axis=1)
    return levels
