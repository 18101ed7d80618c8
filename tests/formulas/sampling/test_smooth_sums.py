import numpy as np
import pytest

from epsilometer.formulas.sampling.smooth_sums import sum_over_integers


def counted(function):
    asked = []

    def wrapper(integers):
        asked.extend(integers.tolist())
        return function(integers)

    return wrapper, asked


@pytest.mark.parametrize(("start", "stop"), [(3, 3), (3, 4), (0, 64), (0, 65), (-10, 1000), (5, 200_000)])
def test_polynomials_are_summed_exactly(start, stop):
    integers = np.arange(start, stop)
    scale = max(abs(start), abs(stop))

    def polynomial(t):
        return 1 + (t / scale) ** 7 - 3 * (t / scale) ** 16

    assert sum_over_integers(polynomial, start, stop, added_to=0.0) == pytest.approx(
        polynomial(integers).sum(), rel=1e-13, abs=0
    )


def test_a_smooth_function_is_asked_for_few_values():
    function, asked = counted(lambda t: 1 / (1 + np.exp((t - 40_000) / 3000.0)))
    total = sum_over_integers(function, 0, 100_000, added_to=0.0)
    assert len(asked) < 1000
    assert total == pytest.approx(function(np.arange(100_000)).sum(), rel=1e-14)


def test_a_kink_is_found():
    kink = 12_345.6
    function, asked = counted(lambda t: np.maximum(0.0, kink - t))
    total = sum_over_integers(function, 0, 50_000, added_to=0.0)
    assert len(asked) < 2000
    assert total == pytest.approx(np.maximum(0.0, kink - np.arange(50_000)).sum(), rel=1e-13)


def test_what_it_is_added_to_decides_how_many_digits_are_needed():
    few, asked_for_few = counted(lambda t: np.exp(-(((t - 500) / 40.0) ** 2)))
    many, asked_for_many = counted(lambda t: np.exp(-(((t - 500) / 40.0) ** 2)))
    sum_over_integers(few, 0, 5000, added_to=1e12)
    sum_over_integers(many, 0, 5000, added_to=0.0)
    assert len(asked_for_few) < len(asked_for_many)
