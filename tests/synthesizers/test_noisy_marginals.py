"""Tables of counts with noise: what is counted, with which noise, and how large a table may be."""

import numpy as np
import pytest

from epsilometer.synthesizers.coded import CodedColumn, CodedTable
from epsilometer.synthesizers.noise import SimulatedNoise
from epsilometer.synthesizers.noisy_marginals import MOST_USEFUL_CELLS, Marginal, measured, noisy_size, useful_cells


class NoNoise:
    """Adds nothing, and remembers the scales it was asked for."""

    def __init__(self):
        self.scales = []

    def whole(self, values, scale):
        self.scales.append(scale)
        return values


def people(n=40):
    columns = tuple(CodedColumn(name, size, ordered=False) for name, size in [("a", 2), ("b", 3), ("c", 4)])
    return CodedTable(columns, np.random.default_rng(0).integers(0, [2, 3, 4], (n, 3)))


def test_columns_are_summed_out_and_put_in_the_order_asked_for():
    table = people()
    whole = Marginal((0, 1, 2), table.counts([0, 1, 2]).astype(float))
    for columns in [(), (1,), (2, 0), (0, 2), (2, 1, 0)]:
        np.testing.assert_array_equal(whole.onto(columns), table.counts(columns))


def test_a_set_within_another_is_not_counted_and_the_scale_is_one_per_table():
    table, noise = people(), NoNoise()
    marginals, spent = measured(table, [[2, 0], [0], [1], [1, 0], [0, 1]], 0.5, noise)
    assert [each.columns for each in marginals] == [(0, 1), (0, 2)]
    for each in marginals:
        np.testing.assert_array_equal(each.table, table.counts(each.columns))
    assert noise.scales == [4.0, 4.0]
    assert (spent.what, spent.epsilon, spent.delta, spent.noise) == (
        "tables of counts: 2",
        0.5,
        0,
        "geometric, scale 4",
    )


def test_the_size_is_counted_with_its_own_noise_and_is_at_least_one():
    noise = NoNoise()
    n, spent = noisy_size(people(40), 0.25, noise)
    assert (n, noise.scales, spent.epsilon) == (40, [4.0], 0.25)
    assert all(noisy_size(people(0), 0.01, SimulatedNoise(seed))[0] >= 1 for seed in range(20))


@pytest.mark.parametrize(
    ("n_records", "epsilon", "cells"),
    [(1000, 1.0, 50), (1, 0.1, 1), (1000, 1e9, MOST_USEFUL_CELLS), (1, 1e308, MOST_USEFUL_CELLS)],
)
def test_useful_tables_keep_the_mean_count_above_the_noise(n_records, epsilon, cells):
    assert useful_cells(n_records, 5, epsilon) == cells
