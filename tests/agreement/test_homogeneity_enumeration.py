"""The formulas against the enumeration of everything that can be published."""

from itertools import product

import numpy as np
import pytest

from epsilometer.formulas.homogeneity.local import local, local_records
from epsilometer.formulas.homogeneity.precision import any_alone
from epsilometer.formulas.homogeneity.scenarios import Scenario, scenario_probabilities
from epsilometer.formulas.homogeneity.thresholding import empty_probability, hard, soft
from epsilometer.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace

CELLS = [[3], [0, 2], [5, 1], [4, 4], [0, 0, 3], [2, 1, 0], [1, 1, 1], [6, 0, 2, 1], [2, 0, 0, 0, 1]]
NOISES = [
    Laplace(epsilon=2.0),
    Laplace(epsilon=3.0, threshold=2.2),
    Laplace(epsilon=3.0, threshold=0.2),
    Geometric(epsilon=2.5, adjacency="replace", threshold=2.5),
    Gaussian.with_sigma(0.9),
    DiscreteGaussian(epsilon=4.0, delta=1e-5),
]


def patterns(counts, noise):
    """Every set of surviving values with its probability."""
    vanish = [float(noise.probability_below(noise.threshold - count)) for count in counts]
    for shown in product([False, True], repeat=len(counts)):
        yield shown, np.prod([1 - z if s else z for s, z in zip(shown, vanish, strict=True)])


def scenario(counts, shown):
    """Paper 001's text, line by line."""
    truly = {k for k, count in enumerate(counts) if count}
    now = {k for k, s in enumerate(shown) if s}
    if len(truly) == 1:
        if not now:
            return Scenario.ONE_VALUE_SHOWS_NONE
        if len(now) > 1:
            return Scenario.ONE_VALUE_SHOWS_SEVERAL
        return Scenario.ONE_VALUE_SHOWS_IT if now == truly else Scenario.ONE_VALUE_SHOWS_ANOTHER
    if not now:
        return Scenario.SEVERAL_VALUES_SHOW_NONE
    if len(now) > 1:
        return Scenario.SEVERAL_VALUES_SHOW_SEVERAL
    return Scenario.SEVERAL_VALUES_SHOW_ONE_OF_THEM if now <= truly else Scenario.SEVERAL_VALUES_SHOW_A_FOREIGN_ONE


@pytest.mark.parametrize("noise", NOISES, ids=repr)
@pytest.mark.parametrize("counts", CELLS, ids=str)
def test_single_values_equal_the_sum_over_all_patterns(counts, noise):
    present = records = anything = 0.0
    for shown, probability in patterns(counts, noise):
        if sum(shown) == 1:
            count = counts[shown.index(True)]
            present += probability * (count > 0)
            records += probability * count / sum(counts)
            anything += probability
    assert local(counts, noise) == pytest.approx(present, rel=1e-12)
    assert local_records(counts, noise) == pytest.approx(records, rel=1e-12)
    assert any_alone(counts, noise) == pytest.approx(anything, rel=1e-12)


@pytest.mark.parametrize("noise", NOISES, ids=repr)
@pytest.mark.parametrize("counts", CELLS, ids=str)
def test_scenarios_equal_the_sum_over_all_patterns(counts, noise):
    expected = np.zeros(8)
    for shown, probability in patterns(counts, noise):
        expected[scenario(counts, shown) - 1] += probability
    assert scenario_probabilities(counts, noise) == pytest.approx(expected, rel=1e-11, abs=1e-15)


def published_levels(count, noise, largest):
    """Pr(published as m) for m = 0, ..., largest: rounding half up, at least 1 from the threshold on."""
    probabilities = [float(noise.probability_below(noise.threshold - count))]
    for m in range(1, largest + 1):
        low = max(noise.threshold, m - 0.5) if m > 1 else noise.threshold
        high = max(noise.threshold, m + 0.5)
        probabilities.append(float(noise.probability_below(high - count) - noise.probability_below(low - count)))
    return np.array(probabilities)


@pytest.mark.parametrize("noise", NOISES, ids=repr)
@pytest.mark.parametrize("counts", CELLS[:-2], ids=str)
def test_thresholding_equals_the_sum_over_all_published_cells(counts, noise):
    largest = 45
    n_values, share = len(counts), np.array(counts) / sum(counts)
    levels = np.stack(np.meshgrid(*[np.arange(largest + 1)] * n_values, indexing="ij"))
    probability = np.ones(levels.shape[1:])
    for k, count in enumerate(counts):
        shape = [-1 if axis == k else 1 for axis in range(n_values)]
        probability = probability * published_levels(count, noise, largest).reshape(shape)
    wins = (levels == levels.max(axis=0)) & (levels > 0)
    guess_hard = np.tensordot(share, wins / np.maximum(wins.sum(axis=0), 1), axes=1)
    guess_soft = np.tensordot(share, levels / np.maximum(levels.sum(axis=0), 1), axes=1)
    assert hard(counts, noise) == pytest.approx((probability * guess_hard).sum(), rel=1e-12)
    assert soft(counts, noise) == pytest.approx((probability * guess_soft).sum(), rel=1e-12)
    assert empty_probability(counts, noise) == pytest.approx(probability.ravel()[0], rel=1e-12)
