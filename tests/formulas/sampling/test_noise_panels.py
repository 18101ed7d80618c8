"""Tables of noise: their averages against closed forms, and where they stop."""

import math

import numpy as np
import pytest

import epsilometer as em
from epsilometer.errors import OutOfRange
from epsilometer.formulas.sampling.noise_panels import noise_panels

SCALES = [1e-100, 1e-5, 1e-3, 0.07, 1.0, 12.0, 60.0, 1e9]


@pytest.mark.parametrize(
    ("epsilon", "widest"), [*((epsilon, math.inf) for epsilon in SCALES), (1e-3, 1.0), (0.07, 1.0), (1.0, 0.125)]
)
def test_laplace_averages(epsilon, widest):
    panels, b = noise_panels(em.Laplace(epsilon=epsilon), widest=widest), 1 / epsilon
    assert panels.mean(np.ones_like(panels.at)) == pytest.approx(1, rel=1e-12)
    assert panels.mean_size == pytest.approx(b, rel=1e-12)
    assert panels.variance == pytest.approx(2 * b**2, rel=1e-12)
    assert panels.collision_density == pytest.approx(1 / (4 * b), rel=1e-10)
    assert panels.mean_spread(2) == pytest.approx(1.5 * b, rel=1e-10)


@pytest.mark.parametrize("epsilon", [1e-3, 0.07, 1.0, 12.0])
def test_geometric_averages(epsilon):
    panels, q = noise_panels(em.Geometric(epsilon=epsilon)), math.exp(-epsilon)
    assert panels.mean(np.ones_like(panels.at)) == pytest.approx(1, rel=1e-12)
    assert panels.mean_size == pytest.approx(2 * q / (1 - q**2), rel=1e-10)
    assert panels.variance == pytest.approx(2 * q / (1 - q) ** 2, rel=1e-10)
    assert panels.collision_density == pytest.approx((1 - q) * (1 + q**2) / (1 + q) ** 3, rel=1e-12)


def test_gaussian_averages():
    panels = noise_panels(em.Gaussian.with_sigma(2.0))
    assert panels.mean_size == pytest.approx(2 * math.sqrt(2 / math.pi), rel=1e-13)
    assert panels.variance == pytest.approx(4, rel=1e-13)
    assert panels.mean_spread(3) == pytest.approx(2 * 3 / math.sqrt(math.pi), rel=1e-13)


def test_spread_of_whole_numbers():
    """Largest minus smallest of three geometric noises, summed from their distribution function."""
    noise = em.Geometric(epsilon=0.5)
    k = np.arange(0, 200)
    largest = (1 - noise.probability_below(k + 1) ** 3).sum() - (noise.probability_below(-k) ** 3).sum()
    assert noise_panels(noise, n_values=3).mean_spread(3) == pytest.approx(2 * largest, rel=1e-12)


@pytest.mark.parametrize("noise", [em.Laplace(epsilon=9.0), em.Laplace(epsilon=0.3), em.Geometric(epsilon=2.0)])
def test_columns_by_whole_number_hold_the_same_law(noise):
    tables = noise_panels(noise, n_values=4, widest=1.0).by_whole_numbers()
    assert tables.weights.sum() == pytest.approx(1, rel=1e-14)
    whole = np.arange(-tables.reach - 3, tables.reach + 3)
    mass = tables.weights @ tables.density[:, tables.column(whole)]
    exact = noise.probability_below(whole + 1) - noise.probability_below(whole)
    if isinstance(noise, em.Geometric):
        exact = noise.probability_below(whole + 0.5) - noise.probability_below(whole - 0.5)
    assert mass == pytest.approx(exact, abs=1e-14)
    below = tables.below[:, tables.column(whole)]
    assert below[:, 0] == pytest.approx(0, abs=1e-15)
    assert below[:, -1] == pytest.approx(1, abs=1e-15)
    assert (np.diff(below, axis=1) >= 0).all()


def test_noise_too_wide_to_tabulate_says_so():
    with pytest.raises(OutOfRange, match=r"reach of the noise must be in \[0, .*use a larger epsilon"):
        noise_panels(em.Geometric(epsilon=1e-6))
