"""What holds for the losses of publishing a sample's histogram, whatever the sizes and the belief."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from epsilometer.formulas.sampling import loss_fractions, median_loss, prior_loss, prior_shares_loss, shares_loss

alphas = st.one_of(st.sampled_from([1.0, 2.0, 0.5, math.inf]), st.floats(0.01, 100))
rational_alphas = st.one_of(st.just(math.inf), st.fractions(Fraction(1, 20), 5, max_denominator=20))
populations = st.one_of(st.integers(2, 60), st.integers(2, 10**5))
ROUNDING = 1 + 1e-12


@st.composite
def populations_and_samples(draw, sizes=populations):
    n = draw(sizes)
    return n, draw(st.integers(0, n))


@settings(deadline=None)
@given(populations_and_samples(), alphas, st.data())
def test_a_larger_sample_loses_less(sizes, alpha, data):
    n, m = sizes
    larger = data.draw(st.integers(m, n))
    assert median_loss(n, larger, alpha).low <= median_loss(n, m, alpha).high * ROUNDING
    assert shares_loss(n, larger, 2, alpha).low <= shares_loss(n, m, 2, alpha).high * ROUNDING


@settings(deadline=None)
@given(populations_and_samples(), alphas, st.integers(2, 20))
def test_a_sample_never_hurts(sizes, alpha, n_values):
    n, m = sizes
    assert median_loss(n, m, alpha).low <= prior_loss(n, alpha) * ROUNDING
    assert shares_loss(n, m, n_values, alpha).low <= prior_shares_loss(n, n_values, alpha) * ROUNDING


@settings(deadline=None)
@given(populations_and_samples(), alphas)
def test_the_mean_is_no_better_than_the_median(sizes, alpha):
    median, mean = median_loss(*sizes, alpha), shares_loss(*sizes, 2, alpha)
    assert mean.value / 2 <= median.high * ROUNDING
    assert median.low <= mean.value * ROUNDING


@settings(deadline=None)
@given(st.integers(100, 10**5), st.floats(2, 1000), st.floats(1, 50))
def test_the_mean_is_close_to_the_median_of_large_samples(sample, ratio, alpha):
    """Half a squared distance of 1 / (3 sd) and, for whole numbers, of half a person."""
    n = int(sample * ratio)
    median, mean = median_loss(n, sample, alpha).value, shares_loss(n, sample, 2, alpha).value
    assert median == pytest.approx(mean, rel=1 / sample)


@settings(deadline=None, max_examples=50)
@given(populations_and_samples(st.integers(2, 40)), rational_alphas, st.integers(2, 6))
def test_floats_are_the_fractions(sizes, alpha, n_values):
    median, mean = loss_fractions.median_loss(*sizes, alpha), loss_fractions.shares_loss(*sizes, n_values, alpha)
    assert median_loss(*sizes, float(alpha)).value == pytest.approx(float(median), rel=1e-13, abs=0)
    assert shares_loss(*sizes, n_values, float(alpha)).value == pytest.approx(float(mean), rel=1e-13, abs=0)


@settings(deadline=None)
@given(st.integers(1, 60), st.data())
def test_sampled_and_others_change_places(n, data):
    """What the loss of large samples rests on, in fractions that do without."""
    m = data.draw(st.integers(0, n - 1))
    others = loss_fractions.median_loss(n, n - m - 1, 1)
    assert loss_fractions.median_loss(n, m, 1) * (m + 1) == others * (n - m)


@pytest.mark.parametrize("sample", [100, 1000, 10**4, 10**5, 10**6, 10**8])
@pytest.mark.parametrize("population", [10**10, 10**12])
def test_few_of_many(population, sample):
    """What the loss tends to; the next term is of the order of 1 / m^2 and sqrt(m) / n."""
    leading = math.sqrt(2 * math.pi) / 8 * math.sqrt(1 / sample - 1 / population)
    expected = leading * (1 - 0.805 / sample)
    assert median_loss(population, sample, 1.0).value == pytest.approx(expected, rel=3 / sample**1.5 + 1e-8)


@pytest.mark.parametrize("n_values", [2, 3, 10])
def test_firm_belief_is_the_limit(n_values):
    limit = shares_loss(1000, 300, n_values, math.inf).value
    assert shares_loss(1000, 300, n_values, 1e10).value == pytest.approx(limit, rel=1e-6)
