import math
from fractions import Fraction
from itertools import product

import pytest

from epsilometer.formulas.sampling import exact_fractions


def uniform_over_histograms(m, k):
    """Mean of the largest count over all histograms of m people, each equally likely."""
    histograms = [h for h in product(range(m + 1), repeat=k) if sum(h) == m]
    return Fraction(sum(max(h) for h in histograms), len(histograms))


@pytest.mark.parametrize("k", [2, 3, 4])
def test_uniform_shares_are_uniform_over_histograms(k):
    for m in range(1, 9):
        expected = uniform_over_histograms(m, k)
        assert exact_fractions.largest_count(m, k, 1) == expected
        assert exact_fractions.largest_count_of_uniform_shares(m, k) == expected


@pytest.mark.parametrize("alpha", [Fraction(1, 3), 2, math.inf])
def test_two_values_have_a_closed_form(alpha):
    for m in range(1, 10):
        weights = exact_fractions._rising_weights(m, alpha)
        assert exact_fractions.largest_count(m, 2, alpha) == exact_fractions._largest_given_total([weights] * 2, m)


def test_inclusion_and_exclusion_agrees_with_the_recursion():
    for m, k in ((11, 3), (6, 8), (9, 5)):
        weights = exact_fractions._rising_weights(m, 1)
        by_recursion = exact_fractions._largest_given_total([weights] * k, m)
        assert exact_fractions.largest_count_of_uniform_shares(m, k) == by_recursion


def test_forward_differences_sum_as_many_terms_as_there_are():
    """1000 people, 3 values: the sum term by term."""
    m, k = 1000, 3
    terms = sum(
        (-1) ** (j + 1) * math.comb(k, j) * math.comb(m - j * i + k - 1, k - 1)
        for j in range(1, k + 1)
        for i in range(1, m // j + 1)
    )
    assert exact_fractions.largest_count_of_uniform_shares(m, k) == Fraction(terms, math.comb(m + k - 1, k - 1))


def test_a_float_is_taken_at_its_binary_value():
    assert exact_fractions.outside(3, 3, 0.5) == exact_fractions.outside(3, 3, Fraction(1, 2)) == Fraction(67, 105)


def test_equal_shares_tell_nothing_of_others():
    assert exact_fractions.outside(5, 7, math.inf) == Fraction(1, 7)
