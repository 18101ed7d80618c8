"""Every measure against the package qif (libqif), which works on dense float matrices in C++.

Its ``g_vuln.add_capacity`` without ``one_spanning_g`` lets gains fall below zero without end and is another quantity.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.leakage import bayes, cascade, g, guessing, hyper, identity_gain, refinement, shannon, uncertainty

with np.printoptions():  # importing qif changes how numpy prints; afterwards it prints as before
    import qif

measure = qif.measure


@st.composite
def systems(draw):
    """A prior and a channel without zeros, a second channel, and a gain that is never negative."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_secrets, n_outputs, n_others = (draw(st.integers(2, 5)) for _ in range(3))
    return (
        rng.dirichlet(np.ones(n_secrets)),
        rng.dirichlet(np.ones(n_outputs), n_secrets),
        rng.dirichlet(np.ones(n_others), n_outputs),
        rng.random((draw(st.integers(1, 5)), n_secrets)),
    )


def near(number):
    return pytest.approx(number, rel=1e-10, abs=1e-12)


@given(systems())
def test_bayes(system):
    prior, channel, _, _ = system
    theirs = measure.bayes_vuln
    assert bayes.prior(prior) == near(theirs.prior(prior))
    assert bayes.posterior(prior, channel) == near(theirs.posterior(prior, channel))
    assert bayes.additive_leakage(prior, channel) == near(theirs.add_leakage(prior, channel))
    assert bayes.multiplicative_leakage(prior, channel) == near(theirs.mult_leakage(prior, channel))
    assert bayes.capacity(channel) == near(theirs.mult_capacity(channel))
    assert bayes.strategy(prior, channel).tolist() == list(theirs.strategy(prior, channel))


@given(systems())
def test_gains(system):
    prior, channel, _, gain = system
    theirs = measure.g_vuln
    assert g.prior(prior, gain) == near(theirs.prior(gain, prior))
    assert g.posterior(prior, channel, gain) == near(theirs.posterior(gain, prior, channel))
    assert g.additive_leakage(prior, channel, gain) == near(theirs.add_leakage(gain, prior, channel))
    assert g.multiplicative_leakage(prior, channel, gain) == near(theirs.mult_leakage(gain, prior, channel))
    assert g.strategy(prior, channel, gain).tolist() == list(theirs.strategy(gain, prior, channel))
    assert g.spanning_capacity(prior, channel) == near(theirs.add_capacity(prior, channel, one_spanning_g=True))


@given(systems())
def test_losses(system):
    prior, channel, _, loss = system
    theirs = measure.l_risk
    assert uncertainty.prior(prior, loss) == near(theirs.prior(loss, prior))
    assert uncertainty.posterior(prior, channel, loss) == near(theirs.posterior(loss, prior, channel))
    assert uncertainty.additive_leakage(prior, channel, loss) == near(theirs.add_leakage(loss, prior, channel))
    assert uncertainty.multiplicative_leakage(prior, channel, loss) == near(theirs.mult_leakage(loss, prior, channel))
    assert uncertainty.strategy(prior, channel, loss).tolist() == list(theirs.strategy(loss, prior, channel))
    wrong = 1 - identity_gain(len(prior))
    assert uncertainty.posterior(prior, channel, wrong) == near(measure.bayes_risk.posterior(prior, channel))


@given(systems())
def test_shannon(system):
    prior, channel, _, _ = system
    theirs = measure.shannon
    assert shannon.prior(prior) == near(theirs.prior(prior))
    assert shannon.posterior(prior, channel) == near(theirs.posterior(prior, channel))
    assert shannon.additive_leakage(prior, channel) == near(theirs.add_leakage(prior, channel))


def test_shannon_capacity():
    """Theirs is Blahut's iteration to a precision it does not say; ours must not be below what it reached."""
    rng = np.random.default_rng(0)
    for n_secrets, n_outputs in ((2, 2), (3, 5), (6, 4), (20, 20)):
        channel = rng.dirichlet(np.ones(n_outputs), n_secrets)
        theirs, prior = measure.shannon.add_capacity(channel)
        assert shannon.capacity(channel) == pytest.approx(theirs, abs=1e-6)
        assert shannon.capacity(channel) >= measure.shannon.add_leakage(prior, channel)


@given(systems())
def test_guessing(system):
    prior, channel, _, _ = system
    theirs = measure.guessing
    assert guessing.prior(prior) == near(theirs.prior(prior))
    assert guessing.posterior(prior, channel) == near(theirs.posterior(prior, channel))
    assert guessing.additive_leakage(prior, channel) == near(theirs.add_leakage(prior, channel))
    assert guessing.multiplicative_leakage(prior, channel) == near(theirs.mult_leakage(prior, channel))


@given(systems())
def test_beliefs(system):
    prior, channel, _, _ = system
    ours = hyper(prior, channel)
    outer, inners = qif.channel.hyper(channel, prior)
    assert ours.outer == near(outer)
    assert ours.inners == near(inners)


def test_equal_beliefs_are_merged_in_both():
    prior, channel = np.array([0.5, 0.5]), np.array([[0.2, 0.5, 0.3, 0.0], [0.4, 0.0, 0.6, 0.0]])
    outer, _ = qif.channel.hyper(channel, prior)
    assert np.sort(hyper(prior, channel).outer) == near(np.sort(outer))
    assert len(outer) == 2


@given(systems())
def test_refinement(system):
    _, channel, later, _ = system
    safe = cascade(channel, later)
    other = later[: len(channel)] if len(later) >= len(channel) else np.resize(later, (len(channel), later.shape[1]))
    for one, two in ((channel, safe), (safe, channel), (channel, other), (other, channel)):
        assert bool(refinement(leaky=one, safe=two)) == bool(qif.refinement.refined_by(one, two))
