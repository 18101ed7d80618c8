"""The candidate attack (p-privacy): the paper's example and its corners."""

from fractions import Fraction

import numpy as np
import pytest

from epsilometer.errors import BadRoles
from epsilometer.neighbors import Candidates, candidate_probability, count_candidates

ORIGINAL = [[3, 5, 1, 2, 3], [8, 1, 2, 3, 4], [2, 2, 3, 4, 5]]
SYNTHETIC = [[4, 5, 1, 2, 3], [8, 7, 2, 3, 4], [3, 1, 2, 3, 4]]
CLIQUES = [[0], [1], [2, 3, 4]]


def test_the_example_of_the_paper():
    assert candidate_probability(ORIGINAL, SYNTHETIC, CLIQUES) == Fraction(2, 27)
    found = count_candidates(np.array(ORIGINAL), np.array(SYNTHETIC), CLIQUES)
    assert found == Candidates(n_candidates=18, n_found=2, n_originals=3)


def test_equal_records_count_once():
    assert candidate_probability(ORIGINAL * 3, SYNTHETIC * 2, CLIQUES) == Fraction(2, 27)
    assert candidate_probability(ORIGINAL * 3, ORIGINAL, [[0, 1, 2, 3, 4]]) == 1


def test_any_numbers_are_values():
    """Fractions, negative numbers and the two zeros; one synthetic record, and one original."""
    assert candidate_probability([[-1.5, 0.0], [0.25, 7.0]], [[-1.5, -0.0]], [[0], [1]]) == Fraction(1, 2)
    assert candidate_probability([[-1.5, 0.0]], [[-1.5, 1.0], [2.0, 0.0]], [[0], [1]]) == Fraction(1, 4)
    assert candidate_probability([[-1.5, 0.0]], [[-1.5, 1.0], [2.0, 0.0]], [[0, 1]]) == 0


def test_a_product_that_no_memory_holds():
    """A thousand values in each of forty columns: every original is among 10^120 candidates."""
    table = np.tile(np.arange(1000)[:, None], 40)
    cliques = [[column] for column in range(40)]
    assert candidate_probability(table, table, cliques) == Fraction(1000**2, 1000**40 * 1000)


def test_a_clique_with_more_combinations_than_whole_numbers():
    """Rows that differ in the last of forty columns only."""
    original, synthetic = (np.tile(np.arange(1000)[:, None], 40) for _ in range(2))
    synthetic[:, -1] = synthetic[::-1, -1]
    synthetic[7] = 7
    assert candidate_probability(original, synthetic, [list(range(40))]) == Fraction(1, 1000 * 1000)


@pytest.mark.parametrize("cliques", [[[0], [1]], [[0, 1], [1, 2]], [[0, 1, 2], []], [[0, 1, 2, 3]], []])
def test_each_column_is_in_one_clique(cliques):
    with pytest.raises(BadRoles, match="must hold each of the columns 0 to 2 once, and none may be empty; got "):
        candidate_probability([[1, 2, 3]], [[1, 2, 3]], cliques)
