"""The audit itself: it stays below the epsilon that is known, comes near it, and notices too little noise."""

import numpy as np
import pytest

from epsilometer.synthesizers.noise import ReleaseNoise, SimulatedNoise


def noisy_last_cell(noise, scale):
    return lambda table: float(noise.whole(table.counts([0, 1]), scale)[1, 1])


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_a_noisy_count_spends_its_epsilon_and_no_more(audit, neighbours, epsilon):
    """At scale 1 / epsilon the loss of the best event is epsilon itself, so the bound must come near it."""
    proven = audit(noisy_last_cell(ReleaseNoise(), 1 / epsilon), *neighbours, n_runs=4000)
    assert 0.4 * epsilon < proven <= epsilon


def test_a_third_of_the_noise_is_noticed(audit, neighbours):
    assert audit(noisy_last_cell(ReleaseNoise(), 1 / 3), *neighbours, n_runs=2000) > 1


@pytest.mark.parametrize("sign", [1, -1])
def test_what_only_one_of_the_tables_can_give_is_noticed(audit, neighbours, sign):
    """Whether the number rises or falls with the record, and whichever table alone can give it."""
    noise = np.random.default_rng(0)
    for tables in (neighbours, neighbours[::-1]):
        assert audit(lambda table: sign * (len(table.codes) + noise.uniform(0, 3)), *tables, n_runs=2000) > 3


def test_nothing_learned_is_nothing_lost(audit, neighbours):
    noise = np.random.default_rng(0)
    assert audit(lambda table: noise.normal(), *neighbours, n_runs=2000) <= 0


def test_delta_excuses_a_rare_event(audit, neighbours):
    """One run in twenty tells the tables apart for sure."""
    noise = np.random.default_rng(0)

    def rarely(table):
        return float(noise.random() < 0.05) * len(table.codes)

    assert audit(rarely, *neighbours, n_runs=4000) > 1
    assert audit(rarely, *neighbours, n_runs=4000, delta=0.05) <= 0


def test_a_simulation_follows_the_same_law(audit, neighbours):
    assert 0.4 < audit(noisy_last_cell(SimulatedNoise(0), 1.0), *neighbours, n_runs=4000) <= 1
