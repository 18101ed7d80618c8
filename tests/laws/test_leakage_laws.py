"""What must hold of every channel, checked in exact fractions wherever the measure has them."""

from __future__ import annotations

from fractions import Fraction
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import linprog

from epsilometer.leakage import (
    bayes,
    cascade,
    exact,
    g,
    guessing,
    hidden_choice,
    hyper,
    joint,
    parallel,
    refinement,
    shannon,
    uncertainty,
    uniform,
    visible_choice,
)

ROUNDING = 1e-12


def distributions(size):
    weights = st.lists(st.integers(0, 6), min_size=size, max_size=size).filter(any)
    return weights.map(lambda row: exact(row) / sum(row))


@st.composite
def channels(draw, n_secrets=None, n_outputs=None):
    n_secrets = n_secrets or draw(st.integers(1, 4))
    n_outputs = n_outputs or draw(st.integers(1, 4))
    return np.stack([draw(distributions(n_outputs)) for _ in range(n_secrets)])


@st.composite
def values(draw, n_secrets, low, high):
    n_actions = draw(st.integers(1, 4))
    number = st.fractions(low, high, max_denominator=6)
    row = st.lists(number, min_size=n_secrets, max_size=n_secrets)
    return exact(draw(st.lists(row, min_size=n_actions, max_size=n_actions)))


@st.composite
def systems(draw, n_channels=1, low=-2, high=2):
    """A prior, some channels and a gain or loss about the same secrets."""
    n_secrets = draw(st.integers(1, 4))
    several = [draw(channels(n_secrets)) for _ in range(n_channels)]
    return draw(distributions(n_secrets)), *several, draw(values(n_secrets, low, high))


def vulnerabilities(prior, channel, gain):
    """Every posterior measure, so that more is worse for the secret."""
    return np.array(
        [
            bayes.posterior(prior, channel),
            g.posterior(prior, channel, gain),
            -uncertainty.posterior(prior, channel, gain),
            -guessing.posterior(prior, channel),
            Fraction(-shannon.posterior(prior, channel)),
        ]
    )


def prior_vulnerabilities(prior, gain):
    return np.array(
        [
            bayes.prior(prior),
            g.prior(prior, gain),
            -uncertainty.prior(prior, gain),
            -guessing.prior(prior),
            Fraction(-shannon.prior(prior)),
        ]
    )


SLACK = np.array([0, 0, 0, 0, Fraction(1, 10**12)])  # only entropies are floats


@given(systems())
def test_an_output_never_hurts_the_attacker(system):
    prior, channel, gain = system
    before, after = prior_vulnerabilities(prior, gain), vulnerabilities(prior, channel, gain)
    assert (before <= after + SLACK).all()
    leakages = [
        bayes.additive_leakage(prior, channel),
        g.additive_leakage(prior, channel, gain),
        uncertainty.additive_leakage(prior, channel, gain),
        guessing.additive_leakage(prior, channel),
        Fraction(shannon.additive_leakage(prior, channel)),
    ]
    assert (abs(after - before - leakages) <= SLACK).all()
    assert min(leakages) >= 0


@given(systems())
def test_definitions_written_out(system):
    """Loops over secrets, outputs and actions, as the definitions are printed."""
    prior, channel, gain = system
    n_secrets, n_outputs = channel.shape
    table = [[prior[x] * channel[x, y] for x in range(n_secrets)] for y in range(n_outputs)]
    worth = [[sum(w[x] * column[x] for x in range(n_secrets)) for w in gain] for column in table]
    assert bayes.posterior(prior, channel) == sum(map(max, table))
    assert g.posterior(prior, channel, gain) == sum(map(max, worth))
    assert uncertainty.posterior(prior, channel, gain) == sum(map(min, worth))
    tries = [sum((i + 1) * p for i, p in enumerate(sorted(column, reverse=True))) for column in table]
    assert guessing.posterior(prior, channel) == sum(tries)
    assert bayes.strategy(prior, channel).tolist() == [column.index(max(column)) for column in table]
    assert g.strategy(prior, channel, gain).tolist() == [row.index(max(row)) for row in worth]
    assert uncertainty.strategy(prior, channel, gain).tolist() == [row.index(min(row)) for row in worth]


@given(systems(), st.data())
def test_what_is_done_to_an_output_never_leaks_more(system, data):
    prior, channel, gain = system
    later = cascade(channel, data.draw(channels(n_secrets=channel.shape[1])))
    assert (vulnerabilities(prior, later, gain) <= vulnerabilities(prior, channel, gain) + SLACK).all()
    assert bayes.capacity(later) <= bayes.capacity(channel)
    assert shannon.capacity(later) <= shannon.capacity(channel) + 1e-9
    assert g.additive_capacity(prior, later) <= g.additive_capacity(prior, channel)
    assert g.spanning_capacity(prior, later) <= g.spanning_capacity(prior, channel)


@given(systems(low=0))
def test_bayes_capacity_is_leaked_at_most_and_at_the_uniform_prior(system):
    prior, channel, gain = system
    most = bayes.capacity(channel)
    assert bayes.multiplicative_leakage(uniform(len(channel)), channel) == most
    assert bayes.multiplicative_leakage(prior, channel) <= most
    if g.prior(prior, gain) > 0:
        assert g.multiplicative_leakage(prior, channel, gain) <= most
    assert shannon.capacity(channel) <= log2(most) + 1e-9


@given(systems(), st.data())
def test_a_refinement_is_found_and_orders_everything(system, data):
    prior, leaky, gain = system
    safe = cascade(leaky, data.draw(channels(n_secrets=leaky.shape[1])))
    found = refinement(leaky=leaky, safe=safe)
    assert found.holds
    assert leaky.astype(float) @ found.channel == pytest.approx(safe.astype(float), abs=1e-9)
    assert (vulnerabilities(prior, safe, gain) <= vulnerabilities(prior, leaky, gain) + SLACK).all()


@given(systems(n_channels=2))
def test_a_refinement_or_a_gain_against_it(system):
    prior, leaky, safe, gain = system
    found = refinement(leaky=leaky, safe=safe)
    if found:
        assert found.channel.min() >= 0
        assert found.channel.sum(axis=1) == pytest.approx(np.ones(leaky.shape[1]))
        assert leaky.astype(float) @ found.channel == pytest.approx(safe.astype(float), abs=1e-9)
        assert (vulnerabilities(prior, safe, gain) <= vulnerabilities(prior, leaky, gain) + Fraction(1, 10**6)).all()
    else:
        against = np.vectorize(Fraction, otypes=[object])(found.gain)  # every float is a fraction: no rounding below
        assert 0 <= against.min() <= against.max() <= 1
        nothing_known = uniform(len(leaky))
        assert g.posterior(nothing_known, safe, against) > g.posterior(nothing_known, leaky, against)


@given(systems(n_channels=2))
def test_both_outputs_leak_at_least_what_each_does(system):
    prior, first, second, gain = system
    both = vulnerabilities(prior, parallel(first, second), gain)
    assert (vulnerabilities(prior, first, gain) <= both + SLACK).all()
    assert (vulnerabilities(prior, second, gain) <= both + SLACK).all()
    assert bayes.capacity(parallel(first, second)) <= bayes.capacity(first) * bayes.capacity(second)
    apart = shannon.additive_leakage(prior, first) + shannon.additive_leakage(prior, second)
    assert shannon.additive_leakage(prior, parallel(first, second)) <= apart + ROUNDING


@given(systems(), st.fractions(0, 1, max_denominator=9), st.data())
def test_a_visible_choice_is_the_average_and_a_hidden_one_less(system, probability, data):
    prior, first, gain = system
    second = data.draw(channels(*first.shape))
    visible = vulnerabilities(prior, visible_choice(probability, first, second), gain)
    hidden = vulnerabilities(prior, hidden_choice(probability, first, second), gain)
    average = probability * vulnerabilities(prior, first, gain)
    average += (1 - probability) * vulnerabilities(prior, second, gain)
    assert (abs(visible - average) <= SLACK).all()
    assert (hidden <= visible + SLACK).all()


def in_full(matrix):
    return (matrix.toarray() if sparse.issparse(matrix) else matrix).astype(float)


@given(systems(), st.sampled_from([np.asarray, sparse.csc_array, sparse.coo_matrix]))
def test_measures_of_fractions_floats_and_sparse_channels_agree(system, form):
    prior, channel, gain = system
    weights, matrix, numbers = prior.astype(float), form(channel.astype(float)), gain.astype(float)
    exactly, roughly = vulnerabilities(prior, channel, gain), vulnerabilities(weights, matrix, numbers)
    assert roughly.astype(float) == pytest.approx(exactly.astype(float), abs=ROUNDING)
    assert bayes.capacity(matrix) == pytest.approx(float(bayes.capacity(channel)), abs=ROUNDING)
    assert shannon.capacity(matrix) == pytest.approx(shannon.capacity(channel), abs=1e-9)
    for capacity in (g.additive_capacity, g.spanning_capacity):
        assert capacity(weights, matrix) == pytest.approx(float(capacity(prior, channel)), abs=ROUNDING)
    assert in_full(joint(weights, matrix)) == pytest.approx(in_full(joint(prior, channel)), abs=ROUNDING)
    assert hyper(weights, matrix).outer == pytest.approx(in_full(hyper(prior, channel).outer), abs=ROUNDING)


@given(systems(n_channels=2), st.sampled_from([np.asarray, sparse.csc_array, sparse.coo_matrix]), st.data())
def test_channels_built_from_fractions_floats_and_sparse_channels_agree(system, form, data):
    _, first, second, _ = system
    alike, after = data.draw(channels(*first.shape)), data.draw(channels(first.shape[1]))
    quarter = Fraction(1, 4)
    one, two, three, four = (form(channel.astype(float)) for channel in (first, second, alike, after))
    for roughly, exactly in (
        (cascade(one, four), cascade(first, after)),
        (parallel(one, two), parallel(first, second)),
        (visible_choice(0.25, one, two), visible_choice(quarter, first, second)),
        (hidden_choice(0.25, one, three), hidden_choice(quarter, first, alike)),
    ):
        assert in_full(roughly) == pytest.approx(in_full(exactly), abs=ROUNDING)
        assert sparse.issparse(roughly) == (form is not np.asarray)


@given(systems())
def test_beliefs_say_all_there_is_to_say(system):
    prior, channel, gain = system
    beliefs = hyper(prior, channel)
    assert (beliefs.inners @ beliefs.outer == prior).all()
    assert len(set(map(tuple, beliefs.inners.T))) == len(beliefs.outer)
    expected = sum(
        p * prior_vulnerabilities(inner, gain) for p, inner in zip(beliefs.outer, beliefs.inners.T, strict=True)
    )
    assert (abs(expected - vulnerabilities(prior, channel, gain)) <= SLACK).all()


@given(channels(), st.fractions(0, 1, max_denominator=7), st.data())
def test_an_output_split_at_random_tells_nothing_new(channel, share, data):
    prior = data.draw(distributions(len(channel)))
    column = data.draw(st.integers(0, channel.shape[1] - 1))
    split = np.column_stack([channel, channel[:, column] * share])
    split[:, column] *= 1 - share
    for one, other in ((channel, split), (channel.astype(float), split.astype(float))):
        weights = prior if one is channel else prior.astype(float)
        before, after = hyper(weights, one), hyper(weights, other)
        tolerance = 0 if one is channel else ROUNDING
        if share != 1:  # otherwise the beliefs come in another order
            assert (abs(before.outer - after.outer) <= tolerance).all()
            assert (abs(before.inners - after.inners) <= tolerance).all()
        assert len(before.outer) == len(after.outer)


def best_gain(prior, channel):
    """The gain with values from 0 to 1 that leaks most additively: a linear program, one action for each output."""
    n_secrets, n_outputs = channel.shape
    worth = np.append((prior[:, None] * channel).T.ravel(), -1.0)
    before = np.hstack([np.kron(np.eye(n_outputs), prior), -np.ones((n_outputs, 1))])
    found = linprog(
        -worth, A_ub=before, b_ub=np.zeros(n_outputs), bounds=[(0, 1)] * n_secrets * n_outputs + [(0, None)]
    )
    return found.x[:-1].reshape(n_outputs, n_secrets)


@given(systems(low=0, high=1))
def test_additive_capacity_is_reached_and_never_passed(system):
    prior, channel, gain = system
    most = g.additive_capacity(prior, channel)
    assert g.additive_leakage(prior, channel, gain) <= most <= g.spanning_capacity(prior, channel)
    floats = prior.astype(float), channel.astype(float)
    assert g.additive_leakage(*floats, best_gain(*floats)) == pytest.approx(float(most), abs=1e-9)


@given(systems(low=0, high=1), st.data())
def test_spanning_capacity_is_reached_and_never_passed(system, data):
    """Each action may be moved up or down; the best gains one where an output makes a secret likelier."""
    prior, channel, gain = system
    moved = gain + exact(data.draw(st.lists(st.integers(-3, 3), min_size=len(gain), max_size=len(gain))))[:, None]
    most = g.spanning_capacity(prior, channel)
    assert g.additive_leakage(prior, channel, moved) <= most
    likelier = (channel > prior @ channel).T.astype(int).astype(object)
    level = likelier - (likelier @ prior)[:, None]  # every action is worth nothing beforehand
    assert g.additive_leakage(prior, channel, level) == most


@given(systems())
def test_information_is_symmetric_and_bounded(system):
    prior, channel, _ = system
    information = shannon.additive_leakage(prior, channel)
    outputs = prior @ channel
    noise = sum(p * Fraction(shannon.prior(row)) for p, row in zip(prior, channel, strict=True))
    assert information == pytest.approx(shannon.prior(outputs) - float(noise), abs=ROUNDING)
    assert 0 <= information <= min(shannon.prior(prior), shannon.prior(outputs)) + ROUNDING
    assert information <= shannon.capacity(channel) + ROUNDING
    assert shannon.capacity(channel) <= log2(min(channel.shape)) + 1e-9


@given(channels(), channels())
def test_capacity_of_independent_channels_adds_up(first, second):
    together = np.kron(first.astype(float), second.astype(float))
    assert shannon.capacity(together) == pytest.approx(shannon.capacity(first) + shannon.capacity(second), abs=3e-9)
    assert bayes.capacity(np.kron(first, second)) == bayes.capacity(first) * bayes.capacity(second)


@given(systems())
def test_guessing_takes_at_least_one_try_and_at_most_half_the_secrets(system):
    prior, channel, _ = system
    assert 1 <= guessing.posterior(prior, channel) <= guessing.prior(prior) <= Fraction(len(prior) + 1, 2)
    assert guessing.multiplicative_leakage(prior, channel) >= 1
