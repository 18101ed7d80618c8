"""Counts of subsets of the columns: every way of adding up agrees with counting rows."""

# ruff: noqa: PD011  the values are those of a profile, not of a pandas frame

import sqlite3
from collections import Counter, defaultdict
from itertools import chain, combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from epsilometer.errors import BadTable
from epsilometer.tables import subset_arrays, subset_counts, subset_cube, subset_queries
from epsilometer.tables.column_sets import columns_of
from epsilometer.tables.counting import count_table
from epsilometer.tables.opening import open_table
from epsilometer.tables.roles import assign_roles
from epsilometer.vocabulary.profile import Profile

NAMES = ("a", "b", "c", "d")


def joint_counts(rows, sensitive=("s",), known=NAMES):
    table = open_table(rows)
    return count_table(table, assign_roles(table.columns, known, sensitive))


def counted(rows, sensitive=("s",), known=NAMES):
    return subset_counts.subset_counts(joint_counts(rows, sensitive, known))


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
        cells = cells.unsettled().split(counts, counts.columns.index(name))
    return cells


@pytest.mark.parametrize("sensitive", [("s",), ("s", "t")], ids=["one column", "a combination"])
@pytest.mark.parametrize("dense", [8, 0], ids=["dense tables", "sorting"])
def test_the_best_guess_is_that_of_the_rows(monkeypatch, dense, sensitive):
    monkeypatch.setattr(subset_arrays, "DENSE", dense)
    monkeypatch.setattr(subset_arrays, "SMALL", dense)
    rows = random_rows(1)
    counts = counted(rows, sensitive)
    assert counts.n_records == len(rows)
    for known in subsets(NAMES):
        assert split_by(counts, known).named_right == named_right_by_rows(rows, known, sensitive), known


@pytest.fixture(params=["dense tables", "sorting", "renumbered", "a cube"])
def counts_of(request, monkeypatch):
    """Counts of rows, with each way of putting cells together."""

    def count(rows):
        counts = counted(rows)
        monkeypatch.setattr(subset_arrays, "DENSE", 0 if request.param == "sorting" else 8)
        monkeypatch.setattr(subset_arrays, "LARGEST_KEY", 1 if request.param == "renumbered" else 2**62)
        return subset_cube.subset_cube(counts) if request.param == "a cube" else counts

    return count


def test_profiles_are_those_of_frequency_tables(counts_of, as_counter, count_by_hand):
    rows = random_rows(2)
    counts = counts_of(rows)
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
    cells = split_by(subset_arrays.subset_arrays(joint_counts(rows, known=("a", "b")), ""), "a")
    left = cells.unsettled()
    assert (len(left.rows), left.n_cells, left.settled) == (3, 1, 3)
    assert cells.named_right == 5


def test_columns_with_few_values_come_first_and_codes_are_small():
    counts = counted(random_rows(3))
    assert counts.columns == ("a", "b", "c", "d")
    assert counts.n_codes == (2, 3, 12, 40)
    assert {pair.dtype for pair in counts.pairs} == {np.dtype(np.int8)}


def test_too_many_counts_are_refused(monkeypatch):
    counts = counted(random_rows(6))
    monkeypatch.setattr(subset_arrays, "MOST_COUNTS", 100)
    with pytest.raises(BadTable, match=r"^40 cells of 3 sensitive values are too many\. Put them into bins\.$"):
        counts.profile([3])


def test_too_many_values_are_refused(monkeypatch):
    """A key for each combination, column value and sensitive value has to be a whole number that fits."""
    monkeypatch.setattr(subset_arrays, "LARGEST_KEY", 1_000)
    with pytest.raises(BadTable, match=r"^d has 40 values and s 3: too many to count together\. Put them into bins\.$"):
        counted(random_rows(7))


VALUES = {"a": [1, 2], "b": ["x", "y", None], "c": [0.5, 1.5, None], "s": ["no", "yes", None], "t": [1, 2, None]}
ROWS = st.lists(st.fixed_dictionaries({name: st.sampled_from(some) for name, some in VALUES.items()}), min_size=1)
A_ROW = dict.fromkeys(VALUES, 1) | {"b": "x", "c": 0.5, "s": "no"}  # so that no column is without a value


@pytest.fixture(params=["one after the other", "all at once"])
def ways_of_asking(request, monkeypatch):
    """Both forms of the query, whichever the engine would be asked; and more sets than go into one."""
    query = {"one after the other": subset_queries._in_parts, "all at once": subset_queries._in_one_part}
    monkeypatch.setattr(subset_queries, "_in_parts", query[request.param])
    monkeypatch.setattr(subset_queries, "SETS_AT_ONCE", 3)


@pytest.mark.usefixtures("ways_of_asking")
@pytest.mark.parametrize("sensitive", [("s",), ("s", "t")], ids=["one column", "a combination"])
@given(rows=ROWS)
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_memory_and_engine_agree_with_the_rows(sensitive, rows):
    """Missing values are values, and are told apart from columns that are not known."""
    known, table = ("a", "b", "c"), pd.DataFrame([*rows, A_ROW]).astype({"b": object, "s": object})
    joint = joint_counts(table, sensitive, known)
    arrays = subset_arrays.subset_arrays(joint, "")
    for counts in (arrays, subset_cube.subset_cube(arrays), subset_queries.SubsetQueries(joint, "")):
        assert counts.n_records == len(table)
        found = {
            frozenset(counts.columns[column] for column in columns_of(one)): n
            for one, n in counts.named_right(range(8))
        }
        assert found == {frozenset(some): named_right_by_rows(table, some, sensitive) for some in subsets(known)}


def test_sets_are_counted_by_an_engine_without_arrays(tmp_path):
    rows = random_rows(8)
    with sqlite3.connect(tmp_path / "rows.db") as connection:
        rows.to_sql("rows", connection, index=False)
    connection.close()
    joint = joint_counts(f"{tmp_path / 'rows.db'}::rows", ("s", "t"))
    found = dict(subset_queries.SubsetQueries(joint, "").named_right([0b0000, 0b0110, 0b1111]))
    by_rows = [named_right_by_rows(rows, known, ("s", "t")) for known in ((), ("b", "c"), NAMES)]
    assert [*found.values()] == by_rows


@pytest.mark.parametrize("known", [(), ("b",), ("d", "a")], ids=["nothing", "one column", "two columns"])
def test_profiles_of_the_engine_are_those_of_the_rows(known, as_counter, count_by_hand):
    rows = random_rows(2)
    counts = subset_queries.SubsetQueries(joint_counts(rows), "")
    profile = counts.profile(map(counts.columns.index, known))
    _, expected = count_by_hand(rows.astype(object).where(rows.notna(), None).to_dict("records"), known, "s")
    assert as_counter(profile) == expected
    assert profile.values == ("0", "1", "2")


@pytest.mark.parametrize(
    ("n_rows", "kind", "note"),
    [
        (5_000, subset_cube.SubsetCube, "The counts of each set of columns were added up in memory."),
        (300, subset_arrays.SubsetArrays, "The counts of each set of columns were added up in memory."),
        (9_000, subset_queries.SubsetQueries, "There are more combinations of the candidate columns than fit in memor"),
    ],
    ids=["most combinations occur", "few occur", "too many"],
)
def test_the_combinations_decide_how_to_add_up(monkeypatch, n_rows, kind, note):
    monkeypatch.setattr(subset_counts, "MOST_NUMBERS", 4 * 5_000)
    counts = counted(random_rows(5, n_rows))
    assert isinstance(counts, kind)
    assert counts.note.startswith(note)
