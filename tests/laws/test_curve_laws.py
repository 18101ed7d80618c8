"""Laws of curves over epsilon and of the epsilons read off them, by search over measurements."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.formulas.curve_bands import band_of_runs
from epsilometer.formulas.disclosure_noise import (
    epsilon_for_noise,
    epsilon_for_noise_above,
    published_epsilon_for_noise,
)
from epsilometer.formulas.risk_curves import FAMILIES, choose_curve, fit_risk_curve
from epsilometer.solvers.measured_targets import AtLeast, AtMost, largest_epsilon_within, smallest_epsilon_within

EPSILONS = np.repeat([0.1, 0.4, 1.0, 3.0, 8.0], 2)
values_at_each = st.lists(st.integers(0, 40).map(lambda n: n / 40), min_size=10, max_size=10)
families = st.sampled_from(sorted(FAMILIES))


def band_of(values, family, n_draws=20):
    curve = fit_risk_curve(EPSILONS, values, family)
    return band_of_runs(curve, EPSILONS, values, rng=np.random.default_rng(0), n_draws=n_draws)


@given(values_at_each)
def test_no_family_has_a_smaller_error_than_the_chosen_one(values):
    chosen = choose_curve(EPSILONS, values).leave_one_out
    assert all(chosen <= fit_risk_curve(EPSILONS, values, family).leave_one_out + 1e-9 for family in FAMILIES)


@given(values_at_each, families, st.randoms(use_true_random=False))
def test_the_order_of_the_runs_does_not_matter(values, family, random):
    order = random.sample(range(10), 10)
    shuffled = fit_risk_curve(EPSILONS[order], np.array(values)[order], family)
    asked = [0.1, 0.3, 2.0, 8.0]
    ordered = fit_risk_curve(EPSILONS, values, family)
    np.testing.assert_allclose(shuffled.at(asked), ordered.at(asked), rtol=0, atol=1e-5)


@given(values_at_each, families, st.floats(0, 1), st.booleans())
def test_answers_meet_their_target_and_nothing_beyond_them_does(values, family, bound, at_most):
    band, target = band_of(values, family), (AtMost if at_most else AtLeast)(bound)
    grid = np.geomspace(0.1, 8.0, 500)
    grid[-1] = 8.0
    met = grid[target.excess(band, grid) <= 0]
    largest, smallest = largest_epsilon_within(band, target), smallest_epsilon_within(band, target)
    assert (largest is None) == (smallest is None)
    if largest is None:
        assert not met.size
        return
    for answer in (largest, smallest):
        assert target.excess(band, np.array(answer.epsilon)) <= 0
        assert answer.below.epsilon <= answer.epsilon <= answer.above.epsilon
    if met.size:  # a stretch shorter than this grid's step may be missed by it
        assert met[-1] <= largest.stretches[-1].high
        assert met[0] >= smallest.stretches[0].low


@given(values_at_each, families, st.floats(0, 1), st.floats(0, 0.5))
def test_a_stricter_target_never_allows_more(values, family, bound, stricter_by):
    band = band_of(values, family)
    loose, strict = (largest_epsilon_within(band, AtMost(b)) for b in (bound, bound - stricter_by))
    if strict:
        assert loose.stretches[-1].high >= strict.stretches[-1].high * (1 - 1e-8)


@given(st.floats(1e-3, 1e3), st.floats(1e-3, 1e3), st.floats(0.51, 0.999))
def test_epsilon_falls_with_the_noise_and_rises_with_the_sensitivity_and_the_confidence(noise, sensitivity, confidence):
    for solve in (epsilon_for_noise, epsilon_for_noise_above):
        found = solve(noise, confidence=confidence, sensitivity=sensitivity)
        assert solve(2 * noise, confidence=confidence, sensitivity=sensitivity) == pytest.approx(found / 2)
        assert solve(noise, confidence=confidence, sensitivity=3 * sensitivity) == pytest.approx(3 * found)
        assert solve(noise, confidence=(1 + confidence) / 2, sensitivity=sensitivity) > found
    published = published_epsilon_for_noise(noise, sensitivity=sensitivity)
    assert published < epsilon_for_noise(noise, sensitivity=sensitivity)  # too little for the 95 % it is said to give
    assert published > epsilon_for_noise_above(noise, sensitivity=sensitivity)
