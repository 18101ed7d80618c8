"""Counts of subsets of the columns: every way of adding up agrees with counting rows."""

from collections import Counter, defaultdict
from itertools import chain, combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from epsilometer.errors import BadTable
from epsilometer.tables import subset_counts as module
from epsilometer.tables.counting import count_table
from epsilometer.tables.opening import open_table
from epsilometer.tables.roles import assign_roles
from epsilometer.tables.subset_counts import subset_counts
from epsilometer.vocabulary.profile import Profile

NAMES = ("a", "b", "c", "d")


def counted(rows, sensitive=("s",), known=NAMES):
    table = open_table(rows)
    return subset_counts(count_table(table, assign_roles(table.columns, known, sensitive)))


def random_rows(seed, n_rows=300):
    rng = np.random.default_rng(seed)
    sizes = {"a": 2, "b": 3, "c": 12, "d": 40, "s": 3, "t": 2}
    rows = pd.DataFrame({name: rng.integers(0, size, n_rows) for name, size in sizes.items()})
    rows["b"] = rows["b"].map({0: "x", 1: "y", 2: None})
    return rows


def named_right_by_rows(rows, known, sensitive):
    """The most frequent value of each cell, row by row."""
    cells = defaultdict(Counter)
    for row in rows.astype(object).where(rows.notna(), None).to_dict("records"):
        cells[tuple(row[name] for name in known)][tuple(row[name] for name in sensitive)] += 1
    return sum(max(cell.values()) for cell in cells.values())


def subsets(names):
    return chain.from_iterable(combinations(names, size) for size in range(len(names) + 1))


def split_by(counts, known):
    cells = counts.nothing_known()
    for name in known:
        cells = cells.split(counts.columns.index(name))
    return cells


@pytest.mark.parametrize("sensitive", [("s",), ("s", "t")], ids=["one column", "a combination"])
@pytest.mark.parametrize("dense", [8, 0], ids=["dense tables", "sorting"])
def test_the_best_guess_is_that_of_the_rows(monkeypatch, dense, sensitive):
    monkeypatch.setattr(module, "DENSE", dense)
    monkeypatch.setattr(module, "SMALL", dense)
    rows = random_rows(1)
    counts = counted(rows, sensitive)
    assert counts.n_records == len(rows)
    for known in subsets(NAMES):
        assert split_by(counts, known).named_right == named_right_by_rows(rows, known, sensitive), known


@pytest.mark.parametrize("dense", [8, 0], ids=["dense tables", "sorting"])
@pytest.mark.parametrize("largest_key", [2**62, 1], ids=["one key", "renumbered"])
def test_profiles_are_those_of_frequency_tables(monkeypatch, dense, largest_key, as_counter, count_by_hand):
    rows = random_rows(2)
    counts = counted(rows)
    monkeypatch.setattr(module, "DENSE", dense)
    monkeypatch.setattr(module, "LARGEST_KEY", largest_key)
    by_row = rows.astype(object).where(rows.notna(), None).to_dict("records")
    rarest_first = np.argsort(counts.profile(()).counts[0])  # values come in any order: their totals tell them apart
    by_hand = np.argsort(rows["s"].value_counts().sort_index().to_numpy())
    for known in subsets(NAMES):
        profile = counts.profile(map(counts.columns.index, known))
        _, expected = count_by_hand(by_row, known, "s")
        found = Profile(profile.counts[:, rarest_first], profile.n_cells, profile.values)
        assert as_counter(found) == Counter({tuple(np.array(v)[by_hand].tolist()): n for v, n in expected.items()}), (
            known
        )


@given(st.integers(0, 2**32), st.permutations(NAMES))
@settings(deadline=None, max_examples=20)
def test_knowing_more_never_hurts(seed, order):
    """Law: splitting cells never lowers the number named right, and the order of the columns plays no part."""
    counts = counted(random_rows(seed, n_rows=60))
    path = [split_by(counts, order[:size]).named_right for size in range(len(order) + 1)]
    assert path == sorted(path)
    assert path[-1] == split_by(counts, sorted(order)).named_right


def test_settled_cells_are_not_looked_at_again():
    """Two of three cells of a have one value; only the row combinations of the third are left to split."""
    rows = pd.DataFrame({"a": [1, 1, 2, 3, 3, 3], "b": [1, 2, 3, 1, 1, 2], "s": [0, 0, 1, 0, 1, 1]})
    cells = split_by(counted(rows, known=("a", "b")), "a")
    left = cells.unsettled
    assert (len(left.rows), left.n_cells, left.settled) == (3, 1, 3)
    assert cells.named_right == 5


def test_columns_with_few_values_come_first_and_codes_are_small():
    counts = counted(random_rows(3))
    assert counts.columns == ("a", "b", "c", "d")
    assert counts.n_codes == (2, 3, 12, 40)
    assert {pair.dtype for pair in counts.pairs} == {np.dtype(np.int8)}


def test_too_many_combinations_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MOST_NUMBERS", 100)
    with pytest.raises(BadTable, match=r"has \d+ combinations of 4 columns, more than fit in memory \(25\).*into bins"):
        counted(random_rows(5))


def test_too_many_counts_are_refused(monkeypatch):
    counts = counted(random_rows(6))
    monkeypatch.setattr(module, "MOST_NUMBERS", 100)
    with pytest.raises(BadTable, match=r"^40 cells of 3 sensitive values are too many\. Put them into bins\.$"):
        counts.profile([3])


def test_too_many_values_are_refused(monkeypatch):
    """A key for each combination, column value and sensitive value has to be a whole number that fits."""
    monkeypatch.setattr(module, "LARGEST_KEY", 1_000)
    with pytest.raises(BadTable, match=r"^d has 40 values and s 3: too many to count together\. Put them into bins\.$"):
        counted(random_rows(7))
