import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.formulas.homogeneity.local import local
from epsilometer.formulas.homogeneity.scenarios import Scenario, scenario_probabilities, scenario_totals
from epsilometer.mechanisms import Laplace

cells = st.lists(st.integers(0, 50), min_size=1, max_size=7).filter(any)
noises = st.builds(Laplace, epsilon=st.floats(1e-3, 50), threshold=st.floats(-3, 20))


@given(cells, noises)
def test_every_cell_with_a_record_meets_exactly_one_scenario(cell, noise):
    probabilities = scenario_probabilities(cell, noise)
    assert probabilities.sum() == pytest.approx(1, abs=1e-14)
    assert (probabilities >= 0).all()


@given(cells, noises)
def test_the_attack_is_scenarios_one_and_eight(cell, noise):
    probabilities = scenario_probabilities(cell, noise)
    attack = [Scenario.ONE_VALUE_SHOWS_IT - 1, Scenario.SEVERAL_VALUES_SHOW_ONE_OF_THEM - 1]
    assert probabilities[attack].sum() == pytest.approx(local(cell, noise), rel=1e-14)


def test_an_empty_cell_meets_no_scenario():
    assert scenario_probabilities([0, 0], Laplace(epsilon=1.0)).tolist() == [0.0] * 8


def test_privacy_parameters_first_scenarios_last():
    noise = Laplace(epsilon=(0.5, 1.0, 2.0))
    values = scenario_probabilities([[[3, 0], [2, 1]]], noise)
    assert values.shape == (3, 1, 2, 8)
    assert values[1, 0, 1] == pytest.approx(scenario_probabilities([2, 1], Laplace(epsilon=1.0)), rel=1e-14)


def test_lone_values_keep_their_precision_when_they_are_rare():
    """Two large counts: that both vanish, or one, is far below the rounding of one minus the rest."""
    probabilities = scenario_probabilities([60, 50], Laplace(epsilon=1.0))
    expected = [0, 0, 0, 0, 1, np.exp(-109) / 4, 0, np.exp(-49.5) / 2 + np.exp(-59.5) / 2]
    assert probabilities == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("epsilon", [1.0, (0.2, 3.0)], ids=["one epsilon", "a curve"])
def test_totals_are_the_sums_over_the_cells(epsilon, monkeypatch):
    monkeypatch.setattr("epsilometer.vocabulary.long_arrays.FITS_A_CACHE", 2)
    counts, n_cells = np.array([[3, 0, 0], [2, 1, 0], [0, 0, 9], [40, 40, 1]]), np.array([4, 1, 7, 2])
    noise = Laplace(epsilon=epsilon)
    summed = (scenario_probabilities(counts, noise) * n_cells[:, None]).sum(axis=-2)
    np.testing.assert_allclose(scenario_totals(counts, n_cells, noise), np.moveaxis(summed, -1, 0), rtol=1e-13)
