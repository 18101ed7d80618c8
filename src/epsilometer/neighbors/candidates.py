"""Originals among the combinations that an attacker puts together from a synthetic table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.errors import BadRoles
from epsilometer.neighbors.points import checked_pair
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.vocabulary.arrays import ArrayLike, IntArray

LARGEST_NUMBER: Final = 2**62


@dataclass(frozen=True, slots=True)
class Candidates:
    """What an attacker puts together from a synthetic table, counted and never listed.

    Attributes:
        n_candidates: combinations of the parts of synthetic records, one part for each clique.
        n_found: different originals among them.
        n_originals: different originals.
    """

    n_candidates: int
    n_found: int
    n_originals: int

    @property
    def probability(self) -> Fraction:
        """The p of p-privacy: the share of the candidates that are original, times the share of originals found."""
        return Fraction(self.n_found**2, self.n_candidates * self.n_originals)


@source("chen-2021", "Algorithm 4, Eq. (9), without its equal originals")
def count_candidates(original: IntArray, synthetic: IntArray, cliques: Sequence[Sequence[int]]) -> Candidates:
    r"""How many originals are among the candidates of an attacker? Exact.

    .. math:: p = \frac{\xi}{\prod_i |U_i|} \cdot \frac{\xi}{|O|}

    with :math:`U_i` the different rows of the synthetic table in the columns of the i-th of the ``cliques``, and
    :math:`\xi` the originals all of whose parts occur there. Both tables are codes, records x columns: whole numbers
    from 0, the same for the same value. Columns are numbered from 0, each in one clique. Equal originals count once
    in O too, or p could never reach one.

    >>> count_candidates(np.array([[0, 0], [1, 1], [1, 1]]), np.array([[0, 1], [1, 0]]), cliques=[[0], [1]])
    Candidates(n_candidates=4, n_found=2, n_originals=2)
    """
    n_columns = original.shape[1]
    if sorted(column for clique in cliques for column in clique) != list(range(n_columns)) or not all(
        map(len, cliques)
    ):
        raise BadRoles(
            f"The cliques must hold each of the columns 0 to {n_columns - 1} once, and none may be empty;"
            f" got {[list(clique) for clique in cliques]}."
        )
    _, first = np.unique(_row_numbers(original), return_index=True)
    both = np.concatenate([original[first], synthetic])
    found, n_parts = np.ones(len(first), dtype=np.bool_), []
    for clique in cliques:
        of_original, of_synthetic = np.split(_row_numbers(both[:, list(clique)]), [len(first)])
        available = np.unique(of_synthetic)
        found &= np.isin(of_original, available)
        n_parts.append(len(available))
    return Candidates(math.prod(n_parts), int(found.sum()), len(first))


def candidate_probability(original: ArrayLike, synthetic: ArrayLike, cliques: Sequence[Sequence[int]]) -> Fraction:
    """The p of p-privacy of two tables of numbers: see :func:`count_candidates`. Exact.

    >>> original = [[3, 5, 1, 2, 3], [8, 1, 2, 3, 4], [2, 2, 3, 4, 5]]
    >>> synthetic = [[4, 5, 1, 2, 3], [8, 7, 2, 3, 4], [3, 1, 2, 3, 4]]
    >>> candidate_probability(original, synthetic, cliques=[[0], [1], [2, 3, 4]])
    Fraction(2, 27)
    """
    originals, synthetics = checked_pair(original, synthetic)
    codes = np.empty((len(originals) + len(synthetics), originals.shape[1]), dtype=np.int64)
    for column, numbers in enumerate(np.concatenate([originals, synthetics]).T):
        _, codes[:, column] = np.unique(numbers, return_inverse=True)
    return count_candidates(codes[: len(originals)], codes[len(originals) :], cliques).probability


def _row_numbers(codes: IntArray) -> IntArray:
    """One number for each row of codes, equal for equal rows and for no others."""
    numbers, n_numbers = np.zeros(len(codes), dtype=np.int64), 1
    for column in codes.T:
        size = int(column.max()) + 1
        if n_numbers * size > LARGEST_NUMBER:
            used, numbers = np.unique(numbers, return_inverse=True)
            n_numbers = len(used)
        numbers = numbers * size + column
        n_numbers *= size
    return numbers
