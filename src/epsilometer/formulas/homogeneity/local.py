"""Risk of the homogeneity attack for the counts as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.formulas.homogeneity.fates import fates_of, lone_sum
from epsilometer.formulas.homogeneity.publication import surviving_probability, vanishing_probability
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray
    from epsilometer.vocabulary.noise import Noise


@source("homogeneity-v2", "Definition 7")
@source("homogeneity-v1", "Definition 3.1")
def local(counts: ArrayLike, noise: Noise) -> FloatArray:
    r"""Probability that a cell is published with a single value, one that somebody in it has. Exact.

    .. math:: \rho(n) = \sum_{k: n_k > 0} (1 - z(n_k)) \prod_{j \ne k} z(n_j)

    with :math:`n` = a row of ``counts`` (the last axis runs over the sensitive values) and :math:`z(c)` the
    probability that a count c is published as zero. The papers state the right-hand side as a bound ("<");
    it is the probability itself.

    >>> from epsilometer.mechanisms import Laplace
    >>> float(local([2, 1], Laplace(epsilon=1.0)).round(6))
    0.347163
    """
    fates, place = fates_of(counts, noise)
    return lone_sum(place, fates.vanish, fates.seen)


@source("homogeneity-v2", "Definition 7, each value weighted by the share of the cell that has it")
def local_records(counts: ArrayLike, noise: Noise) -> FloatArray:
    r"""Expected share of a cell's members whose own value is the only one published for it. Exact.

    .. math:: \sum_k \frac{n_k}{n} (1 - z(n_k)) \prod_{j \ne k} z(n_j)

    Never above :func:`local`: a cell that publishes only the value of its minority betrays few people.

    >>> from epsilometer.mechanisms import Laplace
    >>> float(local_records([19, 1], Laplace(epsilon=1.0)).round(6))
    0.288102
    """
    return people_disclosed(counts, noise) / np.einsum("...k->...", np.asarray(counts))


@source("homogeneity-v2", "Definition 7, each value weighted by the people who have it")
def people_disclosed(counts: ArrayLike, noise: Noise) -> FloatArray:
    r"""Expected number of a cell's members whose own value is the only one published for it. Exact.

    .. math:: \sum_k n_k (1 - z(n_k)) \prod_{j \ne k} z(n_j)

    >>> from epsilometer.mechanisms import Laplace
    >>> float(people_disclosed([19, 1], Laplace(epsilon=1.0)).round(6))
    5.762041
    """
    fates, place = fates_of(counts, noise)
    return lone_sum(place, fates.vanish, fates.people)


def largest_local(n_values: int, noise: Noise) -> FloatArray:
    r"""Supremum of :func:`local` over every table with K = ``n_values`` sensitive values. Exact.

    For m present values the probability is affine in each survival probability, so its supremum sits where
    each count is one or tends to infinity. Two counts without bound never vanish, and leave nothing; one
    leaves :math:`z(0)^{K-m} z(1)^{m-1}`, largest for m = 1; none leaves
    :math:`m (1-z(1)) z(1)^{m-1} z(0)^{K-m}`.

    >>> from epsilometer.mechanisms import Laplace
    >>> float(largest_local(2, Laplace(epsilon=1.0)).round(6))
    0.696735
    """
    z_empty, z_single = vanishing_probability(0, noise), vanishing_probability(1, noise)
    present = np.arange(1, n_values + 1)
    singles = (
        present
        * surviving_probability(1, noise)[..., None]
        * z_single[..., None] ** (present - 1)
        * z_empty[..., None] ** (n_values - present)
    )
    return np.maximum(z_empty ** (n_values - 1), singles.max(axis=-1))


def largest_local_records(n_values: int, noise: Noise) -> FloatArray:
    r"""Supremum of :func:`local_records` over every table with K = ``n_values`` sensitive values. Exact.

    The weights sum to one, so the share is at most the largest of its terms, and
    :math:`(1 - z(n_k)) \prod_{j \ne k} z(n_j) \le z(0)^{K-1}`; a large homogeneous cell comes as close as
    one likes.

    >>> from epsilometer.mechanisms import Laplace
    >>> float(largest_local_records(3, Laplace(epsilon=1.0)).round(6))
    0.485439
    """
    return vanishing_probability(0, noise) ** (n_values - 1)


@source("homogeneity-v2", "Corollary 3, Eq. (18), and Corollary 6, Eq. (28)")
def homogeneous_pieces(counts: ArrayLike, noise: Noise) -> FloatArray:
    r"""Sum over a cell's values of the risk each would have in a cell of its own. Exact for such pieces.

    .. math:: \sum_{k: n_k > 0} (1 - z(n_k)) z(0)^{K-1}

    Papers 000 and 001 count Adult this way: each combination of quasi-identifiers *and* sensitive value is a
    cell, homogeneous by construction (erratum E4). Divided by the number of pieces it is Corollary 3 on such
    a table; it is the risk of the real cells only where all of them are homogeneous.

    >>> from epsilometer.mechanisms import Laplace
    >>> float(homogeneous_pieces([2, 1], Laplace(epsilon=1.0)).round(6))
    1.104443
    """
    fates, place = fates_of(counts, noise)
    survives = sum(fates.seen[at] for at in np.moveaxis(place, -1, 0))
    others_vanish: FloatArray = vanishing_probability(0, noise) ** (place.shape[-1] - 1)
    return np.moveaxis(survives * others_vanish, -1, 0) if others_vanish.ndim else survives * others_vanish
