"""Stretches that meet a target: nothing unsafe inside, nothing missed outside."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.formulas import homogeneity
from epsilometer.formulas.envelope import lower_envelope, upper_envelope
from epsilometer.solvers.feasible import stretches_below
from epsilometer.solvers.knee import knee
from epsilometer.vocabulary.stretch import Stretch, common

tables = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 15), min_size=k, max_size=k).filter(any), min_size=1, max_size=8)
)
noises = st.sampled_from([em.Laplace(epsilon=1.0), em.Geometric(epsilon=1.0, adjacency="replace")])
targets = st.floats(0.0, 1.0)


@given(tables, noises, targets, st.sampled_from(["cells", "records"]))
@settings(max_examples=100, deadline=None)
def test_a_scan_of_2000_epsilons_finds_nothing_unsafe_and_nothing_missed(table, noise, target, average):
    freq = em.FrequencyTable.from_counts(table)
    found = em.epsilon_for_risk(freq, noise, target, average=average)
    grid = np.geomspace(1e-3, 1e2, 2000)
    risk = em.homogeneity_risk(freq, noise.at(tuple(grid)), average=average).value
    inside = np.any([(s.low <= grid) & (grid <= s.high) for s in found.stretches], axis=0) & True
    assert (risk[np.broadcast_to(inside, grid.shape)] <= target).all()
    clearly = risk <= target - 0.01  # away from where the curve runs along the target
    assert np.broadcast_to(inside, grid.shape)[clearly].all()
    for stretch in found.stretches:
        ends = em.homogeneity_risk(freq, noise.at((stretch.low, stretch.high)), average=average).value
        assert (ends <= target).all()
    assert bool(found) == bool(found.stretches)
    assert found.value == (found.stretches[-1].high if found.stretches else None)


@pytest.mark.parametrize(
    "noise",
    [em.Gaussian(epsilon=1.0, delta=1e-5), em.DiscreteGaussian(epsilon=1.0, delta=1e-3)],
    ids=lambda noise: noise.name,
)
def test_gaussians_are_searched_too(noise):
    freq = em.FrequencyTable.from_counts([[30, 1]] * 3 + [[4, 0]] * 2)
    found = em.epsilon_for_risk(freq, noise, 0.42, between=(0.05, 30.0))
    assert len(found.stretches) == 2
    grid = np.geomspace(0.05, 30, 60)
    risk = em.homogeneity_risk(freq, noise.at(tuple(grid))).value
    inside = np.any([(s.low <= grid) & (grid <= s.high) for s in found.stretches], axis=0)
    assert (risk[inside] <= 0.42).all()
    assert (risk[~inside] > 0.42 - 1e-6).all()


MECHANISMS = {
    "laplace": lambda epsilon: em.Laplace(epsilon=epsilon, threshold=2.5),
    "geometric": lambda epsilon: em.Geometric(epsilon=epsilon),
    "gaussian": lambda epsilon: em.Gaussian(epsilon=epsilon, delta=1e-5),
    "discrete-gaussian": lambda epsilon: em.DiscreteGaussian(epsilon=epsilon, delta=1e-5),
}


@pytest.mark.parametrize("make", MECHANISMS.values(), ids=MECHANISMS.keys())
@given(tables, st.floats(0.05, 10), st.floats(1.0, 2.0), st.floats(0.0, 1.0))
@settings(max_examples=25, deadline=None)
def test_envelopes_bound_the_risk_of_everything_between(make, table, epsilon, ratio, share):
    ends = make(epsilon), make(epsilon * ratio)
    inside = make(epsilon * ratio**share)
    for formula in (homogeneity.local, homogeneity.local_records, homogeneity.expected_of_counts):
        risk = formula(table, inside)
        assert (risk <= formula(table, upper_envelope(*ends)) * (1 + 1e-9)).all()
        assert (risk >= formula(table, lower_envelope(*ends)) * (1 - 1e-9)).all()


@given(tables, noises, targets, st.floats(1.0, 3.0))
@settings(max_examples=40, deadline=None)
def test_a_looser_target_allows_everything_a_stricter_one_does(table, noise, target, factor):
    freq = em.FrequencyTable.from_counts(table)
    strict = em.epsilon_for_risk(freq, noise, target)
    loose = em.epsilon_for_risk(freq, noise, min(1.0, target * factor))
    for stretch in strict.stretches:
        assert any(s.low <= stretch.low * (1 + 1e-6) and stretch.high * (1 - 1e-6) <= s.high for s in loose.stretches)


@pytest.mark.parametrize("target", [1e-4, 3e-4, 1e-3])
def test_small_targets_with_many_values_are_found(target):
    """Twelve values: risks around 1e-4. A dense scan says what is feasible."""
    counts = np.random.default_rng(8).multinomial(30, np.r_[0.3, np.full(11, 0.7 / 11)], size=60)
    counts = np.concatenate([counts, [[2] + [0] * 11] * 3])
    freq = em.FrequencyTable.from_counts(counts)
    noise = em.Laplace(epsilon=1.0)
    grid = np.geomspace(0.01, 10, 1000)
    risk = em.homogeneity_risk(freq, noise.at(tuple(grid)), average="records").value
    found = em.epsilon_for_risk(freq, noise, target, average="records", between=(0.01, 10.0))
    inside = np.zeros(len(grid), dtype=bool)
    for stretch in found.stretches:
        inside |= (stretch.low <= grid) & (grid <= stretch.high)
    assert (risk[inside] <= target).all()
    assert inside[risk <= target * 0.99].all()
    assert (risk <= target).any()


@given(tables, st.floats(0.05, 0.95))
@settings(max_examples=25, deadline=None)
def test_thresholds(table, target):
    freq = em.FrequencyTable.from_counts(table)
    for noise in (em.Laplace(epsilon=1.0), em.Geometric(epsilon=1.0)):
        found = em.threshold_for_risk(freq, noise, target, between=(0.5, 20.0))
        scan = np.arange(1.0, 20.0) - 0.25  # off the whole numbers, where whole-number noise jumps
        risk = np.array([em.homogeneity_risk(freq, replace(noise, threshold=t)).value for t in scan])
        inside = np.broadcast_to(
            np.any([(s.low <= scan) & (scan <= s.high) for s in found.stretches], axis=0), scan.shape
        )
        assert (risk[inside] <= target).all()
        assert inside[risk <= target - 0.01].all()


def test_delta_is_searched_at_a_fixed_epsilon():
    freq = em.FrequencyTable.from_counts([[4, 0], [6, 0]])
    noise = em.Gaussian(epsilon=1.0, delta=1e-5)
    found = em.delta_for_risk(freq, noise, 0.5)
    assert found.parameter == "delta"
    (stretch,) = found.stretches
    at_end = em.homogeneity_risk(freq, replace(noise, delta=stretch.high)).value
    beyond = em.homogeneity_risk(freq, replace(noise, delta=stretch.high * 1.001)).value
    assert at_end <= 0.5 < beyond
    with pytest.raises(ValueError, match=r"^delta must be in \(0, 1\), got 0.0\. laplace noise has none to choose\.$"):
        em.delta_for_risk(freq, em.Laplace(epsilon=1.0), 0.5)


def test_a_target_below_the_floor_is_said_plainly():
    """Two values, homogeneous cells: with ever more noise the risk tends to 1/4, and it never gets below."""
    freq = em.FrequencyTable.from_counts([[4, 0], [0, 6]])
    found = em.epsilon_for_risk(freq, em.Laplace(epsilon=1.0), 0.2)
    assert not found
    assert found.value is None
    assert found.noise_limit == 0.25
    assert found.smallest_risk == pytest.approx(0.25, abs=2e-3)
    assert "noise alone does not get there" in found.in_words
    people = em.epsilon_for_risk(freq, em.Laplace(epsilon=1.0), 0.2, average="records")
    assert people.noise_limit == 0.25


@pytest.mark.parametrize("target", [-0.1, 1.1, math.nan])
def test_targets_are_probabilities(target):
    freq = em.FrequencyTable.from_counts([[4, 0]])
    with pytest.raises(ValueError, match=r"^max_risk must be in \[0, 1\], got"):
        em.epsilon_for_risk(freq, em.Laplace(epsilon=1.0), target)


def test_ranges_are_checked_and_the_classic_calibration_stops_below_one():
    freq = em.FrequencyTable.from_counts([[4, 0]])
    with pytest.raises(ValueError, match=r"^range of epsilon must be in 0 < low < high <= inf, got \(2.0, 1.0\)\.$"):
        em.epsilon_for_risk(freq, em.Laplace(epsilon=1.0), 0.5, between=(2.0, 1.0))
    classic = em.Gaussian(epsilon=0.5, delta=1e-5, calibration="classic")
    assert em.epsilon_for_risk(freq, classic, 1.0).searched[1] < 1


def test_a_curve_that_runs_along_the_target_ends_and_counts_as_missed():
    width = 1.0
    found = stretches_below(lambda a, b: 0.5 + width * (b - a), lambda a, b: 0.5 - width * (b - a), 0.5, 0.0, 1.0)
    assert found == ()


def test_a_curve_too_close_to_the_target_is_said_to_be_so(monkeypatch):
    monkeypatch.setattr("epsilometer.assessments.inverse.stretches_below", lambda *_: ())
    found = em.epsilon_for_risk(em.FrequencyTable.from_counts([[4, 0]]), em.Laplace(epsilon=1.0), 0.9)
    assert "no stretch of epsilon could be certified" in found.in_words


def test_a_valley_between_the_first_points_is_found():
    """A dip a thousandth wide, far narrower than the first segments; bounds from its slope of 100."""

    def dip(x):
        return np.minimum(1.0, np.abs(x - 0.123456) * 100)

    (found,) = stretches_below(
        lambda a, b: (dip(a) + dip(b) + 100 * (b - a)) / 2,
        lambda a, b: (dip(a) + dip(b) - 100 * (b - a)) / 2,
        0.05,
        0.0,
        1.0,
    )
    assert found.low == pytest.approx(0.123456 - 0.0005, abs=1e-8)
    assert found.high == pytest.approx(0.123456 + 0.0005, abs=1e-8)
    assert found.bounded_below
    assert found.bounded_above


def test_common_stretches_keep_which_ends_are_bounded():
    both = common([Stretch(0.0, 5.0, False, True)], [Stretch(2.0, 9.0, True, False)])
    assert both == (Stretch(2.0, 5.0, True, True),)
    assert common([Stretch(0.0, 1.0, False, True)], [Stretch(2.0, 3.0, True, False)]) == ()


def test_the_knee_of_a_logistic_curve_is_where_its_curvature_is_largest():
    """On unit axes y = 1/(1 + exp(-12 (t - 1/2))): maximise y'' / (1 + y'^2)^(3/2) on a grid a hundred times finer."""
    t = np.linspace(0, 1, 100_001)
    y = 1 / (1 + np.exp(-12 * (t - 0.5)))
    slope = 12 * y * (1 - y)
    bend = 12 * slope * (1 - 2 * y)
    rise = y[-1] - y[0]
    best = t[np.argmax((bend / rise) / (1 + (slope / rise) ** 2) ** 1.5)]
    x = np.linspace(-6, 6, 1001)
    assert knee(x, 1 / (1 + np.exp(-x))) == pytest.approx(12 * best - 6, abs=0.05)
    assert knee([0.0, 1.0, 2.0], [0.3, 0.3, 0.3]) == 2.0
