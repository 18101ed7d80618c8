"""Laws of sampling followed by noise: noise never helps the attacker nor the analyst, and sampling never harms."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.formulas.amplification import epsilon_after_sampling, epsilon_before_sampling
from epsilometer.formulas.sampling.largest_sample_count import expected_largest_count
from epsilometer.formulas.sampling.median_loss import median_loss, prior_loss
from epsilometer.formulas.sampling.noisy_count import noisy_inside, noisy_outside
from epsilometer.formulas.sampling.noisy_counts import noisy_any_population, noisy_counts_inside, noisy_counts_outside
from epsilometer.formulas.sampling.noisy_loss import bounded_noisy_loss, noisy_loss, noisy_shares_loss

samples = st.integers(1, 60)
values = st.integers(3, 7)
beliefs = st.one_of(st.floats(0.05, 50.0), st.just(1.0), st.just(math.inf))
epsilons = st.floats(0.02, 20.0)
kinds = st.sampled_from([em.Laplace, em.Geometric])
pairs = st.tuples(epsilons, epsilons).map(sorted)
rates = st.floats(1e-9, 1.0)
SLACK = 1e-11


@given(samples, beliefs, kinds, pairs)
def test_more_noise_never_helps_to_guess_from_one_count(m, alpha, kind, pair):
    noise = kind(epsilon=tuple(pair))
    blurred, clear = noisy_inside(m, alpha, noise)
    nothing, everything = 0.5, expected_largest_count(m, 2, alpha).value / m
    assert nothing - SLACK <= blurred <= clear + SLACK <= everything + 2 * SLACK
    outside = noisy_outside(m, alpha, noise)
    assert (outside <= noisy_inside(m, alpha, noise) + SLACK).all()


@settings(max_examples=40, deadline=None)
@given(samples, values, beliefs, kinds, pairs)
def test_more_noise_never_helps_to_guess_from_all_counts(m, n_values, alpha, kind, pair):
    blurred, clear = (noisy_counts_inside(m, n_values, alpha, kind(epsilon=epsilon)) for epsilon in pair)
    largest = expected_largest_count(m, n_values, alpha)
    assert 1 / n_values - SLACK <= blurred.low <= clear.high + SLACK
    assert clear.low <= largest.high / m + SLACK
    assert blurred.low <= blurred.value <= blurred.high
    outside = noisy_counts_outside(m, n_values, alpha, kind(epsilon=pair[0]))
    assert 1 / n_values - SLACK <= outside.value <= blurred.value + SLACK


@settings(max_examples=40, deadline=None)
@given(samples, values, beliefs, kinds, epsilons)
def test_no_belief_makes_guessing_easier_than_a_population_of_one_value(m, n_values, alpha, kind, epsilon):
    noise = kind(epsilon=epsilon)
    assert float(noisy_inside(m, alpha, noise)) <= noisy_any_population(m, 2, noise) + SLACK
    assert noisy_counts_inside(m, n_values, alpha, noise).low <= noisy_any_population(m, n_values, noise) + SLACK


@settings(max_examples=40, deadline=None)
@given(samples, st.integers(0, 60), beliefs, kinds, pairs)
def test_more_noise_never_helps_the_analyst(m, others, alpha, kind, pair):
    n = m + others
    blurred, clear = (noisy_loss(n, m, alpha, kind(epsilon=epsilon)).value for epsilon in pair)
    assert median_loss(n, m, alpha).value - SLACK <= clear <= blurred + SLACK <= prior_loss(n, alpha) + 2 * SLACK


@settings(max_examples=40, deadline=None)
@given(samples, st.integers(0, 60), beliefs, kinds, epsilons)
def test_brackets_hold_the_exact_loss(m, others, alpha, kind, epsilon):
    n, noise = m + others, kind(epsilon=epsilon)
    exact, bounds = noisy_loss(n, m, alpha, noise), bounded_noisy_loss(n, m, alpha, noise)
    assert exact.exact
    assert bounds.low - SLACK <= exact.value <= bounds.high + SLACK
    shares = noisy_shares_loss(n, m, 2, alpha, noise)  # two noisy counts, of which this analyst uses one for a share
    assert exact.value <= shares.high + SLACK


@given(epsilons, rates, rates)
def test_sampling_twice_is_sampling_once_at_the_product_of_the_rates(epsilon, first, second):
    twice = epsilon_after_sampling(epsilon_after_sampling(epsilon, first), second)
    assert twice == pytest.approx(epsilon_after_sampling(epsilon, first * second), rel=1e-12)


@given(st.floats(1e-9, 2000.0), rates)
def test_sampling_strengthens_by_at_most_its_rate_and_can_be_undone(epsilon, rate):
    after = epsilon_after_sampling(epsilon, rate)
    assert rate * epsilon * (1 - 1e-12) <= after <= epsilon * (1 + 1e-12)
    assert epsilon_before_sampling(after, rate) == pytest.approx(epsilon, rel=1e-9)
    assert epsilon_after_sampling(epsilon, 1.0) == pytest.approx(epsilon, rel=1e-12)
