"""Single columns inside the engines against pandas on random tables, and what cannot be read."""

import math

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from epsilometer.errors import BadFilter, BadRoles, BadTable, UnknownColumn
from epsilometer.tables.columns import distinct_by_group, range_of
from epsilometer.tables.opening import open_table

MISSING = "(missing)"
TYPES = {"code": "integer", "age": "integer", "income": "number"}  # what sources of typed columns hold anyway


def random_frame(seed):
    """People with few ages and regions, so that groups repeat; a tenth of everything is missing."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 200))
    frame = pd.DataFrame(
        {
            "region": rng.choice(["north", "south", "east", "a 'b' \"c\""], n),
            "code": pd.array(rng.integers(-3, 4, n), dtype="Int64"),
            "age": pd.array(rng.integers(0, 30, n), dtype="Int64"),
            "income": rng.integers(-400, 400, n) / 8,
        }
    )
    return frame.mask(rng.random(frame.shape) < 0.1)


every_seed = pytest.mark.parametrize("seed", range(2))


def label(value):
    return MISSING if pd.isna(value) else str(value)


def counted_by_pandas(frame, column, by):
    known = frame[frame[column].notna()]
    groups = known.groupby(by, dropna=False)[column].agg(["size", "nunique"])
    keys = [key if isinstance(key, tuple) else (key,) for key in groups.index]
    return {
        tuple(map(label, key)): (int(size), int(distinct))
        for key, (size, distinct) in zip(keys, groups.to_numpy(), strict=True)
    }


@every_seed
@pytest.mark.parametrize("by", [["region"], ["region", "code"]], ids=" ".join)
def test_groups_are_those_of_pandas(write, seed, by, tmp_path):
    frame = random_frame(seed)
    found = distinct_by_group(write(frame, tmp_path), "age", by=by)
    assert {tuple(group.label.values()): (group.n_rows, group.n_distinct) for group in found} == counted_by_pandas(
        frame, "age", by
    )
    assert all(tuple(group.label) == tuple(by) for group in found)
    assert [tuple(group.label.values()) for group in found] == sorted(tuple(group.label.values()) for group in found)


@every_seed
def test_numbers_are_those_of_pandas(write, seed, tmp_path):
    frame = random_frame(seed)
    table = open_table(write(frame, tmp_path), types=TYPES)
    for column in ("age", "income"):
        assert range_of(table, column) == (frame[column].min(), frame[column].max())
        (group,) = distinct_by_group(table, column)
        assert group == ({}, frame[column].count(), frame[column].nunique())


def test_filters_and_marks_of_missing_values_hold(write, tmp_path):
    frame = random_frame(9)
    table, kept = open_table(write(frame, tmp_path), types=TYPES), frame[(frame["age"] > 10).fillna(value=False)]
    about = {"where": "age > 10", "missing": ["north", "east"]}
    marked = kept.assign(region=kept["region"].where(~kept["region"].isin(["north", "east"])))
    found = distinct_by_group(table, "income", by=["region"], **about)
    assert {tuple(group.label.values()): (group.n_rows, group.n_distinct) for group in found} == counted_by_pandas(
        marked, "income", ["region"]
    )
    assert range_of(table, "age", **about) == (kept["age"].min(), kept["age"].max())


READS = {"groups": distinct_by_group, "range": range_of}
every_read = pytest.mark.parametrize("read", READS.values(), ids=READS.keys())


@every_read
def test_columns_and_filters_that_are_not_there(write, read, tmp_path):
    table = write(random_frame(1), tmp_path)
    with pytest.raises(UnknownColumn, match=r"^There is no column 'agee'; .* Did you mean 'age'"):
        read(table, "agee")
    with pytest.raises(UnknownColumn, match=r"^There is no column 'agee'"):
        read(table, "age", where="agee > 1")
    with pytest.raises(BadFilter, match=r"filter"):
        read(table, "age", where="age >")


def test_nothing_to_read(write, tmp_path):
    table = open_table(write(random_frame(2), tmp_path), types=TYPES)
    for read in (distinct_by_group, range_of):
        with pytest.raises(BadTable, match=r"^Column 'age' has no value in any row that counts\.$"):
            read(table, "age", where="age > 900")
        with pytest.raises(BadTable, match=r"^Column 'age' has no value in any row that counts\.$"):
            read(table, "age", where="age is null")


def test_the_column_of_the_groups_has_to_be_there():
    with pytest.raises(UnknownColumn, match=r"^There is no column 'regoin'; .* Did you mean 'region'"):
        distinct_by_group(random_frame(1), "age", by=["regoin"])


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["a", "b"], "string"),
        ([True, False], "boolean"),
        (pd.to_datetime(["2020-01-01", "2021-01-01"]), r"timestamp\(6\)"),
    ],
    ids=["text", "truths", "dates"],
)
def test_only_numbers_have_a_range(values, kind):
    message = (
        f"^Column 'x' holds {kind}, not numbers, so it has no range to read off. Declare its type, as in --type "
        "x=number, or choose another column.$"
    )
    with pytest.raises(BadRoles, match=message):
        range_of(pd.DataFrame({"x": values}), "x")


@pytest.mark.parametrize("strange", [math.inf, -math.inf, math.nan])
def test_what_is_no_finite_number_has_no_range(strange):
    table = pa.table({"x": [1.0, strange, 2.0]})
    message = r"^Column 'x' is infinite or not a number in some row\. Filter them out, or correct them\.$"
    with pytest.raises(BadTable, match=message):
        range_of(table, "x")


def test_what_is_not_a_number_is_missing():
    (group,) = distinct_by_group(pa.table({"x": [1.0, math.nan, 1.0, None, 2.0]}), "x")
    assert (group.n_rows, group.n_distinct) == (3, 2)


def test_text_that_comes_late_changes_nothing(tmp_path):
    """The first 20,000 rows are whole numbers, the last is none."""
    n = 20_500
    path = tmp_path / "late.csv"
    path.write_text("g,x\n" + "".join(f"a,{i}\n" for i in range(n)) + "a,n/a\n", encoding="utf-8")
    (group,) = distinct_by_group(path, "x", by=["g"])
    assert group == ({"g": "a"}, n + 1, n + 1)
    with pytest.raises(BadRoles, match=r"^Column 'x' holds string, not numbers"):
        range_of(path, "x")
    typed = open_table(path, types={"x": "integer"})
    assert range_of(typed, "x") == (0.0, n - 1.0)


def test_a_cast_that_does_not_fit_gives_no_row():
    with pytest.raises(BadTable, match=r"^Column 'age' has no value in any row that counts\.$"):
        range_of(random_frame(1), "age", where="cast(region as int) > 1")


@pytest.mark.parametrize("n_before", [1, 20_500], ids=["early", "late"])
def test_a_malformed_row_is_named_with_its_line(tmp_path, n_before):
    """Late: beyond what is read at first."""
    path = tmp_path / "short.csv"
    path.write_text("a,x\n" + "1,2\n" * n_before + "3\n", encoding="utf-8")
    message = rf"short\.csv, line {n_before + 2}: the header has 2 fields, this row 1\."
    with pytest.raises(BadTable, match=message):
        range_of(open_table(path, types={"x": "number"}), "x")
