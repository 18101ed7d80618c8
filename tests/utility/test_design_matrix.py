"""Records as features, by hand; and parts of tables."""

import numpy as np
import pyarrow as pa

from epsilometer.tables.records import Records
from epsilometer.utility.design_matrix import MOST_CATEGORIES, design_matrix
from epsilometer.utility.drawn_rows import some_rows


def records(**columns):
    return Records(pa.table(columns), "people")


def test_scale_and_categories_are_those_of_the_tables_learned_from():
    known = records(age=[20.0, 40.0], sex=["f", "f"], town=["a", "b"])
    other = records(age=[50.0, None], sex=["m", "f"], town=["c", "b"])
    first = design_matrix([known, other], ["age", "sex", "town"], n_learned=1)
    assert first.features.tolist() == [[-1, 0], [1, 1], [2, 0], [0, 1]]  # "m" and "c" count as the most frequent
    assert first.column.tolist() == [0, 2]
    both = design_matrix([known, other], ["age", "sex", "town"], n_learned=2)
    ages = np.array([20, 40, 50])
    np.testing.assert_allclose(both.features[:3, 0], (ages - ages.mean()) / ages.std())
    assert both.features[:, 1].tolist() == [0, 0, 0, 1]  # a missing age
    assert both.features[:, 2].tolist() == [0, 0, 1, 0]  # "m"
    assert both.features[:, 3:].tolist() == [[1, 0], [0, 0], [0, 1], [0, 0]]  # "b" is most frequent
    assert both.column.tolist() == [0, 0, 1, 2, 2]


def test_columns_of_a_single_value_have_no_feature():
    design = design_matrix([records(a=[0.1] * 3, b=["x"] * 3, c=pa.array([None] * 3, pa.int64()))], "abc", n_learned=1)
    assert design.features.shape == (3, 0)
    assert design.column.tolist() == []


def test_a_number_that_is_there_or_missing_is_one_feature():
    assert design_matrix([records(a=[7, None, 7])], "a", n_learned=1).features.tolist() == [[0], [1], [0]]


def test_rare_categories_count_as_one():
    words = [f"w{number:03}" for number in range(60)]
    repeated = np.repeat(words, np.arange(60, 0, -1))
    features = design_matrix([records(a=repeated)], "a", n_learned=1).features
    assert features.shape[1] == MOST_CATEGORIES == 50
    assert features.sum(axis=0).tolist() == [*range(59, 10, -1), sum(range(1, 11))]


def test_parts_of_tables_keep_their_order():
    table = records(a=list(range(100)))
    assert some_rows(table, 100, np.random.default_rng(1)) is table
    part = some_rows(table, 40, np.random.default_rng(1)).numbers("a")
    assert len(set(part)) == 40
    assert (np.diff(part) > 0).all()
    assert set(part) != set(some_rows(table, 40, np.random.default_rng(2)).numbers("a"))
