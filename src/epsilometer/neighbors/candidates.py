"""Originals among the combinations that an attacker puts together from a synthetic table."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.errors import BadRoles
from epsilometer.neighbors.points import checked_pair
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray


@source("chen-2021", "Algorithm 4, Eq. (9), without its equal originals")
def candidate_probability(original: ArrayLike, synthetic: ArrayLike, cliques: Sequence[Sequence[int]]) -> Fraction:
    r"""The p of p-privacy: the share of the candidates that are original, times the share of originals found. Exact.

    .. math:: p = \frac{\xi}{\prod_i |U_i|} \cdot \frac{\xi}{|O|}

    with :math:`U_i` the different rows of the synthetic table in the columns of the i-th of the ``cliques``, and
    :math:`\xi` the originals all of whose parts occur there. The product is counted, never listed. Columns are
    numbered from 0, each in one clique. Equal originals count once in O too, or p could never reach one.

    >>> original = [[3, 5, 1, 2, 3], [8, 1, 2, 3, 4], [2, 2, 3, 4, 5]]
    >>> synthetic = [[4, 5, 1, 2, 3], [8, 7, 2, 3, 4], [3, 1, 2, 3, 4]]
    >>> candidate_probability(original, synthetic, cliques=[[0], [1], [2, 3, 4]])
    Fraction(2, 27)
    """
    originals, synthetics = checked_pair(original, synthetic)
    columns = sorted(column for clique in cliques for column in clique)
    if columns != list(range(originals.shape[1])) or not all(map(len, cliques)):
        raise BadRoles(
            f"The cliques must hold each of the columns 0 to {originals.shape[1] - 1} once, and none may be empty;"
            f" got {[list(clique) for clique in cliques]}."
        )
    distinct = np.unique(originals, axis=0)
    parts = [_occurring(distinct[:, list(clique)], synthetics[:, list(clique)]) for clique in cliques]
    n_found = int(np.logical_and.reduce([occurs for occurs, _ in parts]).sum())
    n_candidates = math.prod(n_different for _, n_different in parts)
    return Fraction(n_found**2, n_candidates * len(distinct))


def _occurring(originals: FloatArray, synthetics: FloatArray) -> tuple[np.ndarray, int]:
    """Which originals occur among the synthetic rows, and how many different ones of these there are."""
    _, code = np.unique(np.concatenate([originals, synthetics]), axis=0, return_inverse=True)
    available = np.unique(code[len(originals) :])
    return np.isin(code[: len(originals)], available), len(available)
