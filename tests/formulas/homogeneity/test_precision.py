import math

import numpy as np
import pytest

from epsilometer.errors import OutOfRange
from epsilometer.formulas.homogeneity.precision import any_alone, precision
from epsilometer.mechanisms import Geometric, Laplace

NOISE = Laplace(epsilon=1.0)
Z0, Z1, Z2 = 1 - math.exp(-0.5) / 2, math.exp(-0.5) / 2, math.exp(-1.5) / 2


def test_precision_by_hand():
    """Three cells (2, 0), one cell (1, 1), four empty cells."""
    true_cells = 3 * (1 - Z2) * Z0 + 1 * (1 - Z1) * Z1
    shown_cells = true_cells + 3 * Z2 * (1 - Z0) + (1 - Z1) * Z1 + 4 * 2 * (1 - Z0) * Z0
    value = precision([[2, 0], [1, 1]], [3, 1], NOISE, empty_cells=4)
    assert value == pytest.approx(true_cells / shown_cells, rel=1e-14)


def test_empty_cells_lower_the_precision():
    values = [precision([[2, 0]], [1], NOISE, empty_cells=m) for m in (0, 1, 10)]
    assert values[0] > values[1] > values[2]


def test_one_value_for_each_privacy_parameter():
    noise = Geometric(epsilon=(0.1, 1.0, 10.0))
    values = precision([[2, 0], [1, 1]], [3, 1], noise, empty_cells=2)
    one_by_one = [precision([[2, 0], [1, 1]], [3, 1], Geometric(epsilon=e), empty_cells=2) for e in (0.1, 1.0, 10.0)]
    assert values == pytest.approx(np.array(one_by_one), rel=1e-14)


def test_without_single_values_there_is_no_precision():
    assert math.isnan(precision([[90, 90]], [1], Laplace(epsilon=50.0)))


def test_negative_number_of_empty_cells():
    with pytest.raises(OutOfRange, match=r"empty_cells must be in \[0, inf\), got -1\. It is a number of cells\."):
        precision([[2, 0]], [1], NOISE, empty_cells=-1)


def test_any_alone_of_an_empty_cell():
    assert any_alone([0, 0, 0], NOISE) == pytest.approx(3 * (1 - Z0) * Z0**2, rel=1e-14)
