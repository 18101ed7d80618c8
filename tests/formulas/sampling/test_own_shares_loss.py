"""Distance of a sample's shares from those of its own population, over all samples, in fractions."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from epsilometer.formulas.sampling import own_shares_loss

POPULATIONS = [[1, 1], [3, 1], [4, 0], [5], [4, 3, 2], [1, 1, 1, 1, 1], [6, 0, 2, 1]]


def enumerated(counts, m):
    n = sum(counts)
    total = Fraction(0)
    for drawn in product(*(range(count + 1) for count in counts)):
        if sum(drawn) == m:
            ways = math.prod(math.comb(count, y) for count, y in zip(counts, drawn, strict=True))
            apart = sum(abs(Fraction(y, m) - Fraction(count, n)) for count, y in zip(counts, drawn, strict=True))
            total += ways * apart / 2
    return float(total / math.comb(n, m))


@pytest.mark.parametrize("counts", POPULATIONS)
def test_small_populations_against_every_sample(counts):
    for m in range(1, sum(counts) + 1):
        assert own_shares_loss(counts, m) == pytest.approx(enumerated(counts, m), rel=1e-13, abs=1e-16)


def test_everybody_is_drawn_and_nothing_is_lost():
    assert own_shares_loss([5, 0, 10**9], 10**9 + 5) == 0


def test_several_populations_at_once():
    counts = np.array([[3, 1, 5], [2, 2, 5], [9, 0, 0]])
    sizes = np.array([1, 4, 5])
    together = own_shares_loss(counts, sizes)
    assert together == pytest.approx([enumerated(row, m) for row, m in zip(counts.tolist(), sizes, strict=True)])
    assert together[2] == 0
    one_size = own_shares_loss(counts, 2)
    assert one_size == pytest.approx([enumerated(row, 2) for row in counts.tolist()])


def test_two_values_of_thousands_of_people():
    """Two values are off by the same: E|y - mu| / m, summed over every count in exact numbers."""
    marked, others, m = 1234, 777, 600
    n = marked + others
    weights = {y: math.comb(marked, y) * math.comb(others, m - y) for y in range(m + 1)}
    truth = sum(weight * abs(Fraction(y, m) - Fraction(marked, n)) for y, weight in weights.items()) / math.comb(n, m)
    assert own_shares_loss([marked, others], m) == pytest.approx(float(truth), rel=1e-12)


def test_a_small_sample_of_a_huge_population_is_binomial():
    """Fair coins: the mean distance of four from two is 4 C(3, 1) / 2^4 = 3/4, which is 3/16 of four."""
    assert own_shares_loss([5 * 10**11, 5 * 10**11], 4) == pytest.approx(3 / 16, rel=1e-9)
