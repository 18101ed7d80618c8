"""The noisy contingency table: what its noise gives away, and how large its errors are."""

import numpy as np
import pytest

from epsilometer.synthesizers.budget import Budget
from epsilometer.synthesizers.coded import CodedColumn, CodedTable
from epsilometer.synthesizers.contingency import ContingencySynthesizer
from epsilometer.synthesizers.noise import ReleaseNoise, SimulatedNoise
from epsilometer.vocabulary.spending import Spending


def count_of_the_last_cell(noise):
    def fit(table):
        model = ContingencySynthesizer().fit(table, Budget(1.0), noise)
        return model.shares[1, 1] * model.n_records

    return fit


def test_the_audit_finds_no_more_than_epsilon(audit, neighbours):
    assert 0.3 < audit(count_of_the_last_cell(ReleaseNoise()), *neighbours, n_runs=2000) <= 1


def test_the_audit_finds_too_little_noise(audit, neighbours, too_little_noise):
    assert audit(count_of_the_last_cell(too_little_noise), *neighbours, n_runs=2000) > 1


def test_every_count_has_the_variance_of_geometric_noise():
    """Counts far from zero stay as the noise made them; standard error of the variance: 2 %."""
    table = CodedTable((CodedColumn("a", 4, ordered=False),), np.repeat([0, 1, 2, 3], 1000)[:, None])
    fits = [ContingencySynthesizer().fit(table, Budget(0.5), SimulatedNoise(seed)) for seed in range(3000)]
    errors = np.array([model.shares * model.n_records for model in fits]) - 1000
    q = np.exp(-0.5)
    assert errors.var() == pytest.approx(2 * q / (1 - q) ** 2, rel=0.1)
    assert abs(errors.mean()) < 0.2


def test_what_is_spent():
    table = CodedTable((CodedColumn("a", 2, ordered=False),), np.array([[0]]))
    model = ContingencySynthesizer().fit(table, Budget(0.5), SimulatedNoise(0))
    assert model.spent == (Spending("counts of all cells", 0.5, 0.0, "geometric, scale 2"),)
