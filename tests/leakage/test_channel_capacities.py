"""Capacities against closed forms, and the answers of simple channels that can be checked by eye."""

from fractions import Fraction
from math import log2

import numpy as np
import pytest
from scipy import sparse

from epsilometer.errors import NotCertified
from epsilometer.leakage import bayes, exact, g, guessing, identity_gain, shannon, shannon_capacity, uniform


def entropy(p):
    return -p * log2(p) - (1 - p) * log2(1 - p)


CLOSED_FORMS = {
    "flips one in ten": ([[0.9, 0.1], [0.1, 0.9]], 1 - entropy(0.1)),
    "flips almost half": ([[0.501, 0.499], [0.499, 0.501]], 1 - entropy(0.499)),
    "erases one in four": ([[0.75, 0, 0.25], [0, 0.75, 0.25]], 0.75),
    "Z": ([[1.0, 0.0], [0.5, 0.5]], log2(5 / 4)),
    "noisy typewriter": (0.5 * (np.eye(6) + np.roll(np.eye(6), 1, axis=1)), log2(3)),
    "a row that is better left unused": ([[1, 0], [0, 1], [0.5, 0.5]], 1.0),
    "two rows alike": ([[1, 0, 0], [1, 0, 0], [0, 1, 0]], 1.0),
    "tells nothing": ([[0.3, 0.7], [0.3, 0.7]], 0.0),
    "one secret": ([[0.3, 0.7]], 0.0),
    "tells all": (np.eye(5, dtype=int), log2(5)),
    "fractions": (exact([["1/2", "1/2", 0], [0, "1/2", "1/2"]]), 0.5),
}


@pytest.mark.parametrize(("channel", "bits"), CLOSED_FORMS.values(), ids=CLOSED_FORMS)
def test_shannon_capacity_is_never_too_low_and_hardly_too_high(channel, bits):
    found = shannon.capacity(channel)
    assert bits - 1e-14 <= found < bits + 1e-9
    if np.asarray(channel).dtype != object:
        assert shannon.capacity(sparse.csr_array(channel)) == pytest.approx(found, abs=1e-12)


@pytest.mark.parametrize("n_outputs", [3, 40])
def test_shannon_capacity_of_unequal_rows_without_a_closed_form(n_outputs):
    """The mutual information at a prior found by Blahut's own iteration, which is never above the capacity."""
    channel = np.random.default_rng(n_outputs).dirichlet(np.full(n_outputs, 0.5), 6)
    prior = np.full(6, 1 / 6)
    for _ in range(20_000):
        prior = prior * np.exp((channel * np.log(channel / (prior @ channel))).sum(axis=1))
        prior /= prior.sum()
    assert shannon.additive_leakage(prior, channel) <= shannon.capacity(channel) + 1e-14
    assert shannon.additive_leakage(prior, channel) == pytest.approx(shannon.capacity(channel), abs=2e-9)


def test_a_capacity_that_is_not_reached_is_not_told(monkeypatch):
    monkeypatch.setattr(shannon_capacity, "MOST_STEPS", 2)
    message = r"^The capacity is not known to 1e-09 bits after 2 steps; use additive_leakage\.$"
    with pytest.raises(NotCertified, match=message):
        shannon.capacity([[1.0, 0.0], [0.5, 0.5]])


def test_guessing_without_help_takes_half_the_secrets():
    assert guessing.prior(uniform(9)) == 5
    assert guessing.posterior(uniform(9), np.eye(9, dtype=int)) == 1
    assert guessing.multiplicative_leakage(uniform(9), np.eye(9, dtype=int)) == 5


@pytest.mark.parametrize("n_secrets", [1, 2, 3, 7])
def test_what_seeing_the_secret_is_worth(n_secrets):
    """Gains from 0 to 1 on a uniform prior gain most with one secret an action: 1 - 1/n."""
    seen = identity_gain(n_secrets)
    assert bayes.capacity(seen) == n_secrets
    assert g.additive_capacity(uniform(n_secrets), seen) == 1 - Fraction(1, n_secrets)
    assert g.spanning_capacity(uniform(n_secrets), seen) == 1 - Fraction(1, n_secrets)


def test_gains_from_zero_to_one_may_leak_less_than_spanning_ones():
    """Two outputs, three secrets, by hand.

    The first output comes from the first secret alone, the second from the others. On priors 1/2, 1/4, 1/4 no action
    may gain more than t before the output; both reach 1/2 at t = 1/2.
    """
    prior = exact(["1/2", "1/4", "1/4"])
    assert g.additive_capacity(prior, [[1, 0], [0, 1], [0, 1]]) == Fraction(1, 2)
    prior = exact(["4/5", "1/10", "1/10"])
    # the action for the second output gains 1/5 on secrets two and three; the first at most t on secret one:
    # t + 1/5 - t for every t from 1/5 to 4/5
    assert g.additive_capacity(prior, [[1, 0], [0, 1], [0, 1]]) == Fraction(1, 5)
    # distances of the beliefs from the prior: 1/5 with probability 4/5, 4/5 with probability 1/5
    assert g.spanning_capacity(prior, [[1, 0], [0, 1], [0, 1]]) == Fraction(8, 25)


def test_strategies_of_sparse_channels():
    channel = np.array([[0.5, 0.5, 0, 0], [0, 0.25, 0.75, 0], [1, 0, 0, 0]])
    prior = np.array([0.25, 0.5, 0.25])
    for form in (channel, sparse.csr_array(channel)):
        assert bayes.strategy(prior, form).tolist() == [2, 0, 1, 0]
        assert g.strategy(prior, form, [[0, 1, 0], [3, 0, 1]]).tolist() == [1, 1, 0, 0]
