"""Amplification by shuffling against laws of shuffled reports that are listed in full."""

import math
from collections import defaultdict
from itertools import product

import mpmath as mp
import numpy as np
import pytest
from scipy.special import betainc

from epsilometer.errors import OutOfRange
from epsilometer.formulas import shuffling
from epsilometer.formulas.shuffling import closed_form_epsilon, shuffled_delta, shuffled_epsilon


def randomized_response(epsilon, k):
    channel = np.full((k, k), 1 / (math.exp(epsilon) + k - 1))
    np.fill_diagonal(channel, math.exp(epsilon) / (math.exp(epsilon) + k - 1))
    return channel


def law_of_counts(rows):
    """The law of how many reports say what, when each person's report follows one of the rows."""
    law = {(0,) * len(rows[0]): 1.0}
    for row in rows:
        longer = defaultdict(float)
        for counts, probability in law.items():
            for output, chance in enumerate(row):
                seen = (*counts[:output], counts[output] + 1, *counts[output + 1 :])
                longer[seen] += probability * chance
        law = longer
    return law


def hockey_stick(p, q, epsilon):
    return sum(max(chance - math.exp(epsilon) * q.get(seen, 0.0), 0.0) for seen, chance in p.items())


def worst_delta(channel, n, epsilon):
    """Delta of n shuffled reports, over all values of the others and all changes of one person's value."""
    k, worst = len(channel), 0.0
    for others in {tuple(sorted(values)) for values in product(range(k), repeat=n - 1)}:
        laws = [law_of_counts([channel[x], *(channel[y] for y in others)]) for x in range(k)]
        worst = max([worst, *(hockey_stick(p, q, epsilon) for p in laws for q in laws)])
    return worst


def blanket_delta(epsilon, local_epsilon, n, k):
    """The published bound for randomised response, term by term: sum over clones, then over what they say."""
    e0, e = math.exp(local_epsilon), math.exp(epsilon)
    blanket = k / (e0 + k - 1)
    total = 0.0
    for clones in range(n):
        weight = math.comb(n - 1, clones) * blanket**clones * (1 - blanket) ** (n - 1 - clones)
        me = [np.array([e0, 1, k - 2]) / (e0 + k - 1), np.array([1, e0, k - 2]) / (e0 + k - 1)]
        clone = np.array([1, 1, k - 2]) / k
        p, q = (law_of_counts([row] + [clone] * clones) for row in me)
        total += weight * sum(max(chance - e * q[seen], 0.0) for seen, chance in p.items())
    return total


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("n", [1, 2, 4])
@pytest.mark.parametrize("local_epsilon", [0.5, 2.0])
def test_no_shuffled_randomised_response_is_worse_than_stated(k, n, local_epsilon):
    for epsilon in (0.0, 0.2 * local_epsilon, 0.8 * local_epsilon):
        truth = worst_delta(randomized_response(local_epsilon, k), n, epsilon)
        own = shuffled_delta(epsilon, local_epsilon=local_epsilon, n_people=n, n_values=k)
        general = shuffled_delta(epsilon, local_epsilon=local_epsilon, n_people=n)
        assert truth <= own + 1e-14
        assert own <= general + 1e-14


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("n", [1, 3, 12])
@pytest.mark.parametrize("local_epsilon", [0.3, 1.0, 3.0])
def test_the_sum_is_the_published_pair_of_distributions(k, n, local_epsilon):
    for share in (0.0, 0.3, 0.9):
        expected = blanket_delta(share * local_epsilon, local_epsilon, n, k)
        ours = shuffled_delta(share * local_epsilon, local_epsilon=local_epsilon, n_people=n, n_values=k)
        assert ours == pytest.approx(expected, rel=1e-8, abs=1e-15)
        assert ours >= expected * (1 - 1e-12)


def test_the_general_pair_is_the_binomial_one_as_published():
    """C ~ Bin(n-1, e^-e0), A ~ Bin(C, 1/2), and one more report that says 0 with e^e0 / (e^e0 + 1)."""
    n, local_epsilon, epsilon = 9, 1.2, 0.4
    truthful = math.exp(local_epsilon) / (math.exp(local_epsilon) + 1)
    delta = 0.0
    for clones in range(n):
        rate = math.exp(-local_epsilon)
        weight = math.comb(n - 1, clones) * rate**clones * (1 - rate) ** (n - 1 - clones)
        p, q = (
            law_of_counts([row] + [(0.5, 0.5)] * clones) for row in ((truthful, 1 - truthful), (1 - truthful, truthful))
        )
        delta += weight * hockey_stick(p, q, epsilon)
    assert shuffled_delta(epsilon, local_epsilon=local_epsilon, n_people=n) == pytest.approx(delta, rel=1e-8)


def test_pooling_what_is_neither_value_would_promise_too_much():
    """Counting only a and b among all n reports, clones or not, hides more than the reports of three values do."""
    n, local_epsilon, epsilon, k = 4, 2.0, 1.5, 3
    p = 1 / (math.exp(local_epsilon) + k - 1)
    rows = [(math.exp(local_epsilon) * p, p, p), (p, math.exp(local_epsilon) * p, p)]
    other = (p, p, 1 - 2 * p)
    laws = [law_of_counts([row] + [other] * (n - 1)) for row in rows]
    pooled = hockey_stick(*laws, epsilon)
    truth = worst_delta(randomized_response(local_epsilon, k), n, epsilon)
    assert truth > pooled
    assert shuffled_delta(epsilon, local_epsilon=local_epsilon, n_people=n, n_values=k) >= truth


@pytest.mark.parametrize("n_values", [None, 2, 4, 30])
@pytest.mark.parametrize("n_people", [1, 50, 20_000, 10**8])
def test_epsilon_meets_delta_and_hardly_less_does_not(n_values, n_people):
    setting = {"local_epsilon": 1.5, "n_people": n_people, "n_values": n_values}
    epsilon = shuffled_epsilon(1e-7, **setting)
    assert 0 < epsilon <= 1.5
    assert shuffled_delta(epsilon, **setting) <= 1e-7
    assert shuffled_delta(epsilon * (1 - 1e-3), **setting) > 1e-7


@pytest.mark.parametrize(
    ("n_values", "name", "shorter"),
    [(2, "REACH", 0.05), (5, "_pairs_reach", lambda n_people, clones: 1)],
    ids=["clones", "pairs"],
)
def test_what_is_left_out_of_the_sums_counts_as_seen_through(monkeypatch, n_values, name, shorter):
    setting = {"local_epsilon": 1.0, "n_people": 400, "n_values": n_values}
    complete = shuffled_delta(0.05, **setting)
    monkeypatch.setattr(shuffling, name, shorter)
    assert shuffled_delta(0.05, **setting) > complete


def test_what_the_search_finds_is_proved_before_it_is_told(monkeypatch):
    search = shuffling.smallest_meeting
    monkeypatch.setattr(shuffling, "smallest_meeting", lambda *curve, name: 0.9 * search(*curve, name=name))
    setting = {"local_epsilon": 1.0, "n_people": 5000, "n_values": 3}
    assert shuffled_delta(shuffled_epsilon(1e-6, **setting), **setting) <= 1e-6


@pytest.mark.parametrize("local_epsilon", [0.1, 1.0, 3.5])
@pytest.mark.parametrize("n_people", [10_000, 10**6, 10**9])
def test_the_numerical_bound_is_at_most_the_closed_form(local_epsilon, n_people):
    closed = closed_form_epsilon(1e-6, local_epsilon=local_epsilon, n_people=n_people)
    general = shuffled_epsilon(1e-6, local_epsilon=local_epsilon, n_people=n_people)
    assert shuffled_epsilon(1e-6, local_epsilon=local_epsilon, n_people=n_people, n_values=2) <= general < closed


def test_groups_of_clones_cost_less_than_a_thousandth_of_epsilon():
    """A million people: grouped numbers of clones against a sum over every one of them with normal tails."""
    n, local_epsilon, delta = 10**6, 1.0, 1e-6
    epsilon = shuffled_epsilon(delta, local_epsilon=local_epsilon, n_people=n, n_values=2)
    rate = 2 / (math.e + 1)
    clones = np.arange(int(n * rate) - 5000, int(n * rate) + 5000)
    log_weights = -((clones - n * rate) ** 2) / (2 * n * rate * (1 - rate))
    weights = np.exp(log_weights) / np.exp(log_weights).sum()
    m = clones + 1.0

    def exact(e):
        lead = (math.exp(e) * m + math.expm1(e) / math.expm1(local_epsilon) * m) / (1 + math.exp(e))
        first = np.floor(lead) + 1
        above = m / 2 * betainc(first - 1, m - first + 1, 0.5) - lead * betainc(first, m - first + 1, 0.5)
        return weights @ (rate * math.expm1(local_epsilon) * (1 + math.exp(e)) / m * above)

    assert exact(epsilon * (1 - 1e-3)) > delta > 0.99 * exact(epsilon)


def test_a_single_person_gains_nothing_and_many_gain_much():
    assert shuffled_delta(0.5, local_epsilon=1.0, n_people=1) == pytest.approx(
        (math.e - math.exp(0.5)) / (math.e + 1), rel=1e-8
    )
    assert shuffled_delta(1.0, local_epsilon=1.0, n_people=1) == 0.0
    assert shuffled_epsilon(0.0, local_epsilon=1.0, n_people=10) == 1.0
    assert shuffled_epsilon(0.5, local_epsilon=0.1, n_people=10) == 0.0
    assert shuffled_epsilon(1e-6, local_epsilon=30.0, n_people=10**6) <= 30.0


def test_the_closed_form_says_where_it_ends():
    with pytest.raises(OutOfRange, match=r"^local epsilon must be in \(0, 1\.41\], got 2.0\. The closed form is"):
        closed_form_epsilon(1e-6, local_epsilon=2.0, n_people=1000)


@pytest.mark.parametrize("s", [1000, 10**6, 5 * 10**8])
@pytest.mark.parametrize("deviations", [0.5, 4.0, 8.0])
def test_the_tail_it_rests_on_is_accurate_enough_for_the_room_given_to_rounding(s, deviations):
    """scipy's incomplete beta against the first term times the sum of ratios, in 50 digits."""
    m = int(s / 2 + deviations * math.sqrt(s) / 2)
    first = mp.exp(mp.loggamma(s + 1) - mp.loggamma(m + 1) - mp.loggamma(s - m + 1) - s * mp.log(2))
    steps = np.arange(min(s - m, int(14 * math.sqrt(s))))
    ratios = np.cumprod(((s - m - steps) / (m + 1.0 + steps)).astype(np.longdouble))
    tail = first * (1 + mp.mpf(float(ratios.sum())))
    assert float(betainc(m, s - m + 1, 0.5) / tail) == pytest.approx(1, abs=2e-11)
