"""What holds for every guess: the promise is kept to the last digit, and the formulas agree with one another."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.formulas import guessing
from epsilometer.formulas.guessing import published

shares = st.one_of(st.floats(0.001, 0.999), st.floats(1e-12, 1e-3), st.floats(1e-12, 1e-3).map(lambda x: 1 - x))
parts = st.floats(1e-6, 0.99)  # of the largest gain there can be; next to it, epsilon is safe but no longer sharp
sensitivities = st.floats(0.01, 100)
epsilons = st.floats(1e-4, 20)
fields = st.lists(st.tuples(shares, st.floats(0.1, 10)), min_size=1, max_size=5).map(np.transpose)


def posterior(prior, log_odds_ratio):
    """The belief after the release from Bayes' rule, in as many digits as mpmath works with."""
    weight = mp.mpf(prior) * mp.exp(log_odds_ratio)
    return weight / (1 - mp.mpf(prior) + weight)


def product(factors):
    return mp.fprod(map(mp.mpf, factors))


def losses(epsilon, by_field):
    return [mp.mpf(float(epsilon)) * mp.mpf(r) for r in by_field]


def gain_joint(epsilon, p, r):
    return posterior(product(p), max(losses(epsilon, r))) - product(p)


def gain_separate(epsilon, p, r):
    return posterior(product(p), sum(losses(epsilon, r))) - product(p)


def gain_independent(epsilon, p, r):
    return product(map(posterior, p, losses(epsilon, r))) - product(p)


def gain_any(epsilon, p, r):
    before = product(1 - mp.mpf(x) for x in p)
    return before - product(1 - posterior(*pair) for pair in zip(p, losses(epsilon, r), strict=True))


EVENTS = {
    "joint": (guessing.epsilon_all_joint, guessing.advantage_all_joint, gain_joint),
    "separate": (guessing.epsilon_all_separate, guessing.advantage_all_separate, gain_separate),
    "independent": (guessing.epsilon_all_independent, guessing.advantage_all_independent, gain_independent),
    "any": (guessing.epsilon_any, guessing.advantage_any, gain_any),
}
of_every_event = pytest.mark.parametrize("event", EVENTS)


def largest_gain(event, p):
    """From the prior of the event to certainty."""
    return product(1 - mp.mpf(x) for x in p) if event == "any" else 1 - product(p)


def random_shares(rng, size):
    """Even, rare and nearly certain, in equal parts."""
    rare = 10 ** rng.uniform(-14, 0, size)
    return np.choose(rng.integers(0, 3, size), [rng.uniform(size=size), rare, 1 - rare])


def test_one_event_never_gains_more_than_allowed():
    rng = np.random.default_rng(20_031)
    p, r = random_shares(rng, 10_000), 10 ** rng.uniform(-3, 3, 10_000)
    delta = (1 - p) * random_shares(rng, 10_000)
    found = guessing.epsilon_single(delta, p, r)
    with mp.workdps(60):
        for advantage, prior, sensitivity, epsilon in zip(delta, p, r, found, strict=True):
            certain = mp.mpf(advantage) + mp.mpf(prior) >= 1
            assert certain == (epsilon == np.inf)
            assert certain or posterior(prior, mp.mpf(epsilon) * sensitivity) - mp.mpf(prior) <= advantage


@of_every_event
def test_events_over_fields_never_gain_more_than_allowed(event):
    """2,500 records for each of four events; an epsilon that is a millionth larger gains too much."""
    epsilon_for, _, gain = EVENTS[event]
    rng = np.random.default_rng(20_032)
    with mp.workdps(60):
        for n_fields in rng.integers(1, 6, 2_500):
            p, r = random_shares(rng, n_fields), 10 ** rng.uniform(-1, 1, n_fields)
            advantage = float(largest_gain(event, p)) * rng.uniform() ** 3
            epsilon = float(epsilon_for(advantage, p, r))
            assert gain(epsilon, p, r) <= advantage
            assert gain(epsilon * (1 + 1e-6), p, r) > advantage


@of_every_event
@given(parts, fields)
def test_advantage_of_the_epsilon_is_the_advantage(event, part, by_field):
    epsilon_for, advantage_from, _ = EVENTS[event]
    p, r = by_field
    advantage = part * float(largest_gain(event, p))
    assert float(advantage_from(epsilon_for(advantage, p, r), p, r)) == pytest.approx(advantage, rel=1e-10)


@of_every_event
@given(epsilons, fields)
def test_advantage_over_fields_is_that_of_bayes_rule(event, epsilon, by_field):
    _, advantage_from, gain = EVENTS[event]
    with mp.workdps(60):
        truth = gain(epsilon, *by_field)
        found = float(advantage_from(epsilon, *by_field))
        assert found >= truth
        assert found == pytest.approx(float(truth), rel=1e-11)


@given(epsilons, shares, sensitivities)
def test_advantage_of_one_event_is_that_of_bayes_rule(epsilon, prior, sensitivity):
    with mp.workdps(60):
        after = posterior(prior, mp.mpf(epsilon) * mp.mpf(sensitivity))
        truth = after - mp.mpf(prior)
        found = float(guessing.advantage_single(epsilon, prior, sensitivity))
        assert found >= truth
        assert found == pytest.approx(float(truth), rel=1e-12)
    assert float(guessing.posterior(prior, epsilon, sensitivity)) == pytest.approx(float(after), rel=1e-12)


@given(parts, shares, sensitivities)
def test_epsilon_of_the_advantage_of_one_event(part, prior, sensitivity):
    advantage = part * (1 - prior)
    epsilon = guessing.epsilon_single(advantage, prior, sensitivity)
    assert float(guessing.advantage_single(epsilon, prior, sensitivity)) == pytest.approx(advantage, rel=1e-11)


@given(st.floats(0.001, 0.99), st.floats(0.001, 0.999), sensitivities)
def test_one_field_is_one_event_and_right_as_printed(part, prior, sensitivity):
    advantage = part * (1 - prior)
    epsilon = pytest.approx(float(guessing.epsilon_single(advantage, prior, sensitivity)), rel=1e-9)
    for formula in (published.epsilon_single, published.epsilon_all, published.epsilon_any):
        assert float(formula(advantage, prior, sensitivity)) == epsilon
    for epsilon_for, _, _ in EVENTS.values():
        assert float(epsilon_for(advantage, [prior], [sensitivity])) == epsilon


@of_every_event
@given(parts, fields, st.floats(1.001, 5), st.integers(0, 4))
def test_more_advantage_allows_more_epsilon_and_more_sensitivity_less(event, part, by_field, factor, which):
    epsilon_for, _, _ = EVENTS[event]
    p, r = by_field
    advantage = part * float(largest_gain(event, p))
    epsilon = epsilon_for(advantage, p, r)
    assert epsilon_for(advantage * factor, p, r) >= epsilon
    larger = r.copy()
    larger[which % len(r)] *= factor
    assert epsilon_for(advantage, p, larger) <= epsilon * (1 + 1e-10)
    assert guessing.epsilon_single(advantage * factor, p[0], r[0]) >= guessing.epsilon_single(advantage, p[0], r[0])


@given(parts, fields)
def test_releases_that_say_less_may_say_it_louder(part, by_field):
    """What holds however fields are mixed in a release holds if they are not; one release says less than several."""
    advantage = part * float(1 - product(by_field[0]))
    separate = guessing.epsilon_all_separate(advantage, *by_field)
    assert guessing.epsilon_all_independent(advantage, *by_field) >= separate * (1 - 1e-10)
    assert guessing.epsilon_all_joint(advantage, *by_field) >= separate


@given(parts, st.lists(st.tuples(st.floats(1e-9, 0.9), st.floats(0.1, 10)), min_size=1, max_size=5))
def test_any_field_gains_no_more_than_an_event_whose_odds_all_fields_raise(part, pairs):
    p, r = np.transpose(pairs)
    prior = -np.expm1(np.log1p(-p).sum())
    advantage = part * (1 - prior)
    assert guessing.epsilon_any(advantage, p, r) >= guessing.epsilon_single(advantage, prior, r.sum()) * (1 - 1e-9)


def test_any_field_may_need_more_or_less_noise_than_each_field_alone():
    for priors, event_needs_more in (([0.1, 0.1], True), ([0.7, 0.7], False)):
        alone = guessing.epsilon_single(0.05, priors, 1.0).min()
        assert (guessing.epsilon_any(0.05, priors, 1.0) < alone) == event_needs_more


@given(st.floats(0.001, 0.99), shares, sensitivities)
def test_no_prior_needs_more_noise_than_the_worst_one(advantage, prior, sensitivity):
    worst = float(guessing.worst_case_epsilon(advantage, sensitivity))
    assert float(guessing.epsilon_single(advantage, prior, sensitivity)) >= worst * (1 - 1e-14)
    at_worst = float(guessing.epsilon_single(advantage, (1 - advantage) / 2, sensitivity))
    assert at_worst == pytest.approx(worst, rel=1e-13)


@given(st.floats(1e-3, 5), shares, st.floats(0.01, 2))
def test_no_prior_gains_more_than_the_worst_one(epsilon, prior, sensitivity):
    worst = float(guessing.worst_case_advantage(epsilon, sensitivity))
    assert float(guessing.advantage_single(epsilon, prior, sensitivity)) <= worst * (1 + 1e-14)
    assert float(guessing.advantage_single(epsilon, (1 - worst) / 2, sensitivity)) == pytest.approx(worst, rel=1e-12)
    assert float(guessing.worst_case_epsilon(worst, sensitivity)) == pytest.approx(epsilon, rel=1e-11)


@given(st.integers(2, 10**12), st.data())
def test_uniqueness_falls_with_people_and_rises_with_values(n, data):
    k = data.draw(st.one_of(st.integers(1, min(n, 50)), st.integers(1, n)))
    unique = guessing.log_uniqueness_probability(k, n)
    assert unique > guessing.log_uniqueness_probability(k + 1, n)
    assert unique <= guessing.log_uniqueness_probability(k, n + 1) + 1e-14 * abs(unique)
    step = unique + np.log1p(-(k / n)) if k < n else -np.inf
    assert guessing.log_uniqueness_probability(k + 1, n) == pytest.approx(step, rel=1e-13, abs=1e-15)
