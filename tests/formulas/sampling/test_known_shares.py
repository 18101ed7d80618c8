import mpmath as mp
import numpy as np
import pytest

from epsilometer.formulas.sampling import known_shares, smooth_sums
from epsilometer.formulas.sampling.exact_fractions import inside_known_shares, outside_known_shares

TABLES = [[4], [0, 4], [1, 1], [2, 1], [7, 0, 5], [3, 3, 3], [9, 1, 1, 2], [1, 1, 1, 1, 1, 1], [20, 14, 0, 1, 3]]


@pytest.mark.parametrize("counts", TABLES)
def test_few_people_against_fractions(counts):
    n = sum(counts)
    for m in range(1, min(n, 15) + 1):
        assert known_shares.inside(counts, m) == pytest.approx(float(inside_known_shares(counts, m)), rel=1e-14)
    for m in range(max(0, n - 15), n):
        assert known_shares.outside(counts, m) == pytest.approx(float(outside_known_shares(counts, m)), rel=1e-14)


def test_two_values_of_a_thousand_million_people():
    """Against the partial mean of the hypergeometric distribution, around its mean m/2."""
    n, m = 10**9, 10**6
    with mp.workdps(40):
        log_pmf = 2 * mp.log(mp.binomial(n // 2, m // 2)) - mp.log(mp.binomial(n, m))
        distance = 2 * mp.mpf(m // 2) * (n // 2 - m // 2) / n * mp.exp(log_pmf)
        truth = float((m / mp.mpf(2) + distance) / m)
    assert known_shares.inside([n // 2, n // 2], m) == pytest.approx(truth, rel=1e-14)


def test_equal_counts_of_a_huge_population_are_multinomial():
    from epsilometer.formulas.sampling.vulnerability import inside

    multinomial = inside(10**4, 10, float("inf")).value
    assert known_shares.inside([10**12] * 10, 10**4) == pytest.approx(multinomial, rel=1e-9)


@pytest.mark.parametrize(
    ("counts", "m"),
    [([100_000] * 10, 10_000), ([500_000, 499_990, 10], 10_000), ([990_000, 5000, 5000], 10_000),
     ([1000, 990, 40, 7, 3], 900), (np.arange(1, 200), 5000)],
)  # fmt: skip
def test_few_thresholds_do_for_all(counts, m, monkeypatch):
    quick = known_shares.inside(counts, m)
    monkeypatch.setattr(smooth_sums, "_SHORT", 10**9)
    smooth_sums._rule.cache_clear()
    in_full = known_shares.inside(counts, m)
    smooth_sums._rule.cache_clear()
    assert quick == pytest.approx(in_full, rel=1e-14)


def test_a_dominant_value_is_always_the_guess():
    """The largest count is then its own, whose mean is m N_1 / n."""
    assert known_shares.inside([990_000, 5000, 5000], 10_000) == pytest.approx(0.99, rel=1e-14)


def test_a_random_person_gains_nothing_to_the_attacker():
    assert known_shares.unknown([5, 0, 3]) == 5 / 8
