"""Bands of fitted curves: how often they hold the truth, how wide they are, and when there is none."""

import math

import numpy as np
import pytest

from epsilometer.errors import OutOfRange
from epsilometer.formulas.curve_bands import band_of_runs
from epsilometer.formulas.risk_curves import FAMILIES, fit_risk_curve

EPSILONS = np.array([0.1, 0.2, 0.5, 1.0, 2.0, 5.0])


def truth(epsilons):
    return 0.2 / np.asarray(epsilons) + 0.1


def band_for(values, epsilons, family="reciprocal-1", seed=1, **options):
    curve = fit_risk_curve(epsilons, values, family)
    return band_of_runs(curve, epsilons, values, rng=np.random.default_rng(seed), **options)


def runs(n_runs, rng, noise=0.05):
    epsilons = np.repeat(EPSILONS, n_runs)
    return epsilons, truth(epsilons) + rng.normal(0, noise, epsilons.shape)


@pytest.mark.parametrize("n_runs", [2, 3, 10])
def test_a_band_holds_the_true_curve_at_least_as_often_as_it_says(n_runs):
    """Of 150 tables, at each of three epsilons; 95 % falls below 0.9 with a probability of 0.4 %."""
    rng = np.random.default_rng(7)
    asked = np.array([0.15, 0.7, 4.0])
    inside = []
    for seed in range(150):
        epsilons, values = runs(n_runs, rng)
        band = band_for(values, epsilons, seed=seed).at(asked)
        inside.append((band.low <= truth(asked)) & (truth(asked) <= band.high))
    assert (np.mean(inside, axis=0) > 0.9).all()


def test_a_band_is_as_wide_as_least_squares_says():
    """At known noise a/eps + b has a covariance in closed form; the band of many runs has its 95 % width."""
    epsilons, values = runs(400, np.random.default_rng(3))
    design = np.column_stack([1 / epsilons, np.ones_like(epsilons)])
    asked = np.array([0.1, 0.5, 5.0])
    at = np.column_stack([1 / asked, np.ones(3)])
    width = 2 * 1.959964 * 0.05 * np.sqrt(np.einsum("ij,jk,ik->i", at, np.linalg.inv(design.T @ design), at))
    band = band_for(values, epsilons, n_draws=2000).at(asked)
    np.testing.assert_allclose(band.high - band.low, width, rtol=0.1)


def test_two_runs_are_stretched_as_for_an_interval_of_their_mean():
    """Runs 0 and 2 at two epsilons: a curve through means 1 - d, 1 or 1 + d, with t = tan(0.475 pi) at one degree."""
    stretched = math.sqrt(2) * math.tan(0.475 * math.pi) / 1.959963984540054
    ends = band_for([0, 2, 0, 2], [1, 1, 2, 2]).at([1.0, 2.0])
    np.testing.assert_allclose(ends.low, 1 - stretched, rtol=1e-12)
    np.testing.assert_allclose(ends.high, 1 + stretched, rtol=1e-12)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_has_bands_around_its_curve(family):
    epsilons, values = runs(3, np.random.default_rng(5))
    shuffled = np.random.default_rng(6).permutation(len(epsilons))
    band = band_for(values[shuffled], epsilons[shuffled], family)
    assert band.curve.family == family
    asked = np.geomspace(0.1, 5.0, 30)
    middle, ends = band.curve.at(asked), band.at(asked)
    assert ((ends.low <= middle) & (middle <= ends.high)).all()
    assert (ends.high - ends.low).max() > 0.01
    assert ends.confidence == 0.95
    assert len(band.draws) == 200


def test_runs_that_agree_leave_no_doubt():
    epsilons = np.repeat(EPSILONS, 3)
    ends = band_for(truth(epsilons), epsilons).at([0.3, 3.0])
    np.testing.assert_allclose(ends.low, truth([0.3, 3.0]), rtol=1e-12)
    np.testing.assert_allclose(ends.high, truth([0.3, 3.0]), rtol=1e-12)


def test_the_same_seed_makes_the_same_band():
    epsilons, values = runs(3, np.random.default_rng(5))
    one, same, other = (band_for(values, epsilons, seed=seed).at(0.5).high for seed in (1, 1, 2))
    assert one == same != other


def test_one_epsilon_with_a_single_run_leaves_no_band():
    band = band_for([1, 2, 3], [2, 1, 1])
    assert band.draws == ()
    assert band.at(1.5).low == band.at(1.5).high == band.curve.at(1.5)
    assert band.epsilons.tolist() == [1, 1, 2]
    assert band.values.tolist() == [2, 3, 1]


def test_a_band_does_not_extrapolate():
    with pytest.raises(OutOfRange, match="says nothing outside the measured"):
        band_for([1, 2, 3, 4], [1, 1, 2, 2]).at([1.0, 2.5])
