import mpmath as mp
import numpy as np
import pytest

from epsilometer.formulas.count_laws import log_binomial, log_negative_binomial, log_poisson


@pytest.mark.parametrize(
    ("count", "rate"), [(0, 2.0), (3, 1e-8), (15, 20.0), (16, 20.0), (10**6, 1e6), (1_004_000, 1e6), (7, 5e-324)]
)
def test_poisson_keeps_its_digits(count, rate):
    with mp.workdps(40):
        truth = count * mp.log(mp.mpf(max(rate, 1e-280))) - mp.mpf(rate) - mp.loggamma(count + 1)
    assert float(log_poisson(count, rate) - float(truth)) == pytest.approx(0, abs=1e-12 * max(1, abs(float(truth))))


@pytest.mark.parametrize(
    ("count", "trials", "probability"),
    [(0, 7, 0.3), (7, 7, 0.3), (3, 7, 0.3), (9, 19, 0.5), (10, 20, 0.5), (5 * 10**11, 10**12, 0.5), (4, 10**9, 1e-9)],
)
def test_binomial_keeps_its_digits(count, trials, probability):
    with mp.workdps(60):
        p = mp.mpf(probability)
        truth = mp.loggamma(trials + 1) - mp.loggamma(count + 1) - mp.loggamma(trials - count + 1)
        truth += count * mp.log(p) + (trials - count) * mp.log(1 - p)
    assert float(log_binomial(count, trials, probability) - float(truth)) == pytest.approx(0, abs=1e-14)


def test_no_trials_no_successes():
    assert float(log_binomial(0, 0, 0.4)) == 0


@pytest.mark.parametrize(
    ("count", "shape", "ratio"),
    [
        (0, 1.5, 0.6),
        (2, 1e-300, 0.5),
        (5, 0.3, 0.999),
        (10**6, 1e6, 0.5),
        (1_002_000, 1e6, 0.5),
        (900, 1e12, 1e-9),
    ],
)
def test_negative_binomial_keeps_its_digits(count, shape, ratio):
    with mp.workdps(40):
        a, y = mp.mpf(shape), mp.mpf(ratio)
        truth = mp.log(mp.rf(a, count)) if count < 1000 else mp.loggamma(a + count) - mp.loggamma(a)
        truth += count * mp.log(y) + a * mp.log(1 - y) - mp.loggamma(count + 1)
    assert float(log_negative_binomial(count, shape, ratio) - float(truth)) == pytest.approx(0, abs=1e-12)


def test_nothing_can_happen_at_rate_zero():
    assert np.exp(log_poisson([0, 1], 0.0)).tolist() == [1, 0]
    assert np.exp(log_negative_binomial([0, 1], 0.0, 0.5)).tolist() == [1, 0]
