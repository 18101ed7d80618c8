"""Errors of association, against scipy's chi-squared and Bergsma's correction written out."""

from itertools import combinations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy.stats import chi2_contingency
from scipy.stats.contingency import association as scipy_association

from epsilometer.errors import BadTable
from epsilometer.tables.records import Records, read_records
from epsilometer.utility.association import association_error


def records(**columns):
    return Records(pa.table(columns), "people")


def corrected_v(one, other):
    table = pd.crosstab(one, other)
    n, (r, c) = len(one), table.shape
    phi_squared = max(0, chi2_contingency(table, correction=False).statistic / n - (r - 1) * (c - 1) / (n - 1))
    return np.sqrt(phi_squared / (min(r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1)) - 1))


@pytest.fixture(scope="module")
def frames():
    rng = np.random.default_rng(5)

    def people(n, strength):
        town = rng.integers(0, 4, n)
        copied = rng.random(n) < strength
        return pd.DataFrame(
            {
                "town": np.array(list("abcd"))[town],
                "party": np.array(list("wxyz"))[np.where(copied, town, rng.integers(0, 4, n))],
                "rank": np.where(copied, town // 2, rng.integers(0, 3, n)),
                "coin": rng.choice(["heads", "tails"], n),
            }
        )

    return people(600, 0.7), people(500, 0.2)


def test_errors_are_differences_of_corrected_v(frames):
    pairs = tuple(combinations(frames[0].columns, 2))
    before, after = ([corrected_v(frame[a], frame[b]) for a, b in pairs] for frame in frames)
    found = association_error(*map(read_records, frames))
    assert found.pairs == pairs
    np.testing.assert_allclose(found.original, before, rtol=1e-10)
    np.testing.assert_allclose(found.released, after, rtol=1e-10)
    errors = np.abs(np.subtract(before, after))
    assert found.mean == pytest.approx(errors.mean())
    assert found.worst == pytest.approx(errors.max())
    assert found.worst > 0.3
    assert found.worst_pair == pairs[int(errors.argmax())]


def test_many_records_make_the_correction_small(frames):
    """Twenty times the records: within half a percent of scipy's V, which has no correction."""
    many = pd.concat([frames[0]] * 20)
    found = association_error(read_records(many), read_records(many))
    plain = [scipy_association(pd.crosstab(many[a], many[b])) for a, b in found.pairs]
    np.testing.assert_allclose(found.original[:2], plain[:2], rtol=5e-3)
    assert found.worst == 0


def test_numbers_are_binned_alike_or_by_edges():
    """Ages that tell who is adult, in both tables, if the edge is where it should be."""
    one = records(age=[10, 10, 30, 30] * 3, adult=[False, False, True, True] * 3)
    other = records(age=[12, 12, 25, 25] * 3, adult=[False, False, True, True] * 3)
    assert association_error(one, other, edges={"age": [18]}).worst == 0
    assert association_error(one, other).original.tolist() == [1]
    assert association_error(one, other).released.tolist() == [0]  # 25 is below 30, the one edge between values


def test_a_column_of_one_value_depends_on_nothing():
    found = association_error(records(a=["x"] * 4, b=list("uuvv")), records(a=list("xxyy"), b=list("uuvv")))
    assert (found.original.tolist(), found.released.tolist()) == ([0], [1])


def test_one_column_has_no_pairs():
    with pytest.raises(BadTable, match=r"^people has a single column to compare; an association is that of two\.$"):
        association_error(records(a=["x"]), records(a=["x"]))
