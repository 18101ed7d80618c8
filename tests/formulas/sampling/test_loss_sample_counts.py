import numpy as np
import pytest

from epsilometer.formulas.sampling.sample_counts import THINNING_ERROR, every_count, thinned_counts

SAMPLE = 300_000


@pytest.mark.parametrize("a", [1e-4, 0.3, 1.0, 2.5, 1e3, 1e7])
@pytest.mark.parametrize("n_values", [2, 3, 40, 5000])
def test_thinned_counts_stand_for_every_count(a, n_values):
    law = SAMPLE, a, (n_values - 1) * a
    every, thinned = every_count(*law), thinned_counts(*law)
    assert len(thinned.count) < 50_000
    for function in (np.ones_like, np.sqrt, lambda y: (y + a) * (SAMPLE - y + a * (n_values - 1))):
        assert thinned.mean(function) == pytest.approx(every.mean(function), rel=THINNING_ERROR)


def test_kinks_are_cut_at():
    kinks = np.array([100_000.25, 170_000.5])

    def kinked(y):
        return np.abs(y - kinks[0]) + np.abs(y - kinks[1])

    truth = every_count(SAMPLE, 2.0, 3.0).mean(kinked)
    assert thinned_counts(SAMPLE, 2.0, 3.0, kinks).mean(kinked) == pytest.approx(truth, rel=THINNING_ERROR)
    assert thinned_counts(SAMPLE, 2.0, 3.0).mean(kinked) != pytest.approx(truth, rel=THINNING_ERROR)


@pytest.mark.parametrize("sample", [1, 2, 7, 8, SAMPLE, SAMPLE + 1])
def test_half_stands_for_the_whole_of_what_is_symmetric(sample):
    def symmetric(y):
        return np.sqrt((y + 1) * (sample - y + 1))

    every = every_count(sample, 1.5, 1.5)
    assert len(every.lower_half().count) == sample // 2 + 1
    assert every.lower_half().mean(symmetric) == pytest.approx(every.mean(symmetric), rel=1e-12)
    if sample >= SAMPLE:
        thinned = thinned_counts(sample, 1.5, 1.5)
        assert thinned.lower_half().mean(symmetric) == pytest.approx(every.mean(symmetric), rel=THINNING_ERROR)
