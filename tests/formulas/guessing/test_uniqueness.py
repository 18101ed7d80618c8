"""The uniqueness probability keeps its digits at every size."""

import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest

from epsilometer.errors import OutOfRange
from epsilometer.formulas.guessing import log_uniqueness_probability, uniqueness_probability


def true_log(k, n):
    with mp.workdps(80):
        return mp.loggamma(n + 1) - mp.loggamma(n - k + 1) - k * mp.log(n)


@pytest.mark.parametrize(
    ("k", "n"),
    [
        (2, 10**12),
        (1_000, 10**12),
        (1_001, 10**12),
        (10**6, 10**12),
        (3 * 10**8, 10**12),
        (5 * 10**11, 10**12),
        (10**12 - 1, 10**12),
        (10**12, 10**12),
        (23, 365),
        (182, 365),
        (183, 365),
        (365, 365),
        (19, 33),
        (33, 33),
    ],
)
def test_logarithm_keeps_its_digits(k, n):
    truth = true_log(k, n)
    assert float(abs(mp.mpf(float(log_uniqueness_probability(k, n))) / truth - 1)) < 2e-15


def test_small_numbers_equal_the_fractions():
    pairs = np.array([(k, n) for n in range(2, 45) for k in range(2, n + 1)])
    product = [float(Fraction(math.perm(n, k), n**k)) for k, n in pairs.tolist()]
    assert uniqueness_probability(pairs[:, 0], pairs[:, 1]) == pytest.approx(product, rel=3e-14)


def test_numbers_of_all_sizes_in_one_array():
    k, n = np.array([0, 1, 2, 5, 366, 12]), np.array([365, 1, 1, 5, 365, 10**9])
    together = log_uniqueness_probability(k, n)
    assert together.tolist() == [log_uniqueness_probability(a, b).item() for a, b in zip(k, n, strict=True)]
    assert together[:3].tolist() == [0.0, 0.0, -np.inf]
    assert together[4] == -np.inf
    assert uniqueness_probability(366, 365) == 0
    assert uniqueness_probability([[1], [2]], [10, 20]) == pytest.approx(np.array([[1, 1], [0.9, 0.95]]), rel=1e-15)


@pytest.mark.parametrize(("k", "n"), [(-1, 365), (3, 0), (float("nan"), 5)])
def test_nobody_is_drawn_from_nothing(k, n):
    with pytest.raises(OutOfRange, match="k >= 0 and n >= 1"):
        uniqueness_probability(k, n)
