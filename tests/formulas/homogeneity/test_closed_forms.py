"""The expected risk in closed form is the sum over all counts, however large the privacy parameter."""

import math

import numpy as np
import pytest

from epsilometer.formulas.homogeneity import expected, local
from epsilometer.mechanisms import Laplace


@pytest.mark.parametrize(
    ("epsilon", "threshold"), [(30.0, 0.5), (300.0, 1.0), (690.0, 1.0), (1300.0, 0.5), (1400.0, 0.5)]
)
@pytest.mark.parametrize(("n", "share"), [(1, 0.3), (2, 0.5), (3, 0.9), (50, 0.99), (40, 1.0)])
def test_the_closed_form_holds_where_the_head_of_the_tails_is_huge(epsilon, threshold, n, share):
    noise, first = Laplace(epsilon=epsilon, threshold=threshold), np.arange(n + 1)
    weights = [math.comb(n, int(k)) * share**k * (1 - share) ** (n - k) for k in first]
    summed = local(np.column_stack([first, n - first]), noise) @ weights
    np.testing.assert_allclose(expected(n, [share, 1 - share], noise), summed, rtol=1e-12)
