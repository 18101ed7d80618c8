"""Fitted curves: Tables 1 to 3 of Paper 004, known curves found again, and what a curve refuses to say."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.errors import BadCounts, OutOfRange, UnknownChoice
from epsilometer.formulas.risk_curves import FAMILIES, choose_curve, fit_risk_curve

VARIANCE_EPSILONS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10]
VARIANCE_ERRORS = [91.1924361, 9.1253869, 3.1175912, 0.6377946, 0.4102599, 0.1385792, 0.1335111]
TABLE_2 = [91.1805406, 17.7786689, 8.6034350, 1.2632478, 0.3457244, -0.3882943, -0.4800466]
TABLE_3 = [91.1924361, 7.7767367, 3.2832387, 0.6377946, 0.3664488, 0.1588656, 0.1335111]
TABLE_1 = {0.02: (37, 37), 0.05: (28, 34), 0.1: (18, 18), 0.5: (7, 6), 1: (6, 6), 5: (5, 5), 10: (5, 5)}
TRAINING = [0, 3, 6]  # epsilon = 0.01, 0.5, 10


def trained(family):
    return fit_risk_curve(np.array(VARIANCE_EPSILONS)[TRAINING], np.array(VARIANCE_ERRORS)[TRAINING], family)


def test_table_2_to_all_printed_digits():
    assert trained("reciprocal-1").at(VARIANCE_EPSILONS).round(7).tolist() == TABLE_2


def test_table_3_to_the_digits_of_its_inputs():
    np.testing.assert_allclose(trained("reciprocal-2").at(VARIANCE_EPSILONS), TABLE_3, rtol=0, atol=5.1e-7)


def test_table_1_is_the_curve_through_three_of_its_rows():
    """Of all choices of rows and both degrees, one gives all seven whole numbers: predictions, or training points."""
    epsilons, predicted = list(TABLE_1), [predicted for predicted, _ in TABLE_1.values()]
    matching = []
    for degree in (1, 2):
        for size in range(degree + 1, 8):
            for chosen in combinations(epsilons, size):
                curve = fit_risk_curve(chosen, [TABLE_1[epsilon][1] for epsilon in chosen], f"reciprocal-{degree}")
                if np.rint(curve.predictor(np.array(epsilons, dtype=float))).tolist() == predicted:
                    matching.append((degree, chosen))
    assert matching == [(2, (0.02, 0.1, 1))]


KNOWN = {
    "reciprocal-1": ((3.0, -2.0), lambda eps: 3 / eps - 2),
    "reciprocal-2": ((0.5, 3.0, -2.0), lambda eps: 0.5 / eps**2 + 3 / eps - 2),
    "polynomial-2": ((0.5, -3.0, 2.0), lambda eps: 0.5 * eps**2 - 3 * eps + 2),
    "exponential": ((4.0, 1.7, 0.3), lambda eps: 4 * np.exp(-1.7 * (eps - 0.1)) + 0.3),
}


@pytest.mark.parametrize("family", KNOWN)
def test_a_curve_of_the_family_is_found_again(family):
    coefficients, curve = KNOWN[family]
    epsilons = np.array([2.0, 0.1, 0.3, 1.0, 0.7, 3.0])
    found = fit_risk_curve(epsilons, curve(epsilons), family)
    assert found.coefficients == pytest.approx(coefficients, rel=1e-5)
    assert (found.smallest, found.largest, found.family) == (0.1, 3.0, family)
    assert found.leave_one_out == pytest.approx(0, abs=1e-5)
    between = np.linspace(0.1, 3.0, 50)
    np.testing.assert_allclose(found.at(between), curve(between), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("rate", "origin"), [(-3.0, 2.0), (-0.2, 2.0), (0.2, 0.1), (30.0, 0.1)])
@pytest.mark.parametrize("shift", [0.0, 1e4])
def test_exponentials_that_grow_or_fall_at_any_rate(rate, origin, shift):
    """Far from zero too, where the exponential of epsilon itself would overflow."""
    epsilons = np.array([0.1, 0.2, 0.4, 1.0, 2.0])
    found = fit_risk_curve(shift + epsilons, 2 * np.exp(-rate * (epsilons - origin)) + 1, "exponential")
    assert found.coefficients == pytest.approx((2, rate, 1), rel=1e-4)


def test_leaving_one_out_by_hand():
    """Without its middle point a/eps + b runs through the ends: 1 and 2 at 1/eps = 1 and 3, so 1.5 at 2."""
    found = fit_risk_curve([1, 1 / 2, 1 / 3], [1, 4, 2], "reciprocal-1")
    assert found.leave_one_out == pytest.approx(2.5)


def test_runs_at_one_epsilon_are_left_out_together():
    """Through 1 and 2 at 1/eps = 1 and 3, 1.5 at 2; the runs there are 3.5 and 1.5, those at the ends agree."""
    found = fit_risk_curve([1, 1, 1 / 2, 1 / 2, 1 / 3], [1, 1, 3.5, 1.5, 2], "reciprocal-1")
    assert found.leave_one_out == pytest.approx(math.sqrt((2.0**2 + 0.0**2) / 2))


@pytest.mark.parametrize("family", KNOWN)
def test_the_family_that_made_the_values_is_chosen(family):
    epsilons = np.array([0.1, 0.3, 0.7, 1.0, 2.0, 3.0])
    assert choose_curve(epsilons, KNOWN[family][1](epsilons)).family == family


def test_a_step_is_for_the_monotone_curve():
    epsilons = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8]
    assert choose_curve(epsilons, [0, 0, 0, 0, 1, 1, 1, 1]).family == "monotone"


def test_the_chosen_curve_has_the_smallest_error_of_all():
    chosen = choose_curve(VARIANCE_EPSILONS, VARIANCE_ERRORS)
    errors = {f: fit_risk_curve(VARIANCE_EPSILONS, VARIANCE_ERRORS, f).leave_one_out for f in FAMILIES}
    assert chosen.family == min(errors, key=errors.get) == "reciprocal-2"
    assert chosen.coefficients == fit_risk_curve(VARIANCE_EPSILONS, VARIANCE_ERRORS, "reciprocal-2").coefficients


def test_families_that_need_more_epsilons_do_not_take_part():
    """Three epsilons: only two families can leave one out. Two: none can, and the simplest counts."""
    assert choose_curve([1, 2, 3], [1, 1, 1]).family == "reciprocal-1"
    assert choose_curve([1, 2, 4], [1, 0.75, 0.5]).family == "monotone"
    assert choose_curve([1, 2, 2], [1, 0.4, 0.6]).family == "reciprocal-1"
    with pytest.raises(BadCounts, match=r"^A curve needs values at 2 different epsilons or more; measure more\.$"):
        choose_curve([1, 1], [0.1, 0.2])


def test_values_of_next_to_nothing_make_a_monotone_curve():
    assert fit_risk_curve([1, 2, 3, 4], [0, 0, 1e-308, 0], "monotone").at([1.0, 4.0]).max() <= 1e-308


def test_too_few_to_leave_one_out():
    assert trained("reciprocal-2").leave_one_out == math.inf
    assert fit_risk_curve([1, 2], [3, 4], "monotone").leave_one_out == math.inf


@given(st.lists(st.floats(0, 1), min_size=2, max_size=8), st.floats(0.01, 5))
def test_a_monotone_curve_is_monotone(values, first):
    curve = fit_risk_curve(first * 1.5 ** np.arange(len(values)), values, "monotone")
    steps = np.diff(curve.at(np.linspace(curve.smallest, curve.largest, 300)))
    assert (steps >= -1e-12).all() or (steps <= 1e-12).all()


def test_monotone_values_are_kept_and_others_pooled():
    assert fit_risk_curve([1, 2, 4], [0.1, 0.2, 0.9], "monotone").coefficients == (0.1, 0.2, 0.9)
    assert fit_risk_curve([1, 2, 4], [0.9, 0.2, 0.1], "monotone").coefficients == (0.9, 0.2, 0.1)
    pooled = fit_risk_curve([1, 2, 2, 3, 4], [0.0, 0.3, 0.5, 0.1, 1.0], "monotone")
    assert pooled.coefficients == pytest.approx((0, 0.3, 0.3, 1))  # (2 x 0.4 + 0.1) / 3


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("epsilon", [0.0099, 10.1, math.nan])
def test_no_curve_extrapolates(family, epsilon):
    curve = fit_risk_curve(VARIANCE_EPSILONS, VARIANCE_ERRORS, family)
    assert np.isfinite(curve.at([0.01, 10])).all()
    with pytest.raises(OutOfRange, match=r"epsilon must be in \[0.01, 10\], got .* says nothing outside the measured"):
        curve.at([1.0, epsilon])


def test_bad_measurements():
    with pytest.raises(UnknownChoice, match="family must be one of reciprocal-1, reciprocal-2, exponential"):
        fit_risk_curve([1, 2, 3], [1, 2, 3], "spline")
    with pytest.raises(BadCounts, match=r"one value for each epsilon, got shapes \(2,\) and \(3,\)"):
        fit_risk_curve([1, 2], [1, 2, 3])
    for epsilon in (0.0, -1.0, math.inf, math.nan):
        with pytest.raises(OutOfRange, match=r"epsilon must be in \(0, inf\), got .* Leave out what was not measured"):
            fit_risk_curve([1, 2, epsilon], [1, 2, 3])
    with pytest.raises(OutOfRange, match=r"value must be in \(-inf, inf\), got nan"):
        fit_risk_curve([1, 2, 3], [1, 2, math.nan])
    with pytest.raises(BadCounts, match="reciprocal-2 needs values at 3 different epsilons or more; measure more"):
        fit_risk_curve([1, 1, 2, 2], [1, 2, 3, 4])
    with pytest.raises(BadCounts, match="needs values at 3 different"):
        fit_risk_curve([], [])
